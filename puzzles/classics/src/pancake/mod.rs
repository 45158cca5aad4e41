//! Pancake sorting: a stack of pancakes of different sizes. A move puts a spatula under one and
//! turns over all pancakes above it. The stack is solved if it is sorted by size, the smallest on
//! top; for pancakes burnt on one side, with every burnt side down.

pub mod bitboard;
pub mod rules;

use puzzle_api::{About, BadInput, Family, InstanceInfo, Placed, Puzzle, Request};

pub use bitboard::Bits;
pub use rules::Rules;
use rules::{MOST, SYMBOLS};

/// The published claims about pancakes, as TOML.
pub const CLAIMS: &str = include_str!("claims.toml");

/// Pancake sorting, with either variant.
pub struct Pancake;

impl Family for Pancake {
    fn about() -> About {
        let instance = |name: String, summary: &str| InstanceInfo::new(name, summary);
        let plain = (3..=11).map(|n| instance(format!("plain-{n}"), "plain pancakes"));
        let burnt = (2..=8).map(|n| instance(format!("burnt-{n}"), "pancakes burnt on one side"));
        let block = |symbol| format!("{symbol} stack #d9a05b pancake {symbol}\n");
        let pancakes: String = SYMBOLS.chars().map(block).collect();
        About {
            name: "pancake".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary:
                "Pancake sorting, up to 12 plain or burnt ones: turn the topmost pancakes over"
                    .to_owned(),
            instances: plain.chain(burnt).collect(),
            legend: format!("- dot #6b4a2b the burnt side of the next is up\n{pancakes}"),
            claims: CLAIMS.to_owned(),
            ..About::default()
        }
    }
}

/// The table of both variants for the harness, `bitboard` first. Call it once: the table is leaked.
#[must_use]
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(Pancake: Bits, Rules)
}

/// Reads a stack of any height: the numbers of its pancakes from the topmost, negative if the
/// burnt side is up, or a symbol each.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let symbol = |cell: &String| match cell.parse::<isize>() {
        Ok(size) if (1..=MOST).contains(&size.unsigned_abs()) => {
            let (sign, size) = (if size < 0 { "-" } else { "" }, size.unsigned_abs());
            format!("{sign}{}", &SYMBOLS[size - 1..size])
        }
        _ => cell.clone(),
    };
    let (stack, count) = match text.trim().contains([',', ' ']) {
        false => {
            let stack = text.trim().trim_matches(['[', ']']).to_owned();
            let count = stack.chars().filter(|symbol| *symbol != '-').count();
            (stack, count)
        }
        true => {
            let all: Vec<String> = puzzle_api::cells(text)
                .concat()
                .iter()
                .map(symbol)
                .collect();
            (all.concat(), all.len())
        }
    };
    let burnt = stack.contains('-') || request.instance.starts_with("burnt");
    let kind = if burnt { "burnt" } else { "plain" };
    let instance = format!("{kind}-{count}");
    Rules::open(&request.on(&instance))?.parse(&stack)?;
    Ok(Placed::state(request, instance, stack))
}
