//! Boards with a name: the cards of the game, and the hardest of Fogleman's database.

/// The 40 cards of ThinkFun's Rush Hour, in order, as transcribed in a public program
/// (github.com/fogleman/rush), which gives no lengths.
pub(crate) fn cards() -> impl Iterator<Item = &'static str> {
    include_str!("cards.txt").lines()
}

/// The hardest boards of Michael Fogleman's database (michaelfogleman.com/rush, 2018), the hardest
/// first, each with its length in moves.
pub fn fogleman() -> impl Iterator<Item = (&'static str, u64)> {
    let lines = include_str!("fogleman.txt").lines();
    lines.filter_map(|text| line(text).and_then(|(board, moves)| Some((board, moves?))))
}

pub(crate) fn named(name: &str) -> Option<&'static str> {
    let number = |prefix: &str| -> Option<usize> {
        let digits = name.strip_prefix(prefix)?;
        let number: usize = digits.parse().ok()?;
        (number.to_string() == digits).then(|| number.checked_sub(1))?
    };
    match (number("card-"), number("fogleman-")) {
        (Some(card), _) => cards().nth(card),
        (_, Some(place)) => fogleman().nth(place).map(|(board, _)| board),
        (None, None) => None,
    }
}

/// The board of a line of Fogleman's database, and its fewest moves: `60 IBBxoo… 2332`. The last or
/// both figures may be missing.
pub(crate) fn line(text: &str) -> Option<(&str, Option<u64>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<u64>().ok();
    match words[..] {
        [board] => Some((board, None)),
        [moves, board] => Some((board, Some(number(moves)?))),
        [moves, board, many] => Some((board, Some(number(many).and(number(moves))?))),
        _ => None,
    }
}

/// The cells given by a text: a named board, a line of the database, or the cells themselves.
pub(crate) fn drawn(text: &str) -> &str {
    let board = line(text).map_or(text, |(board, _)| board);
    named(board).unwrap_or(board)
}
