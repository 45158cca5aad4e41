//! The fast twin of the rulebook, variant `bitboard`: a position is its key, three bits a
//! disc.

use puzzle_api::{
    BadInput, Expand, Names, Neighbours, Numbering, Placement, Puzzle, RandomStates, Request,
    SolvedStates, Symmetry, Undirected, Want, Xorshift,
};

use crate::hanoi::tower::{self, Discs, MOST_PEGS, Tower};

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    tower: Tower,
    goal: u64,
}

fn pack(discs: &[u8]) -> u64 {
    let sizes = discs.iter().enumerate();
    sizes.fold(0, |key, (size, &peg)| key | u64::from(peg) << (3 * size))
}

/// The peg of a disc.
#[inline]
fn peg(key: u64, size: usize) -> usize {
    (key >> (3 * size)) as usize & 7
}

/// The `index`-th order of so many pegs, in order of the lists of digits: the image of each.
fn order(pegs: usize, mut index: usize) -> [u8; 8] {
    let (mut image, mut left) = (
        [0, 1, 2, 3, 4, 5, 6, 7],
        (0..pegs as u8).collect::<Vec<_>>(),
    );
    let mut weight: usize = (1..=pegs).product();
    for (at, target) in image[..pegs].iter_mut().enumerate() {
        weight /= pegs - at;
        *target = left.remove(index / weight);
        index %= weight;
    }
    image
}

impl Bits {
    /// Keys of the positions that one move leads to.
    #[inline]
    pub fn each_successor(&self, key: u64, mut emit: impl FnMut(u64)) {
        // From the smallest disc on: the first that is met on a peg lies on top of it, and
        // may go wherever none was met yet.
        let (mut covered, all) = (0_u32, (1_u32 << self.tower.pegs) - 1);
        for size in 0..self.tower.discs {
            let own = peg(key, size);
            if covered >> own & 1 == 1 {
                continue;
            }
            covered |= 1 << own;
            let mut free = all & !covered;
            if free == 0 {
                return;
            }
            while free != 0 {
                let to = free.trailing_zeros() as usize;
                free &= free - 1;
                emit(key ^ ((own ^ to) as u64) << (3 * size));
            }
        }
    }

    fn discs(&self, key: u64) -> Discs {
        let peg = |size| peg(key, size) as u8;
        (0..self.tower.discs).map(peg).collect()
    }
}

impl Puzzle for Bits {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let tower = tower::open(request)?;
        let goal = pack(&tower.goal());
        Ok(Self { tower, goal })
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        emit(0);
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_successor(*state, emit);
    }

    fn is_solved(&self, state: &u64) -> bool {
        *state == self.goal
    }

    #[inline]
    fn key(&self, state: &u64) -> u64 {
        *state
    }

    #[inline]
    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        Ok(pack(&self.tower.parse(text)?))
    }

    fn draw(&self, state: &u64) -> String {
        self.tower.draw(&self.discs(*state))
    }
}

impl Expand for Bits {
    /// Moves can be undone, so both directions are one.
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.each_successor(key, |next| out.keys.push(next));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(u64)) {
        emit(self.goal);
    }
}

/// A disc can go back where it came from.
impl Undirected for Bits {}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        (1..self.tower.pegs as u32).product()
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        let image = order(self.tower.pegs - 1, index as usize);
        let sizes = 0..self.tower.discs;
        sizes.fold(0, |key, size| {
            key | u64::from(image[peg(*state, size)]) << (3 * size)
        })
    }

    /// Pegs but the last are numbered as the largest disc and those after it need them.
    fn canonical(&self, state: &u64) -> u64 {
        self.canonical_and_size(state).0
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.canonical_and_size(state).1
    }

    fn canonical_and_size(&self, state: &u64) -> (u64, u32) {
        let last = self.tower.pegs - 1;
        let mut names = [u64::MAX; MOST_PEGS + 2];
        names[last] = last as u64;
        let (mut used, mut key, mut size_of_orbit) = (0, 0, 1);
        for size in (0..self.tower.discs).rev() {
            let name = &mut names[peg(*state, size)];
            if *name == u64::MAX {
                *name = used as u64;
                size_of_orbit *= (last - used) as u32;
                used += 1;
            }
            key |= *name << (3 * size);
        }
        (key, size_of_orbit)
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| (self.tower.pegs as u64).pow(self.tower.discs as u32))
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        let (pegs, sizes) = (self.tower.pegs as u64, (0..self.tower.discs).rev());
        let rank = sizes.fold(0, |rank, size| rank * pegs + peg(*state, size) as u64);
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let (pegs, mut rest, mut key) = (self.tower.pegs as u64, placement.rank, 0);
        for size in 0..self.tower.discs {
            key |= (rest % pegs) << (3 * size);
            rest /= pegs;
        }
        (rest == 0 && placement.part == 0).then_some(key)
    }
}

impl RandomStates for Bits {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        let sizes = 0..self.tower.discs;
        Some(sizes.fold(0, |key, size| {
            key | random.below(self.tower.pegs as u64) << (3 * size)
        }))
    }
}

impl Names for Bits {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        self.tower
            .describe_move(&self.discs(*from), &self.discs(*to))
    }

    fn names(&self) -> Vec<String> {
        vec!["start".to_owned(), "goal".to_owned()]
    }
}
