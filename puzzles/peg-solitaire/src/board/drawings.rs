//! The boards that have a name, as drawings.

/// A named board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// Name, as in the instance's.
    pub name: &'static str,
    /// One line for a list: a description of the board.
    pub summary: &'static str,
    /// The holes, a line per row.
    pub rows: &'static str,
    /// The vacancy of the usual start.
    pub from: &'static str,
    /// The usual finish: a hole, or `any`.
    pub to: &'static str,
}

/// All named boards. Each starts from a solvable position (`wiegleb-45` by the literature, the
/// others by a search in the tests). For the French board that is not the centre.
///
/// `diamond-32` is the 32 squares of one colour of the draughts board, on which pieces jump
/// diagonally, turned by 45 degrees. The rows become 2, 4, 6, 8, 6, 4 and 2 holes long.
pub const DRAWINGS: [Drawing; 5] = [
    Drawing {
        name: "diamond-41",
        summary: "the diamond of 41 holes, |x| + |y| <= 4",
        rows: include_str!("../../boards/diamond-41.txt"),
        from: "d2",
        to: "any",
    },
    Drawing {
        name: "english-33",
        summary: "the English cross of 33 holes",
        rows: include_str!("../../boards/english-33.txt"),
        from: "d4",
        to: "d4",
    },
    Drawing {
        name: "french-37",
        summary: "the French board of 37 holes",
        rows: include_str!("../../boards/french-37.txt"),
        from: "d3",
        to: "any",
    },
    Drawing {
        name: "wiegleb-45",
        summary: "the wide cross of 45 holes (Wiegleb 1779)",
        rows: include_str!("../../boards/wiegleb-45.txt"),
        from: "e5",
        to: "e5",
    },
    Drawing {
        name: "diamond-32",
        summary: "a draughts board's 32 squares of one colour, turned by 45 degrees",
        rows: include_str!("../../boards/diamond-32.txt"),
        from: "d4",
        to: "any",
    },
];

/// All named boards by their lines.
pub const LINED: [Drawing; 1] = [Drawing {
    name: "triangle-15",
    summary: "the triangle of 15 holes, numbered from the top",
    rows: include_str!("../../boards/triangle-15.txt"),
    from: "1",
    to: "any",
}];

/// The board with a name.
pub fn drawing(name: &str) -> Option<&'static Drawing> {
    let mut all = DRAWINGS.iter().chain(&LINED);
    all.find(|drawing| drawing.name == name)
}
