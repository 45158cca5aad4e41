//! How a process ended, in words: a line with the library, the function and what happened.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use antipode_graph::clean;
use antipode_graph::in_hand::{self, Call};

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code.
    Itself(u8),
    /// A library ended it, or closed a descriptor that is not its own.
    Fault(LibraryFault),
    /// A call did not return, in its time or after a stop was requested; or a signal asked it to end.
    Stopped(String),
}

/// A library's fault that ended its process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFault {
    /// The library's file, if a library was called before.
    pub file: Option<String>,
    /// Library, function and what happened.
    pub line: String,
}

impl LibraryFault {
    fn of(calls: &[Call], what: &str) -> End {
        let inside = calls.iter().find(|call| call.inside);
        End::Fault(Self {
            file: inside.or(calls.first()).map(|call| one_line(&call.file)),
            line: format!("{} {what}", whereabouts(calls)),
        })
    }
}

fn one_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

/// Most functions that a line names.
const NAMED: usize = 3;

/// The library and the functions that a process was in, or last in.
pub(super) fn whereabouts(calls: &[Call]) -> String {
    let inside: Vec<&Call> = calls.iter().filter(|call| call.inside).collect();
    let Some(first) = inside.first().copied().or(calls.first()) else {
        return "the process for the library".into();
    };
    let mut functions: Vec<&str> = Vec::new();
    let named = if inside.is_empty() {
        calls.iter().collect()
    } else {
        inside.clone()
    };
    for call in named {
        if call.file == first.file && !functions.contains(&call.function.as_str()) {
            functions.push(&call.function);
        }
    }
    functions.truncate(NAMED);
    let functions = functions.join(" or ");
    let line = match inside.is_empty() {
        false => format!("{}: {functions}", first.file),
        true => format!("{}: after a call of {functions} it", first.file),
    };
    one_line(&line)
}

/// Describes a process that ended without its token. A signal that asks processes to end is no fault
/// of a library.
pub(super) fn died(calls: &[Call], status: ExitStatus) -> End {
    match status.signal() {
        Some(1 | 2 | 15) => End::Stopped(format!("{} {}", whereabouts(calls), how(status))),
        _ => LibraryFault::of(calls, &how(status)),
    }
}

/// Describes a call that did not return.
pub(super) fn silent(call: &Call, limit: Duration) -> End {
    let what = format!(
        "did not return within {} s and was ended; if it is slow, not hanging, give a greater --plugin-limit",
        limit.as_secs_f64()
    );
    let place = whereabouts(std::slice::from_ref(call));
    End::Stopped(format!("{place} {what}"))
}

/// The same when a stop was requested.
pub(super) fn left(call: &Call) -> End {
    let place = whereabouts(std::slice::from_ref(call));
    End::Stopped(format!("{place} did not return, and was ended"))
}

/// One of our descriptors that a library closed or replaced, or the working folder.
pub(super) fn lost(calls: &[Call], descriptor: u64) -> End {
    const FOLDER: u64 = in_hand::FOLDER as u64;
    let what = match descriptor {
        0 => "closed the standard input".to_owned(),
        1 => "closed the standard output".to_owned(),
        2 => "closed the standard error".to_owned(),
        FOLDER => "changed the working folder".to_owned(),
        other => format!("closed descriptor {other}, to which results are written"),
    };
    LibraryFault::of(calls, &what)
}

/// Describes how a process without a token ended.
fn how(status: ExitStatus) -> String {
    if let Some(signal) = status.signal() {
        return match signal {
            4 => "crashed: illegal instruction (SIGILL)".into(),
            6 => "aborted (SIGABRT)".into(),
            7 => "crashed: bus error (SIGBUS), as a file gives that was cut short".into(),
            8 => "crashed: arithmetic error, such as a division by zero (SIGFPE)".into(),
            9 => "was killed (SIGKILL), as a system short of memory does".into(),
            11 => "crashed: invalid memory access (SIGSEGV), or its stack overflowed".into(),
            other => format!("was ended by signal {other}"),
        };
    }
    match status.code() {
        Some(code) => format!("ended the process with exit code {code}"),
        None => "ended the process".into(),
    }
}
