//! The figures that a claim of kind `count` can name, and which searches can know each.

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
}

/// A figure.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    pub of: Of,
    pub needs: Needs,
    pub unit: &'static str,
    /// Whether a clock measures it, so that it is reported and never confirmed.
    pub measured: bool,
}

/// Figures of levels and moves by their requirements, then their unit and names.
const FIGURES: [(Of, Needs, &str, &str); 16] = [
    (
        Of::Levels,
        Needs::All,
        "states",
        "total_states unsolvable_states",
    ),
    (
        Of::Levels,
        Needs::All,
        "orbits",
        "total_orbits unsolvable_orbits",
    ),
    (Of::Levels, Needs::All, "of the states", "pruned"),
    (Of::Levels, Needs::Solvable, "parts", "parts"),
    (Of::Levels, Needs::Solvable, "states", "solvable_states"),
    (Of::Levels, Needs::Solvable, "orbits", "solvable_orbits"),
    (Of::Levels, Needs::Reachable, "states", "reachable_states"),
    (Of::Levels, Needs::Reachable, "orbits", "reachable_orbits"),
    (Of::Levels, Needs::End, "moves", "max_depth"),
    (Of::Moves, Needs::Solvable, "moves", "moves_to_unsolvable"),
    (Of::Moves, Needs::Range, "levels", "levels_back"),
    (Of::Moves, Needs::Nothing, "levels", "one_bucket_to"),
    (
        Of::Moves,
        Needs::Range,
        "of the moves",
        "moves_kept moves_kept_by_hash moves_known",
    ),
    (Of::Moves, Needs::New, "of the moves", "moves_wasted"),
    (Of::Moves, Needs::Range, "times", "moves_over_leaving"),
    (Of::Moves, Needs::New, "times", "moves_over_stored"),
];

/// A figure by its name.
pub fn known(name: &str) -> Option<Count> {
    let count = |of, needs, unit, measured| {
        Some(Count {
            of,
            needs,
            unit,
            measured,
        })
    };
    let by_name = |names: &str| names.split(' ').any(|known| known == name);
    if let Some((of, needs, unit, _)) = FIGURES.iter().find(|row| by_name(row.3)) {
        return count(*of, *needs, unit, false);
    }
    let (stem, unit) = match name.strip_suffix("_states") {
        Some(stem) => (stem, "states"),
        None => (name.strip_suffix("_orbits").unwrap_or_default(), "orbits"),
    };
    match (stem, name) {
        ("solved", _) => return count(Of::Levels, Needs::Solved, unit, false),
        ("antipodes", _) => return count(Of::Levels, Needs::End, unit, false),
        (_, "moves_per_new") => return count(Of::Moves, Needs::New, "moves a state", false),
        (_, "states_per_second") => {
            return count(Of::Levels, Needs::Nothing, "states a second", true);
        }
        (_, "billions_per_hour") => {
            return count(Of::Levels, Needs::Nothing, "billion states an hour", true);
        }
        (_, "seconds") => return count(Of::Path, Needs::Nothing, "s", true),
        _ => {}
    }
    let level: usize = stem.strip_prefix("level_")?.parse().ok()?;
    let plain = format!("level_{level}") == stem && level < usize::from(u16::MAX);
    count(Of::Levels, Needs::Level(level), unit, false).filter(|_| plain)
}

/// A search's result.
#[derive(Debug, Clone, Copy)]
pub struct Searched {
    /// Its levels, and whether nothing lies beyond.
    pub levels: usize,
    pub complete: bool,
    /// Whether all states that no level has are known.
    pub others: bool,
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
            _ => self.count().is_some_and(|count| count.of == Of::Path),
        }
    }

    /// The figure that it names.
    pub fn count(&self) -> Option<Count> {
        known(self.text("count")?)
    }

    /// Whether its search runs backward.
    pub fn is_backward(&self) -> bool {
        let of_levels = self.count().is_some_and(|count| count.of == Of::Levels);
        self.kind == "hardest"
            || of_levels && self.is_plain()
            || self.text("direction") == Some("backward")
    }

    /// Whether a search knows its figure, of moves up to the last requested level.
    pub fn knows(&self, last: Option<usize>, search: Searched) -> bool {
        let (backward, end) = (self.is_backward(), search.complete);
        let solved = backward && self.board.is_none();
        let moves = match last {
            Some(last) => last < search.levels || end && last == search.levels,
            None => end,
        };
        match self.count().map(|count| count.needs) {
            Some(Needs::All) => solved && end && search.others,
            Some(Needs::Solvable) => solved && end,
            Some(Needs::Solved) => solved,
            Some(Needs::Reachable) => !backward && end,
            Some(Needs::End) => end,
            Some(Needs::Level(level)) => end || level < search.levels,
            Some(Needs::Range) => moves,
            Some(Needs::New) => moves && !backward,
            Some(Needs::Nothing) => true,
            None => false,
        }
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
        for odd in [
            "",
            "level_7",
            "level_07_states",
            "level_+7_states",
            "x_states",
            "_states",
        ] {
            assert_eq!(unit(odd), None, "{odd}");
        }
    }
}
