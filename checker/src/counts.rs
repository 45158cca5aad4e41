//! The figures that a claim of kind `count` can name, and which searches can know each.

use Needs::{All, Clock, End, Level, New, Nothing, Range, Reachable, Solvable, Solved};
use Of::{Levels, Moves, Path};

use crate::case::Case;

/// The source of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Levels,
    Moves,
    Path,
}

/// A figure's requirements on a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// It runs back from the solved states to the end, and all other states are known.
    All,
    /// It runs back from the solved states to the end.
    Solvable,
    /// It runs back from the solved states.
    Solved,
    /// It runs forward to the end.
    Reachable,
    /// It runs to the end.
    End,
    /// It has this level, or ends before.
    Level(usize),
    /// It examined the moves out of all requested levels; without `levels`, of all.
    Range,
    /// The same forward, if the next level holds the new states.
    New,
    /// No further requirement: missing figures are not stated.
    Nothing,
    /// The same, and a clock measures it, so that it is reported and never confirmed.
    Clock,
}

/// A figure.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    pub of: Of,
    pub needs: Needs,
    pub unit: &'static str,
}

const FIGURES: [(Of, Needs, &str, &str); 25] = [
    (Levels, All, "states", "total_states unsolvable_states"),
    (Levels, All, "orbits", "total_orbits unsolvable_orbits"),
    (Levels, All, "of the states", "pruned"),
    (Levels, Solvable, "parts", "parts"),
    (Levels, Solvable, "states", "solvable_states"),
    (Levels, Solvable, "orbits", "solvable_orbits"),
    (Levels, Solved, "states", "solved_states"),
    (Levels, Solved, "orbits", "solved_orbits"),
    (Levels, Reachable, "states", "reachable_states"),
    (Levels, Reachable, "orbits", "reachable_orbits"),
    (Levels, End, "moves", "max_depth"),
    (Levels, End, "states", "antipodes_states"),
    (Levels, End, "orbits", "antipodes_orbits"),
    (Levels, Clock, "states a second", "states_per_second"),
    (Levels, Clock, "billion states an hour", "billions_per_hour"),
    (Moves, Solvable, "moves", "moves_to_unsolvable"),
    (Moves, Range, "levels", "levels_back"),
    (Moves, Nothing, "levels", "one_bucket_to"),
    (Moves, Range, "of the moves", "moves_kept moves_known"),
    (Moves, Range, "of the moves", "moves_kept_by_hash"),
    (Moves, New, "of the moves", "moves_wasted"),
    (Moves, New, "moves a state", "moves_per_new"),
    (Moves, Range, "times", "moves_over_leaving"),
    (Moves, New, "times", "moves_over_stored"),
    (Path, Clock, "s", "seconds"),
];

/// A figure by its name.
pub fn known(name: &str) -> Option<Count> {
    let by_name = |names: &str| names.split(' ').any(|known| known == name);
    if let Some(&(of, needs, unit, _)) = FIGURES.iter().find(|row| by_name(row.3)) {
        return Some(Count { of, needs, unit });
    }
    let (text, unit) = name.strip_prefix("level_")?.split_once('_')?;
    let unit = ["states", "orbits"]
        .into_iter()
        .find(|known| *known == unit)?;
    let level: usize = text.parse().ok()?;
    let plain = level.to_string() == text && level < usize::from(u16::MAX);
    let (of, needs) = (Levels, Level(level));
    plain.then_some(Count { of, needs, unit })
}

impl Case {
    /// Unit of its figures: the claim's, else the kind's.
    pub fn unit(&self) -> &str {
        match self.kind.as_str() {
            _ if !self.unit.is_empty() => self.unit.as_str(),
            "length" | "hardest" => self.moves(),
            "levels" => "states",
            "count" => self.count().map_or("", |count| self.unit_of(count)),
            _ => "",
        }
    }

    /// The unit of a length.
    pub fn moves(&self) -> &'static str {
        match self.settings.get("metric").map(|metric| metric.trim()) {
            Some("step") => "steps",
            None if self.puzzle == "unit-rush-hour" => "steps",
            _ => "moves",
        }
    }

    /// The unit of a count.
    pub fn unit_of(&self, count: Count) -> &'static str {
        let greatest = self.text("count") == Some("max_depth");
        if greatest { self.moves() } else { count.unit }
    }

    /// Whether it needs the whole instance, back from the solved states.
    fn is_plain(&self) -> bool {
        self.own.len() == 1 && self.settings.is_empty() && self.board.is_none()
    }

    /// Whether it asks for a path, and not for levels.
    pub fn is_of_path(&self) -> bool {
        match self.kind.as_str() {
            "length" | "solvable" | "unreachable" => true,
            _ => self.count().is_some_and(|count| count.of == Path),
        }
    }

    /// The figure that it names.
    pub fn count(&self) -> Option<Count> {
        known(self.text("count")?)
    }

    /// Whether its search runs backward.
    pub fn is_backward(&self) -> bool {
        let of_levels = self.count().is_some_and(|count| count.of == Levels);
        self.kind == "hardest"
            || of_levels && self.is_plain()
            || self.text("direction") == Some("backward")
    }

    /// Whether a search knows its figure, of moves up to the last requested level: by its levels,
    /// whether nothing lies beyond, and whether all states that no level has are known.
    pub fn knows(&self, last: Option<usize>, (levels, end, others): (usize, bool, bool)) -> bool {
        let backward = self.is_backward();
        let solved = backward && self.board.is_none();
        let moves = match last {
            Some(last) => last < levels || end && last == levels,
            None => end,
        };
        self.count().is_some_and(|count| match count.needs {
            All => solved && end && others,
            Solvable => solved && end,
            Solved => solved,
            Reachable => !backward && end,
            End => end,
            Level(level) => end || level < levels,
            Range => moves,
            New => moves && !backward,
            Nothing | Clock => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_names_and_units() {
        let unit = |name| known(name).map(|count| count.unit);
        assert_eq!(unit("level_7_orbits"), Some("orbits"));
        assert_eq!(unit("antipodes_orbits"), Some("orbits"));
        assert_eq!(unit("max_depth"), Some("moves"));
        let odd = " level_7 level_07_states level_+7_states x_states _states";
        for odd in odd.split(' ') {
            assert_eq!(unit(odd), None, "{odd}");
        }
    }
}
