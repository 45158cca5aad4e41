//! Questions to the engines: the one place between the kinds of claims and the searches.
//!
//! Three are asked: the levels of an instance ([`levels()`]), what the moves out of each level
//! lead to ([`moves()`]), and a path from a state to a goal ([`path()`]). Many paths at once are
//! asked by kind `lengths` of `antipode_search::many_to_many`.

mod levels;
mod moves;
mod path;
mod record;

pub(crate) use levels::levels;
pub(crate) use moves::moves;
pub(crate) use path::{Ending, Found, check, held_elsewhere, path, played, unanswered};
