//! A rulebook program as a variant: texts for its process, keys for the harness.
//!
//! Backward, the moves of a program are followed if each can be undone. The predecessors of a state
//! are its successors, once each of them is shown to have it as a successor.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, OnceLock};

use foldhash::fast::FixedState;
use puzzle_api::abi::end_call;
use puzzle_api::{
    BadInput, Direction, Expand, Key, Names, Neighbours, Numbering, Placement, Predecessors,
    Puzzle, Request as Asked, Settings, SolvedStates, Want,
};

use super::process::Process;
use super::protocol::{NamedMove, ProgramFault, ProgramRequest};
use super::texts::{self, AT_ONCE, Texts};
use super::{InstanceKey, KEEPS, Rulebook, current, lock};
use crate::capabilities::Capabilities;
use crate::graph::Graph;
use crate::in_hand;

/// What is said of a program that refuses no setting.
pub const ANY_SETTING: &str = "this rulebook opens an instance with any setting";

/// A setting that no puzzle has.
const NOBODYS: &str = "nobodys-setting";

/// Number of states reached from each of start and goals whose moves must all be undone before a
/// program is searched backward.
const FOLLOWED: usize = 1 << 16;
/// The same for goals, beyond their own number.
const NEAR_GOALS: usize = 256;

/// Number of keys of answers that an instance keeps before it drops all.
const KEPT: usize = 1 << 23;
/// Number of states after which a forward search keeps no more. It does not return to that many
/// states, and keeping them takes as long as a fast program takes to answer.
const KEPT_FORWARD: usize = 1 << 18;

/// An instance of a rulebook, with keys of type `K`: hashes of texts, or the keys
/// of the library to which it is joined.
pub(super) struct Program<K> {
    rules: &'static Rulebook,
    place: InstanceKey,
    /// The library that draws and reads its states.
    fast: Option<Graph<K>>,
    /// The program's answers, so that it is asked only once for a state to which checks return. A
    /// run uses one answer, whatever a second would have been; a fresh process is asked for that.
    kept: Mutex<Kept<K>>,
    /// The goals that it lists, if it lists any at all.
    goals: OnceLock<Option<HashSet<K>>>,
}

#[derive(Debug)]
struct Kept<K> {
    /// The place of a state's neighbours.
    moves: HashMap<K, (u32, u32), FixedState>,
    neighbours: Vec<K>,
    solved: HashMap<K, bool, FixedState>,
}

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self {
            moves: HashMap::default(),
            neighbours: Vec::new(),
            solved: HashMap::default(),
        }
    }
}

impl<K: Key> Kept<K> {
    fn keys(&self) -> usize {
        self.moves.len() + self.neighbours.len() + self.solved.len()
    }

    fn make_room(&mut self, keys: usize) {
        if self.keys() + keys > KEPT {
            *self = Self::default();
        }
    }

    fn moves(&self, key: K) -> Option<&[K]> {
        let &(from, to) = self.moves.get(&key)?;
        Some(&self.neighbours[from as usize..to as usize])
    }

    fn put(&mut self, keys: &[K], found: &Neighbours<K>) {
        self.make_room(keys.len() + found.keys.len());
        for (at, &key) in keys.iter().enumerate() {
            let from = self.neighbours.len() as u32;
            self.neighbours.extend_from_slice(of(found, at));
            self.moves.insert(key, (from, self.neighbours.len() as u32));
        }
    }
}

/// The neighbours of the state with a number.
fn of<K>(found: &Neighbours<K>, at: usize) -> &[K] {
    let first = at.checked_sub(1).map_or(0, |before| found.ends[before]);
    &found.keys[first..found.ends[at]]
}

impl Rulebook {
    /// Ends the current call, which cannot be answered.
    fn end(&self, fault: ProgramFault) -> ! {
        let line = format!("{}: {}", self.command, fault.line());
        end_call(line)
    }

    fn unopened(&self) -> Result<Process, ProgramFault> {
        if let Some(idle) = self.idle.take(None) {
            return Ok(idle);
        }
        let mut process = Process::start(&self.command).map_err(ProgramFault::broken)?;
        let (_, described) = ProgramRequest::about(&mut process)?;
        match described == self.described {
            true => Ok(process),
            false => Err(ProgramFault::otherwise()),
        }
    }

    /// Whether the program refuses a setting that no puzzle has, in addition to the given ones.
    fn looks_at(&self, instance: &str, settings: &Settings) -> Result<bool, ProgramFault> {
        if settings.is_empty() {
            return Ok(true);
        }
        let mut nobodys = settings.clone();
        nobodys.insert(NOBODYS.into(), "1".into());
        let mut process = self.unopened()?;
        let taken = ProgramRequest::Open(instance, &nobodys).put(&mut process);
        match taken.map(drop) {
            Err(ProgramFault::Refused(_)) => {
                self.idle.give(None, process);
                Ok(true)
            }
            taken => Ok(taken.is_err()),
        }
    }
}

impl<K: Key> Program<K> {
    fn opened(rules: &'static Rulebook, asked: &Asked<'_>) -> Result<Self, ProgramFault> {
        let fast = rules.fast.as_ref().map(|fast| {
            let variant = fast.variants.iter().find(|name| *name != "reference");
            let variant = variant.or(fast.variants.first()).map_or("", String::as_str);
            let opened = fast.open(asked.instance, variant, asked.settings);
            let opened = opened.map_err(|error| ProgramFault::Refused(error.to_string()))?;
            Graph::new(opened).ok_or_else(|| ProgramFault::Broken("keys of another width".into()))
        });
        let program = Self {
            rules,
            place: (asked.instance.to_owned(), asked.settings.clone()),
            fast: fast.transpose()?,
            kept: Mutex::default(),
            goals: OnceLock::new(),
        };
        if !rules.looks_at(asked.instance, asked.settings)? {
            let keys: Vec<&str> = asked.settings.keys().map(String::as_str).collect();
            return Err(ProgramFault::Refused(format!(
                "{ANY_SETTING}, so that '{}' may mean nothing to it; answer {{\"error\":\"…\"}} to settings that it does not know",
                keys.join(", ")
            )));
        }
        let process = program.process()?;
        rules.idle.give(Some(&program.place), process);
        Ok(program)
    }

    /// A process that has opened the instance.
    fn process(&self) -> Result<Process, ProgramFault> {
        if let Some(process) = self.rules.idle.take(Some(&self.place)) {
            return Ok(process);
        }
        let mut process = self.rules.unopened()?;
        let opened = ProgramRequest::Open(&self.place.0, &self.place.1).put(&mut process);
        match opened.map(drop) {
            Ok(()) => Ok(process),
            Err(fault) => {
                if let ProgramFault::Refused(_) = fault {
                    self.rules.idle.give(None, process);
                }
                Err(fault)
            }
        }
    }

    /// Works with a process, which returns to the others unless it failed.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Process) -> Result<T, ProgramFault>,
    ) -> Result<T, ProgramFault> {
        let mut process = self.process()?;
        let done = work(&mut process);
        in_hand::delivered();
        if !matches!(done, Err(ProgramFault::Broken(_))) {
            self.rules.idle.give(Some(&self.place), process);
        }
        done
    }

    /// The answer; if there is none, the call ends.
    fn must<T>(&self, found: Result<T, ProgramFault>) -> T {
        found.unwrap_or_else(|fault| self.rules.end(fault))
    }

    /// The texts whose hashes are keys, locked; with a library, keys are its own.
    fn texts(&self) -> Option<MutexGuard<'static, Texts>> {
        self.fast.is_none().then(texts::texts)
    }

    fn text(&self, key: K) -> Result<Cow<'static, str>, String> {
        self.text_in(self.texts().as_deref(), key)
    }

    fn text_in(&self, texts: Option<&Texts>, key: K) -> Result<Cow<'static, str>, String> {
        let Some(fast) = &self.fast else {
            let known = texts.and_then(|texts| texts.text_of(key.to_u128() as u64));
            return known.map(Cow::Borrowed).ok_or_else(|| {
                format!(
                    "no text is known of key {:#x}: an engine that reads states from a folder or gets them from another process cannot work with a rulebook; use --engine hash",
                    key.to_u128()
                )
            });
        };
        let text = fast.draw(key).map_err(|error| error.to_string())?;
        match fast.parse(&text) {
            Ok(read) if read == key => Ok(text.into()),
            Ok(_) => Err(format!(
                "the library reads another state from '{text}', which it wrote"
            )),
            Err(why) => Err(format!(
                "the library does not read '{text}', which it wrote: {why}"
            )),
        }
    }

    /// The key of a state that the program wrote.
    fn of_text(&self, text: &str) -> Result<K, String> {
        self.of_text_in(self.texts().as_deref_mut(), text)
    }

    fn of_text_in(&self, texts: Option<&mut Texts>, text: &str) -> Result<K, String> {
        if let Some(texts) = texts {
            return texts.key_of(text).map(|key| K::from_u128(key.into()));
        }
        let fast = self.fast.as_ref().ok_or("its texts are not held")?;
        texts::well_formed(text)?;
        let key = fast.parse(text).map_err(|why| {
            format!("the library does not read the rulebook's state '{text}': {why}")
        })?;
        let drawn = fast.draw(key).map_err(|error| error.to_string())?;
        match drawn == text {
            true => Ok(key),
            false => Err(format!(
                "the library writes the rulebook's state '{text}' as '{drawn}'"
            )),
        }
    }

    /// Requests some states after the others, as many at a time as the program answers soon.
    fn ask(
        &self,
        keys: &[K],
        mut work: impl FnMut(&mut Process, &[Cow<'static, str>]) -> Result<(), ProgramFault>,
    ) -> Result<(), ProgramFault> {
        let mut rest = keys;
        while !rest.is_empty() {
            self.with(|process| {
                let (now, later) = rest.split_at(process.batch.min(rest.len()));
                let mut texts = Vec::with_capacity(now.len());
                {
                    let known = self.texts();
                    for some in now.chunks(AT_ONCE) {
                        if let Some(known) = &known {
                            known.fetch(some.iter().map(|key| key.to_u128() as u64));
                        }
                        for &key in some {
                            let text = self.text_in(known.as_deref(), key);
                            texts.push(text.map_err(ProgramFault::broken)?);
                        }
                    }
                }
                rest = later;
                work(process, &texts)
            })?;
        }
        Ok(())
    }

    fn asked_moves(&self, keys: &[K]) -> Result<Neighbours<K>, ProgramFault> {
        let mut found = Neighbours::default();
        self.ask(keys, |process, texts| {
            let moves = ProgramRequest::Moves(texts).put(process)?.moves;
            let moves = moves.unwrap_or_default();
            let (mut to, before) = (moves.all.iter().map(|one| &*one.to), found.keys.len());
            let keys = &mut found.keys;
            let read = match self.texts() {
                Some(mut known) => known.keys_of(to, |key| keys.push(K::from_u128(key.into()))),
                None => to.try_for_each(|text| {
                    let key = self.of_text_in(None, text);
                    keys.push(key.map_err(|why| (keys.len() - before, why))?);
                    Ok(())
                }),
            };
            read.map_err(|(at, why)| {
                let state = moves.ends.partition_point(|&end| end <= at);
                ProgramFault::broken(format!("`moves` of '{}': {why}", texts[state]))
            })?;
            let ends = moves.ends.iter().map(|end| before + end);
            found.ends.extend(ends);
            Ok(())
        })?;
        Ok(found)
    }

    fn asked_solved(&self, keys: &[K]) -> Result<Vec<bool>, ProgramFault> {
        let mut solved = Vec::with_capacity(keys.len());
        self.ask(keys, |process, texts| {
            let answer = ProgramRequest::Solved(texts).put(process)?;
            solved.extend(answer.solved.unwrap_or_default());
            Ok(())
        })?;
        Ok(solved)
    }

    fn goals(&self) -> Result<Vec<K>, ProgramFault> {
        self.with(|process| {
            let answer = ProgramRequest::Goals.put(process)?;
            let goals = answer.goals.unwrap_or_default();
            let keys: Result<_, String> = goals.iter().map(|goal| self.of_text(&goal.0)).collect();
            keys.map_err(|why| ProgramFault::broken(format!("`goals`: {why}")))
        })
    }

    fn start(&self) -> Result<Option<K>, ProgramFault> {
        let start = self.rules.starts.get(&self.place.0);
        let key = start.map(|start| self.of_text(start)).transpose();
        key.map_err(|why| {
            ProgramFault::broken(format!("`about`: the start of '{}': {why}", self.place.0))
        })
    }

    /// Whether every move of the goals, of the states nearest to them, and of the states that the
    /// start leads to can be undone. Then a search from the goals meets the states from which a
    /// goal can be reached. A move farther away that cannot is found by the search. The answer
    /// holds for every handle of the instance.
    fn is_undone(&self, goals: &[K]) -> bool {
        let known = lock(&self.rules.undone).get(&self.place).copied();
        known.unwrap_or_else(|| {
            let start: Vec<K> = self.start().ok().flatten().into_iter().collect();
            let undone = self.are_undone(goals.to_vec(), goals.len() + NEAR_GOALS)
                && self.are_undone(start, FOLLOWED);
            lock(&self.rules.undone).insert(self.place.clone(), undone);
            undone
        })
    }

    /// Whether every move of some states, and of the `most` nearest states after them, can be
    /// undone.
    fn are_undone(&self, states: Vec<K>, most: usize) -> bool {
        let mut seen: HashSet<K> = states.iter().copied().collect();
        let mut level = states;
        while !level.is_empty() && seen.len() < most {
            let Ok(found) = self.undone(&level) else {
                return false;
            };
            level = found.keys;
            level.retain(|&key| seen.insert(key));
        }
        true
    }

    /// Whether answers to a forward search are kept.
    fn keeps(&self) -> bool {
        KEEPS.load(Relaxed) && lock(&self.kept).keys() < KEPT_FORWARD
    }

    /// The moves of states, from the kept answers or the program.
    fn moves(&self, keys: &[K]) -> Result<Neighbours<K>, ProgramFault> {
        let mut known = Neighbours::default();
        let (mut missing, mut is_missing) = (Vec::new(), Vec::with_capacity(keys.len()));
        {
            let kept = lock(&self.kept);
            for &key in keys {
                let moves = kept.moves(key);
                is_missing.push(moves.is_none());
                match moves {
                    Some(moves) => {
                        known.keys.extend_from_slice(moves);
                        known.end();
                    }
                    None => missing.push(key),
                }
            }
        }
        if missing.is_empty() {
            return Ok(known);
        }
        let asked = self.asked_moves(&missing)?;
        lock(&self.kept).put(&missing, &asked);
        if known.ends.is_empty() {
            return Ok(asked);
        }
        let mut found = Neighbours::default();
        let (mut old, mut new) = (0, 0);
        for is_missing in is_missing {
            let (from, at) = match is_missing {
                true => (&asked, &mut new),
                false => (&known, &mut old),
            };
            found.keys.extend_from_slice(of(from, *at));
            found.end();
            *at += 1;
        }
        Ok(found)
    }

    fn solved(&self, keys: &[K]) -> Result<Vec<bool>, ProgramFault> {
        let known: Vec<Option<bool>> = {
            let kept = lock(&self.kept);
            let known = keys.iter().map(|key| kept.solved.get(key).copied());
            known.collect()
        };
        let missing = keys.iter().zip(&known).filter(|(_, known)| known.is_none());
        let missing: Vec<K> = missing.map(|(&key, _)| key).collect();
        let asked = self.asked_solved(&missing)?;
        let mut kept = lock(&self.kept);
        kept.make_room(missing.len());
        let new = missing.into_iter().zip(asked.iter().copied());
        kept.solved.extend(new);
        let mut asked = asked.into_iter();
        let all = known
            .into_iter()
            .map(|known| known.or_else(|| asked.next()));
        Ok(all.map(Option::unwrap_or_default).collect())
    }

    /// Whether the solved ones among some states are goals, if the program lists goals, and whether
    /// all goals are solved.
    fn are_listed(&self, keys: &[K], solved: &[bool]) -> Result<(), ProgramFault> {
        let fault = |does: &str, key: K, is: &str| {
            Err(ProgramFault::broken(format!(
                "`goals` {does} '{}', which `solved` says is {is}; list all solved states, or leave `goals` out",
                self.text(key).unwrap_or_default()
            )))
        };
        let goals = match self.goals.get() {
            Some(goals) => goals,
            None => {
                let listed = match self.goals() {
                    Err(ProgramFault::Unsupported) => None,
                    goals => Some(goals?),
                };
                let all = listed.as_deref().unwrap_or_default();
                let mut solved = all.iter().zip(self.asked_solved(all)?);
                if let Some((&key, _)) = solved.find(|(_, solved)| !solved) {
                    return fault("lists", key, "not solved");
                }
                self.goals.get_or_init(|| listed.map(HashSet::from_iter))
            }
        };
        let Some(goals) = goals else { return Ok(()) };
        let mut solved = keys.iter().zip(solved);
        match solved.find(|(key, solved)| **solved && !goals.contains(key)) {
            None => Ok(()),
            Some((&key, _)) => fault("lacks", key, "solved"),
        }
    }

    /// The predecessors of each state, if each of its own moves can be undone.
    fn undone(&self, keys: &[K]) -> Result<Neighbours<K>, ProgramFault> {
        self.are_listed(keys, &self.solved(keys)?)?;
        let found = self.moves(keys)?;
        let mut ends = found.keys.clone();
        ends.sort_unstable();
        ends.dedup();
        let back = self.moves(&ends)?;
        for (at, key) in keys.iter().enumerate() {
            for to in of(&found, at) {
                let place = ends.binary_search(to).unwrap_or_default();
                if !of(&back, place).contains(key) {
                    return Err(ProgramFault::Broken(format!(
                        "the move from '{}' to '{}' cannot be undone by one move, so this rulebook is not searched backward; use --direction forward, and --engine hash for solve",
                        self.text(*key).unwrap_or_default(),
                        self.text(*to).unwrap_or_default()
                    )));
                }
            }
        }
        Ok(found)
    }

    /// The name of a move.
    fn name(&self, from: K, to: K) -> Result<Option<String>, ProgramFault> {
        let text = [self.text(from).map_err(ProgramFault::broken)?];
        self.with(|process| {
            let moves = ProgramRequest::Moves(&text).put(process)?.moves;
            let all = moves.into_iter().flat_map(|moves| moves.all);
            let leads = |one: &NamedMove<'_>| self.of_text(&one.to) == Ok(to);
            let names = all.filter(leads).filter_map(|one| one.name);
            let names: Vec<String> = names.map(|name| name.replace(['\n', '\r'], " ")).collect();
            Ok((!names.is_empty()).then(|| names.join("\n")))
        })
    }
}

impl<K: Key> Puzzle for Program<K> {
    type Key = K;
    type State = K;

    fn open(asked: &Asked<'_>) -> Result<Self, BadInput> {
        let rules = current();
        Self::opened(rules, asked).map_err(|fault| match fault {
            ProgramFault::Refused(line) => BadInput(line),
            fault => rules.end(fault),
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(K)) {
        self.must(self.start()).into_iter().for_each(emit);
    }

    fn successors(&self, state: &K, emit: &mut dyn FnMut(K)) {
        let found = self.neighbours(Want::all(Direction::Forward), &[*state]);
        found.keys.into_iter().for_each(emit);
    }

    fn is_solved(&self, state: &K) -> bool {
        let mut solved = Vec::new();
        self.solved_all(&[*state], &mut solved);
        solved[0]
    }

    fn solved_all(&self, states: &[K], solved: &mut Vec<bool>) {
        let found = self.must(match self.keeps() {
            true => self.solved(states),
            false => self.asked_solved(states),
        });
        self.must(self.are_listed(states, &found));
        solved.extend(found);
    }

    fn key(&self, state: &K) -> K {
        *state
    }

    fn state(&self, key: K) -> K {
        key
    }

    fn parse(&self, text: &str) -> Result<K, BadInput> {
        match &self.fast {
            Some(fast) => fast.parse(text).map_err(|why| BadInput(why.to_string())),
            None => self.of_text(text).map_err(BadInput),
        }
    }

    fn draw(&self, state: &K) -> String {
        self.must(self.text(*state).map_err(ProgramFault::broken))
            .into()
    }
}

impl<K: Key> SolvedStates for Program<K> {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(K)) {
        let goals = self.must(self.goals()).into_iter();
        let own = |goal: &K| self.place(goal).map_or(part == 0, |at| at.part == part);
        goals.filter(own).for_each(emit);
    }

    fn lists_solved_states(&self) -> bool {
        match self.goals() {
            Ok(goals) => !goals.is_empty() && self.is_undone(&goals),
            Err(ProgramFault::Unsupported) => false,
            Err(fault) => self.rules.end(fault),
        }
    }
}

/// Offered if [`SolvedStates`] are: `library.rs` asks.
impl<K: Key> Predecessors for Program<K> {
    fn predecessors(&self, state: &K, emit: &mut dyn FnMut(K)) {
        let found = self.neighbours(Want::all(Direction::Backward), &[*state]);
        found.keys.into_iter().for_each(emit);
    }
}

impl<K: Key> Expand for Program<K> {
    /// As many as the harness passes: a request costs the program a line.
    const AT_ONCE: usize = puzzle_api::abi::ANTIPODE_MAX_BATCH;

    fn expand(&self, want: Want, keys: &[K], _: &[u32], out: &mut Neighbours<K>) {
        *out = self.must(match want.direction {
            Direction::Backward => self.undone(keys),
            Direction::Forward if self.keeps() => self.moves(keys),
            Direction::Forward => self.asked_moves(keys),
        });
    }
}

/// Parts are those of the library to which it is joined.
impl<K: Key> Numbering for Program<K> {
    fn space(&self, _part: u64) -> Option<u64> {
        None
    }

    fn place(&self, state: &K) -> Option<Placement> {
        let fast = self.fast.as_ref();
        let fast = fast.filter(|fast| fast.has(Capabilities::PARTS))?;
        let mut at = Vec::new();
        let placed = fast.place(&[*state], &mut at);
        self.must(placed.map_err(|error| ProgramFault::Broken(error.to_string())));
        at.pop().flatten()
    }

    fn unrank(&self, _at: Placement) -> Option<K> {
        None
    }

    fn part_count(&self) -> u64 {
        let parts = self.fast.as_ref().map(|fast| &fast.opened.part_count);
        parts.filter(|&&parts| parts > 1).copied().unwrap_or(0)
    }

    fn part_name(&self, part: u64) -> String {
        let name = self.fast.as_ref().map(|fast| fast.part_name(part));
        name.unwrap_or_else(|| part.to_string())
    }
}

impl<K: Key> Names for Program<K> {
    fn describe_move(&self, from: &K, to: &K) -> Option<String> {
        self.must(self.name(*from, *to))
    }
}
