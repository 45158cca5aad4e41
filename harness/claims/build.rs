//! Records which commit it is built from, and by which compiler, for certificates.

use std::env;
use std::process::Command;

fn main() {
    let ask = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let line = text.lines().next().filter(|_| output.status.success())?;
        Some(line.to_owned())
    };
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let rustc = ask(&compiler, &["--version"]).unwrap_or_else(|| "unknown".to_owned());
    // Else each commit would force a new development build.
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    // If there is no repository, as in an image, the builder names the commit.
    println!("cargo::rerun-if-env-changed=ANTIPODE_BUILD_COMMIT");
    let named = env::var("ANTIPODE_BUILD_COMMIT").ok();
    let named = named.filter(|commit| !commit.is_empty());
    let commit = named.or_else(|| ask("git", &["rev-parse", "HEAD"]));
    let commit = commit.filter(|_| release);
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=ANTIPODE_RUSTC={rustc}");
    println!("cargo::rustc-env=ANTIPODE_COMMIT={commit}");
    println!("cargo::rerun-if-changed=build.rs");
    // A new commit moves the log of HEAD, wherever the work tree keeps it.
    let log = ask("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|_| release) {
        println!("cargo::rerun-if-changed={log}");
    }
}
