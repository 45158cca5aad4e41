//! Times as they stand in records: RFC 3339, UTC.

use std::path::Path;
use std::time::SystemTime;

/// Now.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// When a file was written; nothing if the system does not say.
pub(crate) fn written(path: &Path) -> Option<String> {
    let time = path.metadata().and_then(|data| data.modified()).ok()?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}
