//! Proofs, without a search, that a board cannot be reached.
//!
//! The *span* of a board is the set of cells covered once coins are added repeatedly to every empty
//! cell with two coins next to it. A coin only ever lands on such a cell, and the coins left behind
//! span no more than before. So spans never grow, and every coin stays within the span of the
//! start. (Demaine, Demaine and Verrill, "Coin-Moving Puzzles", call it span too.)

use crate::board::Shape;
use crate::cells;
use crate::instances::Instance;

/// The span of a board, as a mask. Cell by cell: used once per proof, not once per state.
pub fn span(shape: &Shape, coins: u64) -> u64 {
    let mut board = cells::board(shape, coins);
    loop {
        let next = (0..board.len())
            .find(|&cell| !board[cell] && cells::coins_beside(shape, &board, cell) >= 2);
        match next {
            Some(cell) => board[cell] = true,
            None => return cells::mask(&board),
        }
    }
}

/// Why no sequence of moves leads from a board to another, or to any goal; `None` if neither reason
/// applies, which shows nothing.
pub(crate) fn refute(instance: &Instance, from: u64, to: Option<u64>) -> Option<String> {
    let goals = match &to {
        Some(to) => std::slice::from_ref(to),
        None => &instance.goals,
    };
    if goals.is_empty() {
        return None;
    }
    let reasons: Option<Vec<String>> = goals
        .iter()
        .map(|&goal| reason(&instance.shape, from, goal))
        .collect();
    reasons.map(|reasons| reasons.join("\n"))
}

fn reason(shape: &Shape, from: u64, to: u64) -> Option<String> {
    if from == to {
        return None;
    }
    let span = span(shape, from);
    let outside = to & !span;
    if outside != 0 {
        let cell = shape.cell_name(outside.trailing_zeros());
        return Some(format!(
            "a coin only lands within the span of the start, all that is covered if coins are \
             added wherever two lie next to an empty cell; the goal has a coin on {cell}, outside \
             it\nspan: {}\ngoal: {}",
            shape.draw(span),
            shape.draw(to)
        ));
    }
    let board = cells::board(shape, to);
    let landed =
        (0..board.len()).any(|cell| board[cell] && cells::coins_beside(shape, &board, cell) >= 2);
    if landed {
        return None;
    }
    Some(format!(
        "the coin moved last lies next to two others, and no coin of the goal does\ngoal: {}",
        shape.draw(to)
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use puzzle_api::{Direction, Fast, Puzzle};

    use crate::Bits;

    fn bits(pairs: &[(&str, &str)]) -> Bits {
        Bits::opened("custom", pairs).unwrap()
    }

    /// Every proof is right: a refuted goal is in no ball, for all pairs of a small board.
    #[test]
    fn what_is_refuted_is_not_reached() {
        let bits = bits(&[("width", "3"), ("height", "3"), ("coins", "4")]);
        let all: Vec<u64> = puzzle_api::rank::subsets::all(9, 4).collect();
        let (mut refuted, mut silent) = (0, 0);
        for &from in &all {
            let mut reached = BTreeSet::from([from]);
            let mut queue = vec![from];
            while let Some(coins) = queue.pop() {
                bits.each_neighbour(Direction::Forward, coins, |next| {
                    queue.extend(reached.insert(next).then_some(next));
                });
            }
            for to in &all {
                let proof = bits.refute(&from, Some(to));
                assert!(proof.is_none() || !reached.contains(to));
                refuted += usize::from(proof.is_some());
                silent += usize::from(proof.is_none() && !reached.contains(to));
            }
        }
        assert!(refuted > 5_000 && silent > 0, "{refuted} {silent}");
    }

    #[test]
    fn a_proof_shows_its_boards() {
        let bits = bits(&[("coins", "3"), ("to", "..../..../...o/..oo")]);
        let from = bits.parse("oo../o.../..../....").unwrap();
        let proof = bits.refute(&from, None).unwrap();
        assert!(proof.contains("span: oo../oo../..../....") && proof.contains("coin on d3"));
        assert_eq!(bits.refute(&from, Some(&from)), None);
        let five = self::bits(&[("coins", "5")]);
        let from = five.parse("ooo./o.../o.../....").unwrap();
        let apart = five.parse("o.o./.o../o.o./....").unwrap();
        let proof = five.refute(&from, Some(&apart)).unwrap();
        assert!(proof.starts_with("the coin moved last"));
        assert_eq!(
            five.refute(&from, Some(&five.parse("ooo./oo../..../....").unwrap())),
            None
        );
        assert_eq!(five.refute(&from, None), None);
    }
}
