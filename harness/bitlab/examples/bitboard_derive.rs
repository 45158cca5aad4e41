//! Derives the bitboard claims and prints what came out.
//!
//! `cargo run --release --example bitboard_derive -- [--full] [NAME …]`

use std::process::ExitCode;
use std::time::Instant;

use antipode_bitlab::bitboard::claims::{Effort, derive, names};

fn main() -> ExitCode {
    let (flags, wanted): (Vec<_>, Vec<_>) = std::env::args()
        .skip(1)
        .partition(|arg| arg.starts_with("--"));
    if flags.iter().any(|flag| flag != "--full") {
        eprintln!("usage: bitboard_derive [--full] [NAME …]");
        return ExitCode::from(2);
    }
    let effort = if flags.is_empty() {
        Effort::Quick
    } else {
        Effort::Full
    };
    let all = if wanted.is_empty() {
        names().map(str::to_owned).collect()
    } else {
        wanted
    };
    for name in all {
        let start = Instant::now();
        let Some(derived) = derive(&name, effort) else {
            eprintln!("no derivation is called `{name}`; the known ones are:");
            names().for_each(|name| eprintln!("  {name}"));
            return ExitCode::from(2);
        };
        println!("{name}  ({:.2} s)", start.elapsed().as_secs_f64());
        for (figure, value) in &derived.figures {
            println!("  {figure} = {value}");
        }
    }
    ExitCode::SUCCESS
}
