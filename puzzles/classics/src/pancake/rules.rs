//! The literal rulebook, variant `reference`: a list of pancakes. Slow on purpose; the
//! oracle of every check.

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Undirected,
    Xorshift,
};

use crate::pancake::stack::{self, Pancakes, Stack};

/// Variant `reference`, opened on an instance.
pub struct Rules {
    stack: Stack,
}

/// The stack after the topmost `count` pancakes are turned over.
#[must_use]
pub fn turn(stack: &Stack, pancakes: &Pancakes, count: usize) -> Pancakes {
    let mut next = pancakes.clone();
    for place in 0..count {
        let (size, up) = pancakes[count - 1 - place];
        next[place] = (size, if stack.burnt { !up } else { up });
    }
    next
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Pancakes;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let stack = stack::open(request)?;
        Ok(Self { stack })
    }

    fn successors(&self, state: &Pancakes, emit: &mut dyn FnMut(Pancakes)) {
        for count in 1..=self.stack.count {
            let next = turn(&self.stack, state, count);
            // A plain pancake turned over alone is as it was.
            if next != *state {
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &Pancakes) -> bool {
        *state == self.stack.sorted()
    }

    /// Four bits a pancake for its size, the topmost lowest; from bit 48 on, one each for
    /// a burnt side that is up.
    fn key(&self, state: &Pancakes) -> u64 {
        let mut key = 0;
        for (place, &(size, up)) in state.iter().enumerate() {
            key += u64::from(size) << (4 * place);
            key += u64::from(up) << (48 + place);
        }
        key
    }

    fn state(&self, key: u64) -> Pancakes {
        let pancake = |place| {
            (
                (key >> (4 * place) & 15) as u8,
                key >> (48 + place) & 1 == 1,
            )
        };
        (0..self.stack.count).map(pancake).collect()
    }

    fn parse(&self, text: &str) -> Result<Pancakes, BadInput> {
        self.stack.parse(text)
    }

    fn draw(&self, state: &Pancakes) -> String {
        self.stack.draw(state)
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Pancakes)) {
        emit(self.stack.sorted());
    }
}

/// Turned over again, a stack is as it was.
impl Undirected for Rules {}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        let orders: u64 = (1..=self.stack.count as u64).product();
        let sides = if self.stack.burnt {
            1 << self.stack.count
        } else {
            1
        };
        (part == 0).then_some(orders * sides)
    }

    /// The place of the order among all in order, then the burnt sides.
    fn place(&self, state: &Pancakes) -> Option<Placement> {
        let mut rank = 0;
        for (place, &(size, _)) in state.iter().enumerate() {
            let smaller = state[place + 1..].iter().filter(|other| other.0 < size);
            rank = rank * (state.len() - place) as u64 + smaller.count() as u64;
        }
        for &(_, up) in state.iter().filter(|_| self.stack.burnt) {
            rank = rank * 2 + u64::from(up);
        }
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Pancakes> {
        let mut rest = placement.rank;
        if rest >= self.space(placement.part)? {
            return None;
        }
        let mut ups = vec![false; self.stack.count];
        for up in ups.iter_mut().rev().filter(|_| self.stack.burnt) {
            *up = rest % 2 == 1;
            rest /= 2;
        }
        let mut digits = Vec::new();
        for choices in 1..=self.stack.count as u64 {
            digits.insert(0, (rest % choices) as usize);
            rest /= choices;
        }
        let mut left: Vec<u8> = (0..self.stack.count as u8).collect();
        let sizes = digits.into_iter().map(|digit| left.remove(digit));
        Some(sizes.zip(ups).collect())
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Pancakes> {
        Some(self.stack.random(random))
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Pancakes, to: &Pancakes) -> Option<String> {
        self.stack.describe_move(from, to)
    }

    fn names(&self) -> Vec<String> {
        vec!["sorted".to_owned()]
    }
}
