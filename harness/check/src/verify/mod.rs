//! Verification (thesis, section 3.3): what a run found is checked against searches on the
//! rules, on a sample with a bound or exhaustively.

mod ascents;
pub mod bound;
mod consistency;
mod deepest;
mod draw;
mod evidence;
mod faults;
mod images;
mod inclusion;
mod near;
mod oracle;
mod outside;
mod part;
mod playouts;
mod ranks;
mod slots;
mod states;
mod strays;

pub(crate) use ascents::{Ascents, ascents};
pub use bound::{CONFIDENCE, LEAST_SAMPLE, upper_bound};
pub(crate) use consistency::{Brought, ConsistencyFrame, consistency};
pub use consistency::{ConsistencyScope, Proof};
pub(crate) use deepest::deepest;
pub use draw::Drawer;
pub(crate) use evidence::{ascended, exclusiveness, inclusiveness, not_done, too_few};
pub use evidence::{evidence, level_samples, playouts_met};
pub(crate) use inclusion::{DrawnDistances, covers, draw_list};
pub(crate) use near::Keys;
pub(crate) use oracle::Oracle;
pub(crate) use part::{PartRules, check_part, check_part_by, same_parts};
pub(crate) use playouts::{playouts, starts, steps};
pub(crate) use strays::strays;
