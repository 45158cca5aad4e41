//! Walking the folders.

use super::read::{self, Files};
use super::{FoundFolders, ReportError};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const DEEPEST: usize = 12;

fn unreadable(path: &Path, reason: &str) -> ReportError {
    let path = path.display();
    ReportError::Folder(format!("cannot read the folder {path}: {reason}"))
}

/// Reads all results in some folders and below them. A folder that is named twice, or within
/// another, is read once.
pub fn gather<P: AsRef<Path>>(folders: &[P]) -> Result<FoundFolders, ReportError> {
    let mut found = FoundFolders::default();
    let mut seen = BTreeSet::new();
    for folder in folders {
        let folder = folder.as_ref();
        if folder.is_file() {
            let reason = "it is a file; name the folder it lies in";
            return Err(unreadable(folder, reason));
        }
        walk(folder, 0, &mut seen, &mut found)?;
    }
    rest_on(&mut found);
    if found.is_empty() {
        let folders = folders.iter().map(|f| f.as_ref().display().to_string());
        let folders = folders.collect::<Vec<_>>().join(", ");
        return Err(ReportError::Folder(format!(
            "nothing to report in {folders}: no claims.csv, run.json, levels.csv, cost.csv, samples.csv, comparison.csv, solve.json or table.csv there or below; name a folder that certify, analyse, pairs, solve, table, bench or compare wrote with --out"
        )));
    }
    Ok(found)
}

/// Files of a run with more data than the certificates that rest on it.
const DATA: [&str; 6] = [
    "pairs.html",
    "pairs.csv",
    "levels.csv",
    "antipodes.csv",
    "parts.csv",
    "cost.csv",
];

fn rest_on(found: &mut FoundFolders) {
    for claim in &found.claims {
        let Some(behind) = found.behind.get_mut(&claim.id) else {
            continue;
        };
        for case in &behind.cases {
            let instance = case.instance.as_ref().or(claim.instance.as_ref());
            let of_claim = |run: &&super::FoundRun| {
                let run = run.run.as_ref();
                run.is_some_and(|run| run.puzzle == claim.puzzle && Some(&run.instance) == instance)
            };
            let rests = case.kind != "derived";
            for run in found.runs.iter().filter(of_claim).filter(|_| rests) {
                let paths = DATA.iter().map(|name| Path::new(&run.folder).join(name));
                let paths = paths.filter(|path| path.is_file() && !behind.data.contains(path));
                let paths: Vec<PathBuf> = paths.collect();
                behind.data.extend(paths);
            }
        }
    }
}

fn walk(
    folder: &Path,
    depth: usize,
    seen: &mut BTreeSet<PathBuf>,
    found: &mut FoundFolders,
) -> Result<(), ReportError> {
    let failed = |error: io::Error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it does not exist; name one that --out wrote",
            io::ErrorKind::PermissionDenied => {
                "no permission; change its permissions, or name another"
            }
            _ => &error.to_string(),
        };
        unreadable(folder, reason)
    };
    if !seen.insert(fs::canonicalize(folder).map_err(failed)?) {
        return Ok(());
    }
    let mut files = Files::new(folder);
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A link to a folder is not followed: it could lead back here. One to a file is.
        let kind = entry.file_type().map_err(failed)?;
        if name.starts_with('.') {
            continue;
        } else if kind.is_dir() {
            folders.push(entry.path());
        } else if entry.path().is_file() {
            files.add(name);
        }
    }
    read::folder(&files, found)?;
    folders.sort();
    let is_earlier = |path: &PathBuf| {
        let earlier = path.file_name().is_some_and(|name| name == "earlier");
        earlier
            && folder
                .file_name()
                .is_some_and(|name| name == "certificates")
    };
    // Certificates of earlier runs would be taken for results of this one.
    folders.retain(|path| !is_earlier(path));
    if depth < DEEPEST {
        for path in folders {
            walk(&path, depth + 1, seen, found)?;
        }
    }
    Ok(())
}
