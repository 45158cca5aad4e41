//! Which files may be overwritten.

use super::standing::standing;
use crate::atomic::{WriteError, folder_of};
use crate::model::{ClaimRow, older_columns, tables};
use crate::text::regular;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Checks that the command `verb` can write files to a folder, before the work that makes them. The
/// folder must have no such file, or one of our own, which its manifest lists as of this command or
/// whose form is known. `force` also overwrites other files (`None`: the command has no such
/// option), but never results of another command. Links are never written through.
pub fn clear_way(
    folder: &Path,
    names: &[&str],
    verb: &str,
    force: Option<bool>,
) -> Result<(), WriteError> {
    each_way(folder, names, verb, force).collect()
}

/// [`clear_way`] for each file by itself; the folder is read once.
pub fn each_way(
    folder: &Path,
    names: &[&str],
    verb: &str,
    force: Option<bool>,
) -> impl Iterator<Item = Result<(), WriteError>> {
    let mut listed = None;
    names.iter().map(move |name| {
        let path = folder.join(name);
        let Ok(data) = fs::symlink_metadata(&path) else {
            return Ok(());
        };
        let reason = match () {
            () if data.is_symlink() => {
                "a link exists there, and results are not written through links; remove it, or choose another place"
            }
            () if data.is_dir() => {
                "a folder exists where a file is needed; move it away or choose another place"
            }
            () if !data.is_file() => {
                "a device or a pipe exists there; move it away or choose another place"
            }
            () => match listed.get_or_insert_with(|| standing(folder)).writer(name) {
                Some(other) if replaces(verb, other, name) => return Ok(()),
                Some(other) => {
                    &format!("it is a result of `antipode {other}` there; choose another --out")
                }
                None => return may_replace(&path, force),
            },
        };
        Err(WriteError::refused(&path, reason))
    })
}

/// Producer of pages that are written next to the results of a command.
pub const PAGE: &str = "page";

/// Whether a command may replace a file of another. Pages and summaries belong to no command.
fn replaces(verb: &str, other: &str, name: &str) -> bool {
    let same: [&[&str]; 2] = [&["analyse", "verify", "merge"], &["bench", "regress"]];
    let alike = |all: &&[&str]| all.contains(&verb) && all.contains(&other);
    verb == other || other == PAGE || other == name || same.iter().any(alike)
}

/// Checks that a file that a user named may be overwritten: there is none, it is empty, or it has
/// one of our forms. `force` is as for [`clear_way`].
pub fn may_replace(path: &Path, force: Option<bool>) -> Result<(), WriteError> {
    let holds_something = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0);
    if !holds_something || force == Some(true) || is_ours(path) {
        return Ok(());
    }
    let reason = match force {
        Some(_) => {
            "a file exists there that is not of Antipode; move it away, choose another place, or add --force to write over it"
        }
        None => {
            "a file exists there that is not of Antipode; move it away, or choose another place"
        }
    };
    Err(WriteError::refused(path, reason))
}

/// Checks that a page that a user named is no file of a result: its folder's manifest would report
/// it as changed from then on.
pub fn no_part_of_a_result(path: &Path) -> Result<(), WriteError> {
    let name = path.file_name().and_then(|name| name.to_str());
    match name.is_some_and(|name| standing(folder_of(path)).lists(name)) {
        true => Err(WriteError::refused(
            path,
            "it is part of a result, whose manifest would report it as changed; choose another file",
        )),
        false => Ok(()),
    }
}

/// First line of a summary in Markdown, which no reader sees.
pub const SUMMARY_MARK: &str = "<!-- antipode:summary -->";

/// First line of a style or script that pages have next to them.
pub(crate) const FILE_MARK: &str = "/* Antipode */";

/// How pictures begin: plots, boards.
const PICTURES: [&str; 2] = ["<svg class=\"plot\"", "<svg class=\"board"];

/// Number of bytes in which our files name their form.
const HEAD: u64 = 4096;

/// Whether a file has a form that this or an older version writes.
fn is_ours(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = regular(path).and_then(File::open);
    if read
        .and_then(|file| file.take(HEAD).read_to_end(&mut bytes))
        .is_err()
    {
        return false;
    }
    let head = String::from_utf8_lossy(&bytes);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => is_table(&head),
        Some("html") => head.contains("name=\"generator\" content=\"Antipode "),
        Some("svg") => PICTURES.iter().any(|begin| head.starts_with(begin)),
        Some("css" | "js") => head.starts_with(FILE_MARK),
        Some("md") => head.starts_with(SUMMARY_MARK),
        Some("json") => is_record(&head),
        _ => false,
    }
}

fn is_table(text: &str) -> bool {
    let all = tables().into_iter().map(|(_, columns)| columns);
    let mut headers = all.chain([older_columns::<ClaimRow>()]);
    let first = text.lines().next().unwrap_or_default();
    headers.any(|header| header.join(",") == first)
}

/// Records have their name; older ones have the number of their form instead. A list without one
/// holds nothing to lose: a run that was stopped before its first sample leaves it.
fn is_record(head: &str) -> bool {
    let has = |member: &str| head.contains(&format!("\"{member}\": "));
    let is_old = || has("schema") && ["tool_version", "tool", "suite"].into_iter().any(has);
    head.trim() == "[]" || head.contains("\"record\": \"antipode-") || is_old()
}
