//! Calls that deliver through a sink: roots and sweeps.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::slice;
use std::time::{Duration, Instant};

use puzzle_api::abi::{ANTIPODE_STOPPED, ANTIPODE_UNSUPPORTED, AntipodeSink, AntipodeSweepSink};
use puzzle_api::{Direction, Key, Swept};

use super::{Graph, extend};
use crate::Capabilities;
use crate::call::PluginError;
use crate::in_hand;
use crate::ledger::{self, Function};

/// The context of a sink: the destination of keys, and how it ended.
struct Context<'a, K> {
    take: &'a mut dyn FnMut(Swept<'_, K>) -> bool,
    width: usize,
    buffer: Vec<K>,
    no_depths: Vec<u16>,
    /// A panic of the receiver, which must not unwind through the plugin.
    panic: Option<Box<dyn Any + Send>>,
    /// The fault of a delivery.
    fault: Option<String>,
    /// No more keys are wanted: further deliveries are no sign of life.
    enough: bool,
}

/// Most solved or start states of a part: their keys are held in memory at once.
const MOST_ROOTS: usize = 1 << 28;

impl<'a, K: Key> Context<'a, K> {
    fn new(width: usize, take: &'a mut dyn FnMut(Swept<'_, K>) -> bool) -> Self {
        Self {
            take,
            width,
            buffer: Vec::new(),
            no_depths: Vec::new(),
            panic: None,
            fault: None,
            enough: false,
        }
    }

    /// Takes a batch; returns whether to stop.
    ///
    /// # Safety
    /// `keys` is null or holds `count` keys; `depths` is null or holds as many.
    unsafe fn deliver(
        &mut self,
        keys: *const u64,
        depths: Option<*const u16>,
        count: usize,
        orbit_size: u32,
    ) -> bool {
        if !self.enough {
            // An empty delivery is no sign of life either.
            if count > 0 {
                in_hand::delivered();
            }
            // SAFETY: by the caller.
            self.enough = unsafe { self.accept(keys, depths, count, orbit_size) };
        }
        self.enough
    }

    /// # Safety
    /// Like [`Context::deliver`].
    unsafe fn accept(
        &mut self,
        keys: *const u64,
        depths: Option<*const u16>,
        count: usize,
        orbit_size: u32,
    ) -> bool {
        if count == 0 {
            return false;
        }
        let aligned = keys.is_aligned() && depths.is_none_or(<*const u16>::is_aligned);
        if keys.is_null() || depths.is_some_and(<*const u16>::is_null) || !aligned {
            self.fault = Some("delivered a null or misaligned pointer".into());
            return true;
        }
        self.buffer.clear();
        // No array is longer. What does not fit here is an error, not a crash.
        let fits = count <= isize::MAX as usize / size_of::<K>();
        if !fits || self.buffer.try_reserve(count).is_err() {
            self.fault = Some(format!("delivered {count} states at once, more than fit"));
            return true;
        }
        let taken = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: by the caller; not null and aligned.
            let words = unsafe { slice::from_raw_parts(keys, count * self.width) };
            extend(self.width, words, &mut self.buffer);
            let depths = match depths {
                // SAFETY: as above.
                Some(depths) => unsafe { slice::from_raw_parts(depths, count) },
                None => &self.no_depths,
            };
            (self.take)(Swept {
                keys: &self.buffer,
                depths,
                orbit_size,
            })
        }));
        match taken {
            Ok(going) => !going,
            Err(panic) => {
                self.panic = Some(panic);
                true
            }
        }
    }

    /// Resumes a panic of the receiver, once the plugin has returned.
    fn finish(self, graph: &Graph<K>, function: &'static str) -> Result<(), PluginError> {
        if let Some(panic) = self.panic {
            resume_unwind(panic);
        }
        match self.fault {
            Some(fault) => Err(graph.broken(function, fault)),
            None => Ok(()),
        }
    }
}

/// Number of states that a sweep delivers before it is checked for repetition.
const SWEPT_UNSEEN: u64 = 1 << 16;

/// Detects that a sweep repeats itself. Keeps one state, replaced each time the count doubles, and
/// checks whether it is delivered again (as in Brent's cycle detection). Keeping all states of a
/// part would take too much memory.
struct Round<K> {
    count: u64,
    next: u64,
    kept: Option<K>,
}

impl<K: Key> Round<K> {
    /// Takes delivered states; returns one that was delivered before.
    fn take(&mut self, keys: &[K]) -> Option<K> {
        // No early exit, so that several are compared at once.
        let met = |kept: &K| keys.iter().fold(false, |met, key| met | (key == kept));
        let again = self.kept.filter(met);
        self.count += keys.len() as u64;
        if self.count >= self.next {
            self.next = self.count.saturating_mul(2);
            self.kept = keys.last().copied().or(self.kept);
        }
        again
    }
}

/// A sweep as the ledger records it, apart from its root.
pub(super) struct SweepOf {
    pub(super) way: Direction,
    pub(super) rooted: bool,
    pub(super) part: u64,
}

impl SweepOf {
    fn number(&self) -> u128 {
        let backward = u128::from(self.way == Direction::Backward);
        u128::from(self.part) | backward << 64 | u128::from(self.rooted) << 65
    }

    pub(super) fn of(number: u128) -> Self {
        Self {
            way: match number >> 64 & 1 {
                0 => Direction::Forward,
                _ => Direction::Backward,
            },
            rooted: number >> 65 & 1 == 1,
            part: number as u64,
        }
    }
}

/// A sweep of at most this time is always repeated.
const BRIEF: Duration = Duration::from_secs(2);

/// For each distance that a sweep delivers, the number of states and a sum of their hashes.
type Sums = BTreeMap<u16, [u128; 2]>;

fn add<K: Key>(sums: &mut Sums, swept: &Swept<'_, K>) {
    for (key, depth) in swept.keys.iter().zip(swept.depths) {
        let [count, sum] = sums.entry(*depth).or_default();
        *count += 1;
        *sum += u128::from(ledger::hash((key.to_u128(), swept.orbit_size.into())));
    }
}

unsafe extern "C" fn take_roots<K: Key>(
    context: *mut c_void,
    keys: *const u64,
    count: usize,
) -> i32 {
    // SAFETY: `context` is the value of `Graph::roots`, alive during the call; the plugin
    // passes `count` keys.
    unsafe { i32::from((*context.cast::<Context<'_, K>>()).deliver(keys, None, count, 0)) }
}

unsafe extern "C" fn take_swept<K: Key>(
    context: *mut c_void,
    keys: *const u64,
    depths: *const u16,
    count: usize,
    orbit_size: u32,
) -> i32 {
    // SAFETY: `context` is the value of `Graph::sweep`, alive during the call; the plugin
    // passes `count` keys and depths.
    unsafe {
        let context = &mut *context.cast::<Context<'_, K>>();
        i32::from(context.deliver(keys, Some(depths), count, orbit_size))
    }
}

impl<K: Key> Graph<K> {
    /// Start states (forward) or all solved states of a part (backward).
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle cannot list them.
    pub fn roots(&self, direction: Direction, part: u64) -> Result<Vec<K>, PluginError> {
        let mut all = self.roots_of(direction, part)?;
        for more in (1..self.opened.unplaced_parts).filter(|_| direction == Direction::Backward) {
            all.extend(self.roots_of(direction, more)?);
        }
        Ok(all)
    }

    /// The solved states of all parts.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle cannot list them.
    pub fn all_solved(&self) -> Result<Vec<K>, PluginError> {
        let mut all = Vec::new();
        for part in 0..self.opened.part_count {
            all.append(&mut self.roots(Direction::Backward, part)?);
        }
        Ok(all)
    }

    /// The start state of a search from one state; `None` for an instance without its own start.
    ///
    /// # Errors
    /// [`PluginError`] if there are several, or the puzzle fails.
    pub fn start(&self) -> Result<Option<K>, PluginError> {
        match self.roots(Direction::Forward, 0)?[..] {
            [] => Ok(None),
            [start, ref more @ ..] if more.iter().all(|other| *other == start) => Ok(Some(start)),
            ref all => Err(PluginError::BadInput(format!(
                "{}: has {} starts, and this question is about one; give one as its board",
                self.opened.full_name(),
                all.len()
            ))),
        }
    }

    pub(super) fn roots_of(&self, direction: Direction, part: u64) -> Result<Vec<K>, PluginError> {
        let mut all: Vec<K> = Vec::new();
        let mut many = false;
        let mut take = |delivered: Swept<'_, K>| {
            let left = MOST_ROOTS.saturating_sub(all.len());
            many = many || delivered.keys.len() > left;
            many = many || all.try_reserve(delivered.keys.len()).is_err();
            if !many {
                all.extend_from_slice(delivered.keys);
            }
            !many
        };
        let mut context = Context::new(self.width(), &mut take);
        let sink = AntipodeSink {
            context: (&raw mut context).cast::<c_void>(),
            emit: Some(take_roots::<K>),
        };
        let table = self.opened.table;
        // SAFETY: the handle is open and the context lives across the call.
        let (name, status) = unsafe {
            match (direction, table.starts) {
                // An instance without its own start.
                (Direction::Forward, None) => return Ok(Vec::new()),
                (Direction::Forward, Some(call)) => {
                    let made = || call(self.opened.handle, sink);
                    ("starts", self.opened.within("starts", made))
                }
                (Direction::Backward, _) => {
                    let call = self.required("solved_states", table.solved_states)?;
                    let made = || call(self.opened.handle, part, sink);
                    ("solved_states", self.opened.within("solved_states", made))
                }
            }
        };
        context.finish(self, name)?;
        if many {
            let held = all.len();
            return Err(self.broken(
                name,
                format!("delivered more than the {held} states that fit"),
            ));
        }
        if status == ANTIPODE_UNSUPPORTED && direction == Direction::Forward {
            return Ok(Vec::new());
        }
        self.check(name, status)?;
        let function = match direction {
            Direction::Forward => Function::Starts,
            Direction::Backward => Function::SolvedStates,
        };
        let answer = |_, out: &mut Vec<u128>| {
            out.extend(all.iter().map(|key| key.to_u128()));
            out.sort_unstable();
        };
        self.opened.note(function, 1, |_| (part.into(), 0), answer);
        Ok(all)
    }

    /// Bytes of memory that the puzzle's own sweep takes for a part, in a direction from a state,
    /// or from the solved states or the starts. `None` if it has no sweep for these roots.
    #[must_use]
    pub fn sweep_memory(&self, way: Direction, from: Option<K>) -> Option<u64> {
        let words = self.words(from.as_slice());
        self.opened
            .sweep_memory(super::way(way), from.map(|_| &*words))
    }

    /// The puzzle's own sweep over a part, from the roots of [`Graph::sweep_memory`]. From a state,
    /// it may deliver only the states `only`. `emit` returns false to stop. Returns whether the
    /// sweep finished.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn sweep(
        &self,
        way: Direction,
        from: Option<K>,
        part: u64,
        only: &[K],
        emit: &mut dyn FnMut(Swept<'_, K>) -> bool,
    ) -> Result<bool, PluginError> {
        let call = self.required("sweep", self.opened.table.sweep)?;
        let mut stopped = false;
        let (mut round, mut again) = (self.round(), None);
        let (mut sums, since) = (self.opened.ledger.is_some().then(Sums::new), Instant::now());
        let mut take = |swept: Swept<'_, K>| {
            again = round.as_mut().and_then(|round| round.take(swept.keys));
            if let Some(sums) = &mut sums {
                add(sums, &swept);
            }
            stopped = stopped || again.is_some() || !emit(swept);
            !stopped
        };
        let mut context = Context::new(self.width(), &mut take);
        let sink = AntipodeSweepSink {
            context: (&raw mut context).cast::<c_void>(),
            emit: Some(take_swept::<K>),
        };
        let (words, mut memory) = (self.words(from.as_slice()), u64::MAX);
        let start = from.map_or(std::ptr::null(), |_| words.as_ptr());
        let (words_only, count) = (self.words(only), only.len());
        let wanted = match count {
            0 => std::ptr::null(),
            _ => words_only.as_ptr(),
        };
        // SAFETY: the handle is open; the keys, the memory and the context live across the call.
        let status = self.opened.within("sweep", || unsafe {
            let way = super::way(way);
            call(
                self.opened.handle,
                way,
                start,
                part,
                wanted,
                count,
                &mut memory,
                sink,
            )
        });
        context.finish(self, "sweep")?;
        if let Some(key) = again {
            let fault = format!("delivered a state twice: {}", self.draw(key)?);
            return Err(self.broken("sweep", fault));
        }
        match status {
            ANTIPODE_STOPPED if stopped => return Ok(false),
            status => self.check("sweep", status)?,
        }
        let of = SweepOf {
            way,
            rooted: from.is_some(),
            part,
        };
        let input = (of.number(), from.map_or(0, K::to_u128));
        if let (Some(ledger), Some(sums), false) = (&self.opened.ledger, sums, stopped)
            && only.is_empty()
            && ledger.takes(Function::Sweep, input, since.elapsed() < BRIEF)
        {
            let answer = |_, out: &mut Vec<u128>| {
                let levels = sums.iter();
                out.extend(levels.flat_map(|(depth, sums)| [u128::from(*depth), sums[0], sums[1]]));
            };
            self.opened.note(Function::Sweep, 1, |_| input, answer);
        }
        Ok(!stopped)
    }
    /// Detects repetition in plugins, for which it is not proven that a sweep ends.
    fn round(&self) -> Option<Round<K>> {
        let loaded = !self.proves(Capabilities::NONE);
        loaded.then_some(Round {
            count: 0,
            next: SWEPT_UNSEEN,
            kept: None,
        })
    }
}
