//! Work with a limit of time.

use std::time::Duration;

use crate::progress::Stop;

/// Does work that is stopped after a time.
pub fn within<T>(time: Duration, stop: &Stop, work: impl FnOnce(&Stop) -> T) -> T {
    work(&stop.fork_for(Some(time)))
}
