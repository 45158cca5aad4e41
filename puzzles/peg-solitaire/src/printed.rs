//! Printed solutions, and the functions of the article, copied in meaning and tested unchanged.

pub mod functions;
pub mod solutions;

pub use solutions::{BERGHOLT, THILL, play};
