//! The checkable statements of Browne's article about bits, derived again.
//!
//! `claims.toml` beside this module lists them; each names a derivation here.
//! A derivation returns figures, of which `value` is to be compared with what
//! the claim says. Where the effort asked for is too small to reach it there
//! is no `value`, and the explanation says what would.

mod algorithms;
mod counted;
mod counts;
mod depends;
mod encoding;
mod filters;
mod long_life;
mod played;
mod speeds;
mod y;

use crate::bitboard::{Board, Geometry};

/// How long a derivation may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// About two seconds.
    Quick,
    /// Minutes.
    Full,
}

/// The claims as TOML, with the name of the derivation for each.
pub const TEXT: &str = include_str!("../claims.toml");

/// What a derivation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Names and values; `value` is the one a claim is judged by.
    pub figures: Vec<(String, String)>,
    /// How it was found, and, where the article is wrong, what is right.
    pub explanation: String,
}

impl Derived {
    fn new(value: impl ToString, explanation: impl Into<String>) -> Self {
        Self::not_reached(explanation).with("value", value)
    }

    /// A yes-or-no finding: `holds` or `fails`.
    fn holds(holds: bool, explanation: impl Into<String>) -> Self {
        Self::new(if holds { "holds" } else { "fails" }, explanation)
    }

    fn not_reached(explanation: impl Into<String>) -> Self {
        Self {
            figures: Vec::new(),
            explanation: explanation.into(),
        }
    }

    fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.figures.push((name.to_owned(), value.to_string()));
        self
    }

    /// Shows a set of cells: rows of `#` and `.`, joined by `/`.
    fn with_cells<const N: usize>(self, name: &str, on: &Geometry<N>, cells: Board<N>) -> Self {
        self.with(name, on.draw(cells).replace('o', "#").replace('\n', "/"))
    }

    /// Shows where a geometry has each bit: rows of bits as they follow in memory, `#` for those
    /// that no cell has, and their numbers.
    fn with_bits<const N: usize>(self, name: &str, on: &Geometry<N>) -> Self {
        let rows = (0..on.height()).map(|y| y * on.pitch()..(y + 1) * on.pitch());
        let row = |row: std::ops::Range<usize>| {
            let bits = row.rev();
            bits.map(|bit| if on.mask().get(bit) { '.' } else { '#' })
                .collect::<String>()
        };
        let drawn: Vec<String> = rows.clone().map(row).collect();
        let numbers: Vec<String> = rows
            .flat_map(|row| row.rev())
            .map(|bit| bit.to_string())
            .collect();
        self.with(name, format!("{} | {}", drawn.join("/"), numbers.join(" ")))
    }

    /// Says that the finding rests on so many cases drawn at random.
    fn sampled(self, cases: u64, holds: bool, drawn: &str) -> Self {
        self.with("sampled", cases)
            .with("wrong", u64::from(!holds))
            .with("drawn", drawn)
    }

    /// Says that the finding rests on so many cases, which are neither all nor drawn at random.
    fn tried(self, cases: u64, holds: bool, which: &str) -> Self {
        self.with("tried", cases)
            .with("wrong", u64::from(!holds))
            .with("drawn", which)
    }

    /// The figure of that name.
    pub fn figure(&self, name: &str) -> Option<&str> {
        let named = self.figures.iter().find(|(n, _)| n == name);
        named.map(|(_, value)| value.as_str())
    }
}

type Derivation = fn(Effort) -> Derived;

/// Every derivation by the name that claims use, with what its value is (as a puzzle declares it of
/// its derivations).
const DERIVATIONS: &[(&str, &str, Derivation)] = &[
    ("square-shifts", "=holds", |_| encoding::square_shifts()),
    ("hexagonal-shifts", "=holds", |_| {
        encoding::hexagonal_shifts()
    }),
    ("hexagon-seams", "=holds", |_| encoding::hexagon_seams()),
    ("rhombus-seams", "=holds", |_| encoding::rhombus_seams()),
    ("separating-bits", "=holds", |_| encoding::separating_bits()),
    ("chess-bits", "=number:bits", |_| encoding::chess_bits()),
    ("go-words", "=number:words", |_| encoding::go_words()),
    ("xor-identity", "=holds", |_| encoding::xor_identity()),
    ("carry-printed", "=holds", |_| encoding::carry_printed()),
    ("carry-reach", "=holds", |_| encoding::carry_reach()),
    ("mask-left", "=holds", |_| encoding::listing_2_mask("L")),
    ("mask-right", "=holds", |_| encoding::listing_2_mask("R")),
    ("mask-top", "=holds", |_| encoding::listing_2_mask("T")),
    ("mask-bottom", "=holds", |_| encoding::listing_2_mask("B")),
    ("dilation-erosion", "=holds", |_| {
        algorithms::dilation_erosion()
    }),
    ("dilation-unmasked", "=holds", |_| {
        filters::dilation_unmasked()
    }),
    ("empty-neighbours", "=holds", |_| {
        filters::empty_neighbours()
    }),
    ("enemy-neighbours", "=holds", |_| {
        filters::enemy_neighbours()
    }),
    ("breakthrough-moves", "=holds", |_| filters::breakthrough()),
    ("pattern-matching", "=holds", |_| {
        filters::pattern_matching()
    }),
    ("flip-all", "=holds", |_| filters::flip_all()),
    ("flip-around-move", "=holds", |_| filters::flip_around()),
    ("algorithm-2-printed", "=holds", |_| {
        algorithms::algorithm_2_printed()
    }),
    ("clobber-from-cell", "=holds", |_| {
        algorithms::clobber_from_cell()
    }),
    ("line-caps", "=holds", |_| algorithms::line_caps()),
    ("algorithm-6-printed", "=number:cells", |_| {
        algorithms::algorithm_6_printed()
    }),
    ("one-direction-an-axis", "=holds", |_| {
        algorithms::one_direction()
    }),
    ("line-of-four", "=holds", |_| algorithms::line_of_four()),
    ("plus-patterns", "=number:places", |_| {
        algorithms::plus_patterns()
    }),
    ("algorithm-11-printed", "=holds", |_| {
        algorithms::algorithm_11_printed()
    }),
    ("algorithm-11-masked", "=holds", |_| {
        algorithms::algorithm_11_masked()
    }),
    ("surround-capture", "=holds", |_| {
        algorithms::surround_capture()
    }),
    ("y-reduction", "=holds", |_| y::y_reduction()),
    ("life-operations", "=number:operations", |_| {
        long_life::life_operations()
    }),
    ("life-rule", "=holds", |_| long_life::life_rule()),
    ("glider-return", "=number:generations", |_| {
        counts::glider_return()
    }),
    ("soma-packings", "=number:packings", |_| {
        counts::soma_packings()
    }),
    ("soma-distinct", "=number:packings", |_| {
        counts::soma_distinct()
    }),
    ("algorithm-13-printed", "=number:packings", |_| {
        counts::algorithm_13_printed()
    }),
    ("lights-out-rank", "=number", |_| counts::lights_out_rank()),
    ("othello-perft", "=text:leaves", |_| counts::othello_perft()),
    ("othello-perft-9", "=number:leaves", |_| {
        counts::othello_leaves(9)
    }),
    ("othello-perft-10", "=number:leaves", |_| {
        counts::othello_leaves(10)
    }),
    ("othello-perft-11", "=number:leaves", |effort| {
        counts::othello_leaves_at(11, effort)
    }),
    ("connect-four-12", "=text:positions", |_| {
        counts::connect_four_12()
    }),
    ("connect-four-space", "=number:positions", |_| {
        counts::connect_four_space()
    }),
    (
        "life-speed-fixed-size",
        "=number:times",
        speeds::life_fixed_size,
    ),
    (
        "life-speed-any-size",
        "=number:times",
        speeds::life_any_size,
    ),
    ("line-speed", "=number:times", |effort| {
        speeds::lines(false, effort)
    }),
    ("line-speed-last-move", "=number:times", |effort| {
        speeds::lines(true, effort)
    }),
    ("y-speed-11", "=number:times", |effort| {
        speeds::y(11, effort)
    }),
    ("y-speed-32", "=number:times", |effort| {
        speeds::y(32, effort)
    }),
    ("soma-seconds", "=number:s", speeds::soma),
    ("bedlam-seconds", "=number:s", |_| played::bedlam()),
    (
        "clobber-playouts",
        "=number:playouts_a_second",
        played::clobber,
    ),
    (
        "yavalath-playouts",
        "=number:playouts_a_second",
        played::yavalath,
    ),
    ("columns-speed", "=number:times", played::columns),
];

/// The names [`derive()`] knows, each with what its value is: `=number`, `=holds` or `=text`.
pub fn derivations() -> impl Iterator<Item = (&'static str, &'static str)> {
    DERIVATIONS.iter().map(|&(name, value, _)| (name, value))
}

/// The names alone.
pub fn names() -> impl Iterator<Item = &'static str> {
    derivations().map(|(name, _)| name)
}

/// Derives the figures of one claim; `None` for an unknown name.
pub fn derive(what: &str, effort: Effort) -> Option<Derived> {
    let known = DERIVATIONS.iter().find(|(name, ..)| *name == what);
    known.map(|(.., derivation)| derivation(effort))
}
