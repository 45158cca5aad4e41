//! The fast twin of the rulebook, variant `bitboard`: a board is a word, a press an
//! exclusive or.

use puzzle_api::{
    BadInput, Direction, Expand, LowerBound, NEVER, Names, Neighbours, Numbering, Placement,
    Puzzle, RandomStates, Request, SolvedStates, Symmetry, Undirected, Want, Xorshift,
};

use crate::lights_out::algebra::Fewest;
use crate::lights_out::panel::{self, Panel};
use crate::lights_out::rules;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    panel: Panel,
    /// By light: what its press switches.
    switched: Vec<u64>,
    fewest: Fewest,
}

impl Bits {
    fn new(panel: Panel) -> Self {
        let (width, all) = (panel.width, panel.all_on());
        let column = |column: usize| {
            let rows = 0..panel.height;
            rows.fold(0, |mask, row| mask | 1_u64 << (row * width + column))
        };
        let (first, last) = (column(0), column(width - 1));
        let around = |light: usize| {
            let own = 1_u64 << light;
            let sides = (own & !last) << 1 | (own & !first) >> 1;
            let rows = if width < 64 {
                own << width | own >> width
            } else {
                0
            };
            (own | sides | rows) & all
        };
        Self {
            switched: (0..panel.lights()).map(around).collect(),
            fewest: Fewest::new(&panel),
            panel,
        }
    }

    /// The board turned over and mirrored: one group of bits a row.
    fn turned(&self, lit: u64, index: u32) -> u64 {
        let Panel { height, width } = self.panel;
        let row = |lit: u64, row: usize| lit >> (row * width) & u64::MAX >> (64 - width);
        let mut image = 0;
        for at in 0..height {
            let mut line = row(lit, at);
            if index & 1 != 0 {
                line = line.reverse_bits() >> (64 - width);
            }
            let to = if index & 2 != 0 { height - 1 - at } else { at };
            image |= line << (to * width);
        }
        if index & 4 == 0 {
            return image;
        }
        // Only squares are transposed.
        let lights = (0..height * width).filter(|light| image >> light & 1 == 1);
        lights.fold(0, |all, light| {
            all | 1 << (light % width * width + light / width)
        })
    }
}

impl Puzzle for Bits {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self::new(panel::open(request)?))
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.switched
            .iter()
            .for_each(|switched| emit(state ^ switched));
    }

    fn is_solved(&self, state: &u64) -> bool {
        *state == 0
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
        self.panel.parse(text)
    }

    fn draw(&self, state: &u64) -> String {
        self.panel.draw(*state)
    }

    fn refute(&self, from: &u64, to: Option<&u64>) -> Option<String> {
        rules::refute(&self.panel, *from, to.copied().unwrap_or(0))
    }
}

impl Expand for Bits {
    /// Moves can be undone, so both directions are one.
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            out.keys
                .extend(self.switched.iter().map(|switched| key ^ switched));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(u64)) {
        emit(0);
    }
}

/// Pressed again, a light is as it was.
impl Undirected for Bits {}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        if self.panel.height == self.panel.width {
            8
        } else {
            4
        }
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        self.turned(*state, index)
    }
}

impl Numbering for Bits {
    /// Boards of 64 lights are more than ranks.
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0 && self.panel.lights() < 64).then(|| 1 << self.panel.lights())
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        let rank = *state;
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let known = placement.part == 0 && placement.rank <= self.panel.all_on();
        known.then_some(placement.rank)
    }

    /// A board is its own rank.
    fn neighbour_ranks(
        &self,
        _: Direction,
        _part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        if let Some(keys) = keys {
            keys.extend(ranks);
        }
        for rank in ranks {
            out.extend(self.switched.iter().map(|switched| rank ^ switched));
        }
        true
    }
}

impl RandomStates for Bits {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        Some(random.next_u64() & self.panel.all_on())
    }
}

impl Names for Bits {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        rules::describe_move(&self.panel, *from, *to)
    }

    fn names(&self) -> Vec<String> {
        vec!["on".to_owned()]
    }
}

/// The distance itself, by elimination.
impl LowerBound for Bits {
    fn lower_bound(&self, state: &u64) -> u64 {
        self.fewest.of(*state).map_or(NEVER, u64::from)
    }
}
