//! The Towers of Hanoi with three to six pegs. Discs of different sizes lie on pegs; a move
//! takes the topmost disc of a peg to another one, where no smaller disc may lie. The tower
//! starts on the first peg and has to get to the last.

pub mod bitboard;
pub mod derive;
pub mod rules;

use puzzle_api::{About, BadInput, InstanceInfo, Placed, Puzzle, Request};

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// The Towers of Hanoi, with either variant.
    Hanoi: Bits, Rules; about, derive
}

/// Describes the puzzle.
fn about() -> About {
    let instance = |pegs: usize, discs: usize| {
        let summary = format!("{pegs} pegs, {discs} discs");
        InstanceInfo::new(format!("{pegs}-{discs}"), summary)
    };
    let towers = [(3, 8), (4, 12), (5, 8)].into_iter();
    let instances = towers.flat_map(|(pegs, most)| (3..=most).map(move |n| instance(pegs, n)));
    let block = |symbol| format!("{symbol} stack #8b6fc0 disc {symbol}\n");
    let discs: String = rules::SYMBOLS.chars().map(block).collect();
    About {
        name: "hanoi".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "The Towers of Hanoi with three to six pegs and up to 20 discs".to_owned(),
        instances: instances.collect(),
        legend: format!(". empty #f3efe6 no disc\n{discs}"),
        claims: include_str!("claims.toml").to_owned(),
        ..About::default()
    }
}

/// Reads a position of any number of pegs and discs.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let pegs: Vec<&str> = text.trim().split('/').collect();
    let discs = pegs[0].chars().count();
    // One row, and rows of unequal lengths, are no position of any instance.
    let even = pegs.iter().all(|peg| peg.chars().count() == discs);
    let instance = match pegs.len() > 1 && even {
        true => format!("{}-{discs}", pegs.len()),
        false => request.instance.to_owned(),
    };
    if Rules::open(&request.on(&instance))?.parse(text).is_err() {
        // Rows of a length that suits no discs are an error of the instance that was named.
        Rules::open(request)?.parse(text)?;
    }
    Ok(Placed::state(request, instance, text.trim().to_owned()))
}
