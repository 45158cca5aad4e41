//! The destination of results: stdout, or, in a process that loads libraries, a descriptor that
//! they do not know. Everything that a command prints goes through here.

use std::fs::File;
use std::io::{self, IsTerminal, LineWriter, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use antipode_graph::clean;
use antipode_reports::atomic::content_and_mend;

static APART: OnceLock<Mutex<LineWriter<File>>> = OnceLock::new();

/// From here on, results go to `file`, and output to stdout does not count.
pub fn go_to(file: File) {
    let _ = APART.set(Mutex::new(LineWriter::new(file)));
}

/// Whether somebody reads the results on a terminal.
pub fn are_on_a_terminal() -> bool {
    match APART.get() {
        Some(file) => file
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_ref()
            .is_terminal(),
        None => io::stdout().is_terminal(),
    }
}

/// Where results are written as they are; [`output::stdout`](crate::output::stdout) is for the eye.
pub const fn out() -> Results {
    Results { is_clean: false }
}

/// The writer of results.
#[derive(Debug)]
pub struct Results {
    /// Whether it leaves out what a terminal would interpret.
    pub is_clean: bool,
}

impl Results {
    /// What a call returns, or `unread` if the reader has gone (`| head`), which is no error: files
    /// and the exit code are for others. Other errors have a remedy.
    pub fn with<T>(
        &self,
        unread: T,
        call: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        let done = match APART.get() {
            Some(file) => call(&mut *file.lock().unwrap_or_else(PoisonError::into_inner)),
            None => call(&mut io::stdout().lock()),
        };
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(unread),
            done => done.map_err(|error| {
                let why = content_and_mend(&error);
                let text = format!("cannot write to the standard output: {why}");
                io::Error::new(error.kind(), text)
            }),
        }
    }
}

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_clean {
            let text = clean(&String::from_utf8_lossy(bytes));
            return out().write_all(text.as_bytes()).map(|()| bytes.len());
        }
        self.with(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with((), |out| out.flush())
    }
}
