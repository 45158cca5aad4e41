//! Claims: what was published, how it can be read, and what comes of deriving it again.

mod ask;
pub mod certificate;
mod compare;
mod context;
mod finding;
mod judge;
mod kinds;
mod modules;
mod read;
mod source;
mod spec;
mod table;

pub use context::{Context, Effort};
pub use judge::{Judged, check, judge};
pub use kinds::Kind;
pub use modules::module_sources;
pub use read::{ClaimError, parse_claims};
pub use source::{ClaimSource, Deriver};
pub use spec::{Case, Claim, Compare};
pub use table::{Pair, narrow, row_ids};
