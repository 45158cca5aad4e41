//! What Browne's article prints, where that differs from what it means.
//!
//! Each function here is the printed form, kept so that its claim can be
//! tested; each doc comment says what is wrong and where the corrected form is.

use super::filters::Position;
use super::packing::Packing;
use super::{Board, Direction, Geometry};

/// Algorithm 2 as printed: intersects with `empty_p`, "the cells not occupied
/// by the current player" (section 3), and so returns the opponent's cells
/// among the "empty" ones. Corrected: [`filters::empty_neighbours_towards`](super::filters::empty_neighbours_towards).
pub fn empty_neighbours_towards<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    d: Direction,
) -> Board<N> {
    board.step(at.player, d) & board.complement(at.player)
}

/// Algorithm 6 as printed: counts the erosions that leave something. A line of
/// `n` survives `n - 1` of them, so this is one short, and 0 for an empty board
/// as for scattered single pieces. Corrected: [`queries::line_length`](super::queries::line_length).
pub fn line_length<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> u32 {
    let along = |&axis: &Direction| {
        let mut left = board.step(bits, axis) & bits;
        let mut length = 0;
        while !left.is_empty() {
            length += 1;
            left &= board.step(left, axis);
        }
        length
    };
    board.grid().axes().iter().map(along).max().unwrap_or(0)
}

/// Algorithm 11 as printed, with section 4.3's unmasked dilation: a press on
/// the rim also toggles the separating bits beside it, and a board that is all
/// off no longer equals zero. Corrected: [`updates::press`](super::updates::press).
pub fn press_unmasked<const N: usize>(
    board: &Geometry<N>,
    lit: Board<N>,
    cell: Board<N>,
) -> Board<N> {
    let directions = board.grid().directions().iter();
    let dilated = directions.fold(cell, |all, &d| all | cell.shift(board.shift(d)));
    lit ^ dilated
}

/// The edge masks of listing 2, by name, as printed after `0x`. Only `T` is a
/// 64-bit Java literal.
pub const LISTING_2_MASKS: [(&str, &str, u64); 4] = [
    ("L", "808080808080808080", 0x8080_8080_8080_8080),
    ("R", "01010101010101011", 0x0101_0101_0101_0101),
    ("T", "00000000000000FF", 0x0000_0000_0000_00ff),
    ("B", "FF000000000000000", 0xff00_0000_0000_0000),
];

/// Appendix B as printed: word `i` takes `bits_{i-1} >> w` *and*
/// `bits_{i+1} >> w` with `w = 64 - shift_d`, for a right shift by `by`.
///
/// Wrong three ways. The bits that enter from the next word must be shifted
/// *left* by `64 - by`; nothing may enter from the previous word (that is the
/// case of a left shift, where it is `bits_{i-1} >> (64 - by)`); and for a
/// negative `shift_d` the printed `w` exceeds the word. (The words are also
/// numbered from 1, and the two conditions count from 0.) `None` where the
/// printed shift leaves the word. Corrected: [`Board::shift`].
pub fn shift_right<const N: usize>(bits: Board<N>, by: isize) -> Option<Board<N>> {
    let inner = u32::try_from(by).ok().filter(|&by| by < 64)?;
    let wrap = u32::try_from(64 - by).ok()?;
    let words = bits.words();
    let carried = |word: Option<&u64>| word.map_or(0, |word| word.checked_shr(wrap).unwrap_or(0));
    let mut out = [0; N];
    for (i, word) in out.iter_mut().enumerate() {
        let previous = i.checked_sub(1).and_then(|i| words.get(i));
        *word = words[i] >> inner | carried(previous) | carried(words.get(i + 1));
    }
    Some(Board::from_words(out))
}

/// Which mistakes to correct in algorithm 13's printed pseudocode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PackingFixes {
    /// Line 9: take the occupied cells out of `critical`. As printed, the
    /// occupied cells are never covered by a legal placement, hence all
    /// critical, and no placement that avoids them can hold them.
    pub critical_excludes_occupied: bool,
    /// Line 14: compare the playable remaining pieces with the *remaining*
    /// ones. As printed they are compared with the used ones.
    pub playable_equals_remaining: bool,
}

/// Algorithm 13 with some of its mistakes corrected, counting packings. Line 15's
/// undefined `state_u` is read as `bits_u`, the only set of cells at hand, and
/// line 14's missing parenthesis is closed.
pub fn count_packings<const N: usize>(puzzle: &Packing<N>, fixes: PackingFixes) -> u64 {
    pack(puzzle, fixes, Board::EMPTY, 0)
}

fn pack<const N: usize>(
    puzzle: &Packing<N>,
    fixes: PackingFixes,
    bits: Board<N>,
    used: u64,
) -> u64 {
    let mask = puzzle.mask();
    if bits == mask {
        return 1;
    }
    let all = puzzle.all_pieces();
    let cell = (mask & !bits).lowest_bit();
    let mut count = 0;
    for (u, placements) in puzzle.of(all & !used) {
        let used = used | 1 << u;
        let mut critical = !puzzle.covered(bits, all & !used) & mask;
        if fixes.critical_excludes_occupied {
            critical &= !bits;
        }
        for &p in placements.iter().filter(|p| p.intersects(cell)) {
            if p.intersects(bits) || !p.contains(critical) {
                continue;
            }
            let bits = bits | p;
            let left = all & !used;
            let wanted = if fixes.playable_equals_remaining {
                left
            } else {
                used
            };
            let covers = puzzle.covered(bits, left) | bits == mask;
            if covers && puzzle.playable(bits, left) == wanted {
                count += pack(puzzle, fixes, bits, used);
            }
        }
    }
    count
}
