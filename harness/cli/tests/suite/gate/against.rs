//! The gate with a second executable: how far it is trusted, and its faults.

use super::*;

/// Times are those stated by an executable, but no more than was observed. The other branch may have
/// a wrong answer that a change corrects.
#[test]
fn a_second_executable_is_trusted_as_far_as_it_goes() {
    let at = &with_baseline();
    let this = env!("CARGO_BIN_EXE_antipode");
    let slow = "sed 's/\"cpu_s\": [0-9.e-]*/\"cpu_s\": 9.0/'";
    for (does, code, said) in [
        (
            "echo broken >&2; exit 7",
            4,
            &[
                "answers: ok",
                "time: nothing said",
                "reached: FAILED",
                "exit code 7: broken",
            ][..],
        ),
        (
            &format!("{this} \"$@\" | {slow}"),
            4,
            &["it says that it took 9.000 s of processor time"],
        ),
        (
            &format!("exec {this} \"$@\" --max-depth=2"),
            0,
            &[
                "queue@against: the other build answered",
                "no time to compare this one with",
            ],
        ),
    ] {
        impostor(at, does);
        gate(at, "--against other").ended(code).out.has(said);
    }
}

/// For one that never prints its version, the wait ends at a stop.
#[test]
fn a_second_executable_that_hangs_can_be_stopped() {
    let at = &with_baseline();
    let hang = "#!/bin/sh\necho here >>started\nsleep 600\n";
    script(at.join("hang"), hang);
    let ran = stopped_at(at, "--against hang", "started", || ());
    ran.err.has(["stopped before anything was measured"]);
}

#[test]
fn an_executable_that_changes_while_it_is_measured_ends_the_run() {
    let at = &with_baseline();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(at, &format!("echo '# more' >>\"$0\"; exec {this} \"$@\""));
    let ran = gate(at, "--against other --out out").refused();
    ran.err.has(["changed while it was measured"]);
}
