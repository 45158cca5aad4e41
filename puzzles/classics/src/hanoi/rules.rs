//! The literal rulebook, variant `reference`: the peg of each disc. Slow on purpose; the
//! oracle of every check.

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Symmetry,
    Undirected, Xorshift,
};

use crate::hanoi::tower::{self, Discs, Tower};

/// Variant `reference`, opened on an instance.
pub struct Rules {
    tower: Tower,
    /// Ways to exchange all pegs but the last, the identity first: by peg, its image.
    symmetries: Vec<Vec<u8>>,
}

/// Whether a disc may go to a peg: no smaller one lies on it, nor on the peg.
#[must_use]
pub fn may_move(discs: &Discs, size: usize, to: u8) -> bool {
    let free = |peg: u8| discs[..size].iter().all(|&other| other != peg);
    discs[size] != to && free(discs[size]) && free(to)
}

/// All orders of some pegs, the given one first.
fn orders(pegs: &[u8]) -> Vec<Vec<u8>> {
    if pegs.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in pegs.iter().enumerate() {
        let mut others = pegs.to_vec();
        others.remove(at);
        for mut order in orders(&others) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Discs;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let tower = tower::open(request)?;
        let last = tower.pegs as u8 - 1;
        let pegs: Vec<u8> = (0..last).collect();
        let mut symmetries = orders(&pegs);
        symmetries.iter_mut().for_each(|order| order.push(last));
        Ok(Self { tower, symmetries })
    }

    fn starts(&self, emit: &mut dyn FnMut(Discs)) {
        emit(self.tower.whole(0));
    }

    fn successors(&self, state: &Discs, emit: &mut dyn FnMut(Discs)) {
        for size in 0..state.len() {
            for to in (0..self.tower.pegs as u8).filter(|&to| may_move(state, size, to)) {
                let mut next = state.clone();
                next[size] = to;
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &Discs) -> bool {
        *state == self.tower.goal()
    }

    /// Three bits a disc, the smallest lowest.
    fn key(&self, state: &Discs) -> u64 {
        let discs = state.iter().rev();
        discs.fold(0, |key, &peg| key * 8 + u64::from(peg))
    }

    fn state(&self, key: u64) -> Discs {
        let peg = |size: usize| (key >> (3 * size) & 7) as u8;
        (0..self.tower.discs).map(peg).collect()
    }

    fn parse(&self, text: &str) -> Result<Discs, BadInput> {
        self.tower.parse(text)
    }

    fn draw(&self, state: &Discs) -> String {
        self.tower.draw(state)
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Discs)) {
        emit(self.tower.goal());
    }
}

/// A disc can go back where it came from.
impl Undirected for Rules {}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.len() as u32
    }

    /// Pegs exchanged, but for the last.
    fn image(&self, state: &Discs, index: u32) -> Discs {
        let image = &self.symmetries[index as usize];
        state.iter().map(|&peg| image[usize::from(peg)]).collect()
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| (self.tower.pegs as u64).pow(self.tower.discs as u32))
    }

    /// The pegs as digits, that of the largest disc first.
    fn place(&self, state: &Discs) -> Option<Placement> {
        let pegs = self.tower.pegs as u64;
        let discs = state.iter().rev();
        let rank = discs.fold(0, |rank, &peg| rank * pegs + u64::from(peg));
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Discs> {
        let (pegs, mut rest) = (self.tower.pegs as u64, placement.rank);
        let mut discs = Discs::new();
        for _ in 0..self.tower.discs {
            discs.push((rest % pegs) as u8);
            rest /= pegs;
        }
        (rest == 0 && placement.part == 0).then_some(discs)
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Discs> {
        let mut peg = |_| random.below(self.tower.pegs as u64) as u8;
        Some((0..self.tower.discs).map(&mut peg).collect())
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Discs, to: &Discs) -> Option<String> {
        self.tower.describe_move(from, to)
    }

    fn names(&self) -> Vec<String> {
        vec!["start".to_owned(), "goal".to_owned()]
    }
}
