//! The fast variant, `bitboard`: a board is a word of one to three bits per light.

use puzzle_api::{
    BadInput, Direction, Fast, LowerBound, NEVER, Numbering, Placement, Predecessors, Puzzle,
    Symmetry, turned,
};

use super::Rules;
use super::algebra::Fewest;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    /// By light, for two states: the lights that its press switches.
    switched: Vec<u64>,
    /// By light, for more states: the place and the number of states of each light that it
    /// switches, and those of the presses that undo it.
    added: [Vec<Vec<(usize, u64)>>; 2],
    /// By symmetry (without the identity), byte of a key and its value: the images of the bits.
    turns: Vec<Vec<[u64; 256]>>,
    fewest: Fewest,
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let (height, width, bits) = (rules.height, rules.width, rules.bits());
        let states = u64::from(rules.states);
        let (rows, columns) = (rules.pattern.len(), rules.pattern[0].len());
        // By how much the press at one place switches another along one axis, summed around a
        // torus: the cells of the pattern that coincide with it.
        let meets = |from: usize, to: usize, side: usize, cells: usize| -> Vec<usize> {
            let offset = to as isize - from as isize + (cells / 2) as isize;
            let meets = |&cell: &usize| match rules.torus {
                true => (cell as isize - offset).rem_euclid(side as isize) == 0,
                false => cell as isize == offset,
            };
            (0..cells).filter(meets).collect()
        };
        let amount = |pressed: usize, light: usize| {
            let across = meets(pressed % width, light % width, width, columns);
            let down = meets(pressed / width, light / width, height, rows);
            let cells = down
                .iter()
                .flat_map(|&row| across.iter().map(move |&cell| (row, cell)));
            cells
                .map(|(row, cell)| u64::from(rules.pattern[row][cell]))
                .sum::<u64>()
                % states
        };
        let lights = 0..height * width;
        let press = |pressed: usize| -> Vec<(usize, u64)> {
            let amounts = lights
                .clone()
                .map(|light| (light * bits, amount(pressed, light)));
            amounts.filter(|(_, amount)| *amount > 0).collect()
        };
        let forward: Vec<_> = lights.clone().map(press).collect();
        let undo = |press: &Vec<(usize, u64)>| {
            press
                .iter()
                .map(|&(at, amount)| (at, states - amount))
                .collect()
        };
        let mask = |press: &Vec<(usize, u64)>| press.iter().fold(0, |mask, (at, _)| mask | 1 << at);
        Ok(Self {
            switched: forward.iter().filter(|_| states == 2).map(mask).collect(),
            added: [forward.iter().map(undo).collect(), forward],
            turns: turns(&rules),
            fewest: Fewest::new(&rules),
            rules,
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn solves(&self, key: u64) -> bool {
        key == 0
    }

    #[inline]
    fn each_neighbour(&self, way: Direction, key: u64, mut emit: impl FnMut(u64)) {
        if self.rules.states == 2 {
            return self.switched.iter().for_each(|mask| emit(key ^ mask));
        }
        let states = u64::from(self.rules.states);
        let field = (1 << self.rules.bits()) - 1;
        for press in &self.added[usize::from(way == Direction::Forward)] {
            let add = |key: u64, &(at, amount): &(usize, u64)| {
                let light = key >> at & field;
                let sum = light + amount;
                key ^ (light ^ if sum < states { sum } else { sum - states }) << at
            };
            emit(press.iter().fold(key, add));
        }
    }
}

/// The tables of the symmetries.
fn turns(rules: &Rules) -> Vec<Vec<[u64; 256]>> {
    let (height, width, bits) = (rules.height, rules.width, rules.bits());
    let target =
        |turn: usize, bit: usize| turned(turn, (height, width), bit / bits) * bits + bit % bits;
    let used = height * width * bits;
    let byte = |turn: usize, first: usize| {
        let mut table = [0; 256];
        for (value, image) in table.iter_mut().enumerate() {
            let set = (first..used.min(first + 8)).filter(|bit| value >> (bit - first) & 1 == 1);
            *image = set.fold(0, |image, bit| image | 1 << target(turn, bit));
        }
        table
    };
    let turn = |turn: usize| {
        (0..used)
            .step_by(8)
            .map(|first| byte(turn, first))
            .collect()
    };
    rules.turns().into_iter().skip(1).map(turn).collect()
}

impl Predecessors for Bits {
    fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_neighbour(Direction::Backward, *state, emit);
    }
}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    #[inline]
    fn image(&self, state: &u64, index: u32) -> u64 {
        if index == 0 {
            return *state;
        }
        let tables = self.turns[index as usize - 1]
            .iter()
            .zip(state.to_le_bytes());
        tables.fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.rules.space(part)
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        if self.rules.states == 2 {
            return Some(Placement {
                part: 0,
                rank: *state,
            });
        }
        let (bits, states) = (self.rules.bits(), u64::from(self.rules.states));
        let lights = (0..self.rules.lights()).rev();
        let light = |at: usize| state >> (at * bits) & ((1 << bits) - 1);
        let rank = lights.fold(0_u64, |rank, at| {
            rank.wrapping_mul(states).wrapping_add(light(at))
        });
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let (bits, states) = (self.rules.bits(), u64::from(self.rules.states));
        let (mut rest, mut key) = (placement.rank, 0);
        if states == 2 {
            let known = rest <= u64::MAX >> (64 - self.rules.lights());
            return (known && placement.part == 0).then_some(rest);
        }
        for light in 0..self.rules.lights() {
            key |= (rest % states) << (light * bits);
            rest /= states;
        }
        (rest == 0 && placement.part == 0).then_some(key)
    }

    /// A board of two states is its own rank.
    fn neighbour_ranks(
        &self,
        _: Direction,
        _part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        if self.rules.states > 2 {
            return false;
        }
        if let Some(keys) = keys {
            keys.extend(ranks);
        }
        for rank in ranks {
            out.extend(self.switched.iter().map(|switched| rank ^ switched));
        }
        true
    }
}

/// The distance itself, by elimination, unless there are too many ways.
impl LowerBound for Bits {
    fn lower_bound(&self, state: &u64) -> u64 {
        let board = self.rules.state(*state);
        match self.fewest.of(&board) {
            Some(0) => self.rules.lower_bound(&board),
            fewest => fewest.map_or(NEVER, u64::from),
        }
    }
}
