//! Claims: what was published, how it can be read, and what comes of deriving it again.

pub mod certificate;
mod compare;
mod context;
mod evaluate;
mod judge;
mod lengths;
mod modules;
mod path;
mod read;
mod source;
mod spec;
mod table;

pub use context::{Context, Effort};
pub use judge::{Judged, check, judge};
pub use modules::module_sources;
pub use read::{ClaimError, parse_claims};
pub use source::{ClaimSource, Deriver};
pub use spec::{Case, Claim, Compare, Kind};
pub use table::{Pair, narrow, row_ids};
