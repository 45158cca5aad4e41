//! `include/antipode.h` agrees with the sources, and reads as C99 and C++11.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Set to any value, it makes the first test write the header instead of comparing it.
const RENEW: &str = "ANTIPODE_RENEW_HEADER";

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(here("cbindgen.toml")).expect("cbindgen.toml reads");
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(here("src/abi/values.rs"))
        .with_src(here("src/abi/variant.rs"))
        .with_src(here("src/abi/table.rs"))
        .generate()
        .expect("the boundary's types are C types");
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).expect("UTF-8")
}

#[test]
fn the_header_is_not_stale() {
    let path = here("include/antipode.h");
    let fresh = generated();
    if env::var_os(RENEW).is_some() {
        fs::write(&path, &fresh).expect("the header can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let differs = fresh
        .lines()
        .zip(committed.lines())
        .position(|(fresh, committed)| fresh != committed);
    let line = differs.unwrap_or_else(|| fresh.lines().count().min(committed.lines().count())) + 1;
    assert!(
        fresh == committed,
        "puzzle-api/include/antipode.h is stale from line {line} on. Renew and commit it:\n\
         \n    {RENEW}=1 cargo test -p antipode-puzzle-api --test header\n"
    );
}

#[test]
fn every_member_says_whether_it_is_required() {
    let header = generated();
    let members = |name: &str| {
        let end = header.find(&format!("}} {name};")).expect("the type");
        let start = header[..end].rfind("typedef struct {").expect("its start");
        header[start..end].split("/**").skip(1)
    };
    let comments: Vec<&str> = ["AntipodeTable", "AntipodeVariant"]
        .into_iter()
        .flat_map(members)
        .collect();
    assert!(comments.len() > 40, "one comment a member");
    for comment in comments {
        let comment = &comment[..comment.find("*/").expect("its end")];
        let words: Vec<&str> = comment
            .split_whitespace()
            .filter(|word| *word != "*")
            .collect();
        let comment = words.join(" ");
        let optional = comment.contains("Optional");
        assert!(
            optional || comment.contains("Required"),
            "neither required nor optional:{comment}"
        );
        let loss = ["Without it", "Null"]
            .iter()
            .any(|word| comment.contains(word));
        assert!(!optional || loss, "does not say what is lost:{comment}");
    }
}

fn compiles(compiler: &str, arguments: &[&str], name: &str) -> Option<()> {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = "#include \"antipode.h\"\n\
        static AntipodeTable table;\n\
        const AntipodeTable *antipode_puzzle_v1(void) { \
        table.abi_version = ANTIPODE_ABI_VERSION; \
        table.table_size = (uint32_t)sizeof table; \
        table.variant_size = (uint32_t)sizeof(AntipodeVariant); \
        return ANTIPODE_NOWHERE > ANTIPODE_MAX_BATCH ? &table : NULL; }\n";
    fs::write(&source, text).expect("a source");
    let output = Command::new(compiler)
        .args(arguments)
        .args([
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ])
        .arg(here("include"))
        .arg(&source)
        .output()
        .ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{compiler} {arguments:?}:\n{errors}"
    );
    Some(())
}

#[test]
fn the_header_is_c99() {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    compiles(&compiler, &["-std=c99"], "header.c").expect("a C compiler: install one or set CC");
}

#[test]
fn the_header_is_cpp11() {
    use std::io::Write;
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".into());
    if compiles(&compiler, &["-std=c++11"], "header.cpp").is_none() {
        // Not eprintln, which is only shown for failing tests.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED the_header_is_cpp11: no C++ compiler '{compiler}'"
        );
    }
}
