//! Builds libraries from source and runs `antipode` on them.

use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A path for a test's own files.
pub fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn compile(compiler: &OsStr, arguments: &[&str], source: &str, library: &Path) -> Option<()> {
    let output = Command::new(compiler)
        .args(arguments)
        .args([
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-shared",
            "-fPIC",
            "-I",
        ])
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

/// `antipode`, ready for arguments.
pub fn antipode() -> Command {
    Command::new(env!("CARGO_BIN_EXE_antipode"))
}

/// Standard output, with a checked exit code.
pub fn stdout(output: &Output, code: i32) -> String {
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    out
}

/// The output of `test-plugin` on a library.
fn tested(library: &Path, arguments: &[&str], code: i32) -> String {
    let mut command = antipode();
    let run = command.arg("test-plugin").arg(library).args(arguments);
    stdout(&run.output().expect("antipode runs"), code)
}

/// Passes every check of `test-plugin`.
pub fn passes(library: &Path, arguments: &[&str]) {
    let out = tested(library, arguments, 0);
    assert!(out.contains("no check failed"), "{out}");
}

/// Passes every check on the instances that the arguments name. A skipped check is reported first,
/// and is no pass.
pub fn passes_on(library: &Path, arguments: &[&str], left_out: &str) {
    let out = tested(library, arguments, 4);
    assert!(out.starts_with("note: "), "{out}");
    let left_out = format!("of the instances are left out: {left_out}");
    assert!(out.contains(&left_out), "{out}");
    assert!(out.contains("no check failed on what was tested"), "{out}");
}

/// The level table of an analysis as states by depth, and the unsolvable ones.
pub fn levels(library: &Path, instance: &str, arguments: &[&str]) -> (Vec<u64>, u64) {
    let run = antipode()
        .args(["analyse", instance, "--format", "json", "--plugin"])
        .arg(library)
        .args(arguments)
        .output();
    let out = stdout(&run.expect("antipode runs"), 0);
    let value: Value = serde_json::from_str(&out).expect("JSON");
    let states = |level: &Value| -> u64 {
        level["states"]
            .as_str()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0)
    };
    let levels = value["levels"]["levels"].as_array().expect("levels");
    (
        levels.iter().map(states).collect(),
        states(&value["levels"]["unsolvable"]),
    )
}
