//! The members of a certificate, form 2. A line is a member's path and, behind it, `-` for one
//! that is no evidence: nothing rests on it, and nothing here notices when it is changed. `?`
//! marks members that may be missing, `[]` lists, `{}` tables with names of their own, `**`
//! whatever lies below.

use serde_json::Value;

pub const CERTIFICATE: &str = "\
record
blake3
schema
claim.id
claim.puzzle
claim.instance
claim.source
claim.section
claim.url?
claim.quote?
claim.statement
claim.kind
claim.expect
claim.verdict
claim.readings[].name
claim.readings[].statement
claim.readings[].claimed
claim.readings[].bound?
claim.readings[].bound?.within?
claim.readings[].found
claim.readings[].unit?
claim.readings[].verdict
claim.readings[].note -
claim.claimed
claim.bound?
claim.bound?.within?
claim.found
claim.unit?
claim.effort
claim.variant
claim.engine
claim.evidence[]**
claim.witnesses[].caption -
claim.witnesses[].kind.board?.state
claim.witnesses[].kind.strip?.states[]
claim.witnesses[].kind.strip?.labels[]
claim.notes[] -
claim.text_at_hand?
claim.wall_s -
text
claim_blake3
cases[].reading
cases[].kind
cases[].instance
cases[].settings{}
cases[].board
cases[].own**
cases[].claimed
cases[].compare
cases[].within
cases[].found
cases[].verdict
cases[].variant
cases[].engine
cases[].witnesses
cases[].figures?.value?
cases[].figures?.low?
cases[].figures?.high?
cases[].figures?.verdict?
cases[].figures?.sampled?
cases[].figures?.wrong?
cases[].figures?.samples? -
cases[].figures?.program?
cases[].figures?.program-naive?
cases[].figures?{} -
cases[].proof?
cases[].run?.schema -
cases[].run?.tool_version -
cases[].run?.puzzle
cases[].run?.instance
cases[].run?.settings{}
cases[].run?.inputs?** -
cases[].run?.variant -
cases[].run?.engine -
cases[].run?.direction
cases[].run?.from
cases[].run?.max_depth
cases[].run?.threads -
cases[].run?.seed -
cases[].run?.plugin** -
cases[].run?.started_unix_s -
cases[].run?.wall_s -
cases[].run?.cpu_s -
cases[].run?.peak_memory_bytes -
cases[].run?.states_per_core_second -
cases[].run?.parts_done
cases[].run?.parts_total
cases[].run?.complete
cases[].run?.stopped_because -
cases[].run?.stop?** -
cases[].run?.host** -
cases[].run?.command[] -
cases[].run?.extra** -
cases[].levels?.levels[].depth
cases[].levels?.levels[].states
cases[].levels?.levels[].orbits
cases[].levels?.levels[].digest
cases[].levels?.unsolvable.states?
cases[].levels?.unsolvable.orbits?
cases[].levels?.unsolvable.digest?
cases[].antipodes?[].depth
cases[].antipodes?[].state
cases[].antipodes?[].orbit_size
cases[].moves?[].states
cases[].moves?[].moves
cases[].moves?[].known
cases[].moves?[].back
cases[].moves?[].to_unsolvable
cases[].moves?[].buckets
cases[].moves?[].kept
cases[].moves?[].kept_by_hash
cases[].checks[].what
cases[].checks[].sampled
cases[].checks[].population
cases[].checks[].wrong
cases[].checks[].confidence
cases[].checks[].bound
cases[].checks[].text
tool{} -
seed -
command[] -
host** -
rows?[].notes[] -
rows?[].wall_s -
rows?[].witnesses[].caption -
rows?[]**
";

/// Keys of a claim's own lines that decide nothing: what the project expects of a reading or at
/// another effort, and which effort it takes. Only the digest of the lines binds them.
pub const UNBOUND: [&str; 3] = ["expect", "expect_quick", "effort"];

/// The lines of a schema: path without `?`, whether it may be missing, whether it is evidence.
fn lines(schema: &str) -> impl Iterator<Item = (&str, bool)> {
    schema.lines().map(|line| {
        line.strip_suffix(" -")
            .map_or((line, true), |path| (path, false))
    })
}

/// Whether a member is evidence; none where there is no such member.
#[must_use]
pub fn evidence(path: &str) -> Option<bool> {
    let fits = |pattern: &str| {
        let pattern = pattern.replace('?', "");
        match pattern.strip_suffix("**") {
            Some(above) => {
                path == above
                    || path.starts_with(above) && path[above.len()..].starts_with(['.', '[', '{'])
            }
            None if pattern.ends_with("{}") => path
                .strip_prefix(&pattern[..pattern.len() - 2])
                .is_some_and(|rest| rest.starts_with('.') && !rest[1..].contains('.')),
            None => path == pattern,
        }
    };
    lines(CERTIFICATE)
        .find(|(pattern, _)| fits(pattern))
        .map(|(_, evidence)| evidence)
}

/// Whether every member is known, and none is missing.
///
/// # Errors
/// The first that is not.
pub fn check(value: &Value, path: &str) -> Result<(), String> {
    if lines(CERTIFICATE).any(|(pattern, _)| pattern.replace('?', "") == format!("{path}**")) {
        return Ok(());
    }
    match value {
        Value::Object(members) => {
            let below = if path.is_empty() {
                String::new()
            } else {
                format!("{path}.")
            };
            for pattern in lines(CERTIFICATE).map(|(pattern, _)| pattern) {
                let bare = pattern.replace('?', "");
                let Some(rest) = bare.strip_prefix(&below) else {
                    continue;
                };
                let name = rest.split(['.', '[', '{', '*']).next().unwrap_or_default();
                let may_lack = pattern
                    .split(['.', '[', '{', '*'])
                    .any(|part| part == format!("{name}?"));
                if !may_lack && !name.is_empty() && !members.contains_key(name) {
                    return Err(format!("the member {below}{name} is missing"));
                }
            }
            members
                .iter()
                .try_for_each(|(name, value)| check(value, &format!("{below}{name}")))
        }
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| check(item, &format!("{path}[]"))),
        // A list or a table that may be null.
        Value::Null
            if lines(CERTIFICATE)
                .any(|(pattern, _)| pattern.replace('?', "").starts_with(path)) =>
        {
            Ok(())
        }
        _ => evidence(path)
            .map(drop)
            .ok_or(format!("the member {path} is unknown")),
    }
}
