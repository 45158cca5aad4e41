//! The rulebook of an instance as tables, for a check of every state that costs little more
//! than the search.

use std::fmt::Debug;

use crate::{Key, Puzzle, Symmetry, Xorshift};

/// States of a part from which on tables pay, unless a puzzle says otherwise: fewer are looked at
/// on the rulebook itself in less time than it takes to hold tables against it.
pub const TABLES_PAY_FROM: u64 = 20_000;

/// The moves, symmetries and solved states of one opened instance, by tables that were filled
/// by asking its rulebook for every content that each line, window or place can have. Nothing
/// of a fast variant is used.
///
/// As a [`super::PartProof`] it lives beside the rules that it knows and does not cross the C
/// boundary. What it rests on is [`RuleTables::foundation`]; given that, a state is looked at
/// in one of its images for all: symmetries were shown to lead from moves to moves.
pub trait RuleTables<K: Key>: Debug + Send + Sync {
    /// One sentence that says what the tables rest on, after it was checked: on the tables,
    /// completely, that the symmetries are a group and lead from moves to moves; on boards
    /// drawn in this run, that moves and images of a board are what its lines, windows or
    /// places by themselves give.
    ///
    /// # Errors
    /// One line that says where what they rest on does not hold.
    fn foundation(&self) -> Result<String, String>;

    /// Whether the tables show that each move can be undone by a move, and that the two are listed
    /// equally often.
    fn undirected(&self) -> bool;

    /// Number of symmetries, the identity included; as many as the rulebook has.
    fn symmetry_count(&self) -> usize;

    /// Appends to `out` the images of each key under all symmetries, the identity first. What
    /// is no state is not its own first image.
    fn images(&self, keys: &[K], out: &mut Vec<K>);

    /// Appends to `out` the first image of each key alone: the key, where it is a state.
    fn first_images(&self, keys: &[K], out: &mut Vec<K>) {
        let start = out.len();
        self.images(keys, out);
        let count = self.symmetry_count();
        for nth in 0..keys.len() {
            out[start + nth] = out[start + nth * count];
        }
        out.truncate(start + keys.len());
    }

    /// Which of the images of a state the rulebook takes for all: as there, the one with the
    /// smallest key unless the puzzle says otherwise. There is at least one.
    fn representative(&self, images: &[K]) -> K {
        images[1..]
            .iter()
            .fold(images[0], |least, &image| least.min(image))
    }

    /// Replaces keys by their representatives; `images` is room.
    fn reduce(&self, keys: &mut [K], images: &mut Vec<K>) {
        images.clear();
        self.images(keys, images);
        let all = images.chunks_exact(self.symmetry_count());
        for (key, images) in keys.iter_mut().zip(all) {
            *key = self.representative(images);
        }
    }

    /// Appends to `out` what the moves of each state lead to, one state after the other, and to
    /// `ends`, for each, the length of `out` behind its last.
    fn successors(&self, keys: &[K], out: &mut Vec<K>, ends: &mut Vec<usize>);

    /// Appends to `out` the representatives of what the moves of each state lead to, and to
    /// `ends` as [`RuleTables::successors`] does, which lists the same moves in the same order;
    /// `images` is room. For tables that move all images of a state at once.
    fn successor_orbits(
        &self,
        keys: &[K],
        out: &mut Vec<K>,
        ends: &mut Vec<usize>,
        images: &mut Vec<K>,
    ) {
        let from = out.len();
        self.successors(keys, out, ends);
        self.reduce(&mut out[from..], images);
    }

    /// Takes the moves apart into those that go forth, those that go back and those that go
    /// across: appends to `out` what [`Forth`] says of each key, where moves can be undone. What
    /// undoes a move forth must go back, what undoes one across go across, a move and the one
    /// that undoes it be listed equally often, and images of a move go where it goes. `by_orbits`
    /// is for runs that deliver one state of each orbit.
    ///
    /// Gives false, and appends nothing, where the tables do not tell them apart.
    fn forth(&self, _keys: &[K], _by_orbits: bool, _out: &mut Forth<K>) -> bool {
        false
    }

    /// Whether a state is solved.
    fn is_solved(&self, key: K) -> bool;

    /// [`RuleTables::is_solved`] of each key in turn, appended to `out`.
    fn are_solved(&self, keys: &[K], out: &mut Vec<bool>) {
        out.extend(keys.iter().map(|&key| self.is_solved(key)));
    }

    /// Whether a key is that of a state which the rulebook's numbering counts in a part, where
    /// it has one; then all of them are as many as there are ranks.
    fn is_ranked(&self, part: u64, key: K) -> bool;

    /// How many of some keys are [ranked](RuleTables::is_ranked).
    fn ranked(&self, part: u64, keys: &[K]) -> usize {
        keys.iter()
            .filter(|&&key| self.is_ranked(part, key))
            .count()
    }
}

/// What [`RuleTables::forth`] says of some states, one after the other.
#[derive(Debug, Clone)]
pub struct Forth<K> {
    /// The first image of each, which is the key where it is a state; by orbits, all
    /// [images](RuleTables::images).
    pub images: Vec<K>,
    /// Whether each is [solved](RuleTables::is_solved).
    pub solved: Vec<bool>,
    /// What those moves lead to that go forth or across; by orbits, its representatives.
    pub moves: Vec<K>,
    /// For each, the length of `moves` behind its last.
    pub ends: Vec<usize>,
    /// For each, how many of those go across.
    pub across: Vec<u32>,
    /// For each, how many moves go back.
    pub back: Vec<u32>,
}

impl<K> Default for Forth<K> {
    fn default() -> Self {
        Self {
            images: Vec::new(),
            solved: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            across: Vec::new(),
            back: Vec::new(),
        }
    }
}

impl<K: Key> Forth<K> {
    /// Forgets all, and keeps the room.
    pub fn clear(&mut self) {
        self.images.clear();
        self.solved.clear();
        self.moves.clear();
        self.ends.clear();
        self.across.clear();
        self.back.clear();
    }

    /// Where the moves of a state lead that go forth or across.
    fn of(&self, at: usize) -> &[K] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..self.ends[at]]
    }
}

/// Holds what [`RuleTables::forth`] says of some states against the other functions of the same
/// tables, and that a move goes forth exactly where the one that undoes it goes back, and that its
/// images go forth where it does. Where tables do not tell, only that a move and the one that undoes it are
/// listed equally often, if they say that moves can be undone.
///
/// # Errors
/// The position of the first state of which they differ, and in what.
pub fn halves_agree<K: Key>(
    tables: &dyn RuleTables<K>,
    keys: &[K],
) -> Result<(), (usize, &'static str)> {
    let (mut halves, mut there) = (Forth::default(), Forth::default());
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    tables.successors(keys, &mut all, &mut ends);
    if !tables.forth(keys, false, &mut halves) {
        return match tables.undirected() {
            true => undone_equally_often(tables, keys, &all, &ends),
            false => Ok(()),
        };
    }
    tables.forth(&all, false, &mut there);
    let (mut own, mut solved) = (Vec::new(), Vec::new());
    tables.first_images(keys, &mut own);
    tables.are_solved(keys, &mut solved);
    let mut start = 0;
    for (at, &key) in keys.iter().enumerate() {
        let moves = &all[start..ends[at]];
        let forth = halves.of(at);
        if (halves.images[at], halves.solved[at]) != (own[at], solved[at]) {
            return Err((at, "is or is not a state, or solved, by half of its moves"));
        }
        if moves.len() != forth.len() + halves.back[at] as usize {
            return Err((at, "has halves that are not all of its moves"));
        }
        if !forth.iter().all(|next| moves.contains(next)) {
            return Err((at, "has a half of its moves that has others"));
        }
        let mut across = 0;
        for (nth, &next) in moves.iter().enumerate() {
            let (there, back) = (often(forth, next), often(there.of(start + nth), key));
            across += u32::from(there != 0 && back != 0);
            let both = there == back && there == often(moves, next);
            if !both && ((there == 0) == (back == 0) || there + back != often(moves, next)) {
                return Err((at, "has a move that is in both halves or in none"));
            }
        }
        if across != halves.across[at] {
            return Err((at, "has another number of moves that go across"));
        }
        start = ends[at];
    }
    match tables.symmetry_count() {
        1 => Ok(()),
        _ => halves_of_images_agree(tables, keys, &halves),
    }
}

fn often<K: Key>(list: &[K], key: K) -> usize {
    list.iter().filter(|&&other| other == key).count()
}

/// That a move and the one that undoes it are listed equally often: of some states, whose moves
/// are all these, the list of each ending here.
fn undone_equally_often<K: Key>(
    tables: &dyn RuleTables<K>,
    keys: &[K],
    all: &[K],
    ends: &[usize],
) -> Result<(), (usize, &'static str)> {
    let (mut there, mut there_ends) = (Vec::new(), Vec::new());
    tables.successors(all, &mut there, &mut there_ends);
    let of = |list: &[usize], at: usize| {
        let start = at.checked_sub(1).map_or(0, |before| list[before]);
        start..list[at]
    };
    for (at, &key) in keys.iter().enumerate() {
        let own = of(ends, at);
        let equally = own.clone().all(|nth| {
            often(&all[own.clone()], all[nth]) == often(&there[of(&there_ends, nth)], key)
        });
        if !equally {
            return Err((
                at,
                "has a move that is undone more often or less than it is made",
            ));
        }
    }
    Ok(())
}

/// The same of halves by orbits: that they are those of each image of a state, `halves` being
/// those of the states.
fn halves_of_images_agree<K: Key>(
    tables: &dyn RuleTables<K>,
    keys: &[K],
    halves: &Forth<K>,
) -> Result<(), (usize, &'static str)> {
    let (count, mut images) = (tables.symmetry_count(), Vec::new());
    tables.images(keys, &mut images);
    let (mut by_orbits, mut of_images) = (Forth::default(), Forth::default());
    if !tables.forth(keys, true, &mut by_orbits) {
        return Ok(());
    }
    tables.forth(&images, true, &mut of_images);
    if by_orbits.images != images || by_orbits.solved != halves.solved {
        return Err((0, "or another has other images by half of their moves"));
    }
    let mut reduced = halves.moves.clone();
    tables.reduce(&mut reduced, &mut Vec::new());
    let sorted = |list: &[K]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    for at in 0..keys.len() {
        let start = at.checked_sub(1).map_or(0, |before| halves.ends[before]);
        let moves = by_orbits.of(at);
        let same = |one: &Forth<K>, nth: usize, other: &Forth<K>| {
            (one.across[nth], one.back[nth]) == (other.across[at], other.back[at])
        };
        if moves != &reduced[start..halves.ends[at]] || !same(&by_orbits, at, halves) {
            return Err((at, "has other halves of its moves by orbits"));
        }
        for image in at * count..(at + 1) * count {
            let as_it = sorted(of_images.of(image)) == sorted(moves);
            if !as_it || !same(&of_images, image, halves) {
                return Err((at, "has an image with other halves of its moves"));
            }
        }
    }
    Ok(())
}

/// Holds tables against the rulebook on one state: its moves, its images, the representative
/// of its orbit, and whether it is solved; and against themselves, whether moves lead to the
/// orbits of what they lead to.
///
/// # Errors
/// One line that says in which they differ.
pub fn agrees<P: Symmetry>(
    tables: &dyn RuleTables<P::Key>,
    rules: &P,
    key: P::Key,
) -> Result<(), String> {
    let state = rules.state(key);
    let images = (0..rules.symmetry_count()).map(|index| rules.key(&rules.image(&state, index)));
    let images: Vec<P::Key> = images.collect();
    let representative = rules.key(&rules.canonical(&state));
    agrees_with(tables, rules, key, (&images, representative))
}

/// [`agrees`], of a rulebook without symmetries: a state is its only image.
///
/// # Errors
/// One line that says in which they differ.
pub fn agrees_by_moves<P: Puzzle>(
    tables: &dyn RuleTables<P::Key>,
    rules: &P,
    key: P::Key,
) -> Result<(), String> {
    agrees_with(tables, rules, key, (&[key], key))
}

/// Walks from a state by moves of the tables, each drawn at random, and holds so many states of
/// the walk, so many moves apart; the walk ends where no move leads on.
///
/// # Errors
/// The first that `holds` gives.
pub fn on_a_walk<K: Key>(
    tables: &dyn RuleTables<K>,
    start: K,
    (states, apart): (u64, u64),
    holds: impl Fn(K) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Xorshift::for_draw(1, 0);
    let (mut key, mut next, mut ends) = (start, Vec::new(), Vec::new());
    for walked in 0..states * apart {
        if walked % apart == 0 {
            holds(key)?;
        }
        next.clear();
        tables.successors(&[key], &mut next, &mut ends);
        if next.is_empty() {
            break;
        }
        key = next[random.below(next.len() as u64) as usize];
    }
    Ok(())
}

/// Holds tables against the moves and the solved states of the rulebook, and against the images
/// and the representative that it gives a state.
fn agrees_with<P: Puzzle>(
    tables: &dyn RuleTables<P::Key>,
    rules: &P,
    key: P::Key,
    (ruled, representative): (&[P::Key], P::Key),
) -> Result<(), String> {
    let state = rules.state(key);
    let mut by_rules = Vec::new();
    rules.successors(&state, &mut |next| by_rules.push(rules.key(&next)));
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    tables.successors(&[key], &mut moves, &mut ends);
    let (mut orbits, mut orbits_end) = (Vec::new(), Vec::new());
    tables.successor_orbits(&[key], &mut orbits, &mut orbits_end, &mut Vec::new());
    let mut reduced = moves.clone();
    tables.reduce(&mut reduced, &mut Vec::new());
    for moves in [&mut by_rules, &mut moves] {
        moves.retain(|&next| next != key);
        moves.sort_unstable();
        moves.dedup();
    }
    let mut images = Vec::new();
    tables.images(&[key], &mut images);
    let what = if moves != by_rules || ends.len() != 1 {
        "moves to other boards"
    } else if (orbits, orbits_end) != (reduced, ends) {
        "moves to other orbits"
    } else if images != ruled || tables.symmetry_count() != ruled.len() {
        "has other images"
    } else if tables.representative(&images) != representative {
        "has another representative"
    } else if tables.is_solved(key) != rules.is_solved(&state) {
        "is or is not solved, other"
    } else {
        return Ok(());
    };
    let board = rules.draw(&state);
    Err(format!("{board}: by tables it {what} than by the rulebook"))
}
