//! The schema for editors, compared with the reader: each accepts what the other accepts.

use antipode_claims::{parse_claims, schema};
use serde_json::{Value, json};

/// Whether a value fits a schema, by the keywords that our schema uses; `pattern` is left out.
fn fits(schema: &Value, value: &Value) -> bool {
    let Some(rules) = schema.as_object() else {
        return schema.as_bool().unwrap();
    };
    let list = |rule: &Value| rule.as_array().unwrap().clone();
    let len = || value.as_array().map_or(0, Vec::len) as u64;
    let has = |key: &Value| value.get(key.as_str().unwrap()).is_some();
    rules.iter().all(|(word, rule)| match word.as_str() {
        "type" => {
            let is = |name: &Value| match name.as_str().unwrap() {
                "string" => value.is_string(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("type {other}"),
            };
            match rule {
                Value::Array(names) => names.iter().any(is),
                name => is(name),
            }
        }
        "enum" => list(rule).contains(value),
        "const" => rule == value,
        "required" => !value.is_object() || list(rule).iter().all(has),
        "properties" => rule.as_object().unwrap().iter().all(|(key, rule)| {
            let found = value.get(key);
            found.is_none_or(|found| fits(rule, found))
        }),
        "additionalProperties" => value.as_object().is_none_or(|table| {
            let known = rules.get("properties").and_then(Value::as_object);
            let is_known = |key: &String| known.is_some_and(|known| known.contains_key(key));
            let mut others = table.iter().filter(|(key, _)| !is_known(key));
            others.all(|(_, other)| fits(rule, other))
        }),
        "items" => value
            .as_array()
            .is_none_or(|items| items.iter().all(|item| fits(rule, item))),
        "minItems" => !value.is_array() || Some(len()) >= rule.as_u64(),
        "maxItems" => !value.is_array() || Some(len()) <= rule.as_u64(),
        "uniqueItems" => value.as_array().is_none_or(|items| {
            let twice = |at: usize| items[..at].contains(&items[at]);
            !(0..items.len()).any(twice)
        }),
        "minimum" => value.as_f64().is_none_or(|x| Some(x) >= rule.as_f64()),
        "maximum" => value.as_f64().is_none_or(|x| Some(x) <= rule.as_f64()),
        "exclusiveMinimum" => value.as_f64().is_none_or(|x| Some(x) > rule.as_f64()),
        "exclusiveMaximum" => value.as_f64().is_none_or(|x| Some(x) < rule.as_f64()),
        "allOf" => list(rule).iter().all(|one| fits(one, value)),
        "anyOf" => list(rule).iter().any(|one| fits(one, value)),
        "not" => !fits(rule, value),
        "if" => {
            let branch = if fits(rule, value) { "then" } else { "else" };
            rules.get(branch).is_none_or(|rule| fits(rule, value))
        }
        "dependentSchemas" => rule.as_object().unwrap().iter().all(|(key, rule)| {
            let there = value.get(key).is_some();
            !there || fits(rule, value)
        }),
        "then" | "else" | "description" | "title" | "$schema" | "pattern" => true,
        other => panic!("a word that is not known here: {other}"),
    })
}

/// Whether the reader and the schema accept a claim with these lines added to the common ones.
fn taken(lines: &str) -> (bool, bool) {
    let text = format!(
        "puzzle = \"tilt\"\n[[claim]]\nid = \"a\"\nsource = \"s\"\nstatement = \"t\"\nexpect = \"confirmed\"\n{lines}\n"
    );
    let read = parse_claims("f", &text).and_then(antipode_claims::ClaimFile::all);
    let value: toml::Table = text.parse().unwrap();
    (read.is_ok(), fits(&schema(), &json!(value)))
}

const LENGTH: &str = "kind = \"length\"\ninstance = \"card-7\"\nclaimed = 15\n";
const COUNT: &str = "kind = \"count\"\ncount = \"parts\"\ninstance = \"card-7\"\nclaimed = 1\n";
const DERIVED: &str = "kind = \"derived\"\nderive = \"orbits\"\n";

#[test]
fn what_is_taken_fits() {
    let speed = COUNT.replace("parts", "states_per_second");
    for lines in [
        LENGTH.to_owned(),
        COUNT.to_owned(),
        format!("{LENGTH}path = \"up\""),
        format!("{LENGTH}engine = \"ida\"\nmax_depth = 65533"),
        format!("{LENGTH}max_depth = {{ quick = 3, full = 65533 }}"),
        LENGTH.replace(
            "instance = \"card-7\"",
            "instances = [\"card-7\", \"card-8\"]",
        ),
        format!("{COUNT}compare = \"about\"\nwithin = 0.1"),
        format!("{speed}compare = \"report\"\nhardware = \"a laptop\""),
        format!("{DERIVED}compare = \"holds\""),
        format!("{DERIVED}claimed = 3"),
    ] {
        assert_eq!(taken(&lines), (true, true), "{lines}");
    }
}

#[test]
fn what_is_refused_does_not_fit() {
    for lines in [
        format!("{LENGTH}hardware = \"a laptop\""),
        format!("{COUNT}compare = \"about\"\nhardware = \"a laptop\""),
        "kind = \"solvable\"\ninstance = \"card-7\"\nhardware = \"a laptop\"".to_owned(),
        format!("{DERIVED}compare = \"holds\"\nclaimed = 3"),
        format!("{LENGTH}path = \"up\"\nengine = \"ida\""),
        format!("{LENGTH}path = \"up\"\nmax_depth = 3"),
        format!("{LENGTH}instances = [\"card-7\"]"),
        LENGTH.replace("instance = \"card-7\"", "instances = []"),
        LENGTH.replace("instance = \"card-7\"", "instances = [\"a\", \"a\"]"),
        LENGTH.replace("instance = \"card-7\"", "instances = [\"a\"]")
            + "[[claim.reading]]\nname = \"r\"\nstatement = \"t\"",
        format!("{LENGTH}max_depth = 65534"),
        format!("{LENGTH}max_depth = {{ full = 65534 }}"),
        format!("{COUNT}within = 0.1"),
        format!("{LENGTH}derive = \"orbits\""),
        COUNT.replace("claimed = 1\n", ""),
        "kind = \"lengths\"\ninstance = \"card-7\"\ntable = \"a,b,1\"\nbudget = 0".to_owned(),
    ] {
        assert_eq!(taken(&lines), (false, false), "{lines}");
    }
}
