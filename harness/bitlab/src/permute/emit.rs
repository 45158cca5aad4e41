//! Programs printed as source: a self-contained Rust or C function to paste.

use std::fmt::Write;

use super::program::{Op, Program, Value};

/// A language to print a program in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lang {
    /// Rust, edition 2021 or later, no dependencies.
    Rust,
    /// C99 with GCC's or Clang's built-in functions.
    C,
}

/// The program as a function called `permute`, with the helpers it needs before it.
pub fn emit(program: &Program, lang: Lang) -> String {
    helpers(&[program], lang) + &function(program, "permute", lang)
}

/// The helper functions that these programs need, once. `pext`, `pdep` and shuffles are one
/// instruction if the compiler knows that the target has it (`-C target-cpu=native`,
/// `-march=native`), and a loop elsewhere.
pub fn helpers(programs: &[&Program], lang: Lang) -> String {
    let uses = |wanted: fn(&Op) -> bool| programs.iter().any(|p| p.ops().iter().any(wanted));
    let mut text = String::new();
    if lang == Lang::C {
        text.push_str("#include <stdint.h>\n");
        text.push_str("#if defined(__BMI2__) || defined(__AVX512BITALG__)\n");
        text.push_str("#include <immintrin.h>\n#endif\n\n");
    }
    let parts: [(bool, &str); 3] = [
        (uses(|op| matches!(op, Op::Pext(..))), RUST_PEXT),
        (uses(|op| matches!(op, Op::Pdep(..))), RUST_PDEP),
        (uses(|op| matches!(op, Op::Shuffle(..))), RUST_SHUFFLE),
    ];
    let c = include_str!("helpers.c").split("\n\n");
    for ((_, rust), c) in parts.iter().zip(c).filter(|((used, _), _)| *used) {
        text.push_str(if lang == Lang::Rust { rust } else { c }.trim_end());
        text.push_str("\n\n");
    }
    text
}

/// One function, without helpers.
pub fn function(program: &Program, name: &str, lang: Lang) -> String {
    let mut text = tables(program, name, lang);
    let counts = program.counts();
    let comment = format!(
        "{} operations, {} constants, depth {}",
        counts.operations, counts.constants, counts.depth
    );
    let mut line = |args: std::fmt::Arguments<'_>| {
        // Writing to a String cannot fail.
        let _ = text.write_fmt(args);
    };
    match lang {
        Lang::Rust => line(format_args!(
            "/// {comment}.\n#[inline]\npub fn {name}(x: u64) -> u64 {{\n"
        )),
        Lang::C => line(format_args!(
            "/* {comment}. */\nstatic inline uint64_t {name}(uint64_t x)\n{{\n"
        )),
    }
    let mut result = word(program.result());
    for (i, op) in program.ops().iter().enumerate() {
        let right = expression(op, name, lang);
        if i + 1 == program.result().index() && i + 1 == program.ops().len() {
            result = right;
            break;
        }
        match lang {
            Lang::Rust => line(format_args!("    let v{} = {right};\n", i + 1)),
            Lang::C => line(format_args!("    const uint64_t v{} = {right};\n", i + 1)),
        }
    }
    match lang {
        Lang::Rust => line(format_args!("    {result}\n}}\n")),
        Lang::C => line(format_args!("    return {result};\n}}\n")),
    }
    text
}

fn word(value: Value) -> String {
    match value.index() {
        0 => "x".into(),
        i => format!("v{i}"),
    }
}

fn expression(op: &Op, name: &str, lang: Lang) -> String {
    let rust = lang == Lang::Rust;
    let w = word;
    match *op {
        Op::And(a, m) => format!("{} & {}", w(a), constant(m, lang)),
        Op::Or(a, b) => format!("{} | {}", w(a), w(b)),
        Op::Xor(a, b) => format!("{} ^ {}", w(a), w(b)),
        Op::Shl(a, d) => format!("{} << {d}", w(a)),
        Op::Shr(a, d) => format!("{} >> {d}", w(a)),
        Op::Rotl(a, d) if rust => format!("{}.rotate_left({d})", w(a)),
        Op::Rotl(a, d) => format!("{0} << {d} | {0} >> {1}", w(a), 64 - d),
        Op::Mul(a, c) if rust => format!("{}.wrapping_mul({})", w(a), constant(c, lang)),
        Op::Mul(a, c) => format!("{} * {}", w(a), constant(c, lang)),
        Op::MulHigh(a, c) if rust => {
            let product = format!("{} as u128 * {}_u128", w(a), constant(c, lang));
            format!("(({product}) >> 64) as u64")
        }
        Op::MulHigh(a, c) => {
            let factor = constant(c, lang);
            format!("(uint64_t)((unsigned __int128){} * {factor} >> 64)", w(a))
        }
        Op::Pext(a, m) => format!("pext64({}, {})", w(a), constant(m, lang)),
        Op::Pdep(a, m) => format!("pdep64({}, {})", w(a), constant(m, lang)),
        Op::Bswap(a) if rust => format!("{}.swap_bytes()", w(a)),
        Op::Bswap(a) => format!("__builtin_bswap64({})", w(a)),
        Op::Lookup(a, t) if rust => {
            let table = format!("{}_TABLE_{t}", name.to_uppercase());
            format!("{table}[({} & 255) as usize]", w(a))
        }
        Op::Lookup(a, t) => format!("{name}_table_{t}[{} & 255]", w(a)),
        Op::Shuffle(a, c) if rust => {
            format!("shuffle64({}, &{}_CONTROL_{c})", w(a), name.to_uppercase())
        }
        Op::Shuffle(a, c) => format!("shuffle64({}, {name}_control_{c})", w(a)),
    }
}

fn constant(c: u64, lang: Lang) -> String {
    match lang {
        Lang::Rust => format!("0x{c:016x}"),
        Lang::C => format!("UINT64_C(0x{c:016x})"),
    }
}

fn tables(program: &Program, name: &str, lang: Lang) -> String {
    let mut text = String::new();
    for (t, table) in program.tables().iter().enumerate() {
        let entries: Vec<String> = table.iter().map(|&e| constant(e, lang)).collect();
        text.push_str(&array(name, "table", t, "u64", &entries, lang));
    }
    for (c, control) in program.controls().iter().enumerate() {
        let entries: Vec<String> = control.iter().map(u8::to_string).collect();
        text.push_str(&array(name, "control", c, "u8", &entries, lang));
    }
    text
}

fn array(
    name: &str,
    what: &str,
    number: usize,
    element: &str,
    entries: &[String],
    lang: Lang,
) -> String {
    let lines: String = entries
        .chunks(8)
        .map(|chunk| format!("    {},\n", chunk.join(", ")))
        .collect();
    let len = entries.len();
    match lang {
        Lang::Rust => {
            let name = format!("{name}_{what}_{number}").to_uppercase();
            format!("static {name}: [{element}; {len}] = [\n{lines}];\n")
        }
        Lang::C => {
            let element = if element == "u8" {
                "uint8_t"
            } else {
                "uint64_t"
            };
            format!("static const {element} {name}_{what}_{number}[{len}] = {{\n{lines}}};\n")
        }
    }
}

const RUST_PEXT: &str = r#"/// The bits of `x` under `m`, packed to the low end.
#[inline(always)]
fn pext64(x: u64, m: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: the target has BMI2.
    unsafe {
        core::arch::x86_64::_pext_u64(x, m)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut out, mut place, mut m) = (0, 0, m);
        while m != 0 {
            out |= (x >> m.trailing_zeros() & 1) << place;
            place += 1;
            m &= m - 1;
        }
        out
    }
}
"#;

const RUST_PDEP: &str = r#"/// The low bits of `x`, spread over the places of `m`.
#[inline(always)]
fn pdep64(x: u64, m: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: the target has BMI2.
    unsafe {
        core::arch::x86_64::_pdep_u64(x, m)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut out, mut place, mut m) = (0, 0, m);
        while m != 0 {
            out |= (x >> place & 1) << m.trailing_zeros();
            place += 1;
            m &= m - 1;
        }
        out
    }
}
"#;

const RUST_SHUFFLE: &str = r#"/// Bit `j` of the result is bit `control[j]` of `x`.
#[inline(always)]
fn shuffle64(x: u64, control: &[u8; 64]) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bitalg"))]
    // SAFETY: the target has AVX-512 BITALG (and with it F and BW); the load needs no alignment.
    unsafe {
        use core::arch::x86_64::*;
        let control = _mm512_loadu_si512(control.as_ptr().cast());
        _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(x as i64), control)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bitalg")))]
    {
        let bits = control.iter().enumerate();
        bits.fold(0, |out, (j, &from)| out | (x >> (from & 63) & 1) << j)
    }
}
"#;
