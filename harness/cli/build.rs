//! How the program is linked.

use std::env::{var, var_os};
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed address the loader relocates 14,000 fewer addresses, on 90 pages that it would
    // have to copy first. This saves 0.4 ms of the 2 ms of a start.
    if is_measured() && is_plain() {
        println!("cargo:rustc-link-arg-bins=-no-pie");
        if let Some(folder) = unwinder_within() {
            println!("cargo:rustc-link-arg-bins=-L{folder}");
        }
    }
}

/// A folder in which the linker finds the compiler's runtime as archives instead of a shared
/// library. That leaves one library fewer to find, map and relocate at the start, and none that
/// queries the processor, which is slow on a virtual machine. `None` if the compiler has no such
/// archives.
fn unwinder_within() -> Option<String> {
    let archives = ["libgcc_eh.a", "libgcc.a"].map(archive);
    let [Some(unwinder), Some(rest)] = archives else {
        return None;
    };
    let folder = var("OUT_DIR").ok()?;
    let script = format!("INPUT({unwinder} {rest})\n");
    std::fs::write(Path::new(&folder).join("libgcc_s.so"), script).ok()?;
    Some(folder)
}

/// If the compiler has its own archive.
fn archive(name: &str) -> Option<String> {
    let mut compiler = Command::new("cc");
    let told = compiler.arg(format!("-print-file-name={name}")).output();
    let path = String::from_utf8(told.ok()?.stdout).ok()?;
    let path = path.trim();
    // Only the name if it has none.
    Path::new(path).is_absolute().then(|| path.to_owned())
}

/// Whether this is the platform on which it was measured.
fn is_measured() -> bool {
    let is = |name: &str, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && var("HOST") == var("TARGET")
}

/// Whether no options for compiling or linking are set. Another linker may not know the option, and
/// a static or a position-independent executable contradicts it.
fn is_plain() -> bool {
    var_os("CARGO_ENCODED_RUSTFLAGS").is_none_or(|flags| flags.is_empty())
        && var_os("RUSTC_LINKER").is_none()
}
