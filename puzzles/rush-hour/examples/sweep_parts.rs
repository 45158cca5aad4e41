//! Sweeps drawn parts of a census and prints what a placement costs, digests not included.
//!
//! Usage: `sweep_parts [INSTANCE [EVERY [KEY=VALUE …]]]`: every so many parts, 6x6 and 64 by
//! default.

use std::time::Instant;

use antipode_rush_hour::Bits;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, UNSOLVABLE};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let instance = arguments.first().map_or("6x6", String::as_str);
    let every = arguments.get(1).map_or(Ok(64), |text| text.parse())?;
    let pairs = arguments
        .iter()
        .skip(2)
        .filter_map(|pair| pair.split_once('='));
    let settings: Settings = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let request = Request {
        instance,
        settings: &settings,
    };
    let bits = Bits::open(&request)?;
    let mut levels = vec![0_u64; 1 << 16];
    let began = Instant::now();
    for part in (0..bits.part_count()).step_by(every) {
        bits.sweep(part, &mut |swept| {
            for &depth in swept.depths {
                levels[usize::from(depth)] += 1;
            }
            true
        });
    }
    let seconds = began.elapsed().as_secs_f64();
    let states: u64 = levels.iter().sum();
    for (depth, count) in levels.iter().enumerate().filter(|(_, count)| **count > 0) {
        match depth as u16 {
            UNSOLVABLE => println!("unsolvable {count}"),
            depth => println!("{depth:>10} {count}"),
        }
    }
    let nanoseconds = seconds * 1e9 / states as f64;
    println!("{states} placements in {seconds:.2} s, {nanoseconds:.2} ns each");
    Ok(())
}
