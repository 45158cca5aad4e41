//! The needs of a run in memory: known in advance, printed, recorded, kept to, refused.

use antipode_check::analysis::Request;
use antipode_search::engines::{FrontierForm, Representation};
use serde_json::Value;

use crate::support::{Ran, Text, engine, forward, plays, rows, run, tables, try_analyse, words};

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

/// Whatever the table, the form of the frontier and the number of threads, the tables are those of
/// engine hash, and moves are counted alike. Lists of at most 4,096 ranks go over to a scan on the
/// wider board, and come back.
#[test]
fn tables_and_counted_moves_are_alike_in_every_form() {
    let found = |request: &Request| {
        let analysis = try_analyse(request).unwrap();
        let extra = &analysis.run.extra;
        let moves = ["moves", "moves_by_level"].map(|name| extra.get(name).cloned());
        (tables(&analysis), moves)
    };
    for (instance, from, forms) in [
        (
            "coins=8",
            "oo../oo../..oo/..oo",
            &[(FrontierForm::List, 1), (FrontierForm::Scan, 3)][..],
        ),
        (
            "width=5 height=5 coins=7",
            "o.o.o/...../o.o../...../o...o",
            &[(FrontierForm::Auto, 2)],
        ),
    ] {
        let mut request = forward(&format!("coin-sliding/custom {instance}"), "hash");
        request.from = Some(from.to_owned());
        let hashed = found(&request).0;
        request.engine = engine("dense");
        let mut all = Vec::new();
        for table in Representation::ALL {
            for &(form, threads) in forms {
                (request.options.table, request.options.frontier) = (Some(table), Some(form));
                request.threads = threads;
                all.push(found(&request));
            }
        }
        for one in &all {
            assert_eq!((&one.0, &one.1), (&hashed, &all[0].1), "{instance}");
        }
        assert!(all[0].1[0].as_ref().unwrap().as_u64() > Some(10_000));
    }
}
