//! How the program is linked.

use std::env::{var, var_os};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At an address of its own the loader has 14,000 addresses in tables less to mend, on 90
    // pages that it would have to copy first: 0.4 ms of 2 ms that a start takes.
    if is_measured() && is_plain() {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}

/// Whether it is the platform on which that was measured.
fn is_measured() -> bool {
    let is = |name: &str, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && var("HOST") == var("TARGET")
}

/// Whether nobody has said how to compile or link: another linker may not know the option, and
/// what is linked statically, or is to lie anywhere on purpose, contradicts it.
fn is_plain() -> bool {
    var_os("CARGO_ENCODED_RUSTFLAGS").is_none_or(|flags| flags.is_empty())
        && var_os("RUSTC_LINKER").is_none()
}
