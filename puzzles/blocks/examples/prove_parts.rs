//! Sweeps drawn parts of a census, proves their distances, and prints what both cost.
//!
//! Usage: `prove_parts [INSTANCE [EVERY [KEY=VALUE …]]]`: every so many parts, 6x6 and 256 by
//! default.

use std::time::{Duration, Instant};

use antipode_blocks::rush_hour::Bits;
use antipode_blocks::rush_hour::proof::CensusProof;
use puzzle_api::optional::*;
use puzzle_api::proof::PartProof;
use puzzle_api::{Puzzle, Request, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let instance = arguments.first().map_or("6x6", String::as_str);
    let every = arguments.get(1).map_or(Ok(256), |text| text.parse())?;
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
    let proof = CensusProof::open(&request)?.ok_or("no census")?;
    println!("{}", proof.foundation()?);
    let (mut swept, mut proven) = (Duration::ZERO, Duration::ZERO);
    let mut states = 0;
    for part in (0..bits.part_count()).step_by(every) {
        let began = Instant::now();
        bits.sweep(part, &mut |_| true);
        swept += began.elapsed();
        let mut check = proof.part(part).ok_or("no such part")?;
        bits.sweep(part, &mut |swept| {
            check.take(swept.keys, swept.depths, &vec![1; swept.keys.len()]);
            true
        });
        let found = check.finish();
        if found.wrong > 0 {
            return Err(format!("part {part}: {:?}", found.faults).into());
        }
        states += found.states;
        proven += began.elapsed();
    }
    let proven = proven - 2 * swept;
    let each = |time: Duration| time.as_nanos() as f64 / states as f64;
    println!(
        "{states} placements: swept in {:.2} ns each, proven in {:.2}, {:.1} times as long",
        each(swept),
        each(proven),
        each(proven) / each(swept)
    );
    Ok(())
}
