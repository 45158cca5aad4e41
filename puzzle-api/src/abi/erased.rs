//! Puzzles behind one object-safe trait, so that the exported functions are compiled
//! once and only the loops over a batch are compiled for every puzzle.

use crate::{BadInput, Direction, Key, Placement, Puzzle, Xorshift};

/// Part number of a state outside the numbering.
const NOWHERE: u64 = super::values::ANTIPODE_NOWHERE;

/// States that are taken side by side: enough for their cost to show, and few enough to
/// lose little where there is no more room for neighbours.
const BATCH: usize = 64;

/// Keys that a `roots` sink is handed at a time.
const ROOT_BATCH: usize = 4096;

/// Takes words of keys, their distances and one orbit size; false stops the sweep.
pub(super) type EmitSwept<'a> = dyn FnMut(&[u64], &[u16], u32) -> bool + 'a;

/// Batch operations on word slices of the sizes that the boundary states.
pub(super) trait Erased: Send + Sync {
    fn roots(&self, direction: Direction, part: u64, emit: &mut dyn FnMut(&[u64]) -> bool) -> bool;
    /// Gives the number of states whose neighbours are complete.
    fn expand(
        &self,
        direction: Direction,
        keys: &[u64],
        out: &mut [u64],
        offsets: &mut [usize],
    ) -> usize;
    fn is_solved(&self, keys: &[u64], out: &mut [u8]);
    fn parse(&self, text: &str) -> Result<Vec<u64>, BadInput>;
    fn draw(&self, key: &[u64]) -> String;
    fn images(&self, keys: &[u64], count: u32, out: &mut Vec<u64>);
    fn canonical(&self, keys: &[u64], out: &mut Vec<u64>, orbit_sizes: Option<&mut [u32]>);
    fn part_name(&self, part: u64) -> String;
    fn space(&self, part: u64) -> Option<u64>;
    fn place(&self, keys: &[u64], parts: &mut [u64], ranks: &mut [u64]);
    fn unrank(&self, part: u64, ranks: &[u64], out: &mut Vec<u64>) -> bool;
    fn bucket(&self, keys: &[u64], out: &mut [u64]);
    fn random(&self, seed: u64, first: u64, count: usize, out: &mut Vec<u64>) -> bool;
    fn sweep(&self, part: u64, emit: &mut EmitSwept<'_>) -> bool;
    fn describe_move(&self, from: &[u64], to: &[u64]) -> Option<String>;
    fn key_words(&self) -> usize;
    fn neighbour_ranks(&self, direction: Direction, part: u64, ranks: &[u64], out: &mut Vec<u64>);
    fn names(&self) -> Vec<String>;
    fn reversed(&self, keys: &[u64], out: &mut Vec<u64>);
    fn order(&self, keys: &[u64], out: &mut [u64]);
    fn measure(&self, keys: &[u64], out: &mut [u64]);
    fn refute(&self, from: &[u64], to: Option<&[u64]>) -> Option<String>;
}

fn states<'a, P: Puzzle>(puzzle: &'a P, keys: &'a [u64]) -> impl Iterator<Item = P::State> + 'a {
    keys.chunks_exact(P::Key::WORDS)
        .map(|words| puzzle.state(P::Key::from_words(words)))
}

/// Writes a key's words to `out[at..]`.
fn put<K: Key>(key: K, out: &mut [u64], at: usize) {
    let number = key.to_u128();
    out[at * K::WORDS] = number as u64;
    if K::WORDS == 2 {
        out[at * 2 + 1] = (number >> 64) as u64;
    }
}

/// As [`Erased::expand`], for puzzles that take states side by side.
fn expand_batches<P: Puzzle>(
    puzzle: &P,
    direction: Direction,
    keys: &[u64],
    out: &mut [u64],
    offsets: &mut [usize],
) -> usize {
    let capacity = out.len() / P::Key::WORDS;
    let (mut states, mut ends) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
    let mut neighbours: Vec<P::Key> = Vec::new();
    let (mut complete, mut filled) = (0, 0);
    offsets[0] = 0;
    for words in keys.chunks(BATCH * P::Key::WORDS) {
        states.clear();
        states.extend(words.chunks_exact(P::Key::WORDS).map(P::Key::from_words));
        neighbours.clear();
        ends.clear();
        puzzle.neighbour_keys(direction, &states, &mut neighbours, &mut ends);
        let fit = ends.partition_point(|end| filled + end <= capacity);
        let many = if fit == 0 { 0 } else { ends[fit - 1] };
        for (at, &key) in (filled..).zip(&neighbours[..many]) {
            put(key, out, at);
        }
        for end in &ends[..fit] {
            complete += 1;
            offsets[complete] = filled + end;
        }
        filled += many;
        if fit < states.len() {
            break;
        }
    }
    complete
}

impl<P: Puzzle> Erased for P {
    fn roots(&self, direction: Direction, part: u64, emit: &mut dyn FnMut(&[u64]) -> bool) -> bool {
        let mut batch = Vec::with_capacity(ROOT_BATCH * P::Key::WORDS);
        let mut going = true;
        Puzzle::roots(self, direction, part, &mut |state| {
            if going {
                self.key(&state).push_words(&mut batch);
                if batch.len() == ROOT_BATCH * P::Key::WORDS {
                    going = emit(&batch);
                    batch.clear();
                }
            }
        });
        if going && !batch.is_empty() {
            going = emit(&batch);
        }
        going
    }

    fn expand(
        &self,
        direction: Direction,
        keys: &[u64],
        out: &mut [u64],
        offsets: &mut [usize],
    ) -> usize {
        if P::BATCHES {
            return expand_batches(self, direction, keys, out, offsets);
        }
        let capacity = out.len() / P::Key::WORDS;
        let mut filled = 0;
        offsets[0] = 0;
        for (i, state) in states(self, keys).enumerate() {
            let mut fits = true;
            let mut emit = |next: P::State| {
                if filled < capacity {
                    put(self.key(&next), out, filled);
                    filled += 1;
                } else {
                    fits = false;
                }
            };
            match direction {
                Direction::Forward => self.successors(&state, &mut emit),
                Direction::Backward => self.predecessors(&state, &mut emit),
            }
            if !fits {
                return i;
            }
            offsets[i + 1] = filled;
        }
        keys.len() / P::Key::WORDS
    }

    fn is_solved(&self, keys: &[u64], out: &mut [u8]) {
        for (slot, state) in out.iter_mut().zip(states(self, keys)) {
            *slot = u8::from(Puzzle::is_solved(self, &state));
        }
    }

    fn parse(&self, text: &str) -> Result<Vec<u64>, BadInput> {
        let mut words = Vec::with_capacity(P::Key::WORDS);
        self.key(&Puzzle::parse(self, text)?).push_words(&mut words);
        Ok(words)
    }

    fn draw(&self, key: &[u64]) -> String {
        Puzzle::draw(self, &self.state(P::Key::from_words(key)))
    }

    fn images(&self, keys: &[u64], count: u32, out: &mut Vec<u64>) {
        for state in states(self, keys) {
            for index in 0..count {
                self.key(&self.image(&state, index)).push_words(out);
            }
        }
    }

    fn canonical(&self, keys: &[u64], out: &mut Vec<u64>, orbit_sizes: Option<&mut [u32]>) {
        match orbit_sizes {
            None => {
                for state in states(self, keys) {
                    self.key(&Puzzle::canonical(self, &state)).push_words(out);
                }
            }
            Some(sizes) => {
                for (size, state) in sizes.iter_mut().zip(states(self, keys)) {
                    self.key(&Puzzle::canonical(self, &state)).push_words(out);
                    *size = self.orbit_size(&state);
                }
            }
        }
    }

    fn part_name(&self, part: u64) -> String {
        Puzzle::part_name(self, part)
    }

    fn space(&self, part: u64) -> Option<u64> {
        Puzzle::space(self, part)
    }

    fn place(&self, keys: &[u64], parts: &mut [u64], ranks: &mut [u64]) {
        for ((part, rank), state) in parts.iter_mut().zip(ranks).zip(states(self, keys)) {
            match Puzzle::place(self, &state) {
                Some(at) => (*part, *rank) = (at.part, at.rank),
                None => (*part, *rank) = (NOWHERE, 0),
            }
        }
    }

    fn unrank(&self, part: u64, ranks: &[u64], out: &mut Vec<u64>) -> bool {
        ranks.iter().all(
            |&rank| match Puzzle::unrank(self, Placement { part, rank }) {
                Some(state) => {
                    self.key(&state).push_words(out);
                    true
                }
                None => false,
            },
        )
    }

    fn bucket(&self, keys: &[u64], out: &mut [u64]) {
        for (slot, state) in out.iter_mut().zip(states(self, keys)) {
            *slot = Puzzle::bucket(self, &state);
        }
    }

    fn random(&self, seed: u64, first: u64, count: usize, out: &mut Vec<u64>) -> bool {
        (0..count as u64).all(|i| {
            let mut random = Xorshift::for_draw(seed, first.wrapping_add(i));
            match Puzzle::random(self, &mut random) {
                Some(state) => {
                    self.key(&state).push_words(out);
                    true
                }
                None => false,
            }
        })
    }

    fn sweep(&self, part: u64, emit: &mut EmitSwept<'_>) -> bool {
        let mut going = true;
        Puzzle::sweep(self, part, &mut |swept| {
            let words = P::Key::words_of(swept.keys);
            going = going && emit(&words, swept.depths, swept.orbit_size);
            going
        });
        going
    }

    fn describe_move(&self, from: &[u64], to: &[u64]) -> Option<String> {
        let (from, to) = (P::Key::from_words(from), P::Key::from_words(to));
        Puzzle::describe_move(self, &self.state(from), &self.state(to))
    }

    fn key_words(&self) -> usize {
        P::Key::WORDS
    }

    fn neighbour_ranks(&self, direction: Direction, part: u64, ranks: &[u64], out: &mut Vec<u64>) {
        Puzzle::neighbour_ranks(self, direction, part, ranks, out);
    }

    fn names(&self) -> Vec<String> {
        Puzzle::names(self)
    }

    fn reversed(&self, keys: &[u64], out: &mut Vec<u64>) {
        for state in states(self, keys) {
            self.key(&Puzzle::reversed(self, &state)).push_words(out);
        }
    }

    fn order(&self, keys: &[u64], out: &mut [u64]) {
        for (slot, state) in out.iter_mut().zip(states(self, keys)) {
            *slot = Puzzle::order(self, &state);
        }
    }

    fn measure(&self, keys: &[u64], out: &mut [u64]) {
        for (slot, state) in out.iter_mut().zip(states(self, keys)) {
            *slot = Puzzle::measure(self, &state);
        }
    }

    fn refute(&self, from: &[u64], to: Option<&[u64]>) -> Option<String> {
        let state = |words: &[u64]| self.state(P::Key::from_words(words));
        Puzzle::refute(self, &state(from), to.map(state).as_ref())
    }
}
