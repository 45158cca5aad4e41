//! What an author of a puzzle needs: the traits, the C boundary, ranking.
//!
//! Start with [`Puzzle`], a handful of required methods that make the rules of a puzzle
//! which every engine of Antipode can search, and [`Family`], which says what the puzzle is
//! called. Each trait of [`optional`] makes more possible and says what is lost without it.
//! [`export_puzzle!`] turns the implementations into a shared library.
//!
//! A whole puzzle: two jugs of five and three litres, and four litres wanted.
//!
//! ```
//! use puzzle_api::{BadInput, Puzzle, Request};
//!
//! struct Jugs;
//!
//! impl Puzzle for Jugs {
//!     type Key = u64;
//!     type State = [u64; 2];
//!
//!     fn open(_: &Request<'_>) -> Result<Self, BadInput> {
//!         Ok(Jugs)
//!     }
//!
//!     fn starts(&self, emit: &mut dyn FnMut([u64; 2])) {
//!         emit([0, 0]);
//!     }
//!
//!     fn successors(&self, &[a, b]: &[u64; 2], emit: &mut dyn FnMut([u64; 2])) {
//!         let (over, back) = (a.min(3 - b), b.min(5 - a));
//!         let all = [[5, b], [a, 3], [0, b], [a, 0], [a - over, b + over], [a + back, b - back]];
//!         all.into_iter().filter(|&to| to != [a, b]).for_each(emit);
//!     }
//!
//!     fn is_solved(&self, &[a, _]: &[u64; 2]) -> bool {
//!         a == 4
//!     }
//!
//!     fn key(&self, &[a, b]: &[u64; 2]) -> u64 {
//!         a * 4 + b
//!     }
//!
//!     fn state(&self, key: u64) -> [u64; 2] {
//!         [key / 4, key % 4]
//!     }
//!
//!     fn parse(&self, text: &str) -> Result<[u64; 2], BadInput> {
//!         let key = (0..24).find(|&key| self.draw(&self.state(key)) == text);
//!         key.map(|key| self.state(key)).ok_or_else(|| BadInput::new("write 0/0 to 5/3"))
//!     }
//!
//!     fn draw(&self, [a, b]: &[u64; 2]) -> String {
//!         format!("{a}/{b}")
//!     }
//! }
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
    SettingInfo, Settings, decimal,
};
pub use key::Key;
pub use optional::{
    Expand, FeatureSpace, Form, Hint, Hints, Layered, LowerBound, NEVER, Names, Neighbours,
    Numbering, Objective, Placement, Predecessors, RandomStates, SolvedStates, Sweep, Swept,
    Symmetry, Undirected, Want,
};
pub use parameters::Parameters;
pub use puzzle::{Direction, Puzzle, UNSOLVABLE};
pub use random::Xorshift;
pub use text::{cells, read_bytes, read_text, shown};
