//! Looking names up, with the nearest one in the error.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use antipode_graph::Library;
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
        let (puzzle, hint) = (&library.name, nearest(instance, known));
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
        let hint = nearest(variant, library.variants.iter().map(String::as_str));
        let all = library.variants.join(", ");
        bail!("{puzzle}: no variant '{variant}'; {hint}use one of {all}");
    }
    let known = || library.settings.iter().map(|setting| setting.key.as_str());
    for key in settings
        .keys()
        .filter(|key| !known().any(|known| known == *key))
    {
        let hint = nearer(key, known(), ALIKE);
        if !hint.is_empty() {
            bail!(
                "--set {key}=…: {puzzle} has no setting '{key}'; {hint}`antipode list {puzzle}` shows all"
            );
        }
    }
    Ok(())
}

/// An error for a name that is not known.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> anyhow::Error {
    let hint = nearest(name, known);
    anyhow!("no {what} '{name}'; {hint}`antipode list` shows all")
}

/// `did you mean 'NAME'? `, if a known name is near enough.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearer(name, known, NEAR)
}

/// Similarity of names one of which may be meant for the other, and of names that can hardly mean
/// anything else.
const NEAR: f64 = 0.7;
const ALIKE: f64 = 0.8;
/// Similarity of names a letter apart; Jaro-Winkler is too low for short ones.
const ONE_SLIP: f64 = 0.9;

fn nearer<'a>(name: &str, known: impl Iterator<Item = &'a str>, least: f64) -> String {
    let slip = |other: &str| name.len() > 1 && strsim::osa_distance(name, other) == 1;
    let likeness = |other: &str| {
        let least = if slip(other) { ONE_SLIP } else { 0.0 };
        strsim::jaro_winkler(name, other).max(least)
    };
    let nearest = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    nearest
        .filter(|nearest| likeness(nearest) > least)
        .map_or_else(String::new, |nearest| format!("did you mean '{nearest}'? "))
}

/// Like [`nearest`], with up to three names: ids are long and much alike.
pub fn some_nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    // A common part of an id suggests a meant name as much as similarity does.
    let likeness = |other: &str| {
        let holds = !name.is_empty() && other.contains(name);
        strsim::jaro_winkler(name, other) + if holds { 1.0 } else { 0.0 }
    };
    let mut near: Vec<&str> = known.filter(|other| likeness(other) > NEAR).collect();
    near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)).then(a.cmp(b)));
    near.dedup();
    near.truncate(3);
    let quoted: Vec<String> = near.iter().map(|name| format!("'{name}'")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!("did you mean {one}? "),
        [most @ .., last] => format!("did you mean {} or {last}? ", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_a_letter_off_are_known() {
        let known = ["box", "card-1", "a"];
        assert_eq!(nearest("bx", known.into_iter()), "did you mean 'box'? ");
        assert_eq!(nearest("bo", known.into_iter()), "did you mean 'box'? ");
        assert_eq!(nearest("b", ["a"].into_iter()), "");
    }
}
