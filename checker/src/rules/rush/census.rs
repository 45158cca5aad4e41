//! Every board with the pieces of an instance, each on its line.

use super::Rush;
use crate::rules::MOST;
use crate::rules::board::set;
use crate::rules::keys::pack;

/// Passes on every board; returns false, passing none, if there are too many.
pub(super) fn each(rush: &Rush, take: &mut dyn FnMut(u128)) -> bool {
    let mut count = 0;
    let few = placed(rush, 0, (0, 0), &mut |_| {
        count += 1;
        count <= MOST
    });
    few && placed(rush, 0, (0, 0), &mut |state| {
        take(state);
        true
    })
}

/// Places the pieces of a line and of later lines without overlaps; ends as soon as a board is not
/// accepted.
fn placed(
    rush: &Rush,
    line: usize,
    (state, taken): (u128, u128),
    take: &mut dyn FnMut(u128) -> bool,
) -> bool {
    let Some((own, all)) = rush.reach.get(line) else {
        return take(state);
    };
    all.iter().all(|firsts| {
        let places = own.iter().zip(firsts);
        let with = places.fold(state, |state, (&piece, &first)| {
            state | pack(3, [first]) << (3 * piece)
        });
        let cells = own
            .iter()
            .flat_map(|&piece| rush.board.covered(with, piece));
        let cells = set(cells.copied());
        cells & taken != 0 || placed(rush, line + 1, (with, taken | cells), take)
    })
}
