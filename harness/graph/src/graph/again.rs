//! Repeats a question whose answer was recorded.

use puzzle_api::{Direction, Key};

use super::deliver::SweepOf;
use super::{Expansion, Graph};
use crate::call::PluginError;
use crate::ledger::{Function, Input};

impl<K: Key> Graph<K> {
    /// Repeats a recorded question; the answer is recorded again. Only the first of several inputs
    /// is used unless the function takes many; `text` is for `parse`.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn ask_again(
        &self,
        function: Function,
        inputs: &[Input],
        text: Option<&str>,
    ) -> Result<(), PluginError> {
        let Some(&(first, second)) = inputs.first() else {
            return Ok(());
        };
        let key = || K::from_u128(first);
        let keys = || {
            inputs
                .iter()
                .map(|&(key, _)| K::from_u128(key))
                .collect::<Vec<_>>()
        };
        let mut out = Expansion::default();
        match function {
            Function::Successors => self.expand(Direction::Forward, &keys(), &mut out),
            Function::Predecessors => self.expand(Direction::Backward, &keys(), &mut out),
            Function::Expand => {
                let (want, used) = (second as u32, (second >> 32) as u32);
                self.expand_in(want, &[key()], &[used], &mut out)
            }
            Function::IsSolved => self.is_solved(&keys()).map(drop),
            Function::Canonical => self.canonical(&mut [key()], None),
            Function::OrbitSize => self.canonical(&mut [key()], Some(&mut Vec::new())),
            Function::Images => self.images(key()).map(drop),
            Function::Place => self.place(&[key()], &mut Vec::new()),
            Function::Unrank => self.unrank(first as u64, &[second as u64], &mut Vec::new()),
            Function::Space => self.space(first as u64).map(drop),
            Function::Starts => self.roots_of(Direction::Forward, 0).map(drop),
            Function::SolvedStates => self.roots_of(Direction::Backward, first as u64).map(drop),
            // Asked when the instance is opened.
            Function::SymmetryCount | Function::PartCount => Ok(()),
            Function::Draw => self.draw(key()).map(drop),
            Function::Parse => self.parse(text.unwrap_or_default()).map(drop),
            Function::Names => self.names().map(drop),
            Function::DescribeMove => {
                let _ = self.describe_move(key(), K::from_u128(second));
                Ok(())
            }
            Function::Random => self.random(first as u64, second as u64, 1).map(drop),
            Function::TimeReversal => self.time_reversed(&mut [key()]),
            Function::Objective => self.objective(&[key()]).map(drop),
            Function::LowerBound => self.lower_bound(&[key()]).map(drop),
            Function::Bucket => self.bucket(&[key()]).map(drop),
            // Compared with the functions that it replaces, if it is used.
            Function::NeighbourRanks => Ok(()),
            Function::Sweep => {
                let SweepOf { way, rooted, part } = SweepOf::of(first);
                let from = rooted.then(|| K::from_u128(second));
                self.sweep(way, from, part, &[], &mut |_| true).map(drop)
            }
        }
    }
}
