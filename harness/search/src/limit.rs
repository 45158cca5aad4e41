//! Work with a limit of time.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::progress::Stop;

/// Does work that is stopped after a time.
pub fn within<T>(time: Duration, stop: &Stop, work: impl FnOnce(&Stop) -> T) -> T {
    let own = stop.fork();
    let (done, bell) = channel::<()>();
    thread::scope(|scope| {
        let ringing = own.clone();
        // If the system provides no thread, the work has only its own limit.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            if bell.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                ringing.request();
            }
        });
        let value = work(&own);
        drop(done);
        value
    })
}
