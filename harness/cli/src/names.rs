//! Looking names up, with the nearest one in the error.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use antipode_graph::Library;
use antipode_reports::text::{did_you_mean, distance, nearest};
use puzzle_api::Settings;

/// The library and instance of `PUZZLE/INSTANCE`.
///
/// # Errors
/// An unknown name, with the nearest known one.
pub fn find_instance(libraries: &[Arc<Library>], name: &str) -> Result<(Arc<Library>, String)> {
    let Some((puzzle, instance)) = name.split_once('/') else {
        let known = find_puzzle(libraries, name)?;
        bail!(
            "'{name}' names a puzzle; write {name}/INSTANCE, for example {name}/{}",
            known.instances.first().map_or("…", |first| &first.name)
        );
    };
    let library = find_puzzle(libraries, puzzle)?;
    check_instance(library, instance)?;
    Ok((Arc::clone(library), instance.to_owned()))
}

/// Refuses an instance that a puzzle neither lists nor opens.
///
/// # Errors
/// The name, with the nearest known one and the list of names.
pub fn check_instance(library: &Arc<Library>, instance: &str) -> Result<()> {
    let known = library.instances.iter().map(|known| known.name.as_str());
    library.find(instance).map_err(|advice| {
        let (puzzle, hint) = (&library.name, did_you_mean(instance, known));
        anyhow!(
            "no instance of {puzzle} '{}'; {hint}{advice}",
            instance.escape_debug()
        )
    })
}

/// The library of a puzzle.
///
/// # Errors
/// An unknown name, with the nearest known one.
pub fn find_puzzle<'a>(libraries: &'a [Arc<Library>], name: &str) -> Result<&'a Arc<Library>> {
    let names = libraries.iter().map(|library| library.name.as_str());
    libraries
        .iter()
        .find(|library| library.name == name)
        .ok_or_else(|| unknown("puzzle", name, names))
}

/// Refuses an unknown variant, and a setting whose name is similar to a known one; the puzzle
/// itself reports other errors of settings.
///
/// # Errors
/// The name, with the nearest known one.
pub fn check(library: &Library, variant: Option<&str>, settings: &Settings) -> Result<()> {
    let puzzle = &library.name;
    if let Some(variant) = variant.filter(|variant| !library.has_variant(variant)) {
        let hint = did_you_mean(variant, library.variants.iter().map(String::as_str));
        let all = library.variants.join(", ");
        bail!("{puzzle}: no variant '{variant}'; {hint}use one of {all}");
    }
    let known = || library.settings.iter().map(|setting| setting.key.as_str());
    for key in settings
        .keys()
        .filter(|key| !known().any(|known| known == *key))
    {
        let hint = did_you_mean(key, known());
        if !hint.is_empty() {
            let list = library.see_list();
            bail!("--set {key}=…: {puzzle} has no setting '{key}'; {hint}{list}");
        }
    }
    Ok(())
}

/// An error for a name that is not known.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> anyhow::Error {
    let hint = did_you_mean(name, known);
    anyhow!("no {what} '{name}'; {hint}`antipode list` shows all")
}

/// Like [`did_you_mean`], with up to three names: ids are long and much alike.
pub fn some_nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    // A common part of an id suggests a meant name as much as similarity does.
    let holds = |other: &str| !name.is_empty() && other.contains(name);
    let far = |other: &str| (!holds(other), distance(name, other));
    let mut near: Vec<&str> = known
        .filter(|other| holds(other) || nearest(name, [*other]).is_some())
        .collect();
    near.sort_by(|a, b| far(a).cmp(&far(b)).then(a.cmp(b)));
    near.dedup();
    near.truncate(3);
    let quoted: Vec<String> = near.iter().map(|name| format!("'{name}'")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!("did you mean {one}? "),
        [most @ .., last] => format!("did you mean {} or {last}? ", most.join(", ")),
    }
}
