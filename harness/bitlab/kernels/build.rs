//! Prints the kernels: compiled by the strategies, proven, written as Rust to `OUT_DIR`.

use std::error::Error;
use std::path::PathBuf;

use antipode_bitlab::permute::{
    Lang, NAMED, Permutation, Program, Strategy, function, helpers, proof,
};

fn main() -> Result<(), Box<dyn Error>> {
    // What is printed depends on the lab alone, and cargo runs this again when that changes.
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    std::fs::write(folder.join("permute.rs"), permute()?)?;
    std::fs::write(folder.join("tilt.rs"), tilt()?)?;
    Ok(())
}

/// The program of a permutation by one strategy.
fn proven(perm: &Permutation, strategy: Strategy) -> Result<Program, Box<dyn Error>> {
    let program = strategy.compile(perm).program;
    if !proof::proves(&program, perm) {
        return Err(format!("{strategy} of {perm:?} is wrong").into());
    }
    Ok(program)
}

fn permute() -> Result<String, Box<dyn Error>> {
    let mut compiled: Vec<(&str, &str, Program)> = Vec::new();
    for (name, spec) in NAMED {
        let perm: Permutation = spec.parse()?;
        for strategy in Strategy::ALL {
            // Tables are built when the bench starts; the printed formula is wrong.
            if !matches!(strategy, Strategy::AsPrinted | Strategy::ByteTables) {
                compiled.push((name, strategy.name(), proven(&perm, strategy)?));
            }
        }
    }
    let mut text = String::from(
        "/// Permutation, strategy, operations and the compiled program.\n\
         pub type Kernel = (&'static str, &'static str, usize, fn(u64) -> u64);\n\n",
    );
    let programs: Vec<&Program> = compiled.iter().map(|(.., program)| program).collect();
    text.push_str(&helpers(&programs, Lang::Rust));
    let mut rows = String::new();
    for (i, (name, strategy, program)) in compiled.iter().enumerate() {
        let same = compiled[..i].iter().find(|(.., other)| other == program);
        let (name_of, strategy_of, _) = same.unwrap_or(&compiled[i]);
        let symbol = format!("p_{name_of}_{strategy_of}").replace('-', "_");
        if same.is_none() {
            text.push_str(&function(program, &symbol, Lang::Rust));
            text.push('\n');
        }
        let operations = program.counts().operations;
        rows.push_str(&format!(
            "    (\"{name}\", \"{strategy}\", {operations}, {symbol}),\n"
        ));
    }
    let count = compiled.len();
    text.push_str(&format!(
        "/// All of them.\npub const KERNELS: [Kernel; {count}] = [\n{rows}];\n"
    ));
    Ok(text)
}

/// A symmetry of the 5x5 board on both masks of Tilt's key.
fn of_both_masks(symmetry: &str) -> Result<Permutation, Box<dyn Error>> {
    const SQUARES: usize = 25;
    let of_one: Permutation = format!("board:5x5x1:{symmetry}").parse()?;
    let square = |square: usize| of_one.apply(1 << square).trailing_zeros() as usize;
    let both = (0..2 * SQUARES).map(|bit| SQUARES * (bit / SQUARES) + square(bit % SQUARES));
    Ok(Permutation::from_list(&both.collect::<Vec<_>>())?)
}

fn tilt() -> Result<String, Box<dyn Error>> {
    /// The symmetries in the order in which the puzzle numbers them, from 1.
    const IMAGES: [&str; 7] = [
        "mirror-h",
        "mirror-v",
        "rotate180",
        "transpose",
        "rotate270",
        "rotate90",
        "anti-transpose",
    ];
    let mut compiled: Vec<(String, Program)> = Vec::new();
    for strategy in [
        Strategy::Naive,
        Strategy::Multiply,
        Strategy::DeltaSwaps,
        Strategy::PextPdep,
    ] {
        for (name, symmetry) in [
            ("mirror", "mirror-h"),
            ("flip", "mirror-v"),
            ("transpose", "transpose"),
        ] {
            let name = format!("{name}_{strategy}").replace('-', "_");
            compiled.push((name, proven(&of_both_masks(symmetry)?, strategy)?));
        }
    }
    for (i, symmetry) in IMAGES.iter().enumerate() {
        let program = proven(&of_both_masks(symmetry)?, Strategy::BitShuffle)?;
        compiled.push((format!("image_{}_bit_shuffle", i + 1), program));
    }
    let programs: Vec<&Program> = compiled.iter().map(|(_, program)| program).collect();
    let mut text = helpers(&programs, Lang::Rust);
    for (name, program) in &compiled {
        text.push('\n');
        text.push_str(&function(program, name, Lang::Rust));
    }
    Ok(text)
}
