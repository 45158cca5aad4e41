//! The members of a certificate, form 3, as `data/certificate.txt` lists them. A line is a member's
//! path, the types that it may have (a text if none is named), and `-` if it is no evidence: nothing
//! rests on it, and a change of it is not detected here. `?` marks members that may be missing, `[]`
//! lists, `{}` tables with arbitrary names, `**` everything below.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

const MEMBERS: &str = include_str!("../data/certificate.txt");

/// Keys of a claim's own lines that decide nothing: the project's expectation of a reading or at
/// another effort, and the effort. Only the digest of the lines binds them.
pub const UNBOUND: [&str; 3] = ["expect", "expect_quick", "effort"];

struct Line {
    path: String,
    types: &'static str,
    evidence: bool,
}

struct Schema {
    lines: Vec<Line>,
    may_lack: BTreeSet<String>,
}

static CERTIFICATE: LazyLock<Schema> = LazyLock::new(|| {
    let (mut lines, mut may_lack) = (Vec::new(), BTreeSet::new());
    for line in MEMBERS.lines() {
        let named = line.trim_end_matches(" -");
        let (path, types) = named.split_once(' ').unwrap_or((named, "text"));
        let marks = path.match_indices('?');
        may_lack.extend(marks.map(|(mark, _)| path[..mark].replace('?', "")));
        lines.push(Line {
            path: path.replace('?', ""),
            types,
            evidence: named == line,
        });
    }
    Schema { lines, may_lack }
});

/// The line of a member.
fn line(path: &str) -> Option<&'static Line> {
    let fits = |pattern: &str| match pattern.strip_suffix("**") {
        Some(above) => path
            .strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{'])),
        None => pattern.strip_suffix("{}").map_or(path == pattern, |above| {
            let rest = path.strip_prefix(above);
            let name = rest.and_then(|rest| rest.strip_prefix('.'));
            name.is_some_and(|name| !name.contains('.'))
        }),
    };
    CERTIFICATE.lines.iter().find(|line| fits(&line.path))
}

/// Whether a member is evidence; `None` if there is no such member.
pub fn evidence(path: &str) -> Option<bool> {
    line(path).map(|line| line.evidence)
}

/// Whether a value has a type. A count and a digest are texts with one spelling.
fn is_a(value: &Value, name: &str) -> bool {
    let text = value.as_str();
    match name {
        "null" => value.is_null(),
        "bool" => value.is_boolean(),
        "number" => value.is_number(),
        "whole" => value.is_u64(),
        "count" => text.is_some_and(|text| {
            let number = text.parse::<u128>().ok();
            number.is_some_and(|number| number.to_string() == text)
        }),
        "digest" => text.is_some_and(|text| {
            let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            text.len() == 32 && text.bytes().all(digit)
        }),
        _ => text.is_some(),
    }
}

/// The members that may be missing.
pub fn optional() -> impl Iterator<Item = &'static str> {
    CERTIFICATE.may_lack.iter().map(String::as_str)
}

/// Whether a value is empty, so that a member with it may be missing.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        _ => false,
    }
}

/// Whether every member is known, and none is missing.
pub fn check(value: &Value, path: &str) -> Result<(), String> {
    let paths = CERTIFICATE.lines.iter().map(|line| line.path.as_str());
    let is_whole = |known: &str| known.strip_suffix("**") == Some(path);
    if paths.clone().any(is_whole) {
        return Ok(());
    }
    let has = |mark: &str| {
        let begin = format!("{path}{mark}");
        paths.clone().any(|known| known.starts_with(&begin))
    };
    match value {
        Value::Object(members) if path.is_empty() || has(".") || has("{}") => {
            let below = path.to_owned() + if path.is_empty() { "" } else { "." };
            for rest in paths.filter_map(|known| known.strip_prefix(&below)) {
                let name = rest.split(['.', '[', '{', '*']).next().unwrap_or_default();
                let member = format!("{below}{name}");
                let lacks = !name.is_empty() && !members.contains_key(name);
                if lacks && !CERTIFICATE.may_lack.contains(&member) {
                    return Err(format!("the member {member} is missing"));
                }
            }
            if path == "claim.witnesses[].kind" && members.len() != 1 {
                return Err("a witness is not of one kind".into());
            }
            let mut members = members.iter();
            members.try_for_each(|(name, value)| {
                let member = format!("{below}{name}");
                let empty = is_empty(value) && CERTIFICATE.may_lack.contains(&member);
                if empty {
                    return Err(format!(
                        "the member {member} is empty, and then is left out"
                    ));
                }
                check(value, &member)
            })
        }
        Value::Array(items) if has("[]") => {
            let mut items = items.iter();
            items.try_for_each(|item| check(item, &format!("{path}[]")))
        }
        _ => {
            let types = line(path).map(|line| line.types);
            let types = types.ok_or(format!("the member {path} is unknown, or of another type"))?;
            let fits = types.split('|').any(|name| is_a(value, name));
            fits.then_some(())
                .ok_or(format!("the member {path} is no {types}"))
        }
    }
}
