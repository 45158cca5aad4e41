//! Certificates forged by somebody who knows the form. The claim's own lines or its evidence are
//! about something else, everything stated twice agrees, and the seal is new.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use antipode_checker::checker::Checker;
use antipode_checker::claim::read;
use antipode_checker::folder::{Files, check_files};
use antipode_checker::schema::{self, evidence, is_empty, optional};
use antipode_checker::shown::{Stop, is_wrong, list};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::files::{alone, certificates, claims, listed, outcome, tiles};
use crate::make::{Place, places};

/// The certificate with all repetitions of its own lines adapted to these, and the resulting
/// verdict.
fn restated(mut value: Value) -> Value {
    let lines = value["text"].as_str().unwrap_or_default().to_owned();
    let puzzle = value["claim"]["puzzle"].as_str().unwrap_or_default();
    let Ok(claim) = read(&lines, "quick", puzzle) else {
        return value;
    };
    for (at, case) in claim.cases.iter().enumerate() {
        let record = &mut value["cases"][at];
        if record.is_null() {
            return value;
        }
        for (member, text) in case.asked().as_object().unwrap() {
            record[member] = text.clone();
        }
        let found = record["found"].as_str().unwrap_or_default().to_owned();
        if let Some(verdict) = case.verdict(&found).filter(|_| !found.is_empty()) {
            record["verdict"] = verdict.into();
        }
        if record["run"].is_object() {
            record["run"]["instance"] = json!(case.instance);
            record["run"]["settings"] = json!(case.settings);
            let depth = case.own.get("max_depth").filter(|depth| depth.is_u64());
            if let Some(depth) = depth {
                record["run"]["max_depth"] = depth.clone();
            }
            if let Some(direction) = case.own.get("direction") {
                record["run"]["direction"] = direction.clone();
            }
        }
    }
    let record = value["cases"][0].clone();
    let case = &claim.cases[0];
    let result = &mut value["claim"];
    for member in ["kind", "instance", "claimed", "found", "verdict"] {
        result[member] = record[member].clone();
    }
    let members = result.as_object_mut().unwrap();
    for (member, told) in [("unit", json!(case.unit())), ("bound", case.bound())] {
        members.remove(member);
        if !told.is_null() && told != "" {
            members.insert(member.to_owned(), told);
        }
    }
    value
}

/// The own lines with keys set to other values, or added.
fn with_keys(value: &Value, keys: &[(&str, &str)]) -> Value {
    let mut value = value.clone();
    let text = value["text"].as_str().unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (key, text) in keys {
        let own = format!("{key} = {text}");
        let is_reading = |line: &String| line.starts_with("[[claim.reading]]");
        let end = lines.iter().position(is_reading).unwrap_or(lines.len());
        let is_it = |line: &&mut String| line.starts_with(&format!("{key} ="));
        match lines[..end].iter_mut().find(is_it) {
            Some(line) => *line = own,
            None => lines.insert(1, own),
        }
    }
    value["text"] = (lines.join("\n") + "\n").into();
    restated(value)
}

/// A figure increased by one everywhere in the certificate.
fn with_figure(value: &Value) -> Option<Value> {
    let found = value["cases"][0]["found"].as_str()?;
    let more = (found.parse::<u64>().ok()? + 1).to_string();
    let mut value = with_keys(value, &[("claimed", &more)]);
    value["cases"][0]["found"] = more.as_str().into();
    if value["cases"][0]["figures"]["value"].is_string() {
        value["cases"][0]["figures"]["value"] = more.as_str().into();
    }
    Some(restated(value))
}

/// A path that steps there and back before it continues.
fn with_detour(value: &Value) -> Option<Value> {
    let mut value = value.clone();
    let strip = value.pointer_mut("/claim/witnesses/0/kind/strip")?;
    for member in ["states", "labels"] {
        let items = strip.get_mut(member)?.as_array_mut()?;
        let again: Vec<Value> = items.iter().take(2).cloned().collect();
        items.splice(0..0, again);
    }
    with_figure(&with_figure(&value)?)
}

/// A statement tried on some cases, reported as if all had been tried.
fn without_sample(value: &Value) -> Option<Value> {
    if value["cases"][0]["verdict"] != "confirmed-by-sample" {
        return None;
    }
    let mut value = value.clone();
    let figures = value["cases"][0]["figures"].as_object_mut()?;
    for count in ["sampled", "tried", "wrong"] {
        figures.remove(count);
    }
    figures.insert("all".into(), "1000".into());
    forge(&mut value, UNCHECKED)?;
    Some(restated(value))
}

/// A verdict of levels that were found, taken back.
fn hidden(value: &Value) -> Option<Value> {
    let mut value = value.clone();
    let [record] = value["cases"].as_array_mut()?.as_mut_slice() else {
        return None;
    };
    let of_levels = ["count", "levels", "hardest"].contains(&record["kind"].as_str()?);
    let decided = ["confirmed", "refuted"].contains(&record["verdict"].as_str()?);
    (of_levels && decided && !record["levels"].is_null()).then_some(())?;
    forge(&mut value, UNCHECKED)?;
    forge(&mut value, r#"{"verdict": "not-reached"}"#)?;
    Some(value)
}

pub const UNCHECKED: &str = r#"{"/cases/0/checks": [], "/claim/evidence": []}"#;

/// Makes the edits of a forgery, as `forged.txt` has them; `None` if a member is not there.
pub fn forge(value: &mut Value, edits: &str) -> Option<()> {
    let edits: Value = serde_json::from_str(edits).unwrap();
    for (name, new) in edits.as_object()? {
        let places = match (name.as_str(), name.strip_prefix("check.")) {
            ("text", _) => {
                let [old, new] = [0, 1].map(|at| new[at].as_str().unwrap());
                value["text"] = value["text"].as_str()?.replace(old, new).into();
                continue;
            }
            (_, Some(one)) => {
                ["cases/0/checks", "claim/evidence"].map(|of| format!("/{of}/0/{one}"))
            }
            (place, _) if place.contains('/') => [place.to_owned(), String::new()],
            (member, _) => ["cases/0", "claim"].map(|of| format!("/{of}/{member}")),
        };
        for place in places.iter().filter(|place| !place.is_empty()) {
            let gone = place.strip_prefix('-');
            let (above, last) = gone.unwrap_or(place).rsplit_once('/')?;
            match value.pointer_mut(above)? {
                Value::Object(members) if gone.is_some() => drop(members.remove(last)?),
                Value::Object(members) => drop(members.insert(last.to_owned(), new.clone())),
                Value::Array(items) => items.push(new.clone()),
                _ => return None,
            }
        }
    }
    Some(())
}

/// Evidence of another certificate if this one has none.
fn with_more(value: &Value, other: &Value) -> Vec<Value> {
    let own = &value["cases"][0];
    let members = ["figures", "run", "levels", "antipodes", "moves", "proof"];
    let given = |member: &&str| is_empty(&own[*member]) && !other["cases"][0][*member].is_null();
    let mut all: Vec<Value> = Vec::new();
    for member in members.into_iter().filter(given) {
        let mut value = value.clone();
        value["cases"][0][member] = other["cases"][0][member].clone();
        all.push(value);
    }
    if let Some(picture) = other.pointer("/claim/witnesses/0") {
        let mut value = value.clone();
        let count = value["cases"][0]["witnesses"].as_u64().unwrap_or(0);
        let pictures = value["claim"]["witnesses"].as_array_mut().unwrap();
        pictures.insert(0, picture.clone());
        value["cases"][0]["witnesses"] = (count + 1).into();
        all.push(value);
    }
    all
}

/// The changes to a claim's own lines that make it ask an invalid question, or one that its
/// evidence does not show.
const KEYS: [&[(&str, &str)]; 18] = [
    &[("settings", "{ metric = 1 }")],
    &[("settings", "{ none = \"x\" }")],
    &[("unknown", "1")],
    &[("board", "\"none\"")],
    &[("max_depth", "1")],
    &[("max_depth", "\"1\"")],
    &[("levels", "[1, 2]")],
    &[("direction", "\"forward\""), ("max_depth", "2")],
    &[("direction", "\"backward\""), ("max_depth", "2")],
    &[("path", "\"left\"")],
    &[("to", "\"none\"")],
    &[("engine", "\"beam\"")],
    &[("engine", "\"fast\"")],
    &[("compare", "\"holds\""), ("claimed", "5")],
    &[("unit", "\"minutes of the clock on the wall\"")],
    &[("parameters", "{ none = \"3\" }")],
    &[("parameters", "{ board = 5 }")],
    &[("instance", "\"none\"")],
];

#[test]
fn no_forgery_is_accepted() {
    let all: Vec<Value> = certificates().map(|one| one.1).collect();
    let others: Vec<&Value> = all.iter().step_by(5).collect();
    let checker = Checker::new(4, 1);
    let forgeries = |value: &Value| {
        let keys = KEYS.iter();
        let mut forged: Vec<(String, Value)> = keys
            .map(|keys| (format!("{keys:?}"), with_keys(value, keys)))
            .collect();
        let mut add = |what: &str, one: Option<Value>| {
            forged.extend(one.map(|one| (what.to_owned(), one)));
        };
        add("a figure one greater", with_figure(value));
        add("a path with a detour", with_detour(value));
        add("no sample", without_sample(value));
        add("a verdict taken back", hidden(value));
        for other in &others {
            for more in with_more(value, other) {
                add("evidence of another claim", Some(more));
            }
        }
        forged.retain(|(_, one)| one != value);
        forged
    };
    let forged: Vec<(String, Value)> = all.iter().flat_map(forgeries).collect();
    let accepted = |(what, value): &(String, Value)| {
        let outcome = outcome(&checker, value);
        let taken = outcome.is_ok() && value["cases"][0]["found"] != "";
        taken.then(|| format!("{}: {what}: {outcome:?}", value["claim"]["id"]))
    };
    let accepted: Vec<String> = forged.par_iter().filter_map(accepted).collect();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, value) in &forged {
        let kind = value["cases"][0]["kind"].as_str().unwrap_or_default();
        *kinds.entry(kind).or_default() += 1;
    }
    println!("forged: {kinds:?}");
    let count = accepted.len();
    assert!(accepted.is_empty(), "{count} accepted: {accepted:#?}");
    assert!(kinds.len() == 8 && forged.len() >= 1000, "{kinds:?}");
}

/// A certificate about an unknown puzzle, so that nothing of it can be recomputed.
fn of_another_puzzle(value: &Value) -> Value {
    let mut value = value.clone();
    value["claim"]["puzzle"] = "somebodys".into();
    for record in value["cases"].as_array_mut().unwrap() {
        if record["run"].is_object() {
            record["run"]["puzzle"] = "somebodys".into();
        }
    }
    value
}

/// Drops a state of a path around which levels were searched, its move, and adapts the figure.
fn cut(value: &mut Value, at: usize) -> Option<()> {
    value["cases"][0]["run"].is_object().then_some(())?;
    let strip = value.pointer_mut("/claim/witnesses/0/kind/strip")?;
    for member in ["states", "labels"] {
        let items = strip[member].as_array_mut()?;
        (at + 1 < items.len()).then(|| items.remove(at))?;
    }
    let moves = strip["labels"].as_array()?.len().to_string();
    value["cases"][0]["found"] = moves.as_str().into();
    *value = with_keys(value, &[("claimed", &moves)]);
    (value["claim"]["kind"] == "length").then_some(())
}

/// Edits of a certificate whose puzzle is unknown.
const EDITS: [&str; 13] = [
    r#"{"verdict": "confirmed"}"#,
    r#"{"verdict": "refuted"}"#,
    r#"{"/claim/witnesses/0/kind/strip/states/-": "other"}"#,
    r#"{"/cases/0/run/instance": "other"}"#,
    r#"{"/cases/0/run/from": "other"}"#,
    r#"{"/cases/0/run/max_depth": 99}"#,
    r#"{"/cases/0/levels/levels/0/depth": 1}"#,
    r#"{"/cases/0/levels/levels/0/orbits": "99999999999999"}"#,
    r#"{"/cases/0/levels/levels/0/states": "7"}"#,
    r#"{"/cases/0/levels/levels/0/orbits": "01"}"#,
    r#"{"/cases/0/levels/levels/0/orbits": "+1"}"#,
    r#"{"/cases/0/levels/levels/0/digest": "e5189a9599e3f86205ea23ef06e28b2 "}"#,
    r#"{"/cases/0/antipodes/0/state": ""}"#,
];

#[test]
fn evidence_that_cannot_be_made_again_has_to_give_the_figure() {
    let checker = Checker::new(4, 1);
    let mut rejected = 0;
    for (path, value) in certificates() {
        let kind = value["claim"]["kind"].as_str().unwrap();
        if !["count", "length", "levels", "hardest", "solvable"].contains(&kind) {
            continue;
        }
        let unknown = of_another_puzzle(&value);
        let honest = outcome(&checker, &unknown);
        let open = value["cases"][0]["found"] == "";
        let right = open || matches!(honest, Err(Stop::Unknown(_)));
        assert!(right, "{path} unedited: {honest:?}");
        let several = value["cases"][0]["run"]["from"].is_null();
        let edits = EDITS
            .iter()
            .filter(|edit| !several || !edit.contains("states"));
        let edits = edits.map(|edit| {
            let mut forged = unknown.clone();
            forge(&mut forged, edit).map(|()| forged)
        });
        let cuts = [0, 1].map(|at| {
            let mut forged = unknown.clone();
            cut(&mut forged, at).map(|()| forged)
        });
        let forged = edits.chain(cuts).chain([with_figure(&unknown)]).flatten();
        for forged in forged.filter(|forged| !open && *forged != unknown) {
            is_rejected(&checker, path, &forged);
            rejected += 1;
        }
    }
    assert!(rejected >= 60, "{rejected}");
}

/// Variants, engines, checks and efforts that do not exist, or answer no claim.
const NONE: [&str; 13] = [
    r#"{"variant": "sworn by an expert"}"#,
    r#"{"variant": "bitboard and three others"}"#,
    r#"{"variant": "bitboard on hash"}"#,
    r#"{"engine": "an oracle"}"#,
    r#"{"engine": "hash and dense"}"#,
    r#"{"engine": "solutions"}"#,
    r#"{"/cases/0/run/engine": "an oracle", "engine": "an oracle"}"#,
    r#"{"/cases/0/run/engine": "hash and dense", "engine": "hash and dense"}"#,
    r#"{"/cases/0/run/engine": "solutions", "engine": "solutions"}"#,
    r#"{"check.what": "sworn"}"#,
    r#"{"/claim/effort": "thorough"}"#,
    r#"{"/claim/effort": ""}"#,
    r#"{"/claim/effort": "Full"}"#,
];

#[test]
fn no_unknown_variant_engine_check_or_effort_is_accepted() {
    let checker = Checker::new(4, 1);
    for (path, value) in certificates() {
        for edits in NONE {
            let mut forged = value.clone();
            if forge(&mut forged, edits).is_some() {
                is_rejected(&checker, path, &forged);
            }
        }
    }
}

fn is_rejected(checker: &Checker, path: &str, forged: &Value) {
    let outcome = outcome(checker, forged);
    assert!(is_wrong(&outcome), "{path}: {outcome:?}");
}

/// Without manifests no digest shows that a table was changed; its certificates do.
#[test]
fn a_table_without_manifests_has_to_agree() {
    let checker = Checker::new(1, 1);
    let mut bare = tiles();
    bare.retain(|path, _| !path.ends_with("manifest.json"));
    let table = String::from_utf8(bare["claims.csv"].clone()).unwrap();
    let of = |table: &str| {
        let mut files = bare.clone();
        files.insert("claims.csv".into(), table.as_bytes().to_vec());
        let report = check_files(&files, &checker).unwrap();
        let outcome = |name: &str| report.iter().find(|one| one.0 == name).unwrap().1.clone();
        ["manifest.json", "tile-levels-2x3", "claims.csv"].map(outcome)
    };
    let [manifest, certificate, claims] = of(&table);
    assert!(matches!(manifest, Err(Stop::Unknown(_))), "{manifest:?}");
    assert_eq!([certificate, claims], [Ok(vec![]), Ok(vec![])]);
    let verdicts = ("confirmed,confirmed", "refuted,refuted");
    for (old, new) in [verdicts, ("quick", "full")] {
        let falsified = table.replacen(old, new, 1);
        assert_ne!(falsified, table);
        assert!(is_wrong(&of(&falsified)[1]), "{new}");
    }
    let more = table.clone() + &table.lines().last().unwrap().replacen("tile", "other", 1);
    assert!(is_wrong(&of(&more)[2]));
    // A run that was killed has certificates that the table of the run before lacks.
    let head = table.split_inclusive('\n').next().unwrap();
    let [manifest, certificate, claims] = of(head);
    assert_eq!(
        [manifest, certificate, claims],
        [Err(Stop::Unfinished), Ok(vec![]), Err(Stop::Unfinished)]
    );
}

/// Members that a certificate has no need of: empty, of another type, of another kind of claim.
#[test]
fn no_member_is_added() {
    let values = json!([null, false, 5, "", "5", [], [5], [{}], {}, { "value": "5" }]);
    let checker = Checker::new(1, 1);
    let added = |(path, value): &(&String, Value)| {
        // A figure that is read is one that its derivation prints; others have their own names.
        let evidence = |member: &&str| evidence(member) != Some(false);
        let missing = optional().filter(evidence);
        let mut faults = Vec::new();
        for member in missing.filter(|member| !member.contains("figures.")) {
            let (above, name) = member.rsplit_once('.').unwrap_or(("", member));
            let above = above.split('.').filter(|part| !part.is_empty());
            let above: String = above
                .map(|part| format!("/{}", part.replace("[]", "/0")))
                .collect();
            for new in list(&values) {
                let mut value = value.clone();
                let Some(Value::Object(members)) = value.pointer_mut(&above) else {
                    continue;
                };
                if members.contains_key(name) {
                    continue;
                }
                members.insert(name.to_owned(), new.clone());
                let outcome = outcome(&checker, &value);
                let taken = !is_wrong(&outcome);
                faults.push(taken.then(|| format!("{path}: {member} is {new}: {outcome:?}")));
            }
        }
        faults
    };
    let all: Vec<(&String, Value)> = certificates().collect();
    let all: Vec<Option<String>> = all.par_iter().flat_map_iter(added).collect();
    let faults: Vec<&String> = all.iter().flatten().collect();
    assert!(faults.is_empty(), "{} accepted: {faults:#?}", faults.len());
    assert!(all.len() >= 5000, "{} made", all.len());
}

/// Every member has its type, evidence or not.
#[test]
fn no_member_is_of_another_type() {
    let values = json!([null, true, -0.5, "x", [], {}]);
    let lines = include_str!("../../data/certificate.txt").lines();
    let lines: Vec<String> = lines.map(|line| line.replace('?', "")).collect();
    let any = |path: &str| {
        let lines = lines.iter().filter_map(|line| line.split_once("**"));
        lines.clone().any(|(above, _)| path.starts_with(above))
    };
    let mut tried = 0;
    for (name, value) in certificates() {
        let (mut all, mut known) = (Vec::new(), BTreeSet::new());
        places(&value, &Place::default(), &mut all);
        all.retain(|(place, _)| known.insert(place.path.clone()) && !any(&place.path));
        for (Place { path, pointer }, _) in all {
            let own = value.pointer(&pointer).unwrap();
            let told = lines
                .iter()
                .find(|line| line.split(' ').next() == Some(&path));
            let may_be = |new: &Value| {
                told.is_some_and(|line| new.is_null() && line.contains("null"))
                    || told.is_some() && (own.is_null() || own.is_object() && new.is_string())
                    || discriminant(new) == discriminant(own)
            };
            for new in list(&values).iter().filter(|new| !may_be(new)) {
                let mut value = value.clone();
                *value.pointer_mut(&pointer).unwrap() = new.clone();
                assert!(
                    schema::check(&value, "").is_err(),
                    "{name}: {path} is {new}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried >= 5000, "{tried}");
}

/// A forgery that copies what its certificate holds.
type Forgery = (&'static str, fn(&mut Value));

const FORGERIES: [Forgery; 2] = [
    // A padded program saves less than the rotation does.
    (
        "permute: kind = 'derived'; derive = 'rotation-saving'; unit = 'percent'; \
         claimed = '60'; compare = 'at-least'",
        |value| {
            let program = value["cases"][0]["figures"]["program"].as_str().unwrap();
            let mut steps: Vec<String> = program.split("; ").map(str::to_owned).collect();
            while steps.len() < 40 {
                steps.push(format!("or {0} {0}", steps.len()));
            }
            let saved = format!("{:.1}", 100.0 - 100.0 * 40.0 / 55.0);
            value["cases"][0]["figures"]["program"] = steps.join("; ").into();
            value["cases"][0]["figures"]["value"] = saved.as_str().into();
            let said = json!({ "found": saved, "verdict": "refuted" });
            forge(value, &said.to_string()).unwrap();
        },
    ),
    // A rulebook that does not run backward is searched forward.
    (
        "tilt: instance = 'card-7'; kind = 'lengths'; \
         table = 'card-7,#g##./b..../..O../...../.....,6'",
        |value| {
            let strip = value.pointer_mut("/rows/0/witnesses/0/kind/strip").unwrap();
            let states = strip["states"].as_array_mut().unwrap();
            states.splice(0..0, states[..2].to_vec());
            let labels = strip["labels"].as_array_mut().unwrap();
            labels.splice(0..0, ["right", "left"].map(Value::from));
            let said = json!({
                "text": [",6'", ",8'"],
                "/cases/0/own/table": "card-7,#g##./b..../..O../...../.....,8",
                "found": "1 confirmed",
                "verdict": "confirmed",
                "claimed": "8",
                "/rows/0/found": "8",
                "/rows/0/verdict": "confirmed",
                "/rows/0/statement": value["rows"][0]["statement"].as_str().unwrap().replace('6', "8"),
                "/claim/witnesses": value["rows"][0]["witnesses"],
            });
            forge(value, &said.to_string()).unwrap();
        },
    ),
];

/// The files of a claim in one line.
fn of_line(line: &str) -> Files {
    let (puzzle, lines) = &claims(line)[0];
    alone((puzzle, &lines[0]))
}

#[test]
fn a_forgery_by_hand_is_rejected() {
    let checker = Checker::new(4, 1);
    let honest = |line: &str| -> Value {
        let files = of_line(line);
        let value = serde_json::from_slice(&files["certificates/own.json"]).unwrap();
        let honest = outcome(&checker, &value);
        assert!(honest.is_ok(), "{line}: {honest:?}");
        value
    };
    for (line, forge) in FORGERIES {
        let mut value = honest(line);
        forge(&mut value);
        is_rejected(&checker, line, &value);
    }
    let (mut value, mut forged) = (Value::Null, 0);
    let lines = include_str!("forged.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if !line.starts_with('{') {
            value = honest(line);
            continue;
        }
        let mut other = value.clone();
        forge(&mut other, line).expect(line);
        is_rejected(&checker, line, &other);
        forged += 1;
    }
    assert_eq!(forged, 38);
}

/// The sides around the states of a table, and the parts of a search, are what they are.
#[test]
fn a_table_beside_the_certificates_is_read() {
    let empty = "0".repeat(31);
    let part = format!("19,0,8,4,{empty}1\n19,unsolvable,0,0,{empty}0\n");
    for (line, table, more) in [
        (
            "hanoi: kind = 'lengths'; instance = '3-3'; table = 'start,goal,7'",
            "own-pairs/sides.csv",
            "goal,backward,8,1000,00,true\n",
        ),
        (
            "unit-rush-hour: kind = 'count'; count = 'max_depth'; instance = '2x4'; claimed = 1",
            "unit-rush-hour-2x4/parts.csv",
            &part,
        ),
    ] {
        let mut files = of_line(line);
        let folder = format!("{}/", table.split_once('/').unwrap().0);
        let outcome = |files: &Files| {
            let report = check_files(files, &Checker::new(100, 1)).unwrap();
            let own = report.into_iter().find(|one| one.0 == folder);
            own.unwrap().1
        };
        let honest = outcome(&files);
        assert!(honest.is_ok(), "{honest:?}");
        let honest_files = files.clone();
        let bytes = files.get_mut(table).unwrap();
        bytes.extend_from_slice(more.as_bytes());
        listed(&mut files);
        let forged = outcome(&files);
        assert!(is_wrong(&forged), "{table}: {forged:?}");
        // A folder is named after its puzzle and its instance, and that of pairs after its claim.
        let renamed = format!("other-{folder}");
        let moved = |(path, bytes): (String, Vec<u8>)| (path.replace(&folder, &renamed), bytes);
        let files: Files = honest_files.into_iter().map(moved).collect();
        let mut report = check_files(&files, &Checker::new(100, 1))
            .unwrap()
            .into_iter();
        let moved = report.find(|one| one.0 == renamed).unwrap().1;
        assert!(moved.is_err(), "{renamed}: {moved:?}");
    }
}
