//! Every board of a census.

use super::{Simple, joined};

impl Simple {
    /// Adds every way to lay n pieces on open cells, with at least one cell left empty.
    fn fill(&self, open: u128, laid: &mut Vec<u128>, empty: usize, all: &mut Vec<Vec<u128>>) {
        let (left, cells) = (self.pieces - laid.len(), open.count_ones() as usize);
        if left == 0 && empty + cells > 0 {
            all.push(laid.clone());
        }
        if left == 0 || cells < left {
            return;
        }
        let last = open.ilog2() as usize;
        self.fill(open & !(1 << last), laid, empty + 1, all);
        for piece in joined(self.grid, open, last) {
            laid.push(piece);
            self.fill(open & !piece, laid, empty, all);
            laid.pop();
        }
    }

    /// Every state of the census: each piece that can be is the goal piece in turn. `None` for a
    /// single board, or if there are too many.
    pub(super) fn census(&self) -> Option<Vec<u128>> {
        // Between few pieces and many, there are millions.
        let cells = self.grid.cells().len();
        let few = cells < 16 || !(3..13).contains(&self.pieces);
        if self.start.is_some() || !few {
            return None;
        }
        let (mut all, mut states) = (Vec::new(), Vec::new());
        self.fill((1 << cells) - 1, &mut Vec::new(), 0, &mut all);
        for mut pieces in all {
            for goal in 0..pieces.len() {
                pieces.swap(0, goal);
                if self.admits(pieces[0]) {
                    states.push(self.state(&pieces));
                }
                pieces.swap(0, goal);
            }
        }
        Some(states)
    }
}
