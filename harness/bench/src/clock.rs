//! Times in the form of records: RFC 3339, UTC.

use std::path::Path;
use std::time::SystemTime;

pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The time at which a file was written; `None` if the system does not report it.
pub(crate) fn written(path: &Path) -> Option<String> {
    let time = path.metadata().and_then(|data| data.modified()).ok()?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}
