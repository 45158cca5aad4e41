//! Figures of games and layouts that the article gives as speeds: measured here, and reported.

use std::time::{Duration, Instant};

use super::speeds::{RAW, raw};
use super::{Derived, Effort};
use crate::bitboard::cases::Random;
use crate::bitboard::packing;
use crate::bitboard::speed::ratio;
use crate::bitboard::uses::playouts;
use crate::bitboard::{Geometry, Grid};

/// How long playouts are counted.
fn spell(effort: Effort) -> Duration {
    match effort {
        Effort::Quick => Duration::from_millis(200),
        Effort::Full => Duration::from_secs(2),
    }
}

/// Spells of which the figures are kept apart.
const SPELLS: u32 = 10;

/// Playouts a second on one thread, and moves a playout.
fn playouts(effort: Effort, mut play: impl FnMut(&mut Random) -> u32) -> Derived {
    let mut random = Random(8);
    let (mut seconds, mut games, mut moves) = (0.0, 0_u64, 0_u64);
    let mut samples = Vec::new();
    for _ in 0..SPELLS {
        let (start, before) = (Instant::now(), games);
        while start.elapsed() < spell(effort) / SPELLS {
            for _ in 0..100 {
                games += 1;
                moves += u64::from(play(&mut random));
            }
        }
        let took = start.elapsed().as_secs_f64();
        seconds += took;
        samples.push(format!("{took}/{}", games - before));
    }
    Derived::new(
        format!("{:.0}", games as f64 / seconds),
        "Random playouts a second on one thread, moves drawn uniformly, wall clock.",
    )
    .with(
        "moves-a-playout",
        format!("{:.1}", moves as f64 / games as f64),
    )
    .with(RAW, samples.join(" "))
}

/// Clobber on a full 8x8 board.
pub fn clobber(effort: Effort) -> Derived {
    let Ok((board, start)) = playouts::clobber() else {
        return Derived::not_reached("the board does not fit");
    };
    playouts(effort, |random| {
        playouts::play_clobber(&board, &start, random).1
    })
}

/// Yavalath on 61 cells.
pub fn yavalath(effort: Effort) -> Derived {
    let Ok(board) = Geometry::<2>::hexagon(5) else {
        return Derived::not_reached("the board does not fit");
    };
    playouts(effort, |random| {
        let (sides, _) = playouts::play_yavalath(&board, random);
        sides[0].count() + sides[1].count()
    })
}

/// Packings of the Bedlam cube that are waited for.
const SEVERAL: u64 = 3;

/// Seconds to the first packings of the Bedlam cube.
pub fn bedlam() -> Derived {
    let start = Instant::now();
    let found = packing::bedlam().first(SEVERAL);
    let seconds = start.elapsed().as_secs_f64();
    Derived::new(
        format!("{seconds:.3}"),
        "Seconds to the first three packings of the Bedlam cube, twelve pieces of five cubes and \
         one of four in 4x4x4, by algorithm 13 as described, one thread, wall clock.",
    )
    .with("packings", found)
    .with(RAW, seconds)
}

/// The smallest number of columns that are shifted apart: 19.
const SIDE: usize = 19;

/// Dilation of a 19x19 board: a word a column against six packed words.
pub fn columns(effort: Effort) -> Derived {
    let Ok(board) = Geometry::<6>::new(Grid::Square, SIDE, SIDE, 1) else {
        return Derived::not_reached("the board does not fit");
    };
    let mut random = Random(9);
    let bits = random.bits::<6>() & board.mask();
    let cells = board.to_cells(bits);
    let columns: [u32; SIDE] = std::array::from_fn(|x| {
        (0..SIDE).fold(0, |column, y| column | u32::from(cells[y * SIDE + x]) << y)
    });
    let packed = crate::bitboard::morphology::dilate(&board, bits);
    let apart = dilate_columns(&columns);
    let agree = (0..SIDE * SIDE)
        .all(|cell| board.to_cells(packed)[cell] == (apart[cell % SIDE] >> (cell / SIDE) & 1 == 1));
    let pairs = if effort == Effort::Full { 501 } else { 101 };
    let (mut by_columns, mut by_words) = (columns, bits);
    let r = ratio(
        pairs,
        || {
            by_columns = std::hint::black_box(dilate_columns(&std::hint::black_box(columns)));
            u64::from(by_columns[0])
        },
        || {
            let set = std::hint::black_box(bits);
            by_words = std::hint::black_box(crate::bitboard::morphology::dilate(&board, set));
            by_words.words()[0]
        },
    );
    Derived::new(
        format!("{:.2}", r.median),
        "A dilation of a random set of 19x19: one word for each column against six words packed \
         with separating bits, how many times as long; checked to give the same cells.",
    )
    .with("low", format!("{:.2}", r.low))
    .with("high", format!("{:.2}", r.high))
    .with("columns-ns", format!("{:.1}", r.slow_ns))
    .with("packed-ns", format!("{:.1}", r.fast_ns))
    .with("same-cells", agree)
    .with(RAW, raw(&r))
}

/// Orthogonal dilation with a word for each column.
fn dilate_columns(columns: &[u32; SIDE]) -> [u32; SIDE] {
    let beside = |x: Option<usize>| x.and_then(|x| columns.get(x)).copied().unwrap_or(0);
    std::array::from_fn(|x| {
        let own = columns[x];
        let all = own | own << 1 | own >> 1 | beside(x.checked_sub(1)) | beside(Some(x + 1));
        all & ((1 << SIDE) - 1)
    })
}
