//! Builds libraries from source and runs `antipode` on them.

use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, Text, root, run_in, words};

/// A path for a test's own files.
pub fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn compile(compiler: &OsStr, arguments: &[&str], source: &str, library: &Path) -> Option<()> {
    let output = Command::new(compiler)
        .args(arguments)
        .args(words("-Wall -Wextra -pedantic -Werror -shared -fPIC -I"))
        .arg(root().join("puzzle-api/include"))
        .arg(root().join(source))
        .arg("-o")
        .arg(library)
        .output()
        .ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{source} {arguments:?}:\n{errors}");
    Some(())
}

/// Builds a C source with the system's compiler. Without one the test fails: every
/// machine that runs these tests has a linker, and with it a C compiler.
pub fn c(source: &str, arguments: &[&str], name: &str) -> PathBuf {
    let library = scratch(name);
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    compile(&compiler, arguments, source, &library).expect("a C compiler: install one or set CC");
    library
}

/// Builds a C++ source; without a compiler the test is skipped, and says so.
pub fn cpp(source: &str, name: &str) -> Option<PathBuf> {
    let library = scratch(name);
    let compiler = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let built = compile(&compiler, &["-std=c++11", "-O2"], source, &library);
    if built.is_none() {
        // Not eprintln, which is only shown for failing tests.
        let line = format!("SKIPPED {name}: no C++ compiler (install one or set CXX)\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    built.map(|()| library)
}

/// Builds a crate outside the workspace as its user does; returns the library.
pub fn cargo(folder: &str, name: &str) -> PathBuf {
    let target = scratch("outside-crates");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = |more: &[&str]| {
        Command::new(&cargo)
            .args(["build", "--release", "--quiet"])
            .args(more)
            .current_dir(root().join(folder))
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .expect("cargo runs")
    };
    // The dependencies of these crates have been fetched for the workspace already.
    let mut output = build(&["--offline"]);
    if !output.status.success() {
        output = build(&[]);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{folder}:\n{errors}");
    let file = format!(
        "{}{name}{}",
        env::consts::DLL_PREFIX,
        env::consts::DLL_SUFFIX
    );
    target.join("release").join(file)
}

/// The honest ring of 24 places, with some definitions.
pub fn ring(defined: &[&str], name: &str) -> PathBuf {
    let source = "harness/cli/tests/faulty_plugins/ring.c";
    let base = ["-std=gnu99", "-O1", "-Wno-unused-parameter"];
    c(source, &[&base[..], defined].concat(), name)
}

/// Runs a line on a library, which is loaded, or tested by `test-plugin`.
pub fn on(library: &Path, line: &str) -> Ran {
    on_in(".", library, line)
}

/// The same in a folder.
pub fn on_in(folder: impl AsRef<Path>, library: &Path, line: &str) -> Ran {
    let mut args = words(line);
    args.extend((args[0] != "test-plugin").then_some("--plugin"));
    args.push(library.to_str().expect("a name"));
    run_in(folder.as_ref(), &args)
}

/// Passes every check of `test-plugin`.
pub fn passes(library: &Path, more: &str) {
    let ran = on(library, &format!("test-plugin {more}")).ended(0);
    ran.out.has(["no check failed"]);
}

/// Passes every check on the instances that the arguments name. A skipped check is reported first,
/// and is no pass.
pub fn passes_on(library: &Path, more: &str, left_out: &str) {
    let out = on(library, &format!("test-plugin {more}")).ended(4).out;
    assert!(out.starts_with("note: "), "{out}");
    let left_out = format!("of the instances are left out: {left_out}");
    out.has([&left_out, "no check failed on what was tested"]);
}

/// The level table of an analysis as states by depth, and the unsolvable ones.
pub fn levels(library: &Path, instance: &str, more: &str) -> (Vec<u64>, u64) {
    let line = format!("analyse {instance} --format json {more}");
    let value = on(library, &line).ended(0).json();
    let states = |level: &Value| -> u64 {
        let text = level["states"].as_str();
        text.and_then(|text| text.parse().ok()).unwrap_or(0)
    };
    let levels = value["levels"]["levels"].as_array().expect("levels");
    (
        levels.iter().map(states).collect(),
        states(&value["levels"]["unsolvable"]),
    )
}
