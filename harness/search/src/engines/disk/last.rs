//! The last level of a walk, for a search that continues from some of its states.

use puzzle_api::Key;

use super::level::DiskLevel;
use super::merge::drop_known;
use super::segment::keys;
use super::walk::Walk;
use crate::error::EngineError;

impl<K: Key> Walk<'_, K> {
    /// The depth of the last level, and its states.
    pub(in crate::engines) fn last(&self) -> (u16, u64) {
        (self.depth(), self.orbits)
    }

    /// Partitions of the last level: states of a bucket are in the same one.
    pub(in crate::engines) fn partitions(&self) -> usize {
        self.window.last().map_or(0, |level| level.runs.len())
    }

    /// Adds the states of a partition of the last level, sorted; `bytes` is a buffer for reading
    /// it.
    ///
    /// # Errors
    /// A level that cannot be read, or is damaged.
    pub(in crate::engines) fn add_partition(
        &self,
        partition: usize,
        bytes: &mut Vec<u8>,
        states: &mut Vec<K>,
    ) -> Result<(), EngineError> {
        match self.window.last() {
            Some(level) => self.add_run(level, partition, bytes, states),
            None => Ok(()),
        }
    }

    fn add_run(
        &self,
        level: &DiskLevel,
        partition: usize,
        bytes: &mut Vec<u8>,
        states: &mut Vec<K>,
    ) -> Result<(), EngineError> {
        let run = level.read(partition, bytes, &self.disk)?;
        states.extend(keys::<K>(&run, bytes));
        Ok(())
    }

    /// Some states of every kept level, with its depth, from partitions that hold about `read` of
    /// its states; `most` at most.
    ///
    /// # Errors
    /// Same as [`Walk::add_partition`], and those of `show`.
    pub(in crate::engines) fn samples(
        &self,
        (read, most): (u64, usize),
        mut show: impl FnMut(u16, &[K]) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut bytes = Vec::new();
        for level in self.kept() {
            let every = (level.orbits() / read).max(1) as usize;
            let mut states: Vec<K> = Vec::new();
            for partition in (0..level.runs.len()).step_by(every) {
                self.add_run(level, partition, &mut bytes, &mut states)?;
            }
            let every = states.len().div_ceil(most).max(1);
            let some: Vec<K> = states.into_iter().step_by(every).collect();
            show(level.depth, &some)?;
        }
        Ok(())
    }

    /// Those of some states that are new: neither in the last level nor in an earlier one to which
    /// its states may return; sorted.
    ///
    /// # Errors
    /// Same as [`Walk::add_partition`].
    pub(in crate::engines) fn without_known(&self, states: &[K]) -> Result<Vec<K>, EngineError> {
        let placed = self.placed(states)?;
        let (mut left, mut bytes) = (Vec::with_capacity(states.len()), Vec::new());
        for together in placed.chunk_by(|(one, _), (other, _)| one == other) {
            let partition = together[0].0 as usize;
            let mut mine: Vec<K> = together.iter().map(|&(_, state)| state).collect();
            for level in self
                .window
                .iter()
                .filter(|level| self.comes_up(level.depth))
            {
                let run = level.read(partition, &mut bytes, &self.disk)?;
                drop_known(&mut mine, keys(&run, &bytes));
            }
            left.append(&mut mine);
        }
        left.sort_unstable();
        Ok(left)
    }
}
