//! `antipode-checker FOLDER [--parts K] [--seed S]`: checks the results of `antipode certify`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use antipode_checker::folder::{self, Fault, Report};
use antipode_checker::shown::Stop;

const USAGE: &str = "usage: antipode-checker FOLDER [--parts K] [--seed S]";

const HELP: &str = "
Checks the certificates that `antipode certify --out FOLDER` left, with code of its own.

  --parts K  parts, half-searches and pairs of large runs that are done again [24]
  --seed S   chooses which [1]

A line for each certificate and file says whether it is accepted, accepted in part, rejected, not to
be checked here, or of a stopped run. Exit code: 0 if nothing was rejected, 1 if something was, 2 if
the folder cannot be read, 4 if something was stopped, which is not checked, cannot be printed, or is
too large.";

const PARTS: usize = 24;

/// Folder, parts and seed, or a text to print.
fn arguments() -> Result<Result<(PathBuf, usize, u64), String>, String> {
    let (mut folder, mut parts, mut seed) = (None, PARTS, 1);
    let mut words = std::env::args_os().skip(1);
    let mut options = true;
    while let Some(word) = words.next() {
        let text = word.to_str().filter(|_| options).unwrap_or_default();
        let (option, value) = match text.split_once('=') {
            Some((option, value)) => (option, Some(OsString::from(value))),
            None => (text, None),
        };
        let mut number = || {
            let value = value.clone().or_else(|| words.next());
            let value = value.and_then(|value| value.to_str()?.parse::<u64>().ok());
            value.ok_or(format!("{option} needs a number; {USAGE}"))
        };
        match (option, text) {
            ("--parts", _) => parts = number()? as usize,
            ("--seed", _) => seed = number()?,
            (_, "--") => options = false,
            (_, "--help" | "-h") => return Ok(Err(format!("{USAGE}\n{HELP}"))),
            (_, "--version" | "-V") => {
                return Ok(Err(format!(
                    "antipode-checker {}",
                    env!("CARGO_PKG_VERSION")
                )));
            }
            _ if option.starts_with('-') => return Err(format!("no option {option}; {USAGE}")),
            _ if folder.is_none() => folder = Some(PathBuf::from(word)),
            _ => return Err(format!("one folder at a time; {USAGE}")),
        }
    }
    Ok(Ok((folder.ok_or(USAGE)?, parts, seed)))
}

fn main() -> ExitCode {
    // The reason of a rejection is printed next to the name.
    std::panic::set_hook(Box::new(|_| {}));
    let (code, why) = match run() {
        Ok((_, Err(error))) if error.kind() != io::ErrorKind::BrokenPipe => {
            (4, format!("standard output: {error}"))
        }
        // A reader that went away (`| head`) has seen enough.
        Ok((code, _)) => return code.into(),
        Err(fault) => fault,
    };
    let _ = writeln!(io::stderr(), "{why}");
    ExitCode::from(code)
}

/// The exit code, and whether the output was printed.
fn run() -> Result<(u8, io::Result<()>), Fault> {
    let (folder, parts, seed) = match arguments().map_err(|why| (2, why))? {
        Ok(asked) => asked,
        Err(text) => return Ok((0, writeln!(io::stdout(), "{text}"))),
    };
    let report = folder::check(&folder, parts, seed)?;
    Ok((folder::exit_code(&report), print(&report)))
}

/// A certificate's text without characters that a terminal would interpret.
fn printable(text: &str) -> String {
    let turns = |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let obeyed = |c: char| c.is_control() || turns(c);
    text.replace(obeyed, "\u{fffd}")
}

fn print(report: &Report) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let words = [
        "accepted",
        "accepted in part",
        "rejected",
        "cannot be checked here",
        "stopped, not checked",
    ];
    let mut counts = [0; 5];
    let trust = |what: &String| format!("trusted: {what}");
    for (name, outcome) in report {
        let (kind, remarks) = match outcome {
            Ok(trusted) if trusted.is_empty() => (0, vec![]),
            Ok(trusted) => (1, trusted.iter().map(trust).collect()),
            Err(Stop::Wrong(why)) => (2, vec![why.clone()]),
            Err(Stop::Unknown(why)) => (3, vec![why.clone()]),
            Err(Stop::Unfinished) => (4, vec![]),
        };
        counts[kind] += 1;
        writeln!(out, "{:<22} {}", words[kind], printable(name))?;
        for remark in remarks {
            writeln!(out, "{:25}{}", "", printable(&remark))?;
        }
    }
    let told = |(word, count): (&&str, usize)| format!("{count} {word}");
    let told: Vec<String> = words.iter().zip(counts).map(told).collect();
    writeln!(out, "{}", told.join(", "))?;
    out.flush()
}
