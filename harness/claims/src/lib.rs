//! Claims: what was published, how it can be read, and what comes of deriving it again.

mod ask;
pub mod certificate;
mod compare;
mod context;
pub mod field;
mod finding;
mod judge;
mod kinds;
mod misfit;
mod modules;
mod read;
mod schema;
mod source;
mod spec;
mod table;
mod template;

pub use context::{Context, Effort};
pub use judge::{Judged, Unfit, check, judge};
pub use kinds::{Kind, counts};
pub use modules::module_sources;
pub use read::{CLAIM_KEYS, ClaimError, ClaimFile, FILE_KEYS, READING_KEYS, parse_claims};
pub use schema::schema;
pub use source::{ClaimSource, Deriver};
pub use spec::{Case, Claim, Compare};
pub use table::{Pair, narrow, row_ids};
pub use template::{least, template};
