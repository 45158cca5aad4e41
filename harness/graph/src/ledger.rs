//! Answers of loaded libraries, so that the same questions can be put to a fresh process.
//!
//! A library need not be a function: its answer may depend on the size of a batch, the place in it,
//! the thread, the order, the number of calls or the handle. So each answer that a run gets is
//! recorded here as it was used. It is compared with the answer to another process, which asks for
//! one state at a time.
//!
//! Up to [`MOST`] states per function are recorded. Beyond that, it keeps states whose hash falls
//! into a share that halves as they grow, and those of a path shown ([`pinned`]). It also keeps one
//! state of each of the last calls, which reaches the deepest levels.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use puzzle_api::Settings;
use serde::{Deserialize, Serialize};

/// Answers of a function that are kept at once.
pub const MOST: usize = 1 << 16;
/// Calls of which one state is also kept, if not all are.
const RECENT: usize = 2048;
/// States that are kept whatever their hash.
const MOST_PINNED: usize = 1 << 14;

/// A function of the table whose answers are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names of the table")]
pub enum Function {
    Successors,
    Predecessors,
    Expand,
    IsSolved,
    Canonical,
    OrbitSize,
    Images,
    Place,
    Unrank,
    Space,
    Starts,
    SolvedStates,
    SymmetryCount,
    PartCount,
    Draw,
    Parse,
    Names,
    DescribeMove,
    Random,
    TimeReversal,
    Objective,
    LowerBound,
    Bucket,
    NeighbourRanks,
    Sweep,
}

impl Function {
    /// All of them, by number, with their names in the table.
    pub const ALL: [(Self, &'static str); 25] = [
        (Self::Successors, "successors"),
        (Self::Predecessors, "predecessors"),
        (Self::Expand, "expand"),
        (Self::IsSolved, "is_solved"),
        (Self::Canonical, "canonical"),
        (Self::OrbitSize, "the orbit size of canonical"),
        (Self::Images, "images"),
        (Self::Place, "place"),
        (Self::Unrank, "unrank"),
        (Self::Space, "space"),
        (Self::Starts, "starts"),
        (Self::SolvedStates, "solved_states"),
        (Self::SymmetryCount, "symmetry_count"),
        (Self::PartCount, "part_count"),
        (Self::Draw, "draw"),
        (Self::Parse, "parse"),
        (Self::Names, "names"),
        (Self::DescribeMove, "describe_move"),
        (Self::Random, "random"),
        (Self::TimeReversal, "time_reversal"),
        (Self::Objective, "objective"),
        (Self::LowerBound, "lower_bound"),
        (Self::Bucket, "bucket"),
        (Self::NeighbourRanks, "neighbour_ranks"),
        (Self::Sweep, "sweep"),
    ];

    /// Its name in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether one call may concern many states.
    #[must_use]
    pub const fn takes_many(self) -> bool {
        matches!(self, Self::Successors | Self::Predecessors | Self::IsSolved)
    }

    /// The function of a name, if it is recorded.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(_, known)| *known == name)?.0)
    }
}

/// The input of a function: a state, or two numbers such as a part and a rank. For `parse`, it is
/// the number of the text.
pub type Input = (u128, u128);
/// An answer: keys or numbers, sorted if their order has no meaning, or a text.
pub type LedgerAnswer = Box<[u128]>;

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// The function called.
    pub function: Function,
    /// Its input.
    pub input: Input,
    /// The text that `parse` got.
    pub text: Option<Box<str>>,
    /// Its answer.
    pub answer: LedgerAnswer,
}

/// Two answers to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The question, with the answer that the run got.
    pub noted: Noted,
    /// The other answer.
    pub other: LedgerAnswer,
}

/// One instance in one variant of a library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedVariant {
    /// The library's file.
    pub file: PathBuf,
    /// The command line of its rulebook, or empty.
    pub rules: String,
    /// Name of the instance.
    pub instance: String,
    /// Name of the variant.
    pub variant: String,
    /// Its settings.
    pub settings: Settings,
}

/// The answers of one instance in one variant.
#[derive(Debug)]
pub struct Ledger {
    /// Which.
    pub place: OpenedVariant,
    /// A state is kept if its hash has none of these bits.
    masks: [AtomicU64; Function::ALL.len()],
    stores: [Mutex<Store>; Function::ALL.len()],
    difference: Mutex<Option<Difference>>,
}

#[derive(Debug, Default)]
struct Store {
    held: HashMap<Input, Held>,
    texts: HashMap<Input, Box<str>>,
    recent: VecDeque<(Input, LedgerAnswer)>,
    pinned: usize,
    calls: u64,
    scratch: Vec<u128>,
}

#[derive(Debug)]
struct Held {
    answer: LedgerAnswer,
    confirmed: bool,
    pinned: bool,
}

/// Takes answers that do not fit, all of whose questions are to be repeated at once.
pub type Full = fn(&Ledger, Vec<Noted>);

static WANTED: AtomicBool = AtomicBool::new(false);
static FULL: OnceLock<Full> = OnceLock::new();
static LEDGERS: Mutex<Vec<Arc<Ledger>>> = Mutex::new(Vec::new());

thread_local! {
    static PINNED: Cell<bool> = const { Cell::new(false) };
}

/// From here on, answers of opened libraries are recorded.
pub fn begin() {
    WANTED.store(true, Relaxed);
}

/// From here on, no answer is left out: those that do not fit go to `full`.
pub fn note_all(full: Full) {
    let _ = FULL.set(full);
}

/// All records of this process.
#[must_use]
pub fn all() -> Vec<Arc<Ledger>> {
    lock(&LEDGERS).clone()
}

/// Whether some answers were left out.
#[must_use]
pub fn is_sample() -> bool {
    let left_out = |ledger: &Arc<Ledger>| ledger.masks.iter().any(|mask| mask.load(Relaxed) > 0);
    all().iter().any(left_out)
}

/// Forgets all answers; a difference between two stays.
pub fn forget() {
    all().iter().for_each(|ledger| ledger.clear());
}

/// Makes calls whose states are all kept, such as those of a path that is shown.
pub fn pinned<T>(calls: impl FnOnce() -> T) -> T {
    PINNED.set(true);
    let made = calls();
    PINNED.set(false);
    made
}

/// Keeps one state of each of the last calls permanently. Call it when a search has reached its
/// last level, before its checks ask for other states.
pub fn keep_recent() {
    if !WANTED.load(Relaxed) {
        return;
    }
    for ledger in all() {
        for store in &ledger.stores {
            lock(store).keep_recent();
        }
    }
}

/// Locks what a thread that panicked may have left locked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A hash of 44 bits.
pub(crate) fn hash(input: Input) -> u64 {
    let mix = |word: u64| (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let words = [input.0, input.0 >> 64, input.1, input.1 >> 64];
    let mixed = words.iter().fold(1, |hash, &word| mix(hash ^ word as u64));
    mixed >> 20
}

/// A text as an answer.
#[must_use]
pub fn of_text(text: &str) -> LedgerAnswer {
    let mut answer = vec![text.len() as u128];
    answer.extend(text.as_bytes().chunks(16).map(|bytes| {
        let mut word = [0; 16];
        word[..bytes.len()].copy_from_slice(bytes);
        u128::from_le_bytes(word)
    }));
    answer.into()
}

/// The text of an answer made by [`of_text`].
#[must_use]
pub fn text_of(answer: &[u128]) -> String {
    let Some((&length, words)) = answer.split_first() else {
        return String::new();
    };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(length as usize);
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Store {
    fn put(&mut self, input: Input, answer: LedgerAnswer, pinned: bool) {
        let pinned = pinned && self.pinned < MOST_PINNED;
        self.pinned += usize::from(pinned);
        let held = Held {
            answer,
            confirmed: false,
            pinned,
        };
        self.held.insert(input, held);
    }

    fn keep_recent(&mut self) {
        for (input, answer) in std::mem::take(&mut self.recent) {
            match self.held.get_mut(&input) {
                Some(held) if held.pinned => {}
                Some(held) => {
                    held.pinned = true;
                    self.pinned += 1;
                }
                None if self.pinned < MOST_PINNED => self.put(input, answer, true),
                None => {}
            }
        }
    }
}

impl Ledger {
    fn empty(place: OpenedVariant) -> Self {
        Self {
            place,
            masks: Default::default(),
            stores: Default::default(),
            difference: Mutex::new(None),
        }
    }

    /// The ledger of an instance; `None` if answers are not recorded.
    pub(crate) fn of(place: OpenedVariant) -> Option<Arc<Self>> {
        if !WANTED.load(Relaxed) {
            return None;
        }
        let mut all = lock(&LEDGERS);
        if let Some(known) = all.iter().find(|ledger| ledger.place == place) {
            return Some(Arc::clone(known));
        }
        let ledger = Arc::new(Self::empty(place));
        all.push(Arc::clone(&ledger));
        Some(ledger)
    }

    /// Records a call's answer on each of `count` inputs; `fill` writes the answer to one, after
    /// its input.
    pub(crate) fn note(
        &self,
        function: Function,
        count: usize,
        input: &dyn Fn(usize) -> Input,
        fill: &dyn Fn(usize, &mut Vec<u128>),
    ) {
        let mask = &self.masks[function as usize];
        let pinned = PINNED.get();
        let now = mask.load(Relaxed);
        let in_share = |i: usize| pinned || hash(input(i)) & now == 0;
        if count == 0 || now > 0 && count < 8 && !pinned && !(0..count).any(in_share) {
            // There are many small calls, and one in eight of them is an equally good sample of the
            // last ones.
            if count == 0 || hash((now.into(), input(0).0)) & 7 > 0 {
                return;
            }
        }
        let mut store = lock(&self.stores[function as usize]);
        let mut scratch = std::mem::take(&mut store.scratch);
        store.calls += 1;
        if now > 0 {
            let chosen = hash((store.calls.into(), 0)) as usize % count;
            scratch.clear();
            fill(chosen, &mut scratch);
            if store.recent.len() == RECENT {
                store.recent.pop_front();
            }
            store
                .recent
                .push_back((input(chosen), scratch.as_slice().into()));
        }
        for i in (0..count).filter(|&i| in_share(i)) {
            let input = input(i);
            scratch.clear();
            fill(i, &mut scratch);
            let Store { held, texts, .. } = &mut *store;
            match held.get_mut(&input) {
                Some(held) if *held.answer == *scratch => held.pinned |= pinned,
                Some(held) => {
                    let noted = Noted {
                        function,
                        input,
                        text: texts.get(&input).cloned(),
                        answer: held.answer.clone(),
                    };
                    self.differs(noted, scratch.as_slice().into());
                }
                None => store.put(input, scratch.as_slice().into(), pinned),
            }
        }
        store.scratch = scratch;
        if store.held.len() <= MOST {
            return;
        }
        if let Some(full) = FULL.get() {
            let all = drain(&mut store, function);
            drop(store);
            full(self, all);
            return;
        }
        let mut share = mask.load(Relaxed);
        while store.held.len() > MOST {
            share = share * 2 + 1;
            let keep = |input: &Input, held: &mut Held| held.pinned || hash(*input) & share == 0;
            store.held.retain(keep);
            if share == u64::MAX {
                break;
            }
        }
        mask.store(share, Relaxed);
    }

    /// Whether this answer is checked, if there are too many to check all. If not, the checked
    /// answers of its function are a sample.
    pub(crate) fn takes(&self, function: Function, input: Input, few: bool) -> bool {
        let taken = few || FULL.get().is_some() || hash(input) & 63 == 0;
        if !taken {
            self.masks[function as usize].fetch_or(1, Relaxed);
        }
        taken
    }

    /// Like [`Ledger::note`], for one text that was read.
    pub(crate) fn note_text(&self, text: &str, key: u128) {
        let input = number_of(text);
        lock(&self.stores[Function::Parse as usize])
            .texts
            .entry(input)
            .or_insert_with(|| text.into());
        self.note(Function::Parse, 1, &|_| input, &|_, out| out.push(key));
    }

    /// Records that one question has two answers; the first such record stays.
    pub fn differs(&self, noted: Noted, other: LedgerAnswer) {
        lock(&self.difference).get_or_insert(Difference { noted, other });
    }

    /// Two answers to one question, if there were any.
    #[must_use]
    pub fn difference(&self) -> Option<Difference> {
        lock(&self.difference).clone()
    }

    /// The questions not yet confirmed.
    #[must_use]
    pub fn unconfirmed(&self) -> Vec<Noted> {
        let mut all = Vec::new();
        for ((function, _), store) in Function::ALL.into_iter().zip(&self.stores) {
            let mut store = lock(store);
            store.keep_recent();
            let open = store.held.iter().filter(|(_, held)| !held.confirmed);
            all.extend(open.map(|(&input, held)| Noted {
                function,
                input,
                text: store.texts.get(&input).cloned(),
                answer: held.answer.clone(),
            }));
        }
        all
    }

    fn clear(&self) {
        for (store, mask) in self.stores.iter().zip(&self.masks) {
            *lock(store) = Store::default();
            mask.store(0, Relaxed);
        }
    }

    /// Removes and returns all records.
    #[must_use]
    pub fn take(&self) -> Vec<Noted> {
        let stores = Function::ALL.into_iter().zip(&self.stores);
        stores
            .flat_map(|((function, _), store)| drain(&mut lock(store), function))
            .collect()
    }

    /// Records that a question had the same answer elsewhere.
    pub fn confirm(&self, function: Function, input: Input) {
        if let Some(held) = lock(&self.stores[function as usize]).held.get_mut(&input) {
            held.confirmed = true;
        }
    }
}

fn drain(store: &mut Store, function: Function) -> Vec<Noted> {
    store.pinned = 0;
    let texts = &store.texts;
    let all = store.held.drain().map(|(input, held)| Noted {
        function,
        input,
        text: texts.get(&input).cloned(),
        answer: held.answer,
    });
    all.collect()
}

/// A number that represents a text.
fn number_of(text: &str) -> Input {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(0) << 64 | half(1), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger() -> Ledger {
        Ledger::empty(OpenedVariant {
            file: "lib.so".into(),
            rules: String::new(),
            instance: "a".into(),
            variant: "reference".into(),
            settings: Settings::new(),
        })
    }

    #[test]
    fn all_answers_are_held_while_there_is_room_and_then_a_share_that_reaches_the_last_call() {
        let ledger = ledger();
        let few = ledger_of(&ledger, 0, 1000);
        assert_eq!(few, 1000);
        let many = ledger_of(&ledger, 1000, 300_000);
        assert!((MOST / 4..=MOST).contains(&many), "{many}");
        let all = ledger.unconfirmed();
        let deepest = all.iter().map(|noted| noted.input.0).max();
        assert!(deepest >= Some(301_000 - 2 * 4096), "{deepest:?}");
        assert_eq!(ledger.difference(), None);
        // What was pinned stays.
        pinned(|| ask(&ledger, 5..6, 0));
        let holds = |key| {
            ledger
                .unconfirmed()
                .iter()
                .any(|noted| noted.input.0 == key)
        };
        assert!(holds(5));
        ledger_of(&ledger, 400_000, 300_000);
        assert!(holds(5));
        // The next verdict has room for all again.
        ledger.clear();
        assert_eq!(ledger_of(&ledger, 0, 1000), 1000);
    }

    fn ask(ledger: &Ledger, keys: std::ops::Range<u128>, lie: u128) {
        let keys: Vec<u128> = keys.collect();
        for batch in keys.chunks(4096) {
            let answer = |i: usize, out: &mut Vec<u128>| out.push(batch[i] + 1 + lie);
            let input = |i: usize| (batch[i], 0);
            ledger.note(Function::Successors, batch.len(), &input, &answer);
        }
    }

    fn ledger_of(ledger: &Ledger, first: u128, count: u128) -> usize {
        ask(ledger, first..first + count, 0);
        ledger.unconfirmed().len()
    }

    #[test]
    fn a_second_answer_that_differs_is_kept_with_the_first() {
        let ledger = ledger();
        ask(&ledger, 0..10, 0);
        ask(&ledger, 7..8, 1);
        let difference = ledger.difference().expect("a difference");
        assert_eq!(difference.noted.input, (7, 0));
        assert_eq!((*difference.noted.answer).first(), Some(&8));
        assert_eq!((*difference.other).first(), Some(&9));
    }

    #[test]
    fn a_text_is_the_text_again() {
        for text in [
            "",
            "a",
            "0123456789abcdef",
            "é/line\nand more than sixteen bytes",
        ] {
            assert_eq!(text_of(&of_text(text)), text);
        }
    }
}
