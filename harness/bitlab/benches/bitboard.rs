//! Every bitboard algorithm against its literal twin.
//!
//! `cargo bench -p antipode-bitlab --bench bitboard` runs criterion, then
//! times each pair in turns and writes `bitboard-ratios.csv` into the target
//! folder's `criterion`. `-- --ratios` writes the table only; a filter narrows
//! criterion's part as usual.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use antipode_bitlab::bitboard::cases::{self, Case};
use antipode_bitlab::bitboard::speed::ratio;
use criterion::Criterion;

/// Interleaved pairs a case: an interval from the 10th to the 22nd.
const PAIRS: usize = 31;

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

fn criterion_groups() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(700))
        .sample_size(20)
        .configure_from_args();
    for mut case in cases() {
        let mut group = criterion.benchmark_group(&case.name);
        group.bench_function("bits", |b| b.iter(&mut case.bits));
        group.bench_function("naive", |b| b.iter(&mut case.naive));
        group.finish();
    }
    criterion.final_summary();
}

fn ratios() -> std::io::Result<PathBuf> {
    let mut table = String::from("case,source,bits_ns,naive_ns,ratio,low,high,pairs\n");
    for case in cases() {
        let r = ratio(PAIRS, case.naive, case.bits);
        let _ = writeln!(
            table,
            "{},{},{:.2},{:.2},{:.2},{:.2},{:.2},{}",
            case.name, case.source, r.fast_ns, r.slow_ns, r.median, r.low, r.high, r.pairs
        );
    }
    print!("{table}");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        PathBuf::from,
    );
    let path = target.join("criterion").join("bitboard-ratios.csv");
    std::fs::create_dir_all(target.join("criterion"))?;
    std::fs::write(&path, table)?;
    Ok(path)
}

fn main() -> ExitCode {
    let given = |flag: &str| std::env::args().any(|arg| arg == flag);
    // `cargo test --benches` only asks whether it starts.
    if !given("--bench") {
        return ExitCode::SUCCESS;
    }
    if !given("--ratios") {
        criterion_groups();
    }
    match ratios() {
        Ok(path) => {
            eprintln!("wrote {}", path.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot write the table of ratios: {error}");
            ExitCode::FAILURE
        }
    }
}
