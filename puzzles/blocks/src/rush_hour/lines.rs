//! The possible contents of a row or a column: the pieces along it.

/// Pieces along one line, as bits of its cells, the first cell lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Content {
    pub cells: u8,
    pub heads: u8,
}

impl Content {
    /// The content with one more piece.
    #[must_use]
    pub const fn with(self, start: u8, length: u8) -> Self {
        Self {
            cells: self.cells | ((1 << length) - 1) << start,
            heads: self.heads | 1 << start,
        }
    }

    /// First cell and length of each piece, along the line.
    pub fn pieces(self) -> impl Iterator<Item = (u8, u8)> {
        (0..8)
            .filter(move |at| self.heads >> at & 1 == 1)
            .map(move |at| {
                let run = (self.cells & !(self.heads & !(1 << at))) >> at;
                (at, run.trailing_ones() as u8)
            })
    }

    /// The line without its empty cells: a digit per piece, `#` a wall. Moves never change it.
    pub fn sequence(self, walls: u8) -> String {
        let mut sequence = String::new();
        let mut pieces = self.pieces().peekable();
        for cell in 0..8 {
            if walls >> cell & 1 == 1 {
                sequence.push('#');
            }
            if let Some((_, length)) = pieces.next_if(|&(start, _)| start == cell) {
                sequence.push(char::from(b'0' + length));
            }
        }
        sequence
    }
}

/// Every content of a line of n cells: by sequence, then by the cells of the pieces. 1, 2, 4, 7,
/// 13, 24, 44 and 81 contents for 1 to 8 cells.
pub fn contents(cells: u8) -> Vec<Content> {
    let mut all = Vec::new();
    extend(Content { cells: 0, heads: 0 }, 0, cells, &mut all);
    all.sort_by_key(|content: &Content| {
        let starts: Vec<u8> = content.pieces().map(|(start, _)| start).collect();
        (content.sequence(0), starts)
    });
    all
}

fn extend(content: Content, from: u8, cells: u8, all: &mut Vec<Content>) {
    all.push(content);
    for start in from..cells {
        for length in 2..=3.min(cells - start) {
            extend(content.with(start, length), start + length, cells, all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_counted_by_tribonacci_numbers() {
        let counts: Vec<usize> = (1..=8).map(|cells| contents(cells).len()).collect();
        assert_eq!(counts, [1, 2, 4, 7, 13, 24, 44, 81]);
    }

    #[test]
    fn pieces_side_by_side_stay_apart() {
        let content = Content { cells: 0, heads: 0 }
            .with(0, 2)
            .with(2, 3)
            .with(6, 2);
        let pieces: Vec<_> = content.pieces().collect();
        assert_eq!(pieces, [(0, 2), (2, 3), (6, 2)]);
        assert_eq!(content.sequence(1 << 5), "23#2");
    }
}
