//! Whether a run with `--resume` has work left.

use std::fs;
use std::path::Path;

use antipode_reports::json_out::read_json;
use antipode_reports::model::{MANIFEST, Manifest};
use antipode_reports::results::as_written;
use antipode_search::machine;
use antipode_search::progress::note;
use antipode_search::work::{JOURNAL, begun};
use anyhow::{Result, bail};
use serde_json::Value;

/// The record in a folder of results, if this very command is finished according to it. A finished
/// run may have kept its `work` for one that asks for more.
///
/// # Errors
/// It is finished and kept no work, but was another command: its results are not overwritten.
pub fn finished(
    (folder, file): (&Path, &str),
    work: &Path,
    complete: impl Fn(&Value) -> bool,
) -> Result<Option<Value>> {
    let written = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    let can_resume = begun(work);
    // A later run has begun there since.
    if can_resume && written(&work.join(JOURNAL)) > written(&folder.join(file)) {
        return Ok(None);
    }
    let Ok(record) = read_json::<Value>(folder.join(file)) else {
        return Ok(None);
    };
    if !complete(&record) {
        return Ok(None);
    }
    // It is written last: without it, a run was killed before all results were there.
    let Ok(manifest) = read_json::<Manifest>(folder.join(MANIFEST)) else {
        return Ok(None);
    };
    let listed = manifest.files.iter().map(|one| one.path.as_str());
    let files: Vec<&str> = listed.chain([file]).collect();
    match as_written(folder, &files) {
        Err(_) if can_resume => return Ok(None),
        sound => sound?,
    }
    let words = record["command"].as_array().into_iter().flatten();
    let there: Vec<String> = words
        .filter_map(|word| Some(word.as_str()?.to_owned()))
        .collect();
    let here: Vec<String> = machine::command_line();
    let other = match asked(&there) == asked(&here) {
        true => other_inputs(&record).map(|what| ("other inputs", what)),
        false => Some((
            "another command",
            there.get(1..).unwrap_or_default().join(" "),
        )),
    };
    match other {
        Some(_) if can_resume => return Ok(None),
        Some((other, what)) => bail!(
            "{}: holds the finished results of {other} ({what}); give another --out, or leave out --resume to write over them",
            folder.display()
        ),
        None => {}
    }
    note(format_args!(
        "{}: the run there is finished, and its results stay as they are; leave out --resume to run it again",
        folder.display()
    ));
    Ok(Some(record))
}

/// Whether all parts of a run were walked, according to its record.
pub fn all_parts(record: &Value) -> bool {
    record["parts_total"].is_u64() && record["parts_done"] == record["parts_total"]
}

/// The first file of the command line whose content differs from the record.
fn other_inputs(record: &Value) -> Option<String> {
    let there = &record["inputs"];
    let here = machine::inputs();
    let gone = there.as_object().into_iter().flatten();
    let gone = gone
        .map(|(word, _)| word)
        .find(|word| !here.contains_key(*word));
    if let Some(word) = gone {
        return Some(format!("{word} named a file there"));
    }
    let other = here
        .iter()
        .find(|(word, digest)| there[word.as_str()].as_str() != Some(digest));
    other.map(|(word, digest)| match there[word.as_str()].as_str() {
        Some(there) => format!("the content of {word} is {there} there and {digest} here"),
        None => format!("{word} named no file there"),
    })
}

/// A command line without its program and without options that do not change its results. The
/// folder that holds the record may have been named in another way, or moved.
fn asked(words: &[String]) -> Vec<&str> {
    let mut asked = Vec::new();
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--resume" | "--quiet" | "--force" => {}
            "--threads" | "--format" | "--color" | "--out" => {
                words.next();
            }
            _ if ["--threads=", "--format=", "--color=", "--out="]
                .iter()
                .any(|start| word.starts_with(start)) => {}
            _ => asked.push(word),
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::asked;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_does_not_change_results_does_not_count() {
        let first = words("antipode analyse tilt/box --out o");
        let again = words(
            "/bin/antipode analyse tilt/box --threads 2 --out=./o --format=json --resume --force",
        );
        assert_eq!(asked(&first), asked(&again));
        let other = words("antipode analyse tilt/box --out o --max-depth 3");
        assert_ne!(asked(&first), asked(&other));
    }
}
