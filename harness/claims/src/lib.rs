//! Claims: what was published, how it can be read, and what comes of deriving it again.

pub mod certificate;
mod compare;
mod context;
mod counts;
mod effort;
pub mod field;
mod finding;
mod judge;
mod kind;
mod kinds;
mod levels;
mod misfit;
mod modules;
mod path;
mod played;
mod question;
mod read;
mod sample;
mod schema;
mod source;
mod spec;
mod table;
mod template;
mod words;

pub use context::Context;
pub use counts::counts;
pub use effort::Effort;
pub use judge::{Judged, Unfit, check, judge};
pub use kind::Kind;
pub use modules::module_sources;
pub use read::{CLAIM_KEYS, ClaimError, ClaimFile, FILE_KEYS, READING_KEYS, parse_claims};
pub use schema::schema;
pub use source::{ClaimSource, Deriver};
pub use spec::{Case, Claim, Compare, Pair};
pub use table::{narrow, row_ids};
pub use template::{least, template};
