//! Section 5.3.3 and listing 2: Life on the 8x8 torus.

use super::Derived;
use super::counted::{Counted, operations};
use super::depends::Depends;
use crate::bitboard::life::{self, TorusMasks};
use crate::bitboard::{Direction, naive};

/// Operations of listing 2, counted while it runs.
pub fn life_operations() -> Derived {
    let m = TorusMasks::CORRECT;
    let masks = TorusMasks {
        west: Counted(m.west),
        east: Counted(m.east),
        north: Counted(m.north),
        south: Counted(m.south),
        not_west: Counted(m.not_west),
        not_east: Counted(m.not_east),
    };
    let live = Counted(0x0123_4567_89ab_cdef);
    let listing = operations(|| life::listing_2(live, Counted(0), &masks));
    let by_rows = operations(|| life::counting_rows(live, &masks));
    Derived::new(
        listing,
        "Listing 2 run on a word that counts: every &, |, ^, ~, << and >> is one operation, \
         constants and assignments none. 4 + 4 to shift rows, 6 x 5 to shift columns, 8 x 5 to \
         add, 4 to decide. The `& T` and `& B` before shifts by 56 change nothing, so 80 would \
         do; counting each row once and sharing it with the rows beside it takes fewer still.",
    )
    .with("counting-rows-once", by_rows)
}

/// The nine cells of the torus that a cell's next state may depend on, itself among them.
fn neighbourhood(cell: usize) -> u64 {
    let (row, column) = (cell / 8, cell % 8);
    let near = |at: usize| [at + 7, at, at + 1].map(|at| at % 8);
    let cells = near(row).into_iter();
    cells
        .flat_map(|r| near(column).map(|c| 8 * r + c))
        .fold(0, |all, cell| all | 1 << cell)
}

/// Whether each cell of listing 2's result is made of its neighbourhood alone.
fn listing_2_is_local() -> bool {
    let m = TorusMasks::CORRECT;
    let masks = TorusMasks {
        west: Depends::constant(m.west),
        east: Depends::constant(m.east),
        north: Depends::constant(m.north),
        south: Depends::constant(m.south),
        not_west: Depends::constant(m.not_west),
        not_east: Depends::constant(m.not_east),
    };
    let next = life::listing_2(Depends::input(), Depends::constant(0), &masks).sources();
    next.into_iter()
        .enumerate()
        .all(|(cell, sources)| sources & !neighbourhood(cell) == 0)
}

/// Listing 2 on every neighbourhood at every place of the torus, which is all it can depend on.
pub fn life_rule() -> Derived {
    let agrees = |live: u64| {
        let cells = naive::life::torus_step(&naive::life::from_word(live));
        let next = naive::life::to_word(&cells);
        life::torus_step(live) == next && life::torus_step_by_rows(live) == next
    };
    let at_every_place = |pattern: u64| {
        // Nine cells around the origin, then moved over the whole torus.
        let cell = |k: u64| 1_u64 << (k / 3 * 8 + k % 3);
        let block = (0..9)
            .filter(|k| pattern >> k & 1 == 1)
            .map(cell)
            .sum::<u64>();
        let mut row = block;
        (0..8).all(|_| {
            row = life::torus_shift(row, Direction::S);
            let mut live = row;
            (0..8).all(|_| {
                live = life::torus_shift(live, Direction::W);
                agrees(live)
            })
        })
    };
    let neighbourhoods = (0..512).all(at_every_place);
    let local = listing_2_is_local();
    Derived::holds(
        neighbourhoods && local,
        "Run on a word that keeps of each bit which bits it is made of, every cell of listing 2's \
         result is made of the nine cells around it alone. All 512 contents of these were tried at \
         all 64 places of the torus, with the masks corrected: that is every board, as far as any \
         cell can tell.",
    )
    .with("local", local)
    .with("a-pattern", format!("{SHOWN:#018x}"))
    .with(
        "its-next-generation",
        format!("{:#018x}", life::torus_step(SHOWN)),
    )
}

/// Neighbourhoods of several kinds, one of them across an edge of the torus.
const SHOWN: u64 = 0x8100_0c12_0c00_0081;
