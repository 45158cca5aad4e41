//! Certificates of a rulebook program, which lists no predecessors. Whatever rests on a search
//! backward is open, and its certificates are rejected only if they claim more.

use std::process::Command;

use antipode_checker::checker::Checker;
use antipode_checker::folder::check_files;
use antipode_checker::shown::{Stop, is_wrong};
use serde_json::{Value, json};

use crate::files::{certified_in, is_certificate};
use crate::honest::{VERDICTS, claim, with_verdict};

/// A ring of 300 cells, of which the first is the goal.
const RING: &str = r#"
import json, sys

def around(state):
    return [str((int(state) + step) % 300) for step in (1, -1)]

for line in sys.stdin:
    ask = json.loads(line)
    states = ask.get("states", [])
    print(json.dumps({
        "about": {"name": "ring", "instances": [{"name": "a", "start": "150"}]},
        "open": {},
        "moves": {"moves": [around(state) for state in states]},
        "solved": {"solved": [state == "0" for state in states]},
        "goals": {"goals": ["0"]},
    }.get(ask["do"], {"unsupported": True})), flush=True)
"#;

/// Questions, each after the verdict on it.
const ASKED: &str = "\
not-reached: kind = 'count'; count = 'max_depth'; claimed = 150
not-reached: kind = 'count'; count = 'solvable_states'; claimed = 301
not-reached: kind = 'hardest'; board = '150'
not-reached: kind = 'hardest'; board = '149'
not-reached: kind = 'count'; count = 'levels_back'; direction = 'backward'; claimed = 1
not-reached: kind = 'count'; count = 'level_3_states'; direction = 'backward'; max_depth = 4; claimed = 2
confirmed: kind = 'length'; claimed = 150
confirmed: kind = 'count'; count = 'reachable_states'; direction = 'forward'; claimed = 300
confirmed: kind = 'levels'; levels = [0, 2]; claimed = [1, 2, 2]
confirmed: kind = 'lengths'; table = '1,0,1'";

#[test]
fn what_a_program_leaves_open_is_not_decided() {
    // By its path: a wrapper may take longer to start than the interpreter.
    let asked = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output();
    let Some(python) = asked.ok().filter(|ran| ran.status.success()) else {
        println!("SKIPPED: no python3");
        return;
    };
    let python = String::from_utf8(python.stdout).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let claims = (0..).zip(ASKED.lines()).map(|(i, asked): (u32, &str)| {
        let (_, lines) = asked.split_once(": ").unwrap();
        let lines = format!("instance = 'a'\n{}", lines.replace("; ", "\n"));
        claim(&format!("p{i}"), &lines)
    });
    let text = format!("puzzle = \"ring\"\n{}", claims.collect::<String>());
    std::fs::write(at("claims.toml"), text).unwrap();
    std::fs::write(at("ring.py"), RING).unwrap();
    let rules = format!("{} -S '{}'", python.trim(), at("ring.py"));
    let arguments = ["--claims", &at("claims.toml"), "--rules", &rules];
    let files = certified_in(&scratch.path().join("out"), &arguments);
    let checker = Checker::new(24, 1);
    for (name, outcome) in check_files(&files, &checker).unwrap() {
        assert!(!is_wrong(&outcome), "{name}: {outcome:?}");
    }
    let certificates = files.keys().filter(is_certificate);
    assert_eq!(certificates.count(), ASKED.lines().count());
    for (i, lines) in ASKED.lines().enumerate() {
        let due = lines.split(':').next().unwrap();
        let bytes = &files[&format!("certificates/p{i}.json")];
        let value: Value = serde_json::from_slice(bytes).unwrap();
        // On a busy machine, only a sample of its questions is repeated.
        let said = value["claim"]["verdict"].as_str().unwrap();
        let sampled = (due, said) == ("confirmed", "confirmed-by-sample");
        assert!(said == due || sampled, "{lines}: {said}");
        let own = checker.certificate(&String::from_utf8_lossy(bytes), None);
        assert!(matches!(own, Err(Stop::Unknown(_))), "{lines}: {own:?}");
        // A sample that is the reason for less is no error.
        if due == "confirmed" && !lines.contains("lengths") {
            let less = |value: &Value| {
                let less = with_verdict(value, "confirmed-by-sample");
                is_wrong(&checker.certificate(&less, None))
            };
            assert!(sampled || less(&value), "{lines}");
            let mut value = value.clone();
            value["claim"]["notes"] = json!(["asked again in a new process on a sample"]);
            assert!(!less(&value), "{lines}");
        }
        for verdict in VERDICTS.split(' ').filter(|_| due != "confirmed") {
            let forged = checker.certificate(&with_verdict(&value, verdict), None);
            let rejected = is_wrong(&forged);
            assert!(
                rejected || verdict == said,
                "{lines}: {verdict}: {forged:?}"
            );
        }
    }
}
