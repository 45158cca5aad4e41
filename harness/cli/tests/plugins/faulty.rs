//! Libraries that lie, each in one way: each is caught by its own check, with its own message, and
//! none crashes the harness.

use std::path::Path;
use std::time::Instant;

use serde_json::Value;

use crate::make::{antipode, c, cargo, scratch, stdout};

const RING: &str = "harness/cli/tests/faulty_plugins/ring.c";

fn ring(lie: &str) -> std::path::PathBuf {
    let define = format!("-DLIE_{lie}");
    let mut arguments = vec!["-std=gnu99", "-O1", &define];
    arguments.extend(["RANDOM", "DRAWN"].contains(&lie).then_some("-DDRAWS"));
    c(RING, &arguments, &format!("ring_{lie}.so"))
}

/// Runs `test-plugin` and returns the first failure: its check, its text and its boards.
fn first_failure(library: &Path, limit: &str) -> (String, String, Vec<String>) {
    let run = antipode()
        .args(["test-plugin", "--format", "json", "--time-limit", limit])
        .arg(library)
        .output();
    let out = stdout(&run.expect("antipode runs"), 3);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let findings = report["findings"].as_array().expect("findings");
    let first = findings
        .iter()
        .find(|finding| finding["outcome"] == "failed")
        .expect("a failure");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let boards = first["boards"].as_array().expect("boards");
    (
        text(&first["check"]),
        text(&first["text"]),
        boards.iter().map(|board| text(&board["state"])).collect(),
    )
}

/// A faulty plugin is caught by a check, with a message, on the smallest states.
fn caught(lie: &str, check: &str, message: &str, states: &[&str]) {
    let (found, text, boards) = first_failure(&ring(lie), "30");
    assert_eq!(found, check, "{text} {boards:?}");
    assert!(text.contains(message), "{text}");
    assert_eq!(boards, states, "{text}");
}

/// A file is refused: exit code 2 and one line.
fn refused(library: &Path, message: &str) {
    for arguments in [&["test-plugin"][..], &["list", "--plugin"]] {
        let run = antipode()
            .args(arguments)
            .arg(library)
            .output()
            .expect("antipode runs");
        stdout(&run, 2);
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(error.contains(message), "{error}");
        assert!(error.contains(&library.display().to_string()), "{error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    }
}

macro_rules! faulty_plugins {
    ($($name:ident: $lie:literal, $check:literal, $message:literal, $states:expr;)*) => {$(
        #[test]
        fn $name() {
            caught($lie, $check, $message, &$states);
        }
    )*};
}

faulty_plugins! {
    says_more_than_the_capacity: "SAYS_MORE", "collect-states",
        "says it wrote 33 keys where 32 fit", ["00"];
    writes_beyond_the_capacity: "WRITES_BEYOND", "capacity-is-respected",
        "successors wrote beyond the capacity", ["00"];
    offsets_that_fall: "OFFSETS", "capacity-is-respected", "offsets that do not rise", [];
    done_less_than_asked: "DONE", "collect-states", "returned OK after 0 of 1 states", ["00"];
    rank_out_of_range: "RANK", "ranks-are-in-range", "rank 24 in part 0, which has 24 ranks", ["07"];
    place_that_unrank_does_not_invert: "PLACE", "unrank-inverts-place",
        "unrank of its rank 8", ["07", "08"];
    state_in_no_part: "NOWHERE", "parts-cover", "lies in no part", ["12", "12"];
    canonical_not_idempotent: "CANONICAL", "canonical-is-idempotent",
        "canonical of canonical differs", ["07", "17", "07"];
    canonical_outside_the_orbit: "CANONICAL_ELSEWHERE", "canonical-lies-in-orbit",
        "none of the images", ["07", "03"];
    orbit_size_wrong: "ORBIT_SIZE", "orbit-size-counts-images",
        "orbit size 2 given, but 1 different", ["00"];
    symmetry_that_breaks_moves: "SYMMETRY", "symmetry-keeps-moves", "are not the images", ["05", "19"];
    one_way_predecessor: "ONE_WAY_PREDECESSOR", "successors-have-predecessors",
        "not among the predecessors", ["06", "07"];
    one_way_successor: "ONE_WAY_SUCCESSOR", "predecessors-have-successors",
        "not among the successors", ["06", "07"];
    moves_that_cannot_be_undone: "DIRECTED", "moves-can-be-undone", "no move leads", ["00", "01"];
    depends_on_the_thread: "THREAD", "threads-do-not-matter", "is_solved of this state", ["05"];
    depends_on_the_batch: "BATCH", "batches-do-not-matter", "is_solved of this state", ["02"];
    depends_on_earlier_calls: "BUCKET", "batches-do-not-matter", "bucket of this state", ["00"];
    crashes: "CRASHES", "batches-do-not-matter", "invalid memory access (SIGSEGV)", [];
    aborts: "ABORTS", "roots-are-solved", "aborted (SIGABRT)", [];
    exits: "EXITS", "roots-are-solved", "ended the process with exit code 0", [];
    crashes_on_loading: "CRASHES_ON_LOADING", "load", "aborted (SIGABRT)", [];
    drawing_of_another_state: "DRAW", "drawings-read-back", "another state", ["08", "08"];
    text_beyond_its_capacity: "TEXT", "drawings-read-back", "beyond the capacity of its text", ["key 0x0"];
    parse_takes_nonsense: "PARSE", "nonsense-is-refused", "for a state that is none", ["99"];
    roots_that_are_not_solved: "ROOTS", "roots-are-solved", "not solved", ["01"];
    flags_other_than_0_and_1: "FLAG", "roots-are-solved", "wrote 2, allowed are 0 and 1", ["00"];
    null_delivered: "NULL_DELIVERY", "collect-states", "null or misaligned pointer", [];
    parts_that_moves_leave: "PARTS", "moves-stay-in-part", "from part 0 to part 1", ["00", "23"];
    variants_that_disagree: "VARIANT", "variants-agree-on-successors", "variant fast lacks one of the successors", ["06", "07"];
    draws_that_depend_on_the_batch: "RANDOM", "draws-ignore-batches", "depends on the batch", ["06", "09"];
    draws_that_are_no_states: "DRAWN", "draws-are-states", "does not read back", ["24"];
    sweep_with_a_wrong_distance: "SWEEP_DEPTH", "sweep-agrees-with-hash",
        "distance 6 in an orbit of 2 by the sweep, distance 7", ["07"];
    sweep_that_leaves_one_out: "SWEEP_MISSES", "sweep-agrees-with-hash", "left out", ["07"];
    sweep_that_repeats_itself: "SWEEP_TWICE", "sweep-delivers-once", "delivered twice", ["07"];
    solved_state_that_is_no_root: "ROOT_LEFT_OUT", "solved-are-roots",
        "solved, but not listed among the solved states of part 0", ["12"];
    settings_taken_that_there_are_none_of: "TAKES_ANY_SETTING", "unknown-settings-are-refused",
        "takes the unknown setting no-such-setting=1", [];
    settings_refused_in_silence: "SILENT_REFUSAL", "unknown-settings-are-refused",
        "without one line that says why", [];
    more_ranks_than_states: "SPACE", "drawings-read-back", "parse refuses what draw wrote", ["62"];
    claims_that_cannot_be_read: "CLAIMS", "claims-are-read",
        "line 3, column 1: claim 'ring': statement = 3 is not a text", [];
    layers_that_are_none: "LAYERED", "levels-are-layers",
        "said to be layered, but the second state is reached in 0 moves and in 2", ["01", "00"];
    sweep_without_end: "SWEEP_ENDLESS", "sweep-delivers-once", "sweep delivered a state twice", ["00"];
    absurd_number_of_parts: "MANY_PARTS", "collect-states",
        "returned 1152921504606846976, allowed are 1 to 268435456", [];
    absurd_number_of_symmetries: "SYMMETRY_COUNT", "collect-states",
        "returned 4000000000, allowed are 1 to 65536", [];
}

#[test]
fn the_ring_itself_is_honest() {
    let library = c(RING, &["-std=gnu99", "-O1", "-DDRAWS"], "ring.so");
    let run = antipode()
        .arg("test-plugin")
        .arg(&library)
        .output()
        .expect("antipode runs");
    let out = stdout(&run, 0);
    assert!(out.contains("no check failed"), "{out}");
}

#[test]
fn refusing_to_open_in_silence() {
    let run = antipode()
        .arg("test-plugin")
        .arg(ring("SILENT_OPEN"))
        .output()
        .expect("antipode runs");
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(
        error.contains("ring: refused this and did not say why"),
        "{error}"
    );
}

/// The header allows it: `solved_states` may answer that this instance lists none.
#[test]
fn roots_that_are_not_listed() {
    let library = ring("ROOTS_UNSUPPORTED");
    let run = antipode().arg("test-plugin").arg(&library).output();
    let out = stdout(&run.expect("antipode runs"), 0);
    assert!(
        out.contains("solved states are not listed: roots-are-solved"),
        "{out}"
    );
    let analyse = |more: &[&str]| {
        let mut command = antipode();
        command
            .args(["analyse", "ring/24", "--plugin"])
            .arg(&library);
        command.args(more).output().expect("antipode runs")
    };
    let out = stdout(&analyse(&["--from", "03", "--engine", "hash"]), 0);
    assert!(out.contains("forward"), "{out}");
    let run = analyse(&[]);
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains("cannot list its solved states"), "{error}");
}

#[test]
fn texts_cannot_drive_a_terminal() {
    let run = antipode()
        .args(["list", "--plugin"])
        .arg(ring("ESCAPES"))
        .output();
    let out = stdout(&run.expect("antipode runs"), 0);
    assert!(
        out.contains("red \u{fffd}[31m and a bell \u{fffd}"),
        "{out}"
    );
    assert!(!out.contains('\u{1b}') && !out.contains('\u{7}'), "{out:?}");
}

/// A library without `derive` has nothing for its claims.
#[test]
fn a_claim_that_the_library_cannot_derive_is_refused() {
    let out_folder = crate::make::scratch("ring_claims");
    let run = antipode()
        .args(["certify", "ring", "--out"])
        .arg(&out_folder)
        .arg("--plugin")
        .arg(ring("CLAIMS_DERIVED"))
        .output();
    let run = run.expect("antipode runs");
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains("ring derives nothing"), "{error}");
}

/// Two certificates cannot have one name.
#[test]
fn claims_with_the_id_of_another_puzzle_are_refused() {
    let folder = crate::make::scratch("ring_claims_of_tilt");
    let certify = |names: &[&str]| {
        let mut command = antipode();
        command.arg("certify").args(names).arg("--out").arg(&folder);
        command.arg("--plugin").arg(ring("CLAIMS_OF_TILT"));
        command.output().expect("antipode runs")
    };
    let run = certify(&[]);
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(
        error.contains(
            "two claims have the id 'tilt-keep', one in claims of tilt and one in claims of ring"
        ),
        "{error}"
    );
    let run = certify(&["ring"]);
    stdout(&run, 2);
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(!error.contains("two claims"), "{error}");
}

#[test]
fn wrong_version() {
    let ours = puzzle_api::abi::ANTIPODE_ABI_VERSION;
    let message = format!("speaks version 1 of the boundary, this Antipode speaks {ours}:");
    refused(&ring("VERSION"), &message);
}

#[test]
fn short_table() {
    refused(&ring("SHORT"), "hands over a table of 64 bytes, expected");
}

#[test]
fn short_variant() {
    refused(
        &ring("SHORT_VARIANT"),
        "hands over variants of 64 bytes, expected",
    );
}

#[test]
fn null_required_entry() {
    refused(
        &ring("NULL"),
        "leaves the required member 'successors' of variants[1] null",
    );
}

#[test]
fn no_table_at_all() {
    refused(&ring("NO_TABLE"), "returned null instead of a table");
}

#[test]
fn keys_of_three_words() {
    refused(
        &ring("KEY_WORDS"),
        "says key_words = 3, allowed are 1 and 2",
    );
}

#[test]
fn two_instances_of_one_name() {
    refused(&ring("NAMES"), "lists the instance '24' twice");
}

#[test]
fn missing_symbol() {
    refused(&ring("SYMBOL"), "has no symbol 'antipode_puzzle_v1'");
}

#[test]
fn unresolved_symbol() {
    refused(&ring("UNRESOLVED"), "nowhere_defined");
}

#[test]
fn panics_in_rust() {
    let library = cargo("harness/cli/tests/faulty_plugins/panicking", "panicking");
    let (check, text, boards) = first_failure(&library, "30");
    assert_eq!(check, "collect-states");
    let message =
        "panicking/ten (reference): successors failed: panicked: place 7 has no neighbours";
    assert!(text.contains(message), "{text}");
    assert_eq!(boards, ["7"]);
    // Caught on the plugin's side: it is an error as any, and needs no time limit.
    let run = antipode()
        .args(["test-plugin", "--no-isolate"])
        .arg(&library)
        .output();
    let out = stdout(&run.expect("antipode runs"), 3);
    assert!(out.contains(message), "{out}");
}

/// A library that ends the process that loads it does not end a benchmark.
#[test]
fn a_benchmark_outlives_what_it_loads() {
    for (lie, how) in [
        ("CRASHES_ON_LOADING", "loading aborted (SIGABRT)"),
        (
            "EXITS_ON_LOADING",
            "loading ended the process with exit code 0",
        ),
    ] {
        let library = ring(lie);
        let folder = scratch(&format!("bench_{lie}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let suite = format!(
            "[suite]\nname = \"ring\"\nplugins = [\"{}\"]\n[[row]]\nname = \"ring\"\ninstance = \"ring/24\"\n",
            library.display()
        );
        std::fs::write(folder.join("suite.toml"), suite).expect("a suite");
        let mut command = antipode();
        command.current_dir(&folder).args(["bench", "suite.toml"]);
        let run = command.output().expect("antipode runs");
        stdout(&run, 2);
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(error.contains(how), "{error}");
        assert!(error.contains("test-plugin"), "{error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    }
}

#[test]
fn a_faulty_plugin_is_caught_before_any_search() {
    let library = ring("ONE_WAY_PREDECESSOR");
    for verb in ["analyse", "verify", "solve"] {
        let run = antipode()
            .args([verb, "ring/24", "--plugin"])
            .arg(&library)
            .output();
        let run = run.expect("antipode runs");
        let out = stdout(&run, 3);
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(out.is_empty(), "{out}");
        assert!(
            error.contains("fails the check successors-have-predecessors on ring/24"),
            "{error}"
        );
        assert!(error.contains("state 06, successor 07"), "{error}");
    }
}

#[test]
fn a_hang_costs_no_more_than_its_time_limit() {
    let started = Instant::now();
    let library = ring("HANGS");
    let run = antipode()
        .args(["test-plugin", "--time-limit", "0.5"])
        .arg(&library)
        .output();
    let out = stdout(&run.expect("antipode runs"), 4);
    let line = "timed out after 0.5 s of processor time in `collect-states`; last call: `";
    assert!(out.contains(line), "{out}");
    assert!(started.elapsed().as_secs() < 30);
}

#[test]
fn a_check_that_times_out_leaves_the_rest_to_run() {
    let library = ring("HANGS_DRAWING");
    let run = antipode()
        .args(["test-plugin", "--time-limit", "0.2"])
        .arg(&library)
        .output();
    let out = stdout(&run.expect("antipode runs"), 4);
    for line in [
        "  late    drawings-read-back               timed out after 0.2 s of processor time in \
         `drawings-read-back`; last call: `draw`",
        "  ok      nonsense-is-refused",
        "  ok      canonical-is-idempotent",
        "  ok      new-process-does-not-matter      all answers since the check that timed out",
        "checks timed out, and no other failed",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    assert_eq!(out.matches("collect-states").count(), 2, "{out}");
}

#[test]
fn boards_of_a_counterexample_are_drawn() {
    let run = antipode()
        .arg("test-plugin")
        .arg(ring("ONE_WAY_PREDECESSOR"))
        .output();
    let out = stdout(&run.expect("antipode runs"), 3);
    let failed = out
        .lines()
        .position(|line| line.contains("FAILED  successors-have-pred"));
    let after: Vec<&str> = out
        .lines()
        .skip(failed.expect("a failure") + 1)
        .take(4)
        .map(str::trim)
        .collect();
    assert_eq!(after, ["state:", "06", "successor:", "07"]);
}
