//! Random boards, exactly uniform. Shares nothing with the rank code, so a sample can test that
//! code.

use puzzle_api::Xorshift;

use crate::board::Shape;

/// A uniformly random set of cells, as a mask: drawn without replacement.
pub(crate) fn random_board(shape: &Shape, random: &mut Xorshift) -> u64 {
    let mut free: Vec<u32> = (0..shape.cells()).collect();
    (0..shape.coins).fold(0, |coins, _| {
        let at = random.below(free.len() as u64) as usize;
        coins | 1 << free.swap_remove(at)
    })
}
