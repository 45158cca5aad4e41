//! The gate with a second executable: how far it is trusted, and its faults.

use super::*;

#[test]
fn a_second_executable_that_fails_leaves_times_unjudged() {
    let folder = with_baseline();
    let at = folder.path();
    impostor(at, "echo broken >&2; exit 7");
    let ran = gate(at, "--against other").ended(4);
    ran.out.has([
        "answers: ok",
        "time: nothing said",
        "reached: FAILED",
        "exit code 7: broken",
    ]);
}

/// Times are those stated by an executable, but no more than was observed.
#[test]
fn a_second_executable_that_states_too_long_a_time_is_not_believed() {
    let folder = with_baseline();
    let at = folder.path();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(
        at,
        &format!("{this} \"$@\" | sed 's/\"cpu_s\": [0-9.e-]*/\"cpu_s\": 9.0/'"),
    );
    let ran = gate(at, "--against other").ended(4);
    ran.out
        .has(["it says that it took 9.000 s of processor time"]);
}

/// The other branch may have a wrong answer that a change corrects.
#[test]
fn a_second_executable_that_answers_wrongly_is_told_and_no_fault_of_the_first() {
    let folder = with_baseline();
    let at = folder.path();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(at, &format!("exec {this} \"$@\" --max-depth=2"));
    let ran = gate(at, "--against other").ended(0);
    ran.out.has([
        "queue@against: the other build answered",
        "no time to compare this one with",
    ]);
}

/// For one that never prints its version, the wait ends at a stop.
#[test]
fn a_second_executable_that_hangs_can_be_stopped() {
    let folder = with_baseline();
    let at = folder.path();
    fs::write(
        at.join("hang"),
        "#!/bin/sh\necho here >>started\nsleep 600\n",
    )
    .unwrap();
    fs::set_permissions(at.join("hang"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = antipode();
    command.current_dir(at).stderr(Stdio::piped());
    command.args(["regress", "--baseline", "base.toml", "--against", "hang"]);
    let child = command.spawn().unwrap();
    while !at.join("started").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let group = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(group, nix::sys::signal::Signal::SIGTERM).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap()).ended(4);
    ran.err.has(["stopped before anything was measured"]);
}

#[test]
fn an_executable_that_changes_while_it_is_measured_ends_the_run() {
    let folder = with_baseline();
    let at = folder.path();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(at, &format!("echo '# more' >>\"$0\"; exec {this} \"$@\""));
    let ran = gate(at, "--against other --out out").refused();
    ran.err.has(["changed while it was measured"]);
}
