//! Instructions a call of every bitboard algorithm and of its literal twin,
//! counted by callgrind, as CSV on standard output, as `antipode bench --figures`
//! takes it in: two rows a case, `bitboard/CASE/bits` and `bitboard/CASE/naive`.
//!
//! `cargo run --release --example bitboard_instructions [CASE …]`
//!
//! The program runs itself under `valgrind --tool=callgrind` once with `n`
//! calls and once with `2n`, and reports the difference divided by `n`: what
//! comes before and after the calls cancels.

use std::process::{Command, ExitCode};

use antipode_bitlab::bitboard::cases::{self, Case};

/// Marks a run of the program by itself.
const INNER: &str = "--inner";

const VERSION: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

fn cases() -> Vec<Case> {
    let mut all = cases::all().unwrap_or_default();
    all.extend(cases::lines_against_neighbours(true));
    all.extend(
        [5, 19, 32]
            .into_iter()
            .filter_map(cases::y_against_union_find),
    );
    all
}

/// Calls that count: one round of the inputs; one is enough for a whole search.
fn rounds(case: &str) -> u64 {
    if case.starts_with("soma") { 1 } else { 64 }
}

/// `--inner CASE bits|naive CALLS`
fn inner(args: &[String]) -> Option<()> {
    let [name, side, calls] = args else {
        return None;
    };
    let mut case = cases().into_iter().find(|case| case.name == *name)?;
    let calls: u64 = calls.parse().ok()?;
    let call = if side == "bits" {
        &mut case.bits
    } else {
        &mut case.naive
    };
    for _ in 0..calls {
        std::hint::black_box(call());
    }
    Some(())
}

/// Instructions of one run of this program with that many calls.
fn instructions(case: &str, side: &str, calls: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find myself: {e}"))?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([INNER, case, side, &calls.to_string()])
        .output()
        .map_err(|e| format!("cannot run valgrind (is it installed?): {e}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log
        .lines()
        .find_map(|line| line.split("Collected : ").nth(1));
    let count = collected.and_then(|count| count.trim().parse().ok());
    count.ok_or_else(|| format!("valgrind gave no count for {case} {side}:\n{log}"))
}

fn per_call(case: &str, side: &str) -> Result<f64, String> {
    let n = rounds(case);
    let (once, twice) = (
        instructions(case, side, n)?,
        instructions(case, side, 2 * n)?,
    );
    Ok(twice.saturating_sub(once) as f64 / n as f64)
}

fn table(wanted: &[String]) -> Result<(), String> {
    println!("row,variant,metric,value,unit,version,detail");
    for case in cases() {
        if wanted.is_empty() || wanted.contains(&case.name) {
            for side in ["bits", "naive"] {
                println!(
                    "bitboard/{}/{side},{side},instructions-callgrind,{:.1},instructions a call,{VERSION},{}",
                    case.name,
                    per_call(&case.name, side)?,
                    case.source
                );
            }
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((INNER, rest)) = args
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        return inner(rest).map_or(ExitCode::from(2), |()| ExitCode::SUCCESS);
    }
    match table(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
