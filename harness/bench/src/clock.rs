//! Times in the form of records: RFC 3339, UTC.

use std::path::Path;
use std::time::SystemTime;

use antipode_reports::model::{rfc3339, unix_seconds};

pub(crate) fn now() -> String {
    rfc3339(unix_seconds(SystemTime::now()))
}

/// The time at which a file was written; `None` if the system does not report it.
pub(crate) fn written(path: &Path) -> Option<String> {
    let time = path.metadata().and_then(|data| data.modified()).ok()?;
    Some(rfc3339(unix_seconds(time)))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn a_time_before_all_records_is_the_first_of_them() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let before = UNIX_EPOCH - Duration::from_secs(4_000_000_000);
        file.as_file().set_modified(before).unwrap();
        let written = super::written(file.path());
        assert_eq!(written.as_deref(), Some("1970-01-01T00:00:00Z"));
    }
}
