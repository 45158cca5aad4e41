//! The members of a certificate, form 3, as `data/certificate.txt` lists them. A line is a member's
//! path, the types that it may have (a text if none is named), and `-` if it is no evidence: nothing
//! rests on it, and a change of it is not detected here. `?` marks members that may be missing, `[]`
//! lists, `{}` tables with arbitrary names, `**` everything below.

use std::collections::{BTreeSet, HashMap, HashSet};
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
    /// The numbers of the lines that stand for one path, and of those that stand for several.
    by_path: HashMap<String, usize>,
    patterns: Vec<usize>,
    /// The beginnings of paths before and with each mark: `.`, `[]` or `{}`.
    begins: HashSet<String>,
    /// The members that may not be missing, by the beginnings of their paths.
    due: HashMap<String, Vec<String>>,
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
    let mut schema = Schema {
        by_path: HashMap::new(),
        patterns: Vec::new(),
        begins: HashSet::new(),
        due: HashMap::new(),
        lines,
        may_lack,
    };
    for (at, Line { path, .. }) in schema.lines.iter().enumerate() {
        if path.ends_with("**") || path.ends_with("{}") {
            schema.patterns.push(at);
        } else {
            schema.by_path.entry(path.clone()).or_insert(at);
        }
        let ends = [".", "[]", "{}"].map(|mark| path.match_indices(mark));
        let ends = ends.into_iter().flatten().map(|(at, mark)| at + mark.len());
        schema.begins.extend(ends.map(|end| path[..end].to_owned()));
        let members = path.match_indices('.').map(|(at, _)| at + 1);
        for begin in members.chain([0]) {
            let rest = &path[begin..];
            let name = rest.split(['.', '[', '{', '*']).next().unwrap_or_default();
            let member = format!("{}{name}", &path[..begin]);
            let due = schema.due.entry(path[..begin].to_owned()).or_default();
            if !name.is_empty() && !schema.may_lack.contains(&member) && !due.contains(&member) {
                due.push(member);
            }
        }
    }
    schema
});

/// The line of a member.
fn line(path: &str) -> Option<&'static Line> {
    let fits = |pattern: &str| match pattern.strip_suffix("**") {
        Some(above) => path
            .strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{'])),
        None => pattern.strip_suffix("{}").is_some_and(|above| {
            let rest = path.strip_prefix(above);
            let name = rest.and_then(|rest| rest.strip_prefix('.'));
            name.is_some_and(|name| !name.contains('.'))
        }),
    };
    let Schema {
        lines,
        by_path,
        patterns,
        ..
    } = &*CERTIFICATE;
    let exact = by_path.get(path).copied();
    let pattern = patterns.iter().copied().find(|&at| fits(&lines[at].path));
    let first = exact.into_iter().chain(pattern).min();
    first.map(|at| &lines[at])
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
    let schema = &*CERTIFICATE;
    let mut patterns = schema.patterns.iter().map(|&at| &schema.lines[at].path);
    if patterns.any(|known| known.strip_suffix("**") == Some(path)) {
        return Ok(());
    }
    let has = |mark: &str| schema.begins.contains(&format!("{path}{mark}"));
    match value {
        Value::Object(members) if path.is_empty() || has(".") || has("{}") => {
            let below = path.to_owned() + if path.is_empty() { "" } else { "." };
            let mut due = schema.due.get(&below).into_iter().flatten();
            let missing = due.find(|member| !members.contains_key(&member[below.len()..]));
            if let Some(member) = missing {
                return Err(format!("the member {member} is missing"));
            }
            if path == "claim.witnesses[].kind" && members.len() != 1 {
                return Err("a witness is not of one kind".into());
            }
            let mut members = members.iter();
            members.try_for_each(|(name, value)| {
                let member = format!("{below}{name}");
                let empty = is_empty(value) && schema.may_lack.contains(&member);
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
