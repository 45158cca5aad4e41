//! Mechanical edits of files, of any members and cells.

use std::collections::BTreeSet;

use antipode_checker::blake3;
use antipode_checker::folder::Files;
use antipode_checker::schema::{UNBOUND, evidence, optional};
use antipode_checker::search::hash;
use antipode_checker::strict::VERDICTS;
use serde_json::{Value, json};

use crate::files::{is_certificate, sealed, sealed_text};

#[derive(Debug, Clone, Copy)]
pub enum How {
    /// One more, or one less.
    By(i8),
    Digit(usize),
    Out,
    Twice,
    Other,
}

/// A place in a JSON value, as in the schema and as found.
#[derive(Debug, Clone, Default)]
pub struct Place {
    pub path: String,
    pub pointer: String,
}

pub fn places(value: &Value, at: &Place, all: &mut Vec<(Place, How)>) {
    let inner = |path: String, key: &str| {
        let key = key.replace('~', "~0").replace('/', "~1");
        let pointer = format!("{}/{key}", at.pointer);
        Place { path, pointer }
    };
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = format!("{}.{key}", at.path);
                let path = path.trim_start_matches('.').to_owned();
                let place = inner(path, key);
                all.push((place.clone(), How::Out));
                places(value, &place, all);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let place = inner(format!("{}[]", at.path), &i.to_string());
                all.extend([How::Out, How::Twice].map(|how| (place.clone(), how)));
                places(item, &place, all);
            }
        }
        Value::String(text) => {
            let digits = (0..text.len()).step_by(1 + text.len() / 8).map(How::Digit);
            let all_edits = digits.chain([How::By(1), How::By(-1), How::Other]);
            all.extend(all_edits.map(|how| (at.clone(), how)));
        }
        _ => all.extend([How::By(1), How::By(-1), How::Other].map(|how| (at.clone(), how))),
    }
}

/// A text with one letter changed.
fn other_letter(text: &str, at: usize) -> Option<String> {
    let old = text.get(at..=at)?;
    let new = match old {
        "0" => "1",
        "a" => "b",
        "o" => ".",
        "." => "o",
        _ if old.bytes().all(|b| b.is_ascii_hexdigit()) => "0",
        _ => "z",
    };
    (old != new).then(|| format!("{}{new}{}", &text[..at], &text[at + 1..]))
}

fn edited(value: &Value, how: How) -> Option<Value> {
    Some(match (value, how) {
        (Value::String(text), How::Digit(at)) => other_letter(text, at)?.into(),
        (Value::String(text), How::By(by)) => match text.parse::<u128>() {
            Ok(number) => number.checked_add_signed(by.into())?.to_string().into(),
            Err(_) => {
                let all: Vec<&str> = VERDICTS.split_whitespace().collect();
                let at = all.iter().position(|verdict| verdict == text)?;
                let place = at + all.len();
                all[place.checked_add_signed(by.into())? % all.len()].into()
            }
        },
        (Value::String(text), How::Other) => if text.is_empty() { "x" } else { "" }.into(),
        (Value::Number(number), How::By(by)) => match number.as_i64() {
            Some(number) => json!(number + i64::from(by)),
            None => json!(number.as_f64()? * (1.0 + f64::from(by) / 1000.0)),
        },
        (Value::Bool(truth), How::Other) => json!(!truth),
        (Value::Null, How::By(1)) => json!(0),
        (Value::Number(_), How::Other) => Value::Null,
        _ => return None,
    })
}

/// The value with a place edited; `None` if the edit changes nothing.
fn with(value: &Value, place: &Place, how: How) -> Option<Value> {
    let mut value = value.clone();
    let (above, last) = place.pointer.rsplit_once('/')?;
    let last = last.replace("~1", "/").replace("~0", "~");
    match (how, value.pointer_mut(above)?) {
        (How::Out, Value::Object(members)) => drop(members.remove(&last)),
        (How::Out, Value::Array(items)) => drop(items.remove(last.parse().ok()?)),
        (How::Twice, Value::Array(items)) => {
            let at: usize = last.parse().ok()?;
            items.insert(at, items[at].clone());
        }
        _ => {
            let slot = value.pointer_mut(&place.pointer)?;
            *slot = edited(slot, how)?;
        }
    }
    Some(value)
}

/// Whether an edit of a claim's own lines concerns a key that decides nothing.
fn is_unbound(before: &Value, after: &Value) -> bool {
    let [before, after] = [before, after].map(|value| {
        let text = value["text"].as_str().unwrap_or_default();
        text.lines().collect::<Vec<_>>()
    });
    let key = |line: &str| line.split('=').next().unwrap_or_default().trim().to_owned();
    let odd = before.iter().zip(&after).find(|(a, b)| a != b);
    before.len() == after.len()
        && odd.is_some_and(|(a, b)| {
            UNBOUND.contains(&key(a).as_str()) && key(a) == key(b)
                || a.trim() == b.trim()
                || a.starts_with('#')
        })
}

/// An edit of a file with the expected outcome: whether the file must be rejected once all digests
/// are renewed.
pub struct Edit {
    pub what: String,
    pub path: String,
    pub bytes: Vec<u8>,
    pub rejected: bool,
}

/// An edit of a file that must be rejected.
fn edit(path: &str, what: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Edit {
    Edit {
        what: what.into(),
        path: path.to_owned(),
        bytes: bytes.into(),
        rejected: true,
    }
}

/// Whether a member's value is left out by honest certificates too: 0, or nothing that is evidence.
fn says_nothing(value: &Value, path: &str) -> bool {
    let free = |name| evidence(&format!("{path}.{name}")) == Some(false);
    match value {
        Value::Object(members) => members.keys().all(free),
        value => value == "0",
    }
}

/// Edits of a certificate: without each member that may be missing, and others, drawn from all.
fn of_certificate(path: &str, bytes: &[u8], most: usize, others: &[Value]) -> Vec<Edit> {
    let value: Value = serde_json::from_slice(bytes).unwrap();
    let mut all = Vec::new();
    places(&value, &Place::default(), &mut all);
    let may_lack: BTreeSet<&str> = optional().collect();
    let lacks =
        |(place, how): &(Place, How)| matches!(how, How::Out) && may_lack.contains(&*place.path);
    let most = most + all.iter().filter(|one| lacks(one)).count();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&i| (!lacks(&all[i]), hash(i as u128)));
    let mut edits = Vec::new();
    for i in order {
        let (place, how) = &all[i];
        let digests = ["blake3", "claim_blake3"].contains(&place.path.as_str());
        let Some(after) = with(&value, place, *how).filter(|after| *after != value && !digests)
        else {
            continue;
        };
        let lists = matches!(how, How::Out | How::Twice);
        let inner = place.path.contains(['.', '[']);
        let free = match evidence(&place.path) {
            Some(true) => false,
            Some(false) => !lists || inner,
            None => !lists,
        };
        let free = free
            || place.path == "text" && is_unbound(&value, &after)
            || lacks(&all[i]) && says_nothing(value.pointer(&place.pointer).unwrap(), &place.path);
        let edit = edit(path, format!("{} {how:?}", place.pointer), sealed(&after));
        let rejected = !free;
        edits.push(Edit { rejected, ..edit });
        if edits.len() == most {
            break;
        }
    }
    // Another claim's evidence.
    let of_others = |other: &&Value| other["claim"]["id"] != value["claim"]["id"];
    for other in others.iter().filter(of_others).take(2) {
        let mut after = value.clone();
        after["cases"] = other["cases"].clone();
        edits.push(edit(path, "another claim's evidence", sealed(&after)));
    }
    edits.push(edit(path, "truncated", &bytes[..bytes.len() / 2]));
    edits
}

/// Members of a JSON file that occur twice, first with another value: readers differ in which one
/// they take.
fn with_members_twice(path: &str, bytes: &[u8]) -> Vec<Edit> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_member = |line: &str| line.trim_start().starts_with('"') && line.contains("\": ");
    let members = (1..lines.len()).filter(|&at| is_member(lines[at]));
    let mut members: Vec<usize> = members.collect();
    members.sort_by_key(|&at| hash(at as u128));
    let twice = |&at: &usize| {
        let (name, _) = lines[at].split_once(':').unwrap();
        let (before, after) = (lines[..at].concat(), lines[at..].concat());
        let text = format!("{before}{name}: 4,\n{after}");
        let bytes = match is_certificate(&&path.to_owned()) {
            true => sealed_text(&text),
            false => text.into_bytes(),
        };
        edit(path, format!("{} twice", name.trim()), bytes)
    };
    members.iter().take(4).map(twice).collect()
}

/// Edits of a table: a number off by one or another letter in each cell, a row left out or
/// twice, the end cut off. The time that a claim took is no evidence.
fn of_table(path: &str, bytes: &[u8]) -> Vec<Edit> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[String]| lines.join("\n") + "\n";
    let mut edits = vec![edit(path, "truncated", &text[..text.len() / 2])];
    for (i, line) in lines.iter().enumerate() {
        let whole: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let (mut out, mut twice) = (whole.clone(), whole.clone());
        out.remove(i);
        twice.insert(i, (*line).to_owned());
        edits.push(edit(path, format!("line {i} out"), joined(&out)));
        edits.push(edit(path, format!("line {i} twice"), joined(&twice)));
        let cells: Vec<&str> = line.split(',').collect();
        for (j, cell) in cells.iter().enumerate() {
            let time = path == "claims.csv" && j + 2 == cells.len() && i > 0;
            for how in [How::By(1), How::By(-1), How::Digit(cell.len() / 2)] {
                let Some(Value::String(cell)) = edited(&json!(cell), how) else {
                    continue;
                };
                let mut cells: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
                cells[j] = cell;
                let mut lines = whole.clone();
                lines[i] = cells.join(",");
                let what = format!("line {i} cell {j} {how:?}");
                edits.push(Edit {
                    rejected: !time,
                    ..edit(path, what, joined(&lines))
                });
            }
        }
    }
    edits
}

/// Edits of all files of a folder, at most `most` of a certificate.
pub fn edits(files: &Files, most: usize, others: &[Value]) -> Vec<Edit> {
    let mut all = Vec::new();
    for (path, bytes) in files {
        // Manifests are renewed after each edit.
        if path.ends_with(".json") && !path.ends_with("manifest.json") {
            all.extend(with_members_twice(path, bytes));
        }
        if is_certificate(&path) {
            all.extend(of_certificate(path, bytes, most, others));
            // The further tables of a claim with many readings are as its second.
        } else if path.ends_with(".csv") && (!path.contains(".levels-") || path.ends_with("-2.csv"))
        {
            let mut edits = of_table(path, bytes);
            let digest = |edit: &Edit| blake3::hex(edit.what.as_bytes())[..16].to_owned();
            edits.sort_by_key(|edit| hash(u128::from_str_radix(&digest(edit), 16).unwrap()));
            all.extend(edits.into_iter().take(3 * most));
        }
    }
    all
}
