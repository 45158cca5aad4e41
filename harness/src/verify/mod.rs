//! Verification (thesis, section 3.3): what a run found is checked against forward
//! searches on the rules, by sample with a bound or exhaustively.

pub mod bound;
mod consistency;
mod evidence;
mod forward;
mod inclusion;

pub use bound::{CONFIDENCE, upper_bound};
pub use consistency::{ConsistencyScope, check_part, consistency};
pub use evidence::{exclusiveness, inclusiveness};
pub use forward::{ForwardSolver, Goal, Path};
pub use inclusion::draw_list;
