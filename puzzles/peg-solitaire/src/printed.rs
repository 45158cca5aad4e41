//! What was printed: solutions, and the functions of the article, copied in meaning and
//! tested as they stand.

pub mod functions;
pub mod solutions;

pub use solutions::{BERGHOLT, Played, Solution, THILL, play};
