//! The literal rulebook, variant `reference`: pieces and turns by place, one move after another as
//! written. Slow on purpose; the oracle of every check.

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Symmetry,
    Undirected, Xorshift,
};

use crate::definition::Part;
use crate::instances;
use crate::state::{Opened, bits};

/// Variant `reference`, opened on an instance.
#[derive(Debug)]
pub struct Rules {
    pub(crate) opened: Opened,
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Vec<Part>;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let opened = instances::open(request)?;
        Ok(Self { opened })
    }

    fn successors(&self, state: &Vec<Part>, emit: &mut dyn FnMut(Vec<Part>)) {
        for step in &self.opened.steps {
            if let Some(after) = self.opened.moved(state, step) {
                emit(after);
            }
        }
    }

    fn is_solved(&self, state: &Vec<Part>) -> bool {
        self.opened.goals.contains(state)
    }

    /// Set by set and place by place from the lowest bits: the piece from 0, times the turns of the
    /// set, plus its turn. Each takes as many bits as the largest of them. If that does not fit a
    /// key, the number of the state.
    fn key(&self, state: &Vec<Part>) -> u64 {
        if !self.opened.by_place {
            return self.opened.rank(state);
        }
        let (mut key, mut shift) = (0, 0);
        for (set, part) in self.opened.definition.sets.iter().zip(state) {
            for (&piece, &turn) in part.pieces.iter().zip(&part.turns) {
                // One piece in one turn takes no bits, wherever it is.
                key += (u64::from(piece) * set.turns as u64 + u64::from(turn)) << (shift & 63);
                shift += bits(set);
            }
        }
        key
    }

    fn state(&self, key: u64) -> Vec<Part> {
        if !self.opened.by_place {
            return self.opened.unrank(key);
        }
        let mut rest = key;
        let mut state = Vec::new();
        for set in &self.opened.definition.sets {
            let (mut pieces, mut turns) = (Vec::new(), Vec::new());
            for _ in 0..set.count {
                let value = rest & ((1_u64 << bits(set)) - 1);
                rest >>= bits(set);
                pieces.push((value / set.turns as u64) as u8);
                turns.push((value % set.turns as u64) as u8);
            }
            state.push(Part { pieces, turns });
        }
        state
    }

    fn parse(&self, text: &str) -> Result<Vec<Part>, BadInput> {
        self.opened.parse(text)
    }

    fn draw(&self, state: &Vec<Part>) -> String {
        self.opened.draw(state)
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Vec<Part>)) {
        self.opened.goals.iter().cloned().for_each(emit);
    }
}

/// A move can also be made backward, as one move.
impl Undirected for Rules {}

/// Piece by piece.
impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.opened.rotations.len() as u32
    }

    fn image(&self, state: &Vec<Part>, index: u32) -> Vec<Part> {
        self.opened.image(state, index as usize)
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        self.opened.space().filter(|_| part == 0)
    }

    fn place(&self, state: &Vec<Part>) -> Option<Placement> {
        self.opened.space()?;
        let rank = self.opened.rank(state);
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, Placement { part, rank }: Placement) -> Option<Vec<Part>> {
        (rank < self.space(part)?).then(|| self.opened.unrank(rank))
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Vec<Part>> {
        self.opened.random(random)
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Vec<Part>, to: &Vec<Part>) -> Option<String> {
        self.opened.describe_move(from, to)
    }

    fn names(&self) -> Vec<String> {
        vec!["solved".to_owned()]
    }
}
