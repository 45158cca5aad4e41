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
pub use consistency::{Brought, ConsistencyFrame, ConsistencyScope, Proof, consistency};
pub(crate) use deepest::deepest;
pub use draw::Drawer;
pub use evidence::{
    ascended, evidence, exclusiveness, inclusiveness, level_samples, not_done, playouts_met,
    too_few,
};
pub use inclusion::{Drawn, DrawnDistances, covers, draw_list};
pub(crate) use near::Keys;
pub use oracle::{MOST_SEEN, Oracle};
pub use part::{PartRules, check_part, check_part_by, same_parts};
pub use playouts::{Playouts, playouts};
pub(crate) use playouts::{starts, steps};
pub use strays::strays;
