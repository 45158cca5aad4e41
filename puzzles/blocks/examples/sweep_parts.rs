//! Sweeps parts of a census that stand for all of it, and prints what a placement costs, digests
//! not included.
//!
//! Usage: `sweep_parts [INSTANCE [COUNT [KEY=VALUE …]]]`: the parts in which so many placements
//! lie, evenly spaced among all; 6x6 and 64 by default. So a part is met the more often the
//! larger it is, and the mean of what a placement of each costs is what one of the whole does.

use std::time::{Duration, Instant};

use antipode_blocks::rush_hour::Bits;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let instance = arguments.first().map_or("6x6", String::as_str);
    let count = arguments
        .get(1)
        .map_or(Ok(64), |text| text.parse::<u64>())?;
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
    let (mut met, mut every) = (Vec::new(), 0.0);
    for part in evenly(&bits, count) {
        let began = processor_time();
        let mut states = 0;
        bits.sweep(part, &mut |swept| {
            states += swept.keys.len();
            true
        });
        let each = (processor_time() - began).as_nanos() as f64 / states as f64;
        println!(
            "{:<24} {states:>10} placements, {each:>6.2} ns each",
            bits.part_name(part)
        );
        every += each;
        met.push(part);
    }
    let mean = every / met.len() as f64;
    println!("{} parts: {mean:.2} ns a placement of the whole", met.len());
    Ok(())
}

/// The parts in which evenly spaced placements lie, one a placement.
fn evenly(bits: &Bits, count: u64) -> Vec<u64> {
    let sizes: Vec<u64> = (0..bits.part_count())
        .map(|part| bits.space(part).unwrap_or(0))
        .collect();
    let every = (sizes.iter().sum::<u64>() / count.max(1)).max(1);
    let (mut met, mut next, mut end) = (Vec::new(), every / 2, 0);
    for (part, size) in (0..).zip(sizes) {
        end += size;
        while next < end {
            met.push(part);
            next += every;
        }
    }
    met
}

/// Time that this thread had a processor; where the system does not tell, time on the clock.
fn processor_time() -> Duration {
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => BEGAN.get_or_init(Instant::now).elapsed(),
    }
}
