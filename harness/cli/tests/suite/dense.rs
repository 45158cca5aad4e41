//! The needs of a run in memory: known in advance, printed, recorded, kept to, refused.

use antipode_check::analysis::Request;
use antipode_search::engines::{FrontierForm, Representation};
use serde_json::Value;

use crate::support::{Ran, Text, forward, plays, rows, run, tables, try_analyse, words};

/// 480,700 boards of 5x5 with 7 coins.
const WIDE: &str = "analyse coin-sliding/custom --set width=5 --set height=5 --set coins=7 \
                    --from o.o.o/...../o.o../...../o...o --engine dense";

fn wide(more: &str) -> Ran {
    run(&words(&format!("{WIDE} --format json {more}")))
}

/// What a run says of its memory.
fn record(more: &str) -> (Value, Ran) {
    let ran = wide(more).ended(0);
    (ran.json()["run"]["extra"]["dense"].clone(), ran)
}

#[test]
fn memory_is_printed_before_the_run_and_recorded() {
    for (table, text, bytes) in [
        ("byte", "1 byte each: 469.44 KiB", 480_704),
        ("two-bits", "2 bits each: 117.36 KiB", 120_176),
        ("bit", "1 bit each: 58.68 KiB", 60_088),
    ] {
        let (record, ran) = record(&format!("--table {table} --threads 1"));
        let line = ran.err.lines().next().unwrap();
        line.has(["dense: 480,700 ranks, ", text]);
        assert_eq!(record["table"], table);
        assert_eq!(record["table_bytes"], bytes);
        let parts = ["table_bytes", "frontier_bytes", "scratch_bytes"].into_iter();
        let sum: u64 = parts.map(|part| record[part].as_u64().unwrap()).sum();
        assert_eq!(record["bytes"], sum);
    }
}

#[test]
fn a_run_keeps_to_the_memory_that_it_names() {
    let peak = |more: &str| {
        let (record, ran) = record(&format!("--threads 2 {more}"));
        let peak = ran.json()["run"]["peak_memory_bytes"].as_u64().unwrap();
        (peak, record["bytes"].as_u64().unwrap())
    };
    // Memory of the program before a search has any size.
    let (base, _) = peak("--max-depth 0");
    for how in ["byte --frontier list", "two-bits", "bit --frontier scan"] {
        let (peak, planned) = peak(&format!("--table {how}"));
        assert!(
            peak <= base + planned,
            "{how}: {peak}, {planned} planned, {base} before"
        );
    }
}

#[test]
fn too_little_memory_is_refused_with_what_would_fit() {
    let (needs, allows) = (
        "coin-sliding/custom: --table",
        "480,700 ranks, and --memory allows",
    );
    plays(
        ".",
        &format!(
            "4! {WIDE} --memory 1MiB --threads 1 | {needs} bit needs 16.21 MiB for {allows} 1.00 MiB; no other would fit; allow more by --memory
             4! {WIDE} --memory 16.4MiB --threads 1 --table byte | {needs} byte needs 16.55 MiB for {allows} 16.40 MiB; --table two-bits needs 16.27 MiB and would fit
             0 analyse hanoi/3-8 --engine dense | at the greatest distance, 255 | 2> begun again with two bits
             4 analyse hanoi/3-8 --engine dense --table byte | 2> use --table two-bits
             2 {WIDE} --table nibble | use one of byte, two-bits, bit
             2 {WIDE} --memory much | 'much' is no size"
        ),
    );
    // The widest table that fits is taken.
    for [memory, table] in rows("1GiB | byte\n16.4MiB | two-bits\n16.22MiB | bit") {
        let (record, _) = record(&format!("--memory {memory} --threads 1"));
        assert_eq!(record["table"], table);
    }
}

/// A search that outgrows its memory stops between levels, of which none is cut short.
fn stops_between_levels(free: &Request, memory: u64) {
    let mut request = free.clone();
    request.options.memory = Some(memory);
    let cut = try_analyse(&request).unwrap();
    assert!(!cut.run.complete);
    let why = cut.run.stopped_because.as_deref().unwrap();
    why.has(["does not fit"]);
    let last = cut.levels.levels.last().unwrap().depth;
    assert!(last > 2);
    request.options.memory = None;
    request.options.frontier = Some(FrontierForm::Scan).filter(|_| free.options.table.is_some());
    request.max_depth = Some(last as u16);
    assert_eq!(tables(&cut), tables(&try_analyse(&request).unwrap()));
}

/// With memory for the bits and short lists but not for a full frontier, a search goes as far as
/// lists do; and a layered one, which keeps no set of all states, as far as two levels fit.
#[test]
fn a_limit_to_memory_leaves_whole_levels() {
    let mut free = forward("coin-sliding/custom width=5 height=5 coins=7", "dense");
    free.from = Some("o.o.o/...../o.o../...../o...o".into());
    free.options.table = Some(Representation::Bit);
    // The bits, a thread's working memory, and 6,000 ranks of a list.
    stops_between_levels(&free, (16 << 20) + 60_088 + 6_000 * 24);
    stops_between_levels(&forward("peg-solitaire/diamond-41", "hash"), 400_000);
}

/// As published: sequence A112737 of the OEIS.
#[test]
fn a_layered_search_has_the_published_levels() {
    let mut asked = forward("peg-solitaire/english-33 to=any", "hash");
    (asked.max_depth, asked.threads) = (Some(9), 2);
    let levels = try_analyse(&asked).unwrap().levels.levels;
    let orbits: Vec<u128> = levels.iter().map(|level| level.orbits).collect();
    assert_eq!(orbits, [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31_312]);
}

/// Moves are counted by level, whatever the form of the frontier.
#[test]
fn moves_are_counted_by_level_alike_in_every_form() {
    let moves = |table: Representation, form: FrontierForm, threads: usize| {
        let mut request = forward("coin-sliding/custom coins=8", "dense");
        request.from = Some("oo../oo../..oo/..oo".into());
        request.threads = threads;
        request.options.table = Some(table);
        request.options.frontier = Some(form);
        let extra = try_analyse(&request).unwrap().run.extra;
        ["moves", "moves_by_level"].map(|name| extra[name].clone())
    };
    let first = moves(Representation::Byte, FrontierForm::Auto, 1);
    assert!(first[0].as_u64().unwrap() > 10_000, "{first:?}");
    for table in Representation::ALL {
        assert_eq!(moves(table, FrontierForm::List, 1), first);
        assert_eq!(moves(table, FrontierForm::Scan, 3), first);
    }
}
