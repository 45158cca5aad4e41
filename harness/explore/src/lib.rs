//! Positions of a puzzle to look at and to play on. Shows every move with the distance after it, as
//! a record, as text, and on a page that is served to this machine alone.
//!
//! ```text
//! Explorer   one instance: a position, an antipode, a random position at a distance
//! Instances  the instances that a page may ask for
//! Server     the page, on 127.0.0.1, until it is asked to stop
//! ```
//!
//! Nothing is searched here. Tables of parts and searches for single states are questions to
//! [`antipode_check::distances`]; moves are those of the rulebook. Each position shown is compared
//! with it: it is solved exactly at distance 0, else one move further than its nearest successor.

mod error;
mod explorer;
mod finished;
mod go;
mod instances;
mod knowledge;
mod question;
mod server;
mod tables;
mod text;

pub use error::ExploreError;
pub use explorer::Explorer;
pub use finished::FinishedRun;
pub use instances::Instances;
pub use question::{AnswerLimits, Go};
pub use server::Server;
pub use text::position_text;
