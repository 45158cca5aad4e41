//! The number of states on a solution, and of lines of states through them.

use antipode_graph::PluginError;
use puzzle_api::Key;

use super::links::{Links, Places};
use super::{Both, OnSolutions};
use crate::error::Result;

/// For each state of a level in turn, the number of lines that lead there from the start. All
/// states of an orbit have the same number, as a symmetry that keeps the start maps lines to lines.
enum LineCounts {
    /// While the counts fit: half of them are fetched, in random order.
    Words(Vec<u64>),
    Long(Vec<u128>),
}

impl LineCounts {
    fn of(&self, place: usize) -> u128 {
        match self {
            Self::Words(lines) => lines[place].into(),
            Self::Long(lines) => lines[place],
        }
    }

    /// From one level to the next: for each state, the sum over the states that lead there. `None`
    /// if a sum is 2^128 or more.
    fn onward(&self, links: &Links) -> Option<Self> {
        let long: Vec<u128>;
        let lines = match self {
            Self::Words(lines) => {
                if let Some(sums) = sums(lines, links, u64::checked_add) {
                    return Some(Self::Words(sums));
                }
                long = lines.iter().copied().map(u128::from).collect();
                &long
            }
            Self::Long(lines) => lines,
        };
        sums(lines, links, u128::checked_add).map(Self::Long)
    }
}

fn sums<N: Copy + Default>(
    lines: &[N],
    links: &Links,
    add: impl Fn(N, N) -> Option<N>,
) -> Option<Vec<N>> {
    let sum = |places: &[u32]| {
        let mut before = places.iter().map(|&place| lines[place as usize]);
        before.try_fold(N::default(), &add)
    };
    links.each().map(sum).collect()
}

impl<K: Key> Both<'_, K> {
    /// The number of lines through the levels, from the first state to the goals; `None` from 2^128
    /// on. The backward links are those of the first levels; the others are computed.
    pub(super) fn count(
        &mut self,
        levels: &[Vec<K>],
        back: Vec<Links>,
        goals: &[K],
    ) -> Result<Option<u128>> {
        let known = back.len();
        let mut lines = through(back);
        for pair in levels[known..].windows(2) {
            let links = self.links(self.back, &pair[1], &pair[0])?;
            lines = lines.and_then(|lines| lines.onward(&links));
        }
        let Some(lines) = lines else { return Ok(None) };
        let mut ends = goals.to_vec();
        self.reduction.reduce(self.graph, &mut ends)?;
        let last = Places::of(&levels[levels.len() - 1])?;
        let places = ends.iter().filter_map(|&goal| last.find(goal));
        let mut of = places.map(|place| lines.of(place as usize));
        Ok(of.try_fold(0_u128, u128::checked_add))
    }

    /// The same if the levels from `middle` on are those before it with time reversed. As many
    /// lines lead from a state to the goal as from the start to its reversed image.
    pub(super) fn count_mirrored(
        &mut self,
        (last, back): (&[K], Vec<Links>),
        middle: &[K],
        shared: bool,
    ) -> Result<Option<u128>> {
        let Some(before) = through(back) else {
            return Ok(None);
        };
        let Some(turned) = self.turned(middle)? else {
            return Ok(None);
        };
        let crossed = match shared {
            true => None,
            false => match before.onward(&self.links(self.back, middle, last)?) {
                None => return Ok(None),
                crossed => crossed,
            },
        };
        let here = crossed.as_ref().unwrap_or(&before);
        let places = Places::of(last)?;
        let sizes = self.reduction.sizes(self.graph, middle)?;
        let mut states = turned.iter().zip(sizes).enumerate();
        Ok(states.try_fold(0_u128, |sum, (at, (&turned, states))| {
            let (to, from) = (here.of(at), before.of(places.find(turned)? as usize));
            sum.checked_add(to.checked_mul(from)?.checked_mul(states.into())?)
        }))
    }

    /// The number of states and orbits in each level.
    pub(super) fn sizes(&self, levels: &[Vec<K>]) -> Result<Vec<OnSolutions>, PluginError> {
        let size = |level: &Vec<K>| {
            Ok(OnSolutions {
                states: self.reduction.sizes(self.graph, level)?.iter().sum(),
                orbits: level.len() as u64,
            })
        };
        levels.iter().map(size).collect()
    }
}

/// The lines to each state of the last level, by the links between all levels before it.
fn through(links: Vec<Links>) -> Option<LineCounts> {
    let start = LineCounts::Words(vec![1]);
    links
        .iter()
        .try_fold(start, |lines, links| lines.onward(links))
}

#[cfg(test)]
mod tests {
    use super::{LineCounts, Links};

    /// Each of two states leads to both of the next level: the number of lines doubles per level.
    #[test]
    fn lines_outgrow_a_word_and_then_two() {
        let doubling = || Links::new(vec![vec![0, 1], vec![0, 1]]);
        let mut lines = LineCounts::Words(vec![1, 1]);
        for level in 1..=127 {
            lines = lines.onward(&doubling()).expect("fits");
            assert_eq!(lines.of(0), 1 << level);
            assert_eq!(lines.of(1), 1 << level);
            assert_eq!(matches!(lines, LineCounts::Words(_)), level < 64);
        }
        assert!(lines.onward(&doubling()).is_none());
    }
}
