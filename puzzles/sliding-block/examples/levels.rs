//! The level table of an instance from its start, with what each step met, as CSV
//! (neighbours of the level before that keep the order of its big pieces, and that keep their
//! bucket by uniform hashes to as many buckets and to 8,192):
//! `cargo run --release -p antipode-sliding-block --example levels -- climb-pro-24 60 [metric]`.
//! Only three levels are in memory (16 bytes a position, and the candidates).

use std::time::Instant;

use antipode_sliding_block::Bits;
use antipode_sliding_block::frontier::Frontier;
use puzzle_api::{BadInput, Puzzle, Request, Settings};

fn main() -> Result<(), BadInput> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let instance = arguments.first().map_or("climb-12", String::as_str);
    let most: u32 = match arguments.get(1) {
        Some(text) => text
            .parse()
            .map_err(|_| BadInput::new(format!("'{text}' is no depth: write a whole number")))?,
        None => u32::MAX,
    };
    let metric = arguments.get(2).map_or("piece", String::as_str);
    let settings = Settings::from([("metric".to_owned(), metric.to_owned())]);
    let bits = Bits::open(&Request {
        instance,
        settings: &settings,
    })?;
    let clock = Instant::now();
    let mut frontier = Frontier::new(&bits);
    let mut total = 1;
    println!(
        "depth,states,total,generated,old,orders_before,same_order,same_of_as_many,same_of_8192,solved_before,seconds"
    );
    while frontier.depth() < most && !frontier.level().is_empty() {
        let step = frontier.step();
        total += step.states;
        println!(
            "{},{},{total},{},{},{},{},{},{},{},{:.2}",
            step.depth,
            step.states,
            step.generated,
            step.old,
            step.orders,
            step.same_bucket,
            step.same_of_as_many,
            step.same_hash,
            step.solved_before,
            clock.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
