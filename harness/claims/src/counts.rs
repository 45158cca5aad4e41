//! The figures that claims of kind `count` can name: of a level table, of the moves out of
//! levels, and of the time that a search took.

use std::sync::LazyLock;

use antipode_check::analysis::Analysis;
use antipode_reports::amount;
use antipode_reports::model::LevelMoves;
use puzzle_api::decimal;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::sheet;

/// The source of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Of {
    /// The level table and the record of its run.
    Levels,
    /// The moves out of the levels.
    Moves,
    /// The time until a path was found.
    Path,
}

/// Which searches can know a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KnownBy {
    /// A search forward, or backward from the solved states or from a board.
    Any,
    /// A search forward from the start or a board.
    Forward,
    /// A search backward from the solved states.
    Solved,
}

/// How far a search has to go to know a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reach {
    /// It is a figure of the run, at any depth.
    Run,
    /// Level 0.
    First,
    /// The level in its name.
    Level,
    /// Until the figure is met.
    Met,
    /// The last of `levels`; the last level of all without that key.
    Range,
    /// The last level of all.
    End,
    /// All states of the instance, the unsolvable ones too.
    All,
}

/// A figure that a claim can name, and the search that it needs: a row of `keys.toml`. All code that
/// reads, refuses and judges counts uses these rows.
pub(crate) struct KnownFigure {
    name: &'static str,
    pub(crate) of: Of,
    /// Its unit; empty for a plain quotient.
    pub(crate) unit: &'static str,
    /// Which searches know it.
    way: KnownBy,
    /// How far these have to go.
    pub(crate) reach: Reach,
    /// Its meaning, for the documentation.
    about: &'static str,
    /// Keys of a claim that names it, after the puzzle that they are about.
    example: &'static str,
    /// Whether it concerns the puzzle's own buckets.
    pub(crate) of_buckets: bool,
    /// Whether a clock measured it: it is reported, and never confirmed or refuted.
    pub(crate) measured: bool,
    /// Whether a search that goes further finds no less, so that levels without the rest bound it.
    pub(crate) grows: bool,
}

impl KnownFigure {
    /// A row of `keys.toml`, which says what its words mean.
    fn of(row: &[&'static str]) -> Self {
        let [name, what, unit, about, example] = *row else {
            panic!("keys.toml: {row:?}");
        };
        let mut words = what.split(' ');
        Self {
            name,
            of: read(words.next()),
            unit,
            way: read(words.next()),
            reach: read(words.next()),
            about,
            example,
            of_buckets: what.ends_with(" buckets"),
            measured: what.ends_with(" measured"),
            grows: what.ends_with(" grows"),
        }
    }

    /// Whether `levels` gives its levels.
    pub(crate) fn of_range(&self) -> bool {
        self.of == Of::Moves && self.reach != Reach::Met
    }

    /// Which searches know it, for the documentation.
    fn known_by(&self) -> String {
        let way = match self.way {
            KnownBy::Any => "any search",
            KnownBy::Forward => "forward",
            KnownBy::Solved => "backward from the solved states",
        };
        let far = match self.reach {
            Reach::Run => return way.to_owned(),
            Reach::First => "to level 0",
            Reach::Level => "to level N",
            Reach::Met => "until it is met",
            Reach::Range => "to the last of `levels`, or to the end",
            Reach::End => "to the end",
            Reach::All => "to the end, and all other states counted",
        };
        format!("{way}, {far}")
    }
}

/// All figures.
static FIGURES: LazyLock<Vec<KnownFigure>> = LazyLock::new(|| {
    let rows = sheet::rows(sheet::all(), "counts");
    rows.map(|row| KnownFigure::of(&row)).collect()
});

/// A word of `keys.toml`.
fn read<T: DeserializeOwned>(word: Option<&str>) -> T {
    let read = toml::Value::from(word.unwrap_or_default()).try_into();
    read.expect("keys.toml says what each figure is")
}

/// The figure of a name.
pub(crate) fn find(name: &str) -> Option<&'static KnownFigure> {
    let name = match level_named(name) {
        Some((_, true)) => "level_N_states",
        Some((_, false)) => "level_N_orbits",
        None if name.starts_with("level_N_") => return None,
        None => name,
    };
    FIGURES.iter().find(|known| known.name == name)
}

/// The figure of a name.
///
/// # Errors
/// A line that names all figures.
pub(crate) fn known(name: &str) -> Result<&'static KnownFigure, String> {
    find(name).ok_or_else(|| {
        let names = names().join(", ");
        format!("no figure '{name}' in an analysis; use one of {names}")
    })
}

/// Names of all figures; N stands for a depth.
pub(crate) fn names() -> Vec<&'static str> {
    FIGURES.iter().map(|known| known.name).collect()
}

/// Name, unit, meaning, the searches that know it and an example of every figure that a count can
/// name; N stands for a depth.
pub fn counts() -> impl Iterator<Item = [String; 5]> {
    FIGURES.iter().map(|known| {
        let known_by = known.known_by();
        let texts = [
            known.name,
            known.unit,
            known.about,
            &known_by,
            known.example,
        ];
        texts.map(str::to_owned)
    })
}

/// The depth that a figure of one level names.
pub(crate) fn level_of(name: &str) -> Option<u32> {
    level_named(name).map(|(depth, _)| depth)
}

/// The depth of `level_N_states` or `level_N_orbits`, and whether it is the states.
fn level_named(figure: &str) -> Option<(u32, bool)> {
    let (depth, of) = figure.strip_prefix("level_")?.split_once('_')?;
    let plain = depth == "0" || !depth.starts_with(['0', '+']);
    let depth = depth.parse().ok().filter(|_| plain)?;
    match of {
        "states" => Some((depth, true)),
        "orbits" => Some((depth, false)),
        _ => None,
    }
}

/// Checks that a search, forward or backward, from a board or not, can know a figure at all.
///
/// # Errors
/// A line why it cannot, and which one can.
pub(crate) fn fits(name: &str, (forward, from_board): (bool, bool)) -> Result<(), String> {
    let way = find(name).map_or(KnownBy::Any, |known| known.way);
    let stem = name.rsplit_once('_').map_or(name, |(stem, _)| stem);
    // What comes next to it.
    let instead = |other: &str| match stem {
        "total" | "solvable" | "unsolvable" | "solved" | "reachable" => {
            format!(", or count {other}")
        }
        _ => String::new(),
    };
    let line = match (way, forward, from_board) {
        (KnownBy::Solved, true, board) => format!(
            "'{name}' is a figure of a search backward from the solved states, and this one goes forward from a start; give direction = \"backward\"{}{}",
            if board { " and leave 'board' out" } else { "" },
            instead("reachable_states")
        ),
        (KnownBy::Solved, false, true) => format!(
            "'{name}' is a figure of a search backward from the solved states, and this one goes backward from a board; leave 'board' out"
        ),
        (KnownBy::Forward, false, _) => format!(
            "'{name}' is a figure of a search forward from a start, and this one goes backward; give direction = \"forward\"{}",
            instead("solvable_states")
        ),
        _ => return Ok(()),
    };
    Err(line)
}

/// The level that a search has to reach to know a figure about a range of levels. `None` if it has
/// to run to its end, or as far as it may.
pub(crate) fn goes_to(name: &str, range: Option<(u16, u16)>) -> Option<u32> {
    match find(name)?.reach {
        Reach::First => Some(0),
        Reach::Level => level_of(name),
        Reach::Range => range.map(|(_, last)| last.into()),
        Reach::Run | Reach::Met | Reach::End | Reach::All => None,
    }
}

/// Whether a search that was cut off after its level `last`, with complete levels up to it, does
/// not know a figure.
pub(crate) fn lacking(name: &str, range: Option<(u16, u16)>, last: Option<u32>) -> bool {
    match find(name).map(|known| known.reach) {
        Some(Reach::Run | Reach::Met) => false,
        _ => match (goes_to(name, range), last) {
            (Some(level), Some(last)) => last < level,
            (None, _) | (_, None) => true,
        },
    }
}

/// A figure of a level table.
///
/// # Errors
/// A line why the table has none.
pub(crate) fn of_levels(analysis: &Analysis, name: &str) -> Result<String, String> {
    let run = &analysis.run;
    fits(name, (run.direction == "forward", run.from.is_some()))?;
    let table = &analysis.levels;
    let unsolvable = table.unsolvable.as_ref();
    let solved = table.levels.first().filter(|level| level.depth == 0);
    let number = match name {
        "total_states" => unsolvable.map(|rest| table.total_states() + rest.states),
        "total_orbits" => unsolvable.map(|rest| table.total_orbits() + rest.orbits),
        "solvable_states" | "reachable_states" => Some(table.total_states()),
        "solvable_orbits" | "reachable_orbits" => Some(table.total_orbits()),
        "unsolvable_states" => unsolvable.map(|rest| rest.states),
        "unsolvable_orbits" => unsolvable.map(|rest| rest.orbits),
        "solved_states" => solved.map(|level| level.states),
        "solved_orbits" => solved.map(|level| level.orbits),
        "max_depth" => table.max_depth().map(u128::from),
        "antipodes_states" => table.levels.last().map(|level| level.states),
        "antipodes_orbits" => table.levels.last().map(|level| level.orbits),
        "parts" => Some(analysis.run.parts_total.into()),
        "states_per_second" => Some(states_per_second(analysis)),
        "pruned" => {
            let met = table.total_orbits() as f64;
            let all = unsolvable.map(|rest| table.total_states() + rest.states);
            let all = all.ok_or("the analysis does not know all states")? as f64;
            return Ok(decimal(1.0 - met / all));
        }
        "billions_per_hour" => {
            let hours = analysis.run.wall_s.max(1e-3) / 3600.0;
            let states = table.total_states() as f64;
            return Ok(format!("{:.2}", states / hours / 1e9));
        }
        _ => level_named(name).map(|(depth, states)| {
            let found = table.levels.iter().find(|level| level.depth == depth);
            found.map_or(0, |level| match states {
                true => level.states,
                false => level.orbits,
            })
        }),
    };
    let number = number.ok_or_else(|| format!("the analysis does not know '{name}'"))?;
    Ok(number.to_string())
}

/// Throughput on all threads, wall clock: for claims on other hardware, as a report only.
fn states_per_second(analysis: &Analysis) -> u128 {
    let expanded = analysis.run.extra.get("states_expanded");
    let expanded = expanded.and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    (expanded / analysis.run.wall_s.max(1e-3)) as u128
}

/// A figure of the moves that lead to a range of levels from the levels before it (of all moves
/// without a range), and its meaning. `None` if there are no such moves.
pub(crate) fn of_moves(
    levels: &[LevelMoves],
    range: Option<(u16, u16)>,
    name: &str,
) -> Option<(String, String)> {
    let (first, last) = match range {
        Some((first, last)) => (usize::from(first), usize::from(last)),
        None => (1, levels.len()),
    };
    if name == "one_bucket_to" {
        let several = levels.iter().position(|level| level.buckets > 1)?;
        let what = format!(
            "The last level up to which each level is in one bucket; the next has {}.",
            levels[several].buckets
        );
        return Some((several.checked_sub(1)?.to_string(), what));
    }
    let out_of = levels.get(first.checked_sub(1)?..last)?;
    let sum = |of: fn(&LevelMoves) -> u64| -> u64 { out_of.iter().map(of).sum() };
    let moves = sum(|level| level.moves);
    let new: u64 = levels
        .get(first..levels.len().min(last + 1))?
        .iter()
        .map(|level| level.states)
        .sum();
    if moves == 0 {
        return None;
    }
    let counted = format!(
        "{} out of {} levels, to {}.",
        amount(&moves.to_string(), "moves"),
        out_of.len(),
        amount(&new.to_string(), "new states")
    );
    let whole = |number: u64, what: &str| Some((number.to_string(), format!("{what} {counted}")));
    match name {
        "moves_to_unsolvable" => {
            return whole(
                sum(|level| level.to_unsolvable),
                "Moves from a state that can be solved to one that cannot.",
            );
        }
        "levels_back" => {
            let back = out_of.iter().map(|level| level.back).max()?;
            return whole(back, "The most levels that a move leads back.");
        }
        _ => {}
    }
    let (value, what) = ratio(name, out_of, moves as f64, new as f64)?;
    Some((decimal(value), format!("{what} {counted}")))
}

/// A share or a quotient of the moves out of some levels, `all` of them, to `new` states; `None` if
/// the divisor is 0.
fn ratio(name: &str, out_of: &[LevelMoves], all: f64, new: f64) -> Option<(f64, &'static str)> {
    let sum = |of: fn(&LevelMoves) -> u64| out_of.iter().map(of).sum::<u64>() as f64;
    let leaving = all - sum(|level| level.kept);
    let (part, whole, what) = match name {
        "moves_kept" => (
            all - leaving,
            all,
            "Share of moves that stay in their bucket.",
        ),
        "moves_kept_by_hash" => (
            sum(|level| level.kept_by_hash),
            all,
            "Share of moves that stay in their bucket of 8,192 by a uniform hash.",
        ),
        "moves_per_new" => (all, new, "Moves for each new state."),
        "moves_wasted" => (
            all - new,
            all,
            "Share of moves that lead to no new state, or to one once more.",
        ),
        "moves_known" => (
            sum(|level| level.known),
            all,
            "Share of moves to the same level or an earlier one.",
        ),
        "moves_over_leaving" => (
            all,
            leaving,
            "All moves over those that leave their bucket.",
        ),
        _ => (
            all,
            new + leaving,
            "All moves over new states and moves that leave their bucket.",
        ),
    };
    (whole > 0.0).then(|| (part / whole, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(states: u64, moves: u64, known: u64, kept: u64) -> LevelMoves {
        LevelMoves {
            states,
            moves,
            known,
            kept,
            buckets: states,
            back: known.min(1),
            ..LevelMoves::default()
        }
    }

    #[test]
    fn moves_are_counted_out_of_the_levels_before() {
        // Level 1 is met by the 4 moves out of level 0, level 2 by the 10 out of level 1.
        let levels = [level(1, 4, 0, 3), level(4, 10, 4, 8), level(5, 0, 0, 0)];
        let value = |range, name| of_moves(&levels, range, name).map(|figure| figure.0);
        assert_eq!(value(Some((2, 2)), "moves_per_new").as_deref(), Some("2"));
        assert_eq!(value(Some((2, 2)), "moves_known").as_deref(), Some("0.4"));
        assert_eq!(
            value(Some((1, 2)), "moves_kept").as_deref(),
            Some("0.785714285714")
        );
        assert_eq!(
            value(Some((2, 2)), "moves_over_leaving").as_deref(),
            Some("5")
        );
        assert_eq!(
            value(Some((2, 2)), "moves_over_stored").as_deref(),
            Some("1.42857142857")
        );
        assert_eq!(value(None, "levels_back").as_deref(), Some("1"));
        assert_eq!(value(None, "one_bucket_to").as_deref(), Some("0"));
        assert_eq!(value(Some((7, 9)), "moves_kept"), None);
    }

    #[test]
    fn there_is_no_quotient_by_nothing() {
        // Two moves back to level 0, in their own bucket.
        let levels = [level(1, 3, 0, 3), level(2, 2, 2, 2)];
        let value = |range, name| of_moves(&levels, range, name).map(|figure| figure.0);
        for name in ["moves_per_new", "moves_over_stored", "moves_over_leaving"] {
            assert_eq!(value(Some((2, 2)), name), None, "{name}");
        }
        let wasted = value(Some((2, 2)), "moves_wasted");
        assert_eq!(wasted.as_deref(), Some("1"));
    }

    #[test]
    fn unknown_figures_are_refused_with_all_that_there_are() {
        assert!(known("level_7_orbits").is_ok_and(|known| known.of == Of::Levels));
        for odd in ["level_7", "level_07_states", "level_+7_states", "antipodes"] {
            assert!(known(odd).is_err(), "{odd}");
        }
        assert!(known("moves_kept").is_ok_and(|known| known.of == Of::Moves));
        let line = known("levels").map(|_| ()).expect_err("no figure");
        assert!(
            line.contains("total_states") && line.contains("level_N_states"),
            "{line}"
        );
    }
}
