//! The fast twin, variant `bitboard`: a board is two sets of cells, those with a lying car and
//! those with a standing one.

mod numbering;
mod ternary;

use std::sync::Arc;

use puzzle_api::{Expand, Neighbours, Numbering, Placement, SolvedStates, Symmetry, Want};

use crate::kept::Kept;
use crate::metric::Metric;
use crate::unit_rush_hour::board::MOST_CELLS;
use crate::unit_rush_hour::instances::Instance;
use crate::variant::{Play, Variant};
use numbering::{Contents, Numbers, RankTable};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    key: u64,
    cars: Contents,
}

/// Variant `bitboard`.
pub type Bits = Variant<Sets>;

/// An instance with the sets that its moves need.
pub struct Sets {
    instance: Instance,
    board: u64,
    first: u64,
    last: u64,
    /// 3 to the number of cells: the value of one row of the exit within a key.
    exit_weight: u64,
    numbers: Numbers,
    ranks: Kept<RankTable>,
}

/// Powers of three: the value of each cell's digit.
const POWERS: [u64; MOST_CELLS + 1] = {
    let mut powers = [1; MOST_CELLS + 1];
    let mut cell = 1;
    while cell <= MOST_CELLS {
        powers[cell] = 3 * powers[cell - 1];
        cell += 1;
    }
    powers
};

impl Sets {
    fn position(&self, cars: Contents) -> Position {
        Position {
            key: u64::from(cars.exit) * self.exit_weight
                + ternary::sum(cars.lying)
                + 2 * ternary::sum(cars.standing),
            cars,
        }
    }

    /// Every move: the digit of the car, the cells that it leaves and enters, and the key after
    /// it.
    #[inline]
    fn for_each_move(&self, from: &Position, mut emit: impl FnMut(u64, u64, u64)) {
        let Contents {
            lying, standing, ..
        } = from.cars;
        let empty = self.board & !(lying | standing);
        let width = self.instance.columns as u32;
        // In the order of bits, the last cell of a row and the first of the next are neighbours,
        // but no car moves between them.
        let (right, left) = (empty & !self.first, empty & !self.last);
        for (digit, cars, free, by, back) in [
            (1, lying, right, 1, false),
            (1, lying, left, 1, true),
            (2, standing, empty, width, false),
            (2, standing, empty, width, true),
        ] {
            let ahead = |cell: u64| if back { cell >> by } else { cell << by };
            let mut movers = cars & if back { free << by } else { free >> by };
            while movers != 0 {
                let car = movers & movers.wrapping_neg();
                movers &= movers - 1;
                let rest = from.key - digit * POWERS[car.trailing_zeros() as usize];
                let mut to = ahead(car);
                while to & free != 0 {
                    let key = rest + digit * POWERS[to.trailing_zeros() as usize];
                    emit(digit, car | to, key);
                    if self.instance.metric == Metric::Step {
                        break;
                    }
                    to = ahead(to);
                }
            }
        }
    }

    /// The ranks of a part; `None` if there is no such part.
    #[inline]
    fn table(&self, part: u64) -> Option<Arc<RankTable>> {
        self.ranks.of(part, || RankTable::new(&self.numbers, part))
    }

    /// A set of cells with top and bottom exchanged.
    fn mirrored(&self, set: u64) -> u64 {
        let width = self.instance.columns;
        let row = (1_u64 << width) - 1;
        (0..self.instance.rows).fold(0, |image, at| image << width | set >> (width * at) & row)
    }

    fn mirror(&self, state: &Position) -> Position {
        self.position(Contents {
            exit: self.instance.rows as u8 - 1 - state.cars.exit,
            lying: self.mirrored(state.cars.lying),
            standing: self.mirrored(state.cars.standing),
        })
    }
}

impl Play for Sets {
    type Game = Instance;
    type State = Position;

    fn new(instance: Instance) -> Self {
        let (cells, width) = (instance.cells(), instance.columns);
        let first = (0..cells)
            .step_by(width)
            .fold(0, |set, cell| set | 1_u64 << cell);
        Self {
            board: (1 << cells) - 1,
            first,
            last: first << (width - 1),
            exit_weight: POWERS[cells],
            numbers: Numbers::new(&instance),
            ranks: Kept::default(),
            instance,
        }
    }

    fn game(&self) -> &Instance {
        &self.instance
    }

    #[inline]
    fn key(&self, state: &Position) -> u64 {
        state.key
    }

    #[inline]
    fn state(&self, key: u64) -> Position {
        let exit = key / self.exit_weight;
        let (lying, standing) = ternary::split(key - exit * self.exit_weight);
        let exit = exit as u8;
        let cars = Contents {
            exit,
            lying,
            standing,
        };
        Position { key, cars }
    }

    #[inline]
    fn successors(&self, state: &Position, emit: &mut dyn FnMut(Position)) {
        self.for_each_move(state, |digit, changed, key| {
            let mut after = Position { key, ..*state };
            match digit {
                1 => after.cars.lying ^= changed,
                _ => after.cars.standing ^= changed,
            }
            emit(after);
        });
    }

    /// A car that lies at the exit is the leftmost of its row.
    #[inline]
    fn is_solved(&self, state: &Position) -> bool {
        state.cars.lying >> (usize::from(state.cars.exit) * self.instance.columns) & 1 == 1
    }
}

impl Expand for Bits {
    /// Moves can be undone, so both directions are one.
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.for_each_move(&self.state(key), |_, _, key| out.keys.push(key));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Position)) {
        if let Some(table) = self.table(part) {
            table.solved(&mut |contents| emit(self.position(*contents)));
        }
    }
}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        if self.instance.has_mirror() { 2 } else { 1 }
    }

    fn image(&self, state: &Position, index: u32) -> Position {
        match index {
            0 => *state,
            _ => self.mirror(state),
        }
    }

    fn canonical(&self, state: &Position) -> Position {
        self.canonical_and_size(state).0
    }

    fn orbit_size(&self, state: &Position) -> u32 {
        self.canonical_and_size(state).1
    }

    fn canonical_and_size(&self, state: &Position) -> (Position, u32) {
        if self.symmetry_count() == 1 {
            return (*state, 1);
        }
        let image = self.mirror(state);
        let order = |position: &Position| (self.numbers.code(&position.cars), position.key);
        let is_first = match state.cars.exit == image.cars.exit {
            true => order(state) <= order(&image),
            // If the mirror image moves the row of the exit, that row alone decides.
            false => state.cars.exit < image.cars.exit,
        };
        let canonical = if is_first { *state } else { image };
        (canonical, if image.key == state.key { 1 } else { 2 })
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        Some(self.table(part)?.space())
    }

    fn place(&self, state: &Position) -> Option<Placement> {
        let part = self.numbers.part_of(&state.cars)?;
        let rank = self.table(part)?.rank(&state.cars)?;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Position> {
        let table = self.table(placement.part)?;
        Some(self.position(table.contents(placement.rank)?))
    }

    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        self.numbers.part_name(part)
    }
}
