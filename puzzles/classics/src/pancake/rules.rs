//! The literal rulebook, variant `reference`: a list of pancakes. Slow on purpose; the
//! oracle of every check.

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Undirected,
    Xorshift,
};

/// Most pancakes: a key has five bits for each.
pub(super) const MOST: usize = 12;

/// The symbols of pancakes from the smallest.
pub(super) const SYMBOLS: &str = "123456789abc";

/// Pancakes from the topmost: the size of each, from 0, and whether its burnt side is up.
pub type Pancakes = Vec<(u8, bool)>;

/// Variant `reference`, opened on an instance.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Number of pancakes.
    pub count: usize,
    /// Whether one side is burnt.
    pub burnt: bool,
}

impl Rules {
    /// The stack after the topmost `count` pancakes are turned over.
    fn turn(&self, pancakes: &Pancakes, count: usize) -> Pancakes {
        let mut next = pancakes.clone();
        for place in 0..count {
            let (size, up) = pancakes[count - 1 - place];
            next[place] = (size, if self.burnt { !up } else { up });
        }
        next
    }

    /// The sorted stack.
    pub(super) fn sorted(&self) -> Pancakes {
        (0..self.count as u8).map(|size| (size, false)).collect()
    }
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Pancakes;

    const VARIANT: &'static str = "reference";

    /// `plain-N` or `burnt-N`.
    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let name = request.instance;
        if let Some(key) = request.settings.keys().next() {
            return Err(BadInput::new(format!(
                "pancake/{name} takes no setting '{key}': there are none"
            )));
        }
        let opened = name.split_once('-').and_then(|(kind, count)| {
            let count: usize = count.parse().ok().filter(|n| (1..=MOST).contains(n))?;
            let known = ["plain", "burnt"].contains(&kind) && format!("{kind}-{count}") == name;
            let burnt = kind == "burnt";
            known.then_some(Self { count, burnt })
        });
        opened.ok_or_else(|| {
            BadInput::new(format!(
                "no instance pancake/{name}: use plain-N or burnt-N, with N from 1 to {MOST}"
            ))
        })
    }

    fn successors(&self, state: &Pancakes, emit: &mut dyn FnMut(Pancakes)) {
        for count in 1..=self.count {
            let next = self.turn(state, count);
            // A plain pancake turned over alone is unchanged.
            if next != *state {
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &Pancakes) -> bool {
        *state == self.sorted()
    }

    /// Four bits per pancake for its size, the topmost lowest; from bit 48 on, one for each burnt
    /// side that is up.
    fn key(&self, state: &Pancakes) -> u64 {
        let mut key = 0;
        for (place, &(size, up)) in state.iter().enumerate() {
            key += u64::from(size) << (4 * place);
            key += u64::from(up) << (48 + place);
        }
        key
    }

    fn state(&self, key: u64) -> Pancakes {
        let size = |place| (key >> (4 * place) & 15) as u8;
        let up = |place| key >> (48 + place) & 1 == 1;
        (0..self.count)
            .map(|place| (size(place), up(place)))
            .collect()
    }

    /// Topmost first, `-` before a pancake whose burnt side is up; or `sorted`.
    fn parse(&self, text: &str) -> Result<Pancakes, BadInput> {
        let text = text.trim();
        if text == "sorted" {
            return Ok(self.sorted());
        }
        let refuse = |why: String| {
            let (shown, sorted) = (puzzle_api::shown(text), self.draw(&self.sorted()));
            BadInput::new(format!(
                "'{shown}' is no stack: {why}; write the pancakes from the topmost, sorted is {sorted}"
            ))
        };
        let (mut pancakes, mut up) = (Pancakes::new(), false);
        for symbol in text.chars() {
            if symbol == '-' && self.burnt && !up {
                up = true;
                continue;
            }
            let size = SYMBOLS.find(symbol).filter(|&size| size < self.count);
            let shown = symbol.escape_debug();
            let size = size.ok_or_else(|| refuse(format!("there is no pancake '{shown}'")))? as u8;
            if pancakes.iter().any(|pancake| pancake.0 == size) {
                return Err(refuse(format!("'{symbol}' is there twice")));
            }
            pancakes.push((size, std::mem::take(&mut up)));
        }
        if up || pancakes.len() < self.count {
            return Err(refuse(format!("it takes {} pancakes", self.count)));
        }
        Ok(pancakes)
    }

    fn draw(&self, pancakes: &Pancakes) -> String {
        let drawn = pancakes.iter().map(|&(size, up)| {
            let symbol = &SYMBOLS[usize::from(size)..=usize::from(size)];
            format!("{}{symbol}", if up { "-" } else { "" })
        });
        drawn.collect()
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Pancakes)) {
        emit(self.sorted());
    }
}

/// Turned over again, a stack is as it was.
impl Undirected for Rules {}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        let orders: u64 = (1..=self.count as u64).product();
        (part == 0).then_some(orders << if self.burnt { self.count } else { 0 })
    }

    /// From the bottom, how many above each are larger; then the burnt sides.
    fn place(&self, state: &Pancakes) -> Option<Placement> {
        let mut rank = 0;
        for (place, &(size, _)) in state.iter().enumerate().rev() {
            let larger = state[..place].iter().filter(|other| other.0 > size);
            rank = rank * (place + 1) as u64 + larger.count() as u64;
        }
        for &(_, up) in state.iter().filter(|_| self.burnt) {
            rank = rank * 2 + u64::from(up);
        }
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Pancakes> {
        let mut rest = placement.rank;
        if rest >= self.space(placement.part)? {
            return None;
        }
        let mut ups = vec![false; self.count];
        for up in ups.iter_mut().rev().filter(|_| self.burnt) {
            *up = rest % 2 == 1;
            rest /= 2;
        }
        let mut digits = Vec::new();
        for choices in 1..=self.count as u64 {
            digits.push((rest % choices) as usize);
            rest /= choices;
        }
        let mut left: Vec<u8> = (0..self.count as u8).rev().collect();
        let sizes = digits.into_iter().rev().map(|digit| left.remove(digit));
        let sizes: Vec<u8> = sizes.collect();
        Some(sizes.into_iter().rev().zip(ups).collect())
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Pancakes> {
        let mut pancakes = self.sorted();
        for last in (1..self.count).rev() {
            pancakes.swap(last, random.below(last as u64 + 1) as usize);
        }
        for pancake in pancakes.iter_mut().filter(|_| self.burnt) {
            pancake.1 = random.below(2) == 1;
        }
        Some(pancakes)
    }
}

impl Names for Rules {
    /// A cook's name of a move ("turn 3").
    fn describe_move(&self, from: &Pancakes, to: &Pancakes) -> Option<String> {
        let mut counts = (1..=self.count).rev();
        let count = counts.find(|&count| self.turn(from, count) == *to)?;
        Some(format!("turn {count}"))
    }

    fn names(&self) -> Vec<String> {
        vec!["sorted".to_owned()]
    }
}
