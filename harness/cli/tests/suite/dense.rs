//! The needs of a dense run: known in advance, printed, recorded, kept to, refused.

use antipode_search::engines::{FrontierForm, Representation};
use puzzle_api::Direction;

use crate::support::{Ran, Text, coin_sliding, engine, request, run, tables, try_analyse, words};

/// 480,700 boards of 5x5 with 7 coins.
const WIDE: &str = "analyse coin-sliding/custom --set width=5 --set height=5 --set coins=7 \
                    --from o.o.o/...../o.o../...../o...o --engine dense";

fn wide(more: &[&str]) -> Ran {
    run(&[&words(WIDE), more].concat())
}

/// One line, exit code 2, nothing on stdout.
fn refusal(more: &[&str]) -> String {
    let ran = wide(more).ended(4);
    assert_eq!(ran.out, "");
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    ran.err.trim_end().to_owned()
}

#[test]
fn memory_is_printed_before_the_run_and_recorded() {
    for (table, text, bytes) in [
        ("byte", "1 byte each: 469.44 KiB", 480_704),
        ("two-bits", "2 bits each: 117.36 KiB", 120_176),
        ("bit", "1 bit each: 58.68 KiB", 60_088),
    ] {
        let ran = wide(&["--table", table, "--threads", "1", "--format", "json"]).ended(0);
        let line = ran.err.lines().next().unwrap();
        assert!(line.starts_with("dense: 480,700 ranks, "), "{line}");
        assert!(line.contains(text), "{line}");
        let json = ran.json();
        let record = &json["run"]["extra"]["dense"];
        assert_eq!(record["table"], table);
        assert_eq!(record["table_bytes"], bytes);
        let sum = ["table_bytes", "frontier_bytes", "scratch_bytes"]
            .map(|part| record[part].as_u64().unwrap());
        assert_eq!(record["bytes"], sum.iter().sum::<u64>());
    }
}

#[test]
fn a_run_keeps_to_the_memory_that_it_names() {
    let peak = |more: &[&str]| {
        let ran = wide(&[&["--threads", "2", "--format", "json"], more].concat());
        let json = ran.json();
        let planned = json["run"]["extra"]["dense"]["bytes"].as_u64().unwrap();
        (json["run"]["peak_memory_bytes"].as_u64().unwrap(), planned)
    };
    // Memory of the program before a search has any size.
    let (base, _) = peak(&["--max-depth", "0"]);
    for table in ["byte", "two-bits", "bit"] {
        for form in ["auto", "list", "scan"] {
            let (peak, planned) = peak(&["--table", table, "--frontier", form]);
            assert!(
                peak <= base + planned,
                "{table} {form}: {peak} bytes where {planned} were planned, in addition to {base}"
            );
        }
    }
}

#[test]
fn too_little_memory_is_refused_with_what_would_fit() {
    assert_eq!(
        refusal(&["--memory", "1MiB", "--threads", "1"]),
        "antipode: coin-sliding/custom: --table bit needs 16.21 MiB for 480,700 ranks, and --memory allows 1.00 MiB; no other would fit; use --engine hash"
    );
    assert_eq!(
        refusal(&["--memory", "16.4MiB", "--threads", "1", "--table", "byte"]),
        "antipode: coin-sliding/custom: --table byte needs 16.55 MiB for 480,700 ranks, and --memory allows 16.40 MiB; --table two-bits needs 16.27 MiB and would fit"
    );
}

#[test]
fn the_widest_table_that_fits_is_taken() {
    let taken = |memory: &str| {
        let more = ["--memory", memory, "--threads", "1", "--format", "json"];
        let ran = wide(&more);
        let json = ran.json();
        json["run"]["extra"]["dense"]["table"].to_string()
    };
    assert_eq!(taken("1GiB"), "\"byte\"");
    assert_eq!(taken("16.4MiB"), "\"two-bits\"");
    assert_eq!(taken("16.22MiB"), "\"bit\"");
}

#[test]
fn options_of_dense_are_refused_on_other_engines() {
    let ran = run(&["analyse", "tilt/card-2", "--table", "bit"]).ended(2);
    assert_eq!(
        ran.err.trim_end(),
        "antipode: --table belongs to engine dense; add --engine dense"
    );
    let ran = wide(&["--table", "nibble"]).ended(2);
    ran.err.has(["use one of byte, two-bits, bit"]);
    let ran = wide(&["--memory", "much"]).ended(2);
    ran.err.has(["'much' is no size"]);
}

/// With memory for the bits and short lists but not for a full frontier, a search runs while its
/// levels are short, and then stops with its results so far.
#[test]
fn bits_without_room_for_a_full_frontier_go_as_far_as_lists_do() {
    let ran = |depth: u16| {
        let pairs = [("width", "5"), ("height", "5"), ("coins", "7")];
        let mut request = request(&coin_sliding(), "custom", &pairs);
        request.direction = Some(Direction::Forward);
        request.from = Some("o.o.o/...../o.o../...../o...o".into());
        request.engine = engine("dense");
        request.max_depth = Some(depth);
        request.options.table = Some(Representation::Bit);
        // The bits, a thread's working memory, and 6,000 ranks of a list.
        request.options.memory = Some((16 << 20) + 60_088 + 6_000 * 24);
        try_analyse(&request)
    };
    let whole = ran(2).unwrap();
    let limit = whole.run.stopped_because.as_deref().unwrap();
    limit.has(["--max-depth 2"]);
    let cut = ran(40).unwrap();
    assert!(!cut.run.complete);
    let why = cut.run.stopped_because.as_deref().unwrap();
    why.has(["does not fit"]);
    let last = cut.levels.levels.last().unwrap().depth;
    assert!(last > 2);
    // None of the levels shown is cut short.
    let pairs = [("width", "5"), ("height", "5"), ("coins", "7")];
    let mut free = request(&coin_sliding(), "custom", &pairs);
    free.direction = Some(Direction::Forward);
    free.from = Some("o.o.o/...../o.o../...../o...o".into());
    free.engine = engine("dense");
    free.max_depth = Some(last as u16);
    free.options.frontier = Some(FrontierForm::Scan);
    assert_eq!(tables(&cut), tables(&try_analyse(&free).unwrap()));
}

/// Moves are counted by level, whatever the form of the frontier.
#[test]
fn moves_are_counted_by_level_alike_in_every_form() {
    let moves = |table: Representation, form: FrontierForm, threads: usize| {
        let mut request = request(&coin_sliding(), "custom", &[("coins", "8")]);
        request.direction = Some(Direction::Forward);
        request.from = Some("oo../oo../..oo/..oo".into());
        request.engine = engine("dense");
        request.threads = threads;
        request.options.table = Some(table);
        request.options.frontier = Some(form);
        let run = try_analyse(&request).unwrap().run;
        (
            run.extra["moves"].clone(),
            run.extra["moves_by_level"].clone(),
        )
    };
    let first = moves(Representation::Byte, FrontierForm::Auto, 1);
    assert!(first.0.as_u64().unwrap() > 10_000, "{first:?}");
    for table in Representation::ALL {
        for form in [FrontierForm::List, FrontierForm::Scan] {
            for threads in [1, 3] {
                assert_eq!(moves(table, form, threads), first);
            }
        }
    }
}
