//! Level tables, searched again.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::BEYOND;
use super::moves::{self, is_of_moves};
use crate::checker::{Checker, once};
use crate::counts::Needs;
use crate::csv;
use crate::parts::{self, NEVER, counted};
use crate::reading::Reading;
use crate::rules::tilt::{Tilt, greys};
use crate::rules::{MOST, Rules, UNKNOWN};
use crate::search::{Level, Question, States, search};
use crate::shown::{OrWrong, Shown, Stop, agrees, list, number, or_none, text};
use crate::verdict::{by_bound, decimal, truth, whole};

/// The table of a reading, searched again and as the record has it; `None` if it is too large.
pub(super) fn table(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    keep: bool,
) -> Result<Option<Table>, Stop> {
    let case = reading.case;
    let backward = case.is_backward();
    let depth = to_its_depth(reading)?;
    let from = from(reading);
    let of_tilt = backward && reading.puzzle == "tilt" && from.is_none();
    let single = !of_tilt || case.instance.as_deref() != Some("box");
    single.or_unknown("a search of the whole box that ends early")?;
    let known = || {
        let parts = rules.parts().map(|parts| parts.to_string());
        parts.ok_or("how many parts an instance has".to_owned())
    };
    let parts = match backward && from.is_none() {
        true => {
            let parts = once(&checker.texts, reading.name() + " parts", known);
            parts.map_err(Stop::Unknown)?.parse().unwrap_or(0)
        }
        false => 1,
    };
    (parts_of(reading) == parts).or_wrong(format!("its parts are {parts}"))?;
    let found = if of_tilt {
        of_part(reading, keep)?.up_to(depth)
    } else {
        let roots = match (backward, from) {
            (true, None) => rules.solved_states(),
            _ => reading.start(rules)?.into_iter().collect(),
        };
        (!roots.is_empty()).or_unknown("solved states cannot be listed here")?;
        let goes_back = roots.iter().all(|&root| rules.before(root).is_some());
        (!backward || goes_back).or_unknown("a search back")?;
        let mut images = roots.iter().flat_map(|&root| rules.images(root));
        let closed = backward && from.is_none() || images.all(|image| roots.contains(&image));
        // An instance of several parts lists its states up to symmetry. A search from a board does
        // not state the number of starts, but whether images were counted, on which no figure
        // rests.
        let rows = reading.levels();
        let images = rows.iter().any(|row| row["orbits"] != row["states"]);
        let census = match from {
            None if backward => parts > 1,
            _ => images,
        };
        let symmetry = closed && (census || !keep);
        let question = Question {
            roots,
            backward,
            depth,
            symmetry,
            until: None,
        };
        let Some(found) = checker.search(&reading.name(), rules, &question, keep) else {
            return Ok(None);
        };
        // A search with a bound shows nothing about other states, even if it ended by itself.
        let whole = backward && from.is_none() && found.complete && depth.is_none();
        let states = match symmetry && keep {
            true => with_images(rules, &found.states),
            false => found.states.clone(),
        };
        let never = || never(rules, &found.levels, &states, (symmetry, keep));
        let never = whole.then(never).transpose()?.flatten();
        Table {
            never,
            levels: found.levels.clone(),
            states,
            complete: found.complete,
        }
    };
    ran(reading, (backward, from), found.complete, parts)?;
    let never = found.never.as_ref().map(|(level, _)| level);
    same(reading, &found.levels, never)?;
    Ok(Some(found))
}

/// The board from which a search of levels starts; for kind `hardest`, the board of the claim.
fn from<'a>(reading: &Reading<'a>) -> Option<&'a str> {
    let case = reading.case;
    case.board.as_deref().filter(|_| case.kind != "hardest")
}

/// The depth at which the claim's own lines end the search, which is that of its run.
fn to_its_depth(reading: &Reading) -> Result<Option<u32>, Stop> {
    let depth = reading.asked("max_depth").and_then(Value::as_u64);
    // Only a search to the end knows which moves lead to unsolvable states, whatever the question.
    let count = reading.case.count();
    let cut = count.is_none_or(|count| count.needs != Needs::Solvable);
    let last = reading.range().filter(|_| cut);
    let depth = depth.or(last.map(|(_, last)| last as u64));
    let same = reading.part("run")["max_depth"] == json!(depth);
    same.or_wrong("the run went to another depth")?;
    Ok(depth.map(|depth| depth as u32))
}

/// Whether levels that are not searched again are possible.
pub(super) fn can_be(reading: &Reading) -> Result<(), Stop> {
    let rows = list(&reading.part("levels")["levels"]);
    let from_one = !reading.part("run")["from"].is_null();
    let possible = |(depth, row): (usize, &Value)| {
        let (states, orbits) = (number(row, "states"), number(row, "orbits"));
        let alone = depth > 0 || !from_one || states == 1;
        let sizes = orbits <= states && (orbits > 0 || states == 0);
        row["depth"] == depth && sizes && alone
    };
    let possible = rows.iter().enumerate().all(possible);
    possible.or_wrong("no search has such levels")
}

/// Whether a table that is not searched again belongs to the question, and fits its antipodes.
pub(super) fn told_as_asked(reading: &Reading) -> Result<bool, Stop> {
    to_its_depth(reading)?;
    can_be(reading)?;
    let complete = reading.part("run")["complete"] == true;
    let asked = (reading.case.is_backward(), from(reading));
    ran(reading, asked, complete, parts_of(reading))?;
    let antipodes = list(reading.part("antipodes"));
    let rules = reading.rules().ok();
    let is_state = |one: &Value| match (&rules, text(one, "state")) {
        (Some(rules), text) => rules.state(text).is_ok_and(|own| rules.draw(own) == text),
        (None, text) => !text.is_empty(),
    };
    let states = antipodes.iter().all(is_state);
    states.or_wrong("an antipode is no state")?;
    let levels = reading.levels();
    let deepest = levels.last().unwrap_or(&Value::Null);
    let sizes = antipodes.iter().map(|one| one["orbit_size"].as_u64());
    let sizes = sizes.flatten().map(u128::from);
    let fits = number(deepest, "states") == sizes.sum::<u128>()
        && number(deepest, "orbits") == antipodes.len() as u128
        && antipodes.iter().all(|one| one["depth"] == deepest["depth"]);
    let shown = shows_antipodes(reading, complete)?;
    (fits || !shown).or_wrong("the antipodes are not the deepest level")?;
    Ok(complete)
}

/// The states of each level with all their images.
fn with_images(rules: &dyn Rules, levels: &[Vec<u128>]) -> Vec<Vec<u128>> {
    let all = |states: &Vec<u128>| {
        let all = states.iter().flat_map(|&state| rules.images(state));
        all.collect::<BTreeSet<u128>>().into_iter().collect()
    };
    levels.iter().map(all).collect()
}

/// The states in no level, up to symmetry; listed if they are to be kept. `None` if states cannot
/// be listed. More than [`MOST`] are not kept.
fn never(
    rules: &dyn Rules,
    levels: &[Level],
    states: &[Vec<u128>],
    (symmetry, keep): (bool, bool),
) -> Result<Option<(Level, Vec<u128>)>, Stop> {
    let (mut rest, mut never) = (Level::default(), Vec::new());
    let met = states.iter().flatten().filter(|_| keep);
    let mut known = States::default();
    for &state in met {
        known.insert(state);
    }
    let listed = rules.each_state(&mut |state| {
        if !symmetry || rules.canonical(state) == state {
            rest.count(rules, state, symmetry);
        }
        if keep && never.len() <= MOST && !known.contains(state) {
            never.push(state);
        }
    });
    (never.len() <= MOST).or_unknown(BEYOND)?;
    if !listed {
        return Ok(None);
    }
    for level in levels {
        rest.states -= level.states;
        rest.orbits -= level.orbits;
        rest.digest = rest.digest.wrapping_sub(level.digest);
    }
    Ok(Some((rest, never)))
}

/// The table of a reading with its antipodes: the trusted part of it, and whether it is complete.
pub(super) fn whole_table(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
) -> Result<(Vec<String>, bool), Stop> {
    let case = reading.case;
    let is_box = reading.puzzle == "tilt"
        && case.instance.as_deref() == Some("box")
        && case.is_backward()
        && (case.kind == "hardest" || case.own.len() == 1 && case.board.is_none());
    let (mut trusted, mut complete, mut deepest) = (vec![], true, None);
    if is_box {
        trusted = of_box(reading)?;
    } else if let Some(table) = table(checker, reading, rules, false)? {
        complete = table.complete;
        deepest = table.states.last().cloned();
    } else {
        trusted.push(BEYOND.to_owned());
        complete = reading.part("run")["complete"] == true;
    }
    let shown = shows_antipodes(reading, complete)?;
    // If a table is not recomputed, only its antipodes are checked.
    let checked = trusted.is_empty() || is_box || shown && case.is_backward();
    checked.or_unknown(BEYOND)?;
    if !trusted.is_empty() && case.is_backward() && from(reading).is_none() && complete {
        let all = match is_box {
            true => Some(counted([6, 4, 2]).0),
            false => rules.count(),
        };
        let rest = [&reading.part("levels")["unsolvable"]];
        let rows = reading.levels().iter().chain(rest);
        let sum = rows.map(|row| number(row, "states")).sum::<u128>();
        let whole = all.is_none_or(|all| all == sum);
        whole.or_wrong(format!(
            "its levels hold {sum} states, and there are {}",
            or_none(all)
        ))?;
    }
    if is_box || shown || case.kind == "hardest" {
        antipodes(reading, rules, deepest)?;
    }
    Ok((trusted, complete))
}

/// Most antipodes of a search that are kept.
pub const MOST_SHOWN: u128 = 100_000;

/// Whether antipodes are shown, as every search to its end does that finds few and counts no moves.
pub(super) fn shows_antipodes(reading: &Reading, complete: bool) -> Result<bool, Stop> {
    let shown = !list(reading.part("antipodes")).is_empty();
    let deepest = reading.levels().last();
    let few = deepest.is_some_and(|deepest| number(deepest, "orbits") <= MOST_SHOWN);
    let kept = !is_of_moves(reading);
    (shown || !(complete && few && kept)).or_wrong("its antipodes are missing")?;
    Ok(shown)
}

/// Checks that the deepest level is the antipodes shown, each at its stated distance. Compares them
/// with a search already made, or solves them again.
pub(super) fn antipodes(
    reading: &Reading,
    rules: &dyn Rules,
    deepest: Option<Vec<u128>>,
) -> Result<(), Stop> {
    let met = deepest.map(BTreeSet::from_iter);
    let shown = list(reading.part("antipodes"));
    let levels = reading.levels();
    let backward = reading.case.is_backward();
    let solves = reading.case.kind == "hardest" || reading.case.board.is_none();
    (!backward || solves).or_unknown("antipodes of a search back from a board")?;
    // If a start is not its own image, images are at other distances: each state then represents
    // only itself.
    let start = match backward {
        true => None,
        false => reading.start(rules)?,
    };
    let symmetry = backward || start.is_some_and(|start| rules.is_symmetric(start));
    let mut level = Level::default();
    for one in shown {
        let text = text(one, "state");
        let state = rules.state(text)?;
        let (stands, images) = match symmetry {
            true => (rules.canonical(state), rules.orbit(state)),
            false => (state, 1),
        };
        (rules.draw(stands) == text).or_wrong(format!("{text} does not stand for its images"))?;
        (one["orbit_size"] == images as u64).or_wrong(format!("{text} has {images} images"))?;
        let depth = one["depth"].as_u64();
        if let Some(met) = &met {
            let there = met.contains(&stands);
            there.or_wrong(format!("{text} is not in the deepest level"))?;
        } else if backward {
            let solved = |state| {
                let found = search(rules, &Question::solving(state), false);
                let found = found.ok_or(Stop::Unknown(BEYOND.into()))?;
                Ok::<_, Stop>(found.met.map(u64::from))
            };
            let met = solved(state)?;
            (depth == met).or_wrong(format!("{text} is solved in {} moves", or_none(met)))?;
            let beside = rules.before(state).unwrap_or_else(|| rules.next(state));
            for beside in beside {
                let (further, board) = (solved(beside)? > depth, rules.draw(beside));
                (!further).or_wrong(format!("{board} is further than {text}"))?;
            }
        }
        let deepest = depth.is_some_and(|depth| depth + 1 == levels.len() as u64);
        deepest.or_wrong("an antipode is not in the deepest level")?;
        level.add(rules.key(state), images);
    }
    let last = levels.last().unwrap_or(&Value::Null);
    let same = csv::told(last, &["states", "orbits", "digest"]) == level.told();
    same.or_wrong("the antipodes are not the deepest level")
}

pub(super) fn levels(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let (mut trusted, complete) = whole_table(checker, reading, &*rules)?;
    if reading.is_open() {
        let hidden = known(reading, complete) || so_far(reading, complete).is_some();
        (!hidden).or_wrong("what its levels decide is said to be not reached")?;
        return Ok(trusted);
    }
    if trusted.is_empty() {
        reading.hides_nothing(&*rules)?;
    }
    trusted.extend(decided(reading, complete)?);
    Ok(trusted)
}

/// Whether the record's own table answers the question.
fn known(reading: &Reading, complete: bool) -> bool {
    let (case, others) = (
        reading.case,
        !reading.part("levels")["unsolvable"].is_null(),
    );
    let searched = (reading.levels().len(), complete, others);
    match reading.range() {
        Some((first, last)) if case.kind == "levels" => {
            let (found, claimed) = sizes(reading, complete, (first, last));
            found.len() > last - first || !claimed.starts_with(&found)
        }
        range => case.knows(range.map(|(_, last)| last), searched),
    }
}

/// The finding and the verdict of a search that was cut, if a figure that only grows decides.
fn so_far(reading: &Reading, complete: bool) -> Option<(String, &'static str)> {
    let (case, name) = (reading.case, reading.case.text("count")?);
    let (stem, _) = name.rsplit_once('_')?;
    let grows = name == "max_depth" || ["solvable", "reachable"].contains(&stem);
    let cut = grows && !complete && known(reading, true);
    let figure = figure(reading).filter(|_| cut)?;
    let logical = case.verdict(&figure)?;
    by_bound(false, &case.compare, logical).then(|| (format!("at least {figure}"), logical))
}

/// Whether the finding and the verdict follow from the record's own table.
pub(super) fn decided(reading: &Reading, complete: bool) -> Shown {
    let case = reading.case;
    if is_of_moves(reading) {
        return moves::decided(reading, known(reading, complete));
    }
    let count = case.text("count").unwrap_or(&case.kind);
    if let Some((figure, logical)) = so_far(reading, complete) {
        reading.comes_to(&figure)?;
        return reading.graded(logical, true).map(|()| vec![]);
    }
    known(reading, complete).or_wrong(format!("a search like this does not know {count}"))?;
    let logical = if case.kind == "levels" {
        truth(as_claimed(reading, complete)?)
    } else if let Some(figure) = figure(reading) {
        reading.comes_to(&figure)?;
        case.verdict(&figure).unwrap_or_default()
    } else {
        return reading.is_by_the_clock();
    };
    // The number of parts does not rest on the search.
    reading.graded(logical, count != "parts")?;
    Ok(vec![])
}

/// The sizes of some levels as far as they are known, and as claimed.
fn sizes(
    reading: &Reading,
    complete: bool,
    (first, last): (usize, usize),
) -> (Vec<Option<u128>>, Vec<Option<u128>>) {
    let said = reading.levels();
    // A level after the last one of a whole table is empty.
    let size = |depth| match said.get(depth) {
        Some(row) => Some(number(row, "states")),
        None => complete.then_some(0),
    };
    let found = (first..=last).map(size).take_while(Option::is_some);
    let claimed = reading.case.claimed.split(", ").map(whole);
    (found.collect(), claimed.collect())
}

/// Whether the sizes of some levels, which are the finding, equal the claimed ones.
fn as_claimed(reading: &Reading, complete: bool) -> Result<bool, Stop> {
    let range = reading.range().ok_or("it asks for no levels")?;
    let (sizes, claimed) = sizes(reading, complete, range);
    let texts = sizes.iter().flatten().map(u128::to_string);
    reading.comes_to(&texts.collect::<Vec<_>>().join(", "))?;
    Ok(sizes == claimed)
}

/// The figure of a table for a count; `None` if it is a speed.
fn figure(reading: &Reading) -> Option<String> {
    let (said, rest) = (reading.levels(), &reading.part("levels")["unsolvable"]);
    let sum = |member: &str| said.iter().map(|row| number(row, member)).sum::<u128>();
    let name = reading.case.text("count").unwrap_or_default();
    let (stem, member) = name.rsplit_once('_').unwrap_or((name, ""));
    let of = |row: Option<&Value>| row.map_or(0, |row| number(row, member));
    let figure = match (stem, member) {
        ("max", _) => said.len() as u128 - 1,
        ("parts", _) => parts_of(reading) as u128,
        ("pruned", _) => {
            let all = sum("states") + number(rest, "states");
            return Some(decimal(1.0 - sum("orbits") as f64 / all as f64));
        }
        (_, member) if !["states", "orbits"].contains(&member) => return None,
        ("solvable" | "reachable", _) => sum(member),
        ("unsolvable", _) => number(rest, member),
        ("total", _) => sum(member) + number(rest, member),
        ("solved", _) => of(said.first()),
        ("antipodes", _) => of(said.last()),
        (level, _) => of(said.get(level.strip_prefix("level_")?.parse::<usize>().ok()?)),
    };
    Some(figure.to_string())
}

fn parts_of(reading: &Reading) -> usize {
    reading.part("run")["parts_total"].as_u64().unwrap_or(0) as usize
}

/// Whether a run, backward or forward, belongs to the reading's question.
pub(super) fn ran(
    reading: &Reading,
    (backward, from): (bool, Option<&str>),
    complete: bool,
    parts: usize,
) -> Result<(), Stop> {
    let steps = reading.case.moves() == "steps";
    let right = json!({
        "puzzle": reading.puzzle,
        "unit": steps.then_some("steps"),
        "instance": reading.case.instance,
        "settings": reading.case.settings,
        "direction": if backward { "backward" } else { "forward" },
        "from": from,
        "complete": complete,
        "parts_total": parts,
        "parts_done": parts,
    });
    agrees(reading.part("run"), &right, "the run")
}

/// Whether a table in a certificate equals the recomputed one.
pub(super) fn same(
    reading: &Reading,
    levels: &[Level],
    unsolvable: Option<&Level>,
) -> Result<(), Stop> {
    let said = csv::levels_of(reading.part("levels")).split_off(1);
    let due = csv::rows(levels, unsolvable);
    let mut rows = 0..said.len().max(due.len());
    let odd = rows.find(|&at| said.get(at) != due.get(at));
    odd.map_or(Ok(()), |at| {
        let right = or_none(due.get(at).map(|row| row.join(",")));
        Err(format!("row {at} of its levels is {right}").into())
    })
}

/// Recomputed levels, with the states of each if they are to be kept, and the states never met.
pub(super) struct Table {
    pub levels: Vec<Level>,
    pub states: Vec<Vec<u128>>,
    pub never: Option<(Level, Vec<u128>)>,
    pub complete: bool,
}

impl Table {
    /// The table of a search that runs no deeper.
    pub fn up_to(mut self, depth: Option<u32>) -> Self {
        if let Some(most) = depth.map(|depth| depth as usize + 1) {
            self.complete = self.levels.len() < most;
            self.levels.truncate(most);
            self.states.truncate(most);
            // A search with a bound shows nothing about other states, even if it ended by itself.
            self.never = None;
        }
        self
    }
}

/// A level of states that are their own orbits.
fn apart(states: &[u128]) -> Level {
    let mut level = Level::default();
    states.iter().for_each(|&state| level.add(state, 1));
    level
}

/// The levels of the part of Tilt that is the instance; each state is its own orbit if they are to
/// be kept.
fn of_part(reading: &Reading, keep: bool) -> Result<Table, Stop> {
    let instance = reading.case.instance.as_deref().unwrap_or_default();
    let tilt = Tilt::open(instance, &reading.case.settings).ok_or(UNKNOWN)?;
    let images = tilt.start().map(|start| tilt.images(start));
    let masks = images.into_iter().flatten().map(greys);
    let part = parts::part(&tilt, masks.min().unwrap_or(0));
    let level = |depth| -> Vec<u128> {
        let own = part.boards.iter().filter(|board| board.1 == depth);
        own.map(|board| board.0).collect()
    };
    let states: Vec<Vec<u128>> = (0..part.levels.len() as u32).map(level).collect();
    let never = level(NEVER);
    let each = || states.iter().map(|states| apart(states)).collect();
    let (levels, unsolvable) = match keep {
        true => (each(), apart(&never)),
        false => (part.levels, part.unsolvable),
    };
    Ok(Table {
        levels,
        states,
        never: Some((unsolvable, never)),
        complete: true,
    })
}

/// The table of the whole box of Tilt, added up from its parts in a file next to it.
fn of_box(reading: &Reading) -> Shown {
    ran(reading, (true, None), true, 24_191)?;
    let whole = reading.part("run")["max_depth"].is_null();
    whole.or_wrong("the run went to another depth")?;
    let Some(parts) = reading.beside else {
        let alone = "the levels of the box: no table of its parts lies next to the certificate";
        return Ok(vec![alone.into()]);
    };
    same(reading, &parts.levels, Some(&parts.unsolvable))?;
    Ok(vec![parts.trusted.clone()])
}
