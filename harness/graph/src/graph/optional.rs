//! Guides and short cuts of a search: names of states, time reversal, move ordering, objective,
//! proofs without a search.

use puzzle_api::abi::{ANTIPODE_MAX_BATCH, ANTIPODE_UNSUPPORTED, AntipodeText};
use puzzle_api::{FeatureSpace, Key};

use super::{Capabilities, Graph, typed};
use crate::call::{PluginError, TEXT_ROOM};
use crate::ledger::{Function, of_text};
use crate::library::Writes;

/// Most features of a state, so that no plugin requests more memory than there is.
const MOST_FEATURES: u32 = 1024;
/// States whose features are requested at a time.
const FEATURED: usize = 4096;

impl<K: Key> Graph<K> {
    /// Names that [`Graph::parse`] accepts for states; empty if the puzzle names none.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn names(&self) -> Result<Vec<String>, PluginError> {
        let Some(call) = self.opened.table.names else {
            return Ok(Vec::new());
        };
        // SAFETY: the text lives across the call.
        let call = |out: &mut AntipodeText| unsafe { call(self.opened.handle, out) };
        let Some(text) = self.said("names", TEXT_ROOM, call)? else {
            return Ok(Vec::new());
        };
        let answer = |_, out: &mut Vec<u128>| out.extend_from_slice(&of_text(&text));
        self.opened.note(Function::Names, 1, |_| (0, 0), answer);
        if !text.is_empty() && !text.ends_with('\n') {
            return Err(self.opened.broken("names", "leaves out the last line feed"));
        }
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Replaces each state by its image under the involution that reverses moves: by itself if
    /// every move can be undone and the puzzle has no other.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn time_reversed(&self, keys: &mut [K]) -> Result<(), PluginError> {
        let call = self.opened.table.time_reversal;
        if call.is_none() && self.has(Capabilities::UNDIRECTED) {
            return Ok(());
        }
        let call = self.required("time_reversal", call)?;
        for batch in keys.chunks_mut(ANTIPODE_MAX_BATCH) {
            let width = self.width();
            let made = self.each("time_reversal", call, batch, width)?;
            let made: Vec<K> = typed(width, &made).collect();
            self.note(Function::TimeReversal, batch, |i, out| {
                out.push(made[i].to_u128());
            });
            batch.copy_from_slice(&made);
        }
        Ok(())
    }

    /// Diversity class of each state, for a beam.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn diversity_class(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        self.numbers("diversity_class", self.opened.table.diversity_class, keys)
    }

    /// How promising each state looks to a depth-first search; smaller is better.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn move_order(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        self.numbers("move_order", self.opened.table.move_order, keys)
    }

    /// The number of features of a state; `None` if the puzzle names none.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails, names no setting, or names too many features.
    pub fn feature_space(&self) -> Result<Option<FeatureSpace>, PluginError> {
        if !self.has(Capabilities::FEATURES) {
            return Ok(None);
        }
        let name = "feature_space";
        let call = self.required(name, self.opened.table.feature_space)?;
        let (mut settings, mut features, mut each) = (0, 0, 0);
        // SAFETY: the numbers are our own.
        let status = self.opened.within(name, || unsafe {
            call(self.opened.handle, &mut settings, &mut features, &mut each)
        });
        match status {
            ANTIPODE_UNSUPPORTED => Ok(None),
            status => {
                self.check(name, status)?;
                if settings == 0 {
                    return Err(self.opened.broken(name, "names no setting"));
                }
                if each > MOST_FEATURES {
                    let fault = format!("{each} features per state, more than {MOST_FEATURES}");
                    return Err(self.opened.broken(name, fault));
                }
                Ok(Some(FeatureSpace {
                    settings,
                    features,
                    each,
                }))
            }
        }
    }

    /// The setting of each state, followed by its features, in place of the content of `out`.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails, or writes a number beyond the space.
    pub fn features(
        &self,
        space: FeatureSpace,
        keys: &[K],
        out: &mut Vec<u32>,
    ) -> Result<(), PluginError> {
        let call = self.required("features", self.opened.table.features)?;
        let stride = 1 + space.each as usize;
        out.clear();
        for batch in keys.chunks(FEATURED) {
            out.extend(self.each("features", call, batch, stride)?);
        }
        let is_within = |state: &[u32]| {
            let features = state[1..].iter();
            let greatest = features.max().is_none_or(|&most| most < space.features);
            state[0] < space.settings && greatest
        };
        match out.chunks_exact(stride).all(is_within) {
            true => Ok(()),
            false => {
                let fault = "writes a number that is beyond what feature_space says";
                Err(self.opened.broken("features", fault))
            }
        }
    }

    /// The objective: the value to minimise at the end of a sequence of moves.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn objective(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        self.numbers("objective", self.opened.table.objective, keys)
    }

    /// A lower bound on the moves left from each state to a solved one: an unverified assertion of
    /// the puzzle.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn lower_bound(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        self.numbers("lower_bound", self.opened.table.lower_bound, keys)
    }

    /// One number per state, written by a function of the table.
    pub(super) fn numbers(
        &self,
        name: &'static str,
        call: Option<Writes<u64>>,
        keys: &[K],
    ) -> Result<Vec<u64>, PluginError> {
        let call = self.required(name, call)?;
        let mut numbers = Vec::with_capacity(keys.len());
        for batch in keys.chunks(ANTIPODE_MAX_BATCH) {
            let filled = self.each(name, call, batch, 1)?;
            if self.opened.ledger.is_some()
                && let Some(function) = Function::named(name)
            {
                self.note(function, batch, |i, out| out.push(filled[i].into()));
            }
            numbers.extend(filled);
        }
        Ok(numbers)
    }

    /// Whether proofs of unreachability are requested from the puzzle.
    #[must_use]
    pub fn refutes(&self) -> bool {
        self.proves(Capabilities::NONE) && self.opened.table.refute.is_some()
    }

    /// The puzzle's own proof, without a search, that no path leads from one state to another
    /// (`None`: to any solved state); `None` if it has none. A loaded library is not asked: its
    /// proof would be an assertion that nothing here checks.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn refute(&self, from: K, to: Option<K>) -> Result<Option<String>, PluginError> {
        let (true, Some(call)) = (self.refutes(), self.opened.table.refute) else {
            return Ok(None);
        };
        let from = [from];
        let from = self.words(&from);
        let to = to.map(|key| [key]);
        let to = to.as_ref().map(|key| self.words(key));
        let to = to.as_ref().map_or(std::ptr::null(), |words| words.as_ptr());
        // SAFETY: a key, a key or null, and the text lives across the call.
        self.said("refute", TEXT_ROOM, |out| unsafe {
            call(self.opened.handle, from.as_ptr(), to, out)
        })
    }
}
