//! Pancake sorting: a stack of pancakes of different sizes. A move puts a spatula under one and
//! turns over all pancakes above it. The stack is solved if it is sorted by size, the smallest on
//! top; for pancakes burnt on one side, with every burnt side down.

pub mod bitboard;
pub mod rules;

use puzzle_api::{About, BadInput, InstanceInfo, Placed, Puzzle, Request, shown};

pub use bitboard::Bits;
pub use rules::Rules;
use rules::SYMBOLS;

puzzle_api::family! {
    /// Pancake sorting, with either variant.
    Pancake: Bits, Rules; about
}

/// Describes the puzzle.
fn about() -> About {
    let instance = |name: String, summary: &str| InstanceInfo::new(name, summary);
    let plain = (3..=11).map(|n| instance(format!("plain-{n}"), "plain pancakes"));
    let burnt = (2..=8).map(|n| instance(format!("burnt-{n}"), "pancakes burnt on one side"));
    let block = |symbol| format!("{symbol} stack #d9a05b pancake {symbol}\n");
    let pancakes: String = SYMBOLS.chars().map(block).collect();
    About {
        name: "pancake".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Pancake sorting, up to 12 plain or burnt ones: turn the topmost pancakes over"
            .to_owned(),
        instances: plain.chain(burnt).collect(),
        legend: format!("- dot #6b4a2b the burnt side of the next is up\n{pancakes}"),
        claims: include_str!("claims.toml").to_owned(),
        ..About::default()
    }
}

/// Reads a stack of any height: the numbers of its pancakes from the topmost, negative if the
/// burnt side is up, or a symbol each.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    // A cell is a pancake of its own: it lends no sign to the next.
    let symbol = |cell: &String| {
        let unsigned = cell.strip_prefix('-').unwrap_or(cell);
        let size = match unsigned.parse::<usize>() {
            Ok(size) => size.checked_sub(1),
            Err(_) => SYMBOLS.find(unsigned).filter(|_| unsigned.len() == 1),
        };
        let own = size.and_then(|size| SYMBOLS.get(size..=size));
        let own = own.ok_or_else(|| {
            let (text, cell) = (shown(text), shown(cell));
            BadInput::new(format!(
                "'{text}' is no stack: there is no pancake '{cell}'; write numbers from the \
                 topmost, with '-' before one whose burnt side is up"
            ))
        })?;
        let sign = if unsigned == cell { "" } else { "-" };
        Ok(format!("{sign}{own}"))
    };
    let (stack, count) = match text.trim().contains([',', ' ']) {
        false => {
            let stack = text.trim().trim_matches(['[', ']']).to_owned();
            let count = stack.chars().filter(|symbol| *symbol != '-').count();
            (stack, count)
        }
        true => {
            let all = puzzle_api::cells(text).concat();
            let symbols: Result<String, _> = all.iter().map(symbol).collect();
            (symbols?, all.len())
        }
    };
    let burnt = stack.contains('-') || request.instance.starts_with("burnt");
    let kind = if burnt { "burnt" } else { "plain" };
    let instance = format!("{kind}-{count}");
    let read = Rules::open(&request.on(&instance)).and_then(|rules| rules.parse(&stack));
    read.map_err(|why| BadInput::new(format!("'{}' has {count} pancakes: {why}", shown(text))))?;
    Ok(Placed::state(request, instance, stack))
}
