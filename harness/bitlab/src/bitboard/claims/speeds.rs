//! Speed claims, re-measured as ratios on the machine at hand.
//!
//! The article timed Java 1.6 on one thread of a 2 GHz i7 laptop. Ours are
//! ratios of Rust to Rust, so they say how much the method gains here, not
//! what it gained there.

use super::{Derived, Effort};
use crate::bitboard::cases::{self, Case, Random};
use crate::bitboard::speed::{Ratio, ratio, seconds};
use crate::bitboard::{life, naive, packing};

/// Pairs that fit the effort at about two milliseconds each.
fn pairs(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 41,
        Effort::Full => 501,
    }
}

/// Samples for whoever checks the figures: slow and fast of each pair, or the runs.
pub(super) const RAW: &str = "samples";

/// The pairs of a ratio.
pub(super) fn raw(r: &Ratio) -> String {
    let pairs = r.samples.iter();
    let samples: Vec<String> = pairs.map(|(slow, fast)| format!("{slow}/{fast}")).collect();
    samples.join(" ")
}

fn report(r: Ratio, explanation: &str) -> Derived {
    let text = format!("{explanation} Ours; the article's hardware was Java 1.6 on a 2 GHz i7.");
    Derived::new(format!("{:.2}", r.median), text)
        .with("low", format!("{:.2}", r.low))
        .with("high", format!("{:.2}", r.high))
        .with("slow-ns", format!("{:.1}", r.slow_ns))
        .with("fast-ns", format!("{:.1}", r.fast_ns))
        .with("pairs", r.pairs)
        .with(RAW, raw(&r))
}

fn measure(case: Case, effort: Effort) -> Ratio {
    ratio(pairs(effort), case.naive, case.bits)
}

/// Life on the 8x8 torus against counting eight neighbours a cell in an array
/// whose size the compiler knows.
pub fn life_fixed_size(effort: Effort) -> Derived {
    let start = Random(2).word();
    let (mut cells, mut word) = (naive::life::from_word(start), start);
    let naive = || {
        cells = naive::life::torus_step(&cells);
        u64::from(cells[0][0])
    };
    let listing = || {
        word = life::torus_step(word);
        word
    };
    report(
        ratio(pairs(effort), naive, listing),
        "A generation by listing 2 against one that counts the eight neighbours of each of 64 \
         cells in an array of known size, which the compiler unrolls and vectorises.",
    )
}

/// The same against an array whose size is known only at run time.
pub fn life_any_size(effort: Effort) -> Derived {
    let start = Random(2).word();
    let mut cells: Vec<bool> = naive::life::from_word(start).concat();
    let (mut word, mut rows) = (start, start);
    let mut listing = || {
        word = life::torus_step(word);
        word
    };
    let by_rows = || {
        rows = life::torus_step_by_rows(rows);
        rows
    };
    let naive = || {
        cells = naive::life::step_on_torus(8, 8, &cells);
        u64::from(cells[0])
    };
    let shared = ratio(pairs(effort), &mut listing, by_rows);
    report(
        ratio(pairs(effort), naive, listing),
        "A generation by listing 2 against one that counts the eight neighbours of each of 64 \
         cells in an array whose size is known at run time only, remainders and bounds checks \
         and all. `counting-rows-once` is how much faster than listing 2 the form with half \
         its operations is.",
    )
    .with("counting-rows-once", format!("{:.2}", shared.median))
}

/// Algorithm 6 on Yavalath's board against following neighbours.
pub fn lines(last_move: bool, effort: Effort) -> Derived {
    let Ok(case) = cases::lines_against_neighbours(last_move) else {
        return Derived::not_reached("the board does not fit");
    };
    let slow = if last_move {
        "walking from the last move along a table of neighbours"
    } else {
        "walking from every piece that begins a line, along a table of neighbours"
    };
    report(
        measure(case, effort),
        &format!(
            "The longest line of one side in random positions of the 61-cell hexagon, two \
             thirds full: algorithm 6 on two words against {slow}."
        ),
    )
}

/// Listing 1 against union-find on boards of one side.
pub fn y(side: usize, effort: Effort) -> Derived {
    let Some(case) = cases::y_against_union_find(side) else {
        return Derived::not_reached("the board does not fit");
    };
    report(
        measure(case, effort),
        &format!(
            "Boards of side {side} filled at random, as after a Monte Carlo playout: reduction \
             against weighted union-find with path halving, entered anew for each board. The \
             article does not say which side it timed."
        ),
    )
}

/// Seconds for all packings of the Soma cube.
pub fn soma(effort: Effort) -> Derived {
    let puzzle = packing::soma();
    let runs = if effort == Effort::Full { 9 } else { 3 };
    let time =
        |count: &dyn Fn() -> u64| -> Vec<f64> { (0..runs).map(|_| seconds(count)).collect() };
    let best = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let samples = time(&|| puzzle.count());
    let described = best(&samples);
    let bare = best(&time(&|| puzzle.count_without_pruning()));
    let samples: Vec<String> = samples.iter().map(f64::to_string).collect();
    Derived::new(
        format!("{described:.3}"),
        "Seconds of processor time for all packings by algorithm 13 as described, one thread, \
         the best of a few runs, placements generated beforehand. Ours; the article's half \
         second, which covers several Bedlam cube solutions too, is from Java 1.6 on a 2 GHz \
         i7. `bare` is the search without the tests of lines 9, 13 and 14, placements grouped by their lowest cell.",
    )
    .with("bare", format!("{bare:.3}"))
    .with(RAW, samples.join(" "))
}
