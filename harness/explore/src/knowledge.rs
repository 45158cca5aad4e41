//! What is known about a position and its successors, made consistent by the rulebook. A position
//! is solved exactly at distance 0, else one move further than its nearest successor.

use antipode_check::ask::KnownDistance;
use antipode_reports::model::Remaining;

use crate::error::ExploreError;

/// A position (number 0) and its successors (from 1), with what is known about each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Knowledge {
    pub(crate) boards: Vec<String>,
    known: Vec<KnownDistance>,
}

impl Knowledge {
    /// The rulebook's statement: which of the positions are solved.
    pub(crate) fn of(boards: Vec<String>, solved: &[bool]) -> Self {
        let known = solved.iter().map(|solved| match solved {
            true => KnownDistance::Exactly(0),
            false => KnownDistance::AtLeast(1),
        });
        Self {
            boards,
            known: known.collect(),
        }
    }

    pub(crate) fn get(&self, at: usize) -> KnownDistance {
        self.known[at]
    }

    /// What is known, in the form of records.
    pub(crate) fn remaining(&self, at: usize) -> Remaining {
        let mut remaining = Remaining::default();
        match self.known[at] {
            KnownDistance::Exactly(moves) => remaining.distance = Some(moves.into()),
            KnownDistance::AtLeast(moves) => remaining.at_least = Some(moves.into()),
            KnownDistance::Unsolvable => remaining.unsolvable = true,
        }
        remaining
    }

    pub(crate) fn is_decided(&self, at: usize) -> bool {
        !matches!(self.known[at], KnownDistance::AtLeast(_))
    }

    /// Adds a source's statement about one of them.
    ///
    /// # Errors
    /// [`ExploreError::Disagree`] if it contradicts what is known.
    pub(crate) fn learn(&mut self, at: usize, said: KnownDistance) -> Result<(), ExploreError> {
        let before = self.known[at];
        self.known[at] = before.and(said).ok_or_else(|| {
            let (board, before, said) = (&self.boards[at], in_words(before), in_words(said));
            ExploreError::Disagree(format!("{board} is {before}, and {said}"))
        })?;
        Ok(())
    }

    /// Draws the conclusions from each to the other.
    pub(crate) fn conclude(&mut self) -> Result<(), ExploreError> {
        self.learn_of_the_position()?;
        for at in 1..self.known.len() {
            match self.known[0] {
                KnownDistance::Exactly(moves) | KnownDistance::AtLeast(moves) => {
                    self.learn(at, KnownDistance::AtLeast(moves.saturating_sub(1)))?;
                }
                KnownDistance::Unsolvable => self.learn(at, KnownDistance::Unsolvable)?,
            }
        }
        self.learn_of_the_position()
    }

    fn learn_of_the_position(&mut self) -> Result<(), ExploreError> {
        if self.known[0] == KnownDistance::Exactly(0) {
            return Ok(());
        }
        let moves = &self.known[1..];
        let nearest = moves.iter().filter_map(|known| match known {
            KnownDistance::Exactly(moves) | KnownDistance::AtLeast(moves) => Some(*moves),
            KnownDistance::Unsolvable => None,
        });
        let exact = |least: u16| {
            // The nearest is known, whatever the others are.
            moves.contains(&KnownDistance::Exactly(least))
        };
        let said = match nearest.min() {
            None => KnownDistance::Unsolvable,
            Some(least) if exact(least) => KnownDistance::Exactly(least.saturating_add(1)),
            Some(least) => KnownDistance::AtLeast(least.saturating_add(1)),
        };
        self.learn(0, said)
    }

    /// The worst move, by a name for each, if all are decided: the last by distance (unsolvable
    /// last of all), then by name. `None` if all are equally far.
    pub(crate) fn worst<T: Ord>(&self, name: impl Fn(usize) -> T) -> Option<usize> {
        let far = |at: &usize| match self.known[*at] {
            KnownDistance::Exactly(moves) => u32::from(moves),
            KnownDistance::Unsolvable | KnownDistance::AtLeast(_) => u32::MAX,
        };
        let all = 1..self.known.len();
        if !all.clone().all(|at| self.is_decided(at)) {
            return None;
        }
        let nearest = all.clone().map(|at| far(&at)).min()?;
        let worst = all.max_by_key(|at| (far(at), name(*at)))?;
        (far(&worst) > nearest).then_some(worst)
    }

    /// Whether a move begins a shortest solution.
    pub(crate) fn is_shortest(&self, at: usize) -> bool {
        match (self.known[0], self.known[at]) {
            (KnownDistance::Exactly(here), KnownDistance::Exactly(there)) => here == there + 1,
            _ => false,
        }
    }
}

fn in_words(known: KnownDistance) -> String {
    match known {
        KnownDistance::Exactly(0) => "solved".into(),
        KnownDistance::Exactly(length) => format!("{length} from solved"),
        KnownDistance::Unsolvable => "unsolvable".into(),
        KnownDistance::AtLeast(length) => format!("at least {length} from solved"),
    }
}

#[cfg(test)]
mod tests {
    use super::Knowledge;
    use antipode_check::ask::KnownDistance::{self, AtLeast, Exactly, Unsolvable};

    fn of(known: &[KnownDistance]) -> Knowledge {
        Knowledge {
            known: known.to_vec(),
            boards: vec![String::new(); known.len()],
        }
    }

    #[test]
    fn conclusions_go_both_ways() {
        let concluded = |known: &[KnownDistance]| {
            let mut all = of(known);
            all.conclude().expect("no contradiction");
            all.known
        };
        let all = concluded(&[AtLeast(1), Exactly(4), Exactly(6), Unsolvable]);
        assert_eq!(all[0], Exactly(5));
        let position = concluded(&[Exactly(5), AtLeast(1), AtLeast(1)]);
        assert_eq!(position[1..], [AtLeast(4), AtLeast(4)]);
        // The nearest move known decides, if all others are known to be no nearer.
        assert_eq!(
            concluded(&[AtLeast(1), Exactly(4), AtLeast(4)])[0],
            Exactly(5)
        );
        assert_eq!(
            concluded(&[AtLeast(1), Exactly(4), AtLeast(3)])[0],
            AtLeast(4)
        );
        assert_eq!(concluded(&[AtLeast(1)])[0], Unsolvable);
    }

    #[test]
    fn what_the_rulebook_contradicts_is_told() {
        for wrong in [
            [Exactly(5), Exactly(3), Exactly(6)],
            [Exactly(5), Exactly(5), Exactly(6)],
            [Unsolvable, Exactly(3), Unsolvable],
            [Exactly(2), Unsolvable, Unsolvable],
            [AtLeast(6), Exactly(4), Exactly(7)],
        ] {
            assert!(of(&wrong).conclude().is_err(), "{wrong:?}");
        }
        let mut solved = Knowledge::of(vec![String::new(); 2], &[true, false]);
        assert!(solved.learn(0, Exactly(1)).is_err());
        assert!(solved.learn(1, Exactly(0)).is_err());
        assert!(solved.learn(1, Exactly(3)).is_ok());
    }

    #[test]
    fn the_worst_move_is_the_last_by_distance_then_name() {
        let name = |at: usize| ["", "left", "right", "down"][at];
        let all = of(&[Exactly(5), Exactly(6), Exactly(6), Exactly(4)]);
        assert_eq!(all.worst(name), Some(2));
        assert!(all.is_shortest(3) && !all.is_shortest(2));
        let lost = of(&[Exactly(5), Unsolvable, Exactly(6), Exactly(4)]);
        assert_eq!(lost.worst(name), Some(1));
        assert_eq!(of(&[Exactly(5), Exactly(4), Exactly(4)]).worst(name), None);
        assert_eq!(of(&[Exactly(5), AtLeast(4), Exactly(4)]).worst(name), None);
    }
}
