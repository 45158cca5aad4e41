//! The interface for authors of puzzles: the traits, the C boundary, ranking.
//!
//! Start with [`Puzzle`], a handful of required methods that give the rules of a puzzle. Every
//! engine of Antipode can search it. Then implement [`Family`], which names the puzzle. Each trait
//! of [`optional`] makes more possible and says what is lost without it. [`export_puzzle!`] turns
//! the implementations into a shared library.
//!
//! A whole puzzle: two jugs of five and three litres, and four litres wanted.
//!
//! ```
#![doc = include_str!("jugs.rs")]
//!
//! // What every engine does with it, level by level.
//! let (mut seen, mut level, mut moves) = (vec![[0, 0]], vec![[0, 0]], 0);
//! while !level.iter().any(|state| Jugs.is_solved(state)) {
//!     let mut next = Vec::new();
//!     for state in &level {
//!         Jugs.successors(state, &mut |to| {
//!             if !seen.contains(&to) {
//!                 seen.push(to);
//!                 next.push(to);
//!             }
//!         });
//!     }
//!     (level, moves) = (next, moves + 1);
//! }
//! assert_eq!(moves, 6);
//! ```
//!
//! With a [`Family`] that gives it a name it can be loaded; `docs/library.md` continues from here.

pub mod abi;
pub mod bitboard;
mod family;
mod fast;
mod key;
pub mod optional;
mod parameters;
pub mod proof;
mod puzzle;
mod random;
pub mod rank;
mod text;

pub use family::{
    About, BadInput, Effort, FIGURE_DIGITS, Family, Figure, InstanceInfo, Placed, Request,
    SettingInfo, Settings, decimal, settings,
};
pub use fast::Fast;
pub use key::Key;
pub use optional::{
    Expand, FeatureSpace, Form, Hint, Hints, Layered, LowerBound, NEVER, Names, Neighbours,
    Numbering, Objective, Placement, Predecessors, RandomStates, SolvedStates, Sweep, Swept,
    Symmetry, Undirected, Want,
};
pub use parameters::Parameters;
pub use puzzle::{Direction, Puzzle, UNSOLVABLE};
pub use random::Xorshift;
pub use text::{
    PRIMES, cell_name, cells, is_obeyed, is_remark, is_remark_row, read_bytes, read_text, shown,
    turned,
};
