//! Instructions a call of every strategy on the named permutations, counted by callgrind, as CSV.
//!
//! `permute_counts [FILE]` runs itself under valgrind and writes `FILE` (else standard output):
//! `row,variant,metric,value,unit,version,detail`, a row `permute/PERMUTATION/STRATEGY` each, as
//! `antipode bench --figures FILE` takes it in. Counts do not depend on how busy the machine is.
//! The operations in `detail` are by our counting rule; the instructions are what the compiler
//! made of it, with the return and the loading of masks. A function shared by two strategies is
//! counted for both; one that the compiler has folded into another has an empty value.

use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use antipode_bitlab::permute::SplitMix64;
use antipode_bitlab_kernels::permute as kernels;

const CALLS: u64 = 100;
const VERSION: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some("--kernels") {
        run_kernels();
        return ExitCode::SUCCESS;
    }
    match count(argument.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("permute_counts: {error}");
            ExitCode::from(2)
        }
    }
}

/// What valgrind watches: every kernel, called through a pointer so that it stays a function.
fn run_kernels() {
    for (_, _, _, kernel) in kernels::KERNELS {
        let mut random = SplitMix64::new(1);
        for _ in 0..CALLS {
            black_box(black_box(kernel)(random.next_word()));
        }
    }
}

fn count(file: Option<&str>) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let profile = folder.path().join("callgrind.out");
    let mut option = std::ffi::OsString::from("--callgrind-out-file=");
    option.push(&profile);
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--compress-strings=no",
            "--compress-pos=no",
        ])
        .arg(option)
        .arg(std::env::current_exe()?)
        .arg("--kernels")
        .output()
        .map_err(|e| format!("valgrind did not start ({e}): install it"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let instructions = own_instructions(&std::fs::read_to_string(&profile)?);
    let mut csv = String::from("row,variant,metric,value,unit,version,detail\n");
    let mut shared: HashMap<usize, u64> = HashMap::new();
    for (permutation, strategy, operations, kernel) in kernels::KERNELS {
        let symbol = format!("p_{permutation}_{strategy}").replace('-', "_");
        let address = kernel as usize;
        if let Some(total) = instructions.get(&symbol) {
            shared.insert(address, *total);
        }
        // A kernel that several rows share is called once for each of them.
        let rows = kernels::KERNELS.iter().filter(|k| k.3 as usize == address);
        let calls = CALLS * rows.count() as u64;
        let each = shared.get(&address).map(|total| total.div_ceil(calls));
        let each = each.map_or(String::new(), |n| n.to_string());
        csv.push_str(&format!(
            "permute/{permutation}/{strategy},{strategy},instructions-callgrind,{each},instructions a call,{VERSION},{operations} operations\n"
        ));
    }
    match file {
        Some(path) => std::fs::write(path, csv).map_err(|e| format!("{path}: {e}"))?,
        None => print!("{csv}"),
    }
    Ok(())
}

/// Instructions of each kernel itself, by its name without the module. Lines of cost are a line
/// number and a count; the line after `calls=` is the cost of the called function, not its own.
fn own_instructions(profile: &str) -> HashMap<String, u64> {
    let mut totals = HashMap::new();
    let (mut current, mut called) = (String::new(), false);
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            let name = name.rsplit("::").next().unwrap_or(name);
            // With debug information the name may be followed by its hash.
            current = name.split('\'').next().unwrap_or(name).to_string();
        } else if line.starts_with("calls=") {
            called = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line.split_ascii_whitespace().nth(1);
            let cost = cost.and_then(|c| c.parse::<u64>().ok()).unwrap_or(0);
            if !called {
                *totals.entry(current.clone()).or_default() += cost;
            }
            called = false;
        }
    }
    totals
}
