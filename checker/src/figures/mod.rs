//! Claims of kind `derived`, computed again: formulas, counts, printed code run on bits.

mod bits;
mod blocks;
mod coins;
mod covers;
mod declared;
mod games;
mod pegs;
mod puzzles;
mod rows;
mod simple;
mod tilt;

use std::str::FromStr;

use crate::checker::{Checker, once};
use crate::claim::texts;
use crate::reading::{LEAST_SAMPLE, Reading, drawn};
use crate::replay::replayed;
use crate::rules::Settings;
use crate::search::hash;
use crate::shown::{Derived, OrWrong, Shown, Stop, bound_of, list};
use crate::verdict::{by_bound, number};

/// All of it was shown.
pub fn exact(value: impl ToString) -> Result<Derived, Stop> {
    Ok(Derived {
        value: value.to_string(),
        ..Derived::default()
    })
}

/// The figure is at least, or at most, this.
pub fn bounded(value: impl ToString, bound: &'static str) -> Result<Derived, Stop> {
    let bound = Some(bound);
    exact(value).map(|derived| Derived { bound, ..derived })
}

/// All of it was shown except for the trusted part.
pub fn trusting(value: impl ToString, trusted: impl Into<String>) -> Result<Derived, Stop> {
    let trusted = vec![trusted.into()];
    exact(value).map(|derived| Derived { trusted, ..derived })
}

/// A statement that holds or fails.
pub fn holds(yes: bool) -> Result<Derived, Stop> {
    exact(if yes { "holds" } else { "fails" })
}

/// It is beyond this checker.
pub fn unknown<T>(why: &str) -> Result<T, Stop> {
    Err(Stop::Unknown(why.to_owned()))
}

/// There is no such derivation.
pub fn unnamed<T>() -> Result<T, Stop> {
    unknown("no derivation of this name is known here")
}

/// A property of n things drawn here; fails if one lacks it.
pub fn sampled(count: u64, what: &str, holds: impl Fn(&mut Draw) -> bool) -> Result<Derived, Stop> {
    if !(0..count).all(|index| holds(&mut Draw::new(index))) {
        return exact(false);
    }
    let share = 100.0 * bound_of(count as f64);
    let trusted = format!(
        "{what}: {count} drawn here have it (with 95% confidence at most {share:.2}% have it not)"
    );
    on_some(trusting(true, trusted))
}

/// A statement about all cases, of which only some were tried.
pub fn on_some(derived: Result<Derived, Stop>) -> Result<Derived, Stop> {
    let on_some = true;
    derived.map(|derived| Derived { on_some, ..derived })
}

/// A statement of which cases are drawn here, and that the certificate's tool tried completely.
pub fn tried_whole(derived: Result<Derived, Stop>) -> Result<Derived, Stop> {
    let on_some = false;
    derived.map(|derived| Derived { on_some, ..derived })
}

/// A statement that holds or fails: for all small cases, and for some random ones.
pub fn holds_too(small: bool, drawn: Result<Derived, Stop>) -> Result<Derived, Stop> {
    let drawn = drawn?;
    let value = holds(small && drawn.value == "true")?.value;
    Ok(Derived { value, ..drawn })
}

/// Numbers drawn at random, by the checker's own seed.
pub struct Draw(u128);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(u128::from(seed) << 64)
    }
    pub fn word(&mut self) -> u64 {
        self.0 += 1;
        hash(self.0) as u64
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }
}

/// Parameters of a derivation.
#[derive(Debug)]
pub struct Parameters(pub Settings);

impl Parameters {
    /// The text of a parameter, or the default if the derivation does not take it.
    pub fn text<'a>(&'a self, key: &str, usual: &'a str) -> &'a str {
        self.0.get(key).map_or(usual, String::as_str)
    }

    /// The number of a parameter, or the default; 0 if it is not a number.
    pub fn number<N: FromStr + Default>(&self, key: &str, usual: N) -> N {
        let given = self.0.get(key).map(|text| text.parse().unwrap_or_default());
        given.unwrap_or(usual)
    }

    /// Parameters that are also settings of a puzzle.
    pub fn settings(&self, keys: &[&str]) -> Settings {
        let all = self.0.clone().into_iter();
        all.filter(|(key, _)| keys.contains(&key.as_str()))
            .collect()
    }
}

fn derive(reading: &Reading, what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    match reading.puzzle {
        "tilt" => tilt::derive(what, parameters),
        "coin-sliding" => coins::derive(reading, what, parameters),
        "peg-solitaire" => pegs::derive(what, parameters),
        "sliding-block" => blocks::derive(what, parameters),
        "simple-block" => simple::derive(what, parameters),
        "permute" => bits::permute(what, |name| reading.part("figures")[name].as_str()),
        "bitboard" => games::derive(what),
        "rush-hour" if what == "hardest-by-pieces" => {
            puzzles::hardest_by_pieces(reading, parameters)
        }
        puzzle => puzzles::derive(puzzle, what, parameters),
    }
}

/// Whether a derivation shows a reading, and the trusted part of it.
pub fn show(checker: &Checker, reading: &Reading) -> Shown {
    let figure = |name: &str| reading.part("figures")[name].as_str();
    let found = reading.text("found");
    let what = reading.case.text("derive").unwrap_or_default();
    let given = texts(reading.case.own.get("parameters"));
    let parameters = declared::parameters(reading.puzzle, reading.case, what, given)?;
    let named = figure("value").unwrap_or_default() == found;
    named.or_wrong("the figure found is not its value")?;
    let open = reading.is_open();
    (open || !found.is_empty()).or_wrong("decided without a value")?;
    let rests = ["samples", "program"].map(figure);
    // Whatever of the certificate it reads.
    let boards = (what == "hardest-by-pieces").then(|| reading.part("figures").to_string());
    let rests = format!("{parameters:?} {found} {rests:?} {boards:?}");
    let name = format!("{} {what} {rests}", reading.name());
    let derive = || derive(reading, what, &parameters);
    let again = match once(&checker.figures, name, derive) {
        // The effort does not reach the figure.
        Err(Stop::Unknown(_)) if open => return Ok(vec![]),
        Err(Stop::Unknown(why)) => return unknown(&format!("{what}: {why}")),
        again => again?,
    };
    reading.comes_to(&again.value)?;
    if open {
        return Ok(vec![]);
    }
    let judged = figure("samples").is_some() && reading.verdict() != "reported";
    (!judged).or_wrong("a speed measured on one machine is judged")?;
    let compare = reading.case.compare.as_str();
    for (end, again) in ["low", "high"].iter().zip(again.interval.iter().flatten()) {
        (figure(end) == Some(again)).or_wrong(format!("{end} is {again}"))?;
    }
    let logical = match &again.interval {
        Some(ends) => by_interval(reading, ends),
        None => reading.case.verdict(found).unwrap_or_default(),
    };
    // An upper bound shows that no figure is larger, a lower bound that none is smaller.
    let by = |side| by_bound(side == "above", compare, logical);
    let decided = again.bound.is_none_or(by);
    let open = !decided && compare != "report";
    let logical = if open { "not-reached" } else { logical };
    let (checks, figures) = (list(reading.part("checks")), reading.part("figures"));
    // Cases that were drawn, or that were chosen and give no bound.
    let cases = [("sampled", true), ("tried", false)].into_iter();
    let cases: Vec<(&str, bool)> = cases.filter(|(name, _)| figure(name).is_some()).collect();
    let all = checks.len() == cases.len() && cases.len() <= 1;
    all.or_wrong("samples without a check, or a check without samples")?;
    for (check, &(name, drawn)) in checks.iter().zip(&cases) {
        let wrong = figure("wrong").unwrap_or("0");
        let same = check["sampled"] == figures[name] && check["wrong"] == wrong;
        let bounded = check["bound"].is_null() != (drawn && wrong == "0");
        (same && bounded && check["what"] == what)
            .or_wrong("the sample is reported in two ways")?;
        let count = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok());
        let (cases, wrong) = (count(figure(name)), count(Some(wrong)));
        (wrong <= cases && (wrong == Some(0) || logical != "confirmed"))
            .or_wrong("more are wrong than can be")?;
    }
    let few = checks.iter().any(|check| drawn(check) < LEAST_SAMPLE);
    let verdict = match (logical, checks.is_empty()) {
        ("confirmed", true) if again.on_some => {
            return Err("confirmed, and only some cases were tried".into());
        }
        // A statement holds for all cases, or for some; its derivation has to say which.
        ("confirmed", true) if compare == "holds" && figure("all").is_none() => "not-reached",
        ("confirmed", false) if few => "not-reached",
        ("confirmed", false) => "confirmed-by-sample",
        (logical, _) => logical,
    };
    reading.comes_out(verdict)?;
    game(reading, &again.game)?;
    Ok(again.trusted)
}

/// The verdict of all figures in an interval.
fn by_interval(reading: &Reading, [low, high]: &[String; 2]) -> &'static str {
    let case = reading.case;
    let within = |claimed| Some(number(low)? <= claimed && claimed <= number(high)?);
    let holds_it = number(&case.claimed).and_then(within) == Some(true);
    match (case.verdict(low), case.verdict(high)) {
        (Some("reported"), _) => "reported",
        (Some("confirmed"), Some("confirmed")) => "confirmed-by-sample",
        (Some("refuted"), Some("refuted")) if !holds_it => "refuted-by-sample",
        _ => "not-reached",
    }
}

/// Whether the game shown equals the one played here, with the moves as the rules name them.
fn game(reading: &Reading, boards: &[String]) -> Result<(), Stop> {
    let picture = match (reading.witnesses(), boards) {
        ([], []) => return Ok(()),
        // A game is drawn on the board of an instance.
        ([], _) if reading.case.instance.is_none() => return Ok(()),
        ([picture], [_, ..]) => &picture["kind"],
        _ => return Err("another number of games is shown".into()),
    };
    replayed(&*reading.rules()?, picture)?;
    let same = list(&picture["strip"]["states"]).iter().eq(boards);
    same.or_wrong("the game shown is not the published one")
}
