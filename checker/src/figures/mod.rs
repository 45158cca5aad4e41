//! Claims of kind `derived`, derived again: formulas, counts, printed code run on bits.

mod bits;
mod blocks;
mod coins;
mod covers;
mod games;
mod pegs;
mod puzzles;
mod rows;
mod simple;
mod tilt;
mod timings;

use std::str::FromStr;

use crate::reading::Reading;
use crate::rules::Settings;
use crate::search::hash;
use crate::shown::Derived;
use crate::shown::{Stop, bound_of};

/// All of it was done.
pub fn exact(value: impl ToString) -> Result<Derived, Stop> {
    Ok(Derived {
        value: value.to_string(),
        ..Derived::default()
    })
}

/// All of it was done but for what is trusted.
pub fn trusting(value: impl ToString, trusted: impl Into<String>) -> Result<Derived, Stop> {
    Ok(Derived {
        value: value.to_string(),
        trusted: vec![trusted.into()],
        ..Derived::default()
    })
}

/// Something that holds or fails.
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

/// A property that holds of so many things drawn here; fails where one lacks it.
pub fn sampled(count: u64, what: &str, holds: impl Fn(&mut Draw) -> bool) -> Result<Derived, Stop> {
    let all = (0..count).all(|index| holds(&mut Draw::new(index)));
    let share = 100.0 * bound_of(count as f64);
    let trusted = format!(
        "{what}: {count} drawn here have it (with 95% confidence at most {share:.2}% have it not)"
    );
    trusting(all, trusted)
}

/// Something that holds or fails: of all small cases, and of some that are drawn.
pub fn holds_too(small: bool, drawn: Result<Derived, Stop>) -> Result<Derived, Stop> {
    let drawn = drawn?;
    let value = holds(small && drawn.value == "true")?.value;
    Ok(Derived { value, ..drawn })
}

/// Numbers drawn at random, by a seed of the checker's own.
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
    /// The text of a parameter, or what is usual.
    pub fn text<'a>(&'a self, key: &str, usual: &'a str) -> &'a str {
        self.0.get(key).map_or(usual, String::as_str)
    }

    /// The number that a parameter is, or what is usual; 0 where it is none.
    pub fn number<N: FromStr + Default>(&self, key: &str, usual: N) -> N {
        let given = self.0.get(key).map(|text| text.parse().unwrap_or_default());
        given.unwrap_or(usual)
    }

    /// Those that are settings of a puzzle too.
    pub fn settings(&self, keys: &[&str]) -> Settings {
        let all = self.0.clone().into_iter();
        all.filter(|(key, _)| keys.contains(&key.as_str()))
            .collect()
    }
}

/// Derives a figure again.
pub fn derive(reading: &Reading, what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    match reading.puzzle {
        "tilt" => tilt::derive(what, parameters, reading.text("found")),
        "coin-sliding" => coins::derive(reading, what, parameters),
        "peg-solitaire" => pegs::derive(what, parameters),
        "sliding-block" => blocks::derive(what, parameters),
        "simple-block" => simple::derive(what, parameters),
        "permute" => bits::permute(what, |name| reading.record["figures"][name].as_str()),
        "bitboard" => games::derive(reading, what),
        puzzle => puzzles::derive(puzzle, what, parameters),
    }
}
