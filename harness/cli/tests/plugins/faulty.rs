//! Libraries that lie, each in one way: each is caught by its own check, with its own message, and
//! none crashes the harness.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;
use serde_json::Value;

use crate::make::{cargo, on, scratch};
use crate::support::{Ran, Text, antipode, folder_with, rows, runs};

/// A ring with a lie, and with what else is defined after it.
fn ring(lie: &str) -> PathBuf {
    let define = format!("-DLIE_{lie}");
    let draws = ["RANDOM", "DRAWN", "NONE"]
        .contains(&lie)
        .then_some("-DDRAWS");
    let defined: Vec<&str> = draws.into_iter().chain(define.split(' ')).collect();
    let name = lie.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    crate::make::ring(&defined, &format!("ring_{name}.so"))
}

/// Runs `test-plugin` and gives the first failure: its check, its text and its boards.
fn first_failure(library: &Path) -> (String, String, Vec<String>) {
    let line = "test-plugin --format json --time-limit 30";
    let report = on(library, line).ended(3).json();
    let mut findings = report["findings"].as_array().expect("findings").iter();
    let first = findings.find(|finding| finding["outcome"] == "failed");
    let first = first.expect("a failure");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let boards = first["boards"].as_array().expect("boards");
    let states = boards.iter().map(|board| text(&board["state"])).collect();
    (text(&first["check"]), text(&first["text"]), states)
}

/// Lies, each with the check that catches it, the message, and the smallest states that show it.
const LIES: &str = "
    SAYS_MORE | collect-states | says it wrote 33 keys where 32 fit | 00
    WRITES_BEYOND | capacity-is-respected | successors wrote beyond the capacity | 00
    OFFSETS | capacity-is-respected | offsets that do not rise |
    DONE | collect-states | returned OK after 0 of 1 states | 00
    RANK | ranks-are-in-range | rank 24 in part 0, which has 24 ranks | 07
    PLACE | unrank-inverts-place | unrank of its rank 8 | 07 08
    NOWHERE | parts-cover | lies in no part | 12 12
    CANONICAL | canonical-is-idempotent | canonical of canonical differs | 07 17 07
    CANONICAL_ELSEWHERE | canonical-lies-in-orbit | none of the images | 07 03
    ORBIT_SIZE | orbit-size-counts-images | orbit size 2 given, but 1 different | 00
    SYMMETRY | symmetry-keeps-moves | are not the images | 05 19
    ONE_WAY_PREDECESSOR | successors-have-predecessors | not among the predecessors | 06 07
    ONE_WAY_SUCCESSOR | predecessors-have-successors | not among the successors | 06 07
    DIRECTED | moves-can-be-undone | no move leads | 00 01
    THREAD | threads-do-not-matter | is_solved of this state | 05
    BATCH | batches-do-not-matter | is_solved of this state | 02
    BUCKET | batches-do-not-matter | bucket of this state | 00
    CRASHES | batches-do-not-matter | invalid memory access (SIGSEGV) |
    ABORTS | roots-are-solved | aborted (SIGABRT) |
    EXITS | roots-are-solved | ended the process with exit code 0 |
    CRASHES_ON_LOADING | load | aborted (SIGABRT) |
    DRAW | drawings-read-back | another state | 08 08
    TEXT | drawings-read-back | beyond the capacity of its text | key_0x0
    PARSE | nonsense-is-refused | for a state that is none | 99
    ROOTS | roots-are-solved | not solved | 01
    FLAG | roots-are-solved | wrote 2, allowed are 0 and 1 | 00
    NULL_DELIVERY | collect-states | null or misaligned pointer |
    PARTS | moves-stay-in-part | from part 0 to part 1 | 00 23
    VARIANT | variants-agree-on-successors | variant fast lacks one of the successors | 06 07
    RANDOM | draws-ignore-batches | depends on the batch | 06 09
    DRAWN | draws-are-states | does not read back | 24
    SWEEP_DEPTH | sweep-agrees-with-hash | distance 6 in an orbit of 2 by the sweep, distance 7 | 07
    SWEEP_MISSES | sweep-agrees-with-hash | left out | 07
    SWEEP_TWICE | sweep-delivers-once | delivered twice | 07
    ROOT_LEFT_OUT | solved-are-roots | solved, but not listed among the solved states of part 0 | 12
    TAKES_ANY_SETTING | unknown-settings-are-refused | takes the unknown setting no-such-setting=1 |
    SILENT_REFUSAL | unknown-settings-are-refused | without one line that says why |
    SPACE | drawings-read-back | parse refuses what draw wrote | 62
    CLAIMS | claims-are-read | line 3, column 1: claim 'ring': statement = 3 is not a text |
    LAYERED | levels-are-layers | said to be layered, but the second state is reached in 0 moves and in 2 | 01 00
    SWEEP_ENDLESS | sweep-delivers-once | sweep delivered a state twice | 00
    MANY_PARTS | collect-states | returned 1152921504606846976, allowed are 1 to 268435456 |
    CUT_TEXT | drawings-read-back | draw says it wrote 2058 bytes where 2048 fit | key_0x0
    STATES=\"00\\01201\" | names-are-states | names leaves out the last line feed | 00
    STATES=\"00\\012\\012\" | names-are-states | the name '' is empty, or has blanks at an end |
    MOVE=\"\\033[1mon\" | names-are-lines | describe_move writes '\u{fffd}[1mon', which is not one line | 00 01
    MOVE=\"go\" | names-are-lines | describe_move gives all moves of every state one name | 00
    PART=\"odd\\012even\" | names-are-lines | even', which is not one line |
    SYMMETRY_COUNT | collect-states | returned 4000000000, allowed are 1 to 65536 |
";

#[test]
fn every_lie_is_caught_by_its_own_check() {
    rows(LIES)
        .into_par_iter()
        .for_each(|[lie, check, message, states]| {
            let (found, text, boards) = first_failure(&ring(lie));
            assert_eq!(found, check, "{lie}: {text} {boards:?}");
            text.has([message]);
            let boards: Vec<String> = boards.iter().map(|board| board.replace(' ', "_")).collect();
            assert_eq!(boards.join(" "), states, "{lie}: {text}");
        });
}

/// A lie or none, a line, an exit code, and what is said, or `~` and what is not. The header allows
/// that this instance lists no solved states; a library without `derive` has nothing for its claims;
/// two certificates cannot have one name; no text can drive a terminal, or is endless. A name is
/// known if any variant lists it, parts without `place` are searched as one, and a call that fails
/// by itself is no disagreement.
#[test]
fn what_is_said_of_one_ring_or_another() {
    let out = scratch("ring_claims").display().to_string();
    for [lie, line, code, said] in rows(
        "NONE | test-plugin | 0 | no check failed
         NONE | test-plugin --instance 25 | 2 | no instance of ring '25'
         NONE | test-plugin --set a=b | 2 | takes no settings
         SILENT_OPEN | test-plugin | 2 | ring: refused this and did not say why
         ROOTS_UNSUPPORTED | test-plugin | 0 | solved states are not listed: roots-are-solved
         ROOTS_UNSUPPORTED | analyse ring/24 --from 03 --engine hash | 0 | forward
         ROOTS_UNSUPPORTED | analyse ring/24 | 2 | cannot list its solved states
         SWEEP_DOUBLES | analyse ring/24 --engine sweep | 2 | delivered states at distance 2 and none at 1
         SWEEP_TWICE | analyse ring/24 --engine sweep | 3 | space counts 24 states, and the levels have 26
         ESCAPES | list | 0 | red \u{fffd}[31m and a bell \u{fffd}; ~\u{1b}; ~\u{7}
         LONG_REFUSAL | analyse ring/24 | 2 | xxx…
         NO_PLACE | analyse ring/24 --engine hash | 0 | greatest distance, 12
         STATES=\"goal\\012\" | solve ring/24 --from 03 --to goal | 0 | 3 moves
         DONE | analyse ring/24 | 2 | fails the check collect-states
         VARIANT | analyse ring/24 --engine hash | 3 | 07: counts as unsolvable
         VARIANT -DSYMMETRIES=8000 | analyse ring/24 --engine hash | 3 | 07: counts as unsolvable
         VARIANT -DSYMMETRIES=8000 | analyse ring/24 --engine dense | 3 | 07: counts as unsolvable
         CLAIMS_DERIVED | certify ring --out | 2 | ring derives nothing
         CLAIMS_OF_TILT | certify --out | 2 | two claims have the id 'tilt-keep', one in claims of tilt and one in claims of ring
         CLAIMS_OF_TILT | certify ring --out | 2 | ~two claims",
    ) {
        let line = line.replace("--out", &format!("--out {out}"));
        let ran = on(&ring(lie), &line).ended(code.parse().expect("a code"));
        (ran.out + &ran.err).says(said);
    }
}

/// Lines of findings fold as others do.
#[test]
fn findings_fit_a_terminal() {
    let library = ring("SWEEP_DEPTH");
    let mut command = antipode();
    command
        .arg("test-plugin")
        .arg(&library)
        .env("COLUMNS", "80");
    let ran: Ran = command.output().expect("antipode runs").into();
    let lines = ran.ended(3).out;
    let name = library.display().to_string();
    for line in lines.lines().filter(|line| !line.contains(&name)) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

/// A file is refused: exit code 2 and one line.
#[test]
fn tables_that_break_the_boundary_are_refused() {
    let ours = puzzle_api::abi::ANTIPODE_ABI_VERSION;
    let version =
        format!("VERSION | speaks version 1 of the boundary, this Antipode speaks {ours}:");
    for [lie, message] in rows(&format!(
        "{version}
         SHORT | hands over a table of 64 bytes, expected
         SHORT_VARIANT | hands over variants of 64 bytes, expected
         NULL | leaves the required member 'successors' of variants[1] null
         NO_TABLE | returned null instead of a table
         KEY_WORDS | says key_words = 3, allowed are 1 and 2
         NAMES | lists the instance '24' twice
         RELEASE=\"1\\377\" | use a line of UTF-8
         DERIVATIONS=\"answer=number:moves\" | has the derivation 'answer=number:moves'
         SYMBOL | has no symbol 'antipode_puzzle_v1'
         UNRESOLVED | nowhere_defined"
    )) {
        let library = ring(lie);
        for line in ["test-plugin", "list"] {
            let ran = on(&library, line).refused();
            ran.err.has([message, library.to_str().expect("a name")]);
        }
    }
}

#[test]
fn panics_in_rust() {
    let library = cargo("harness/cli/tests/faulty_plugins/panicking", "panicking");
    let (check, text, boards) = first_failure(&library);
    assert_eq!(check, "collect-states");
    let message =
        "panicking/ten (reference): successors failed: panicked: place 7 has no neighbours";
    text.has([message]);
    assert_eq!(boards, ["7"]);
    // Caught on the plugin's side: it is an error as any, and needs no time limit.
    on(&library, "test-plugin --no-isolate")
        .ended(3)
        .out
        .has([message]);
}

/// A library that ends the process that loads it does not end a benchmark.
#[test]
fn a_benchmark_outlives_what_it_loads() {
    for [lie, how] in rows(
        "CRASHES_ON_LOADING | loading aborted (SIGABRT)
         EXITS_ON_LOADING | loading ended the process with exit code 0",
    ) {
        let library = ring(lie);
        let suite = format!(
            "[suite]\nname = \"ring\"\nplugins = [\"{}\"]\n[[row]]\nname = \"ring\"\ninstance = \"ring/24\"\n",
            library.display()
        );
        let ran = runs(folder_with("suite.toml", suite), "bench suite.toml");
        ran.refused().err.has([how, "test-plugin"]);
    }
}

#[test]
fn a_faulty_plugin_is_caught_before_any_search() {
    let library = ring("ONE_WAY_PREDECESSOR");
    for verb in ["analyse", "verify", "solve"] {
        let ran = on(&library, &format!("{verb} ring/24")).ended(3);
        assert_eq!(ran.out, "");
        ran.err.has([
            "fails the check successors-have-predecessors on ring/24, the first that it lists:",
            "state 06, successor 07",
        ]);
    }
    // The boards are drawn.
    let out = on(&library, "test-plugin").ended(3).out;
    let lines = out
        .lines()
        .skip_while(|line| !line.contains("FAILED  successors-have-pred"));
    let after: Vec<&str> = lines.skip(1).take(4).map(str::trim).collect();
    assert_eq!(after, ["state:", "06", "successor:", "07"]);
}

#[test]
fn a_hang_costs_no_more_than_its_time_limit() {
    let started = Instant::now();
    let ran = on(&ring("HANGS"), "test-plugin --time-limit 0.5").ended(4);
    ran.out
        .has(["timed out after 0.5 s of processor time in `collect-states`; last call: `"]);
    assert!(started.elapsed().as_secs() < 30);
}

#[test]
fn a_check_that_times_out_leaves_the_rest_to_run() {
    let out = on(&ring("HANGS_DRAWING"), "test-plugin --time-limit 0.2")
        .ended(4)
        .out;
    out.has([
        "  late    drawings-read-back               timed out after 0.2 s of processor time in \
         `drawings-read-back`; last call: `draw`",
        "  ok      nonsense-is-refused",
        "  ok      canonical-is-idempotent",
        "  ok      new-process-does-not-matter      all answers since the check that timed out",
        "checks timed out, and no other failed",
    ]);
    assert_eq!(out.matches("collect-states").count(), 2, "{out}");
}
