//! Claims: published statements, their readings, and the verdicts of re-deriving them.

pub mod certificate;
mod compare;
mod context;
mod counts;
mod diagnostic;
mod effort;
pub mod field;
mod finding;
mod judge;
mod kind;
mod kinds;
mod levels;
mod modules;
mod path;
mod played;
mod question;
mod read;
mod schema;
mod sheet;
mod source;
mod spec;
mod table;
mod template;

pub use context::Context;
pub use counts::counts;
pub use effort::Effort;
pub use field::{CLAIM_KEYS, FILE_KEYS, READING_KEYS};
pub use judge::{Judged, Unfit, check, judge};
pub use kind::ClaimKind;
pub use modules::module_sources;
pub use read::{ClaimError, ClaimFile, parse_claims};
pub use schema::schema;
pub use source::{ClaimSource, Deriver};
pub use spec::{Case, Claim, Compare, LengthPair};
pub use table::{narrow, row_ids};
pub use template::{least, template};
