//! A static site from results: pages, and their evidence files next to them, so that the folder can
//! be hosted as it is.

use super::super::{ReportHead, free_name};
use super::pages;
use crate::atomic::{WriteError, ensure_clean};
use crate::model::MANIFEST;
use crate::report::FoundFolders;
use crate::results::{Results, clear_way};
use crate::text::regular;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const DATA: &str = "data";
const VERB: &str = "report";

/// Writes a site to a folder, all of its files or none, with their manifest. It has pages, and
/// copies of the results in `data/`, byte for byte. Pages of an earlier site that this one lacks
/// are removed. `force` is as for [`clear_way`].
pub fn write_site(
    folder: &Path,
    head: &ReportHead,
    found: &FoundFolders,
    roots: &[PathBuf],
    force: Option<bool>,
) -> Result<usize, WriteError> {
    let copies = copies(found, roots);
    let mut found = found.clone();
    for behind in found.behind.values_mut() {
        let files = std::iter::once(&mut behind.certificate).chain(&mut behind.data);
        for file in files.filter(|file| !file.as_os_str().is_empty()) {
            let copy = copies.iter().find(|(from, _)| from == file);
            *file = copy.map_or_else(PathBuf::new, |(_, to)| PathBuf::from(to));
        }
        behind.data.retain(|file| !file.as_os_str().is_empty());
    }
    let head = ReportHead {
        folder: PathBuf::new(),
        ..head.clone()
    };
    let pages = pages(&head, &found).map_err(|error| WriteError::content(folder, error))?;
    let names = pages.iter().map(|(name, _)| name.as_str());
    let names = names.chain(copies.iter().map(|(_, to)| to.as_str()));
    let names: Vec<&str> = names.collect();
    ensure_clean(folder)?;
    clear_way(folder, &names, VERB, force)?;
    clear_way(folder, &[MANIFEST], VERB, force)?;
    let mut results = Results::whole(folder, VERB);
    let parents = copies.iter().filter_map(|(_, to)| Path::new(to).parent());
    let inner: BTreeSet<&Path> = parents.collect();
    inner
        .iter()
        .try_for_each(|inner| ensure_clean(folder.join(inner)))?;
    for (from, to) in &copies {
        results.bytes(to, regular(from).and_then(fs::read))?;
    }
    let is_page = |(name, _): &&(String, String)| name.ends_with(".html");
    let count = pages.iter().filter(is_page).count();
    for (name, text) in pages {
        results.bytes(&name, Ok(text.into_bytes()))?;
    }
    results.finish()?;
    Ok(count)
}

fn copies(found: &FoundFolders, roots: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let mut taken = BTreeSet::new();
    let bases: Vec<(PathBuf, String)> = roots
        .iter()
        .map(|root| {
            let whole = std::path::absolute(root).unwrap_or_else(|_| root.clone());
            let name = whole
                .file_name()
                .map_or("results".into(), |name| name.to_string_lossy());
            (root.clone(), free_name(&name, &mut taken))
        })
        .collect();
    let of_folder = |(folder, names): &(PathBuf, Vec<String>)| {
        let (root, base) = bases.iter().find(|(root, _)| folder.starts_with(root))?;
        let inner = folder.strip_prefix(root).ok()?;
        let to = Path::new(DATA).join(base).join(inner);
        let file = |name: &String| {
            let to = to
                .join(name)
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect::<Vec<_>>();
            (folder.join(name), to.join("/"))
        };
        Some(names.iter().map(file).collect::<Vec<_>>())
    };
    found
        .folders
        .iter()
        .filter_map(of_folder)
        .flatten()
        .collect()
}
