//! Printed programs are compiled and run: pasted code must do what was tested.

use std::process::Command;

use antipode_bitlab::permute::timing::time_programs;
use antipode_bitlab::permute::{
    Lang, Permutation, Program, SplitMix64, Strategy, emit, function, helpers,
};

const WORDS: usize = 200;

fn programs() -> Vec<(Permutation, Program)> {
    let mut all = Vec::new();
    for spec in ["board:5x5x2:rotate90", "reverse:64", "random:37:5"] {
        let perm: Permutation = spec.parse().expect(spec);
        let right = Strategy::ALL
            .into_iter()
            .filter(|s| *s != Strategy::AsPrinted);
        all.extend(right.map(|s| (perm, s.compile(&perm).program)));
    }
    all
}

/// The words that a test program feeds to function `i`, and the sum that it must print.
fn expected(all: &[(Permutation, Program)]) -> String {
    let line = |(perm, _): &(Permutation, Program)| {
        let mut words = SplitMix64::new(1);
        let sum = (0..WORDS as u64).fold(0u64, |sum, i| {
            let out = perm.apply(words.next_word() & perm.domain());
            sum.rotate_left(7).wrapping_add(out ^ i)
        });
        format!("{sum}\n")
    };
    all.iter().map(line).collect()
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Compiles all programs with a test program around them, in each of two ways, and runs it.
fn compiled_and_run(
    lang: Lang,
    (before, after): (&str, &str),
    call: fn(usize, u64) -> String,
    (file, compiler): (&str, &[&str]),
    ways: [&[&str]; 2],
) {
    let all = programs();
    let references: Vec<&Program> = all.iter().map(|(_, p)| p).collect();
    let mut text = before.to_owned() + &helpers(&references, lang);
    let mut calls = String::new();
    for (i, (perm, program)) in all.iter().enumerate() {
        text.push_str(&function(program, &format!("f{i}"), lang));
        calls.push_str(&call(i, perm.domain()));
    }
    text += &after
        .replace("CALLS", &calls)
        .replace("WORDS", &WORDS.to_string());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, binary) = (folder.path().join(file), folder.path().join("p"));
    std::fs::write(&source, text).expect("written");
    for flags in ways {
        let mut command = Command::new(compiler[0]);
        command.args(&compiler[1..]).args(flags);
        output(command.arg("-o").arg(&binary).arg(&source));
        assert_eq!(output(&mut Command::new(&binary)), expected(&all));
    }
}

const RUST: &str = "fn next(s: &mut u64) -> u64 {
    *s = s.wrapping_add(0x9e3779b97f4a7c15);
    let mut z = *s;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^ (z >> 31)
}
fn run(f: fn(u64) -> u64, domain: u64) {
    let (mut s, mut sum) = (1, 0u64);
    for i in 0..WORDS {
        sum = sum.rotate_left(7).wrapping_add(f(next(&mut s) & domain) ^ i);
    }
    println!(\"{sum}\");
}
fn main() {
CALLS}
";

const C: &str = "#include <stdio.h>
static uint64_t next(uint64_t *s)
{
    uint64_t z = *s += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
static void run(uint64_t (*f)(uint64_t), uint64_t domain)
{
    uint64_t s = 1, sum = 0;
    for (uint64_t i = 0; i < WORDS; i++)
        sum = (sum << 7 | sum >> 57) + (f(next(&s) & domain) ^ i);
    printf(\"%llu\\n\", (unsigned long long)sum);
}
int main(void)
{
CALLS    return 0;
}
";

/// Without and with the special instructions of this machine.
#[test]
fn emitted_source_compiles_and_agrees() {
    compiled_and_run(
        Lang::Rust,
        ("#![deny(warnings)]\n#![allow(dead_code)]\n", RUST),
        |i, domain| format!("    run(f{i}, {domain});\n"),
        ("p.rs", &["rustc", "--edition=2021"]),
        [&["-O"], &["-O", "-C", "target-cpu=native"]],
    );
    compiled_and_run(
        Lang::C,
        ("", C),
        |i, domain| format!("    run(f{i}, UINT64_C({domain}));\n"),
        ("p.c", &["cc", "-std=gnu99", "-Wall"]),
        [&["-O1"], &["-O1", "-march=native"]],
    );
}

#[test]
fn a_single_program_is_printed_whole() {
    let perm: Permutation = "board:5x5x2:rotate90".parse().expect("a board");
    let program = Strategy::PextPdep.compile(&perm).program;
    let rust = emit(&program, Lang::Rust);
    assert!(rust.contains("fn pdep64") && rust.contains("pub fn permute(x: u64) -> u64"));
    assert!(rust.contains("/// 13 operations, 5 constants, depth 5."));
    let c = emit(&program, Lang::C);
    assert!(c.contains("uint64_t permute(uint64_t x)") && c.contains("#include <stdint.h>"));
}

#[test]
fn programs_are_timed() {
    let perm: Permutation = "random:64:1".parse().expect("a permutation");
    let naive = Strategy::Naive.compile(&perm).program;
    let empty = Program::new();
    let limit = std::time::Duration::from_secs(60);
    let times = time_programs(&[&naive, &empty], limit).expect("timed");
    assert!(times[0].latency > times[1].latency, "{times:?}");
    let error = time_programs(&[&naive], std::time::Duration::ZERO).expect_err("no time");
    assert!(error.contains("time limit"), "{error}");
}
