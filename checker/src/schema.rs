//! The members of a certificate, form 3, as `data/certificate.txt` lists them. A line is a member's
//! path, followed by `-` if it is no evidence: nothing rests on it, and a change of it is not
//! detected here. `?` marks members that may be missing, `[]` lists, `{}` tables with arbitrary
//! names, `**` everything below.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

const MEMBERS: &str = include_str!("../data/certificate.txt");

/// Keys of a claim's own lines that decide nothing: the project's expectation of a reading or at
/// another effort, and the effort. Only the digest of the lines binds them.
pub const UNBOUND: [&str; 3] = ["expect", "expect_quick", "effort"];

struct Schema {
    /// Paths, with whether they are evidence.
    lines: Vec<(String, bool)>,
    may_lack: BTreeSet<String>,
}

static CERTIFICATE: LazyLock<Schema> = LazyLock::new(|| {
    let (mut lines, mut may_lack) = (Vec::new(), BTreeSet::new());
    for line in MEMBERS.lines() {
        let path = line.trim_end_matches(" -");
        let marks = path.match_indices('?');
        may_lack.extend(marks.map(|(mark, _)| path[..mark].replace('?', "")));
        lines.push((path.replace('?', ""), path == line));
    }
    Schema { lines, may_lack }
});

/// Whether a member is evidence; `None` if there is no such member.
pub fn evidence(path: &str) -> Option<bool> {
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
    let mut lines = CERTIFICATE.lines.iter();
    lines.find(|(pattern, _)| fits(pattern)).map(|line| line.1)
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
    let mut paths = CERTIFICATE.lines.iter().map(|line| line.0.as_str());
    let is_whole = |known: &str| known.strip_suffix("**") == Some(path);
    if paths.clone().any(is_whole) {
        return Ok(());
    }
    match value {
        Value::Object(members) => {
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
        Value::Array(items) => {
            let mut items = items.iter();
            items.try_for_each(|item| check(item, &format!("{path}[]")))
        }
        // A list or a table that may be null.
        Value::Null if paths.any(|known| known.starts_with(path)) => Ok(()),
        _ => evidence(path)
            .map(drop)
            .ok_or(format!("the member {path} is unknown")),
    }
}
