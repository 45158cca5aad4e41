//! Certificates as a faulty program that does not verify would write them: consistent, and with
//! right digests. The checker recomputes them, and rejects them.

use antipode_checker::checker::Checker;
use antipode_checker::rules::{Rules, Settings, open};
use antipode_checker::search::{Found, Level, Question, search};
use antipode_checker::shown::is_wrong;
use antipode_checker::verdict::truth;
use serde_json::{Value, json};

use crate::files::{folders, outcome};
use crate::forged::forge;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    None,
    Lost,
    /// A move leads out of it that does not exist.
    Invented,
    Key,
    Images,
}

struct Faulty {
    rules: Box<dyn Rules>,
    at: u128,
    fault: Fault,
    /// Where the invented move leads to.
    far: u128,
}

impl Faulty {
    fn is(&self, state: u128, fault: Fault) -> bool {
        state == self.at && fault == self.fault
    }
}

impl Rules for Faulty {
    fn read(&self, text: &str) -> Option<u128> {
        self.rules.read(text)
    }
    fn draw(&self, state: u128) -> String {
        self.rules.draw(state)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let mut next = self.rules.next(state);
        if self.is(state, Fault::Lost) {
            next.pop();
        }
        next.extend(self.is(state, Fault::Invented).then_some(self.far));
        next
    }
    fn solved(&self, state: u128) -> bool {
        self.rules.solved(state)
    }
    fn start(&self) -> Option<u128> {
        self.rules.start()
    }
    fn images(&self, state: u128) -> Vec<u128> {
        match self.is(state, Fault::Images) {
            true => vec![state],
            false => self.rules.images(state),
        }
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        self.rules.name(from, to).or(Some("on".into()))
    }
    fn key(&self, state: u128) -> u128 {
        self.rules.key(state) ^ u128::from(self.is(state, Fault::Key))
    }
}

/// The certificate of a claim, and its rules.
fn certified(id: &str) -> (Value, Box<dyn Rules>) {
    let path = format!("certificates/{id}.json");
    let bytes = folders().iter().find_map(|files| files.get(&path)).unwrap();
    let value: Value = serde_json::from_slice(bytes).unwrap();
    let member = |name: &str| value["claim"][name].as_str().unwrap().to_owned();
    let rules = open(&member("puzzle"), &member("instance"), &Settings::new()).unwrap();
    (value, rules)
}

/// The certificate, with its findings replaced by those of a run by these rules.
fn forged(mut value: Value, rules: &Faulty, found: &Found, path: Option<&[u128]>) -> Value {
    let record = &mut value["cases"][0];
    let row = |(depth, level): (usize, &Level)| {
        let [states, orbits, digest] = level.told();
        json!({ "depth": depth, "states": states, "orbits": orbits, "digest": digest })
    };
    let rows = found.levels.iter().enumerate().map(row);
    record["levels"]["levels"] = rows.collect();
    record["run"]["complete"] = found.complete.into();
    let sizes = found.levels.iter().map(|level| level.states.to_string());
    let figure = match (path, record["kind"].as_str()) {
        (Some(path), _) => (path.len() - 1).to_string(),
        (None, Some("levels")) => sizes.collect::<Vec<_>>().join(", "),
        _ => {
            let states = found.levels.iter().map(|level| level.states);
            states.sum::<u128>().to_string()
        }
    };
    if !record["antipodes"].is_null() {
        let depth = found.levels.len() - 1;
        let board = |&state: &u128| json!({ "depth": depth, "state": rules.draw(state), "orbit_size": rules.orbit(state) as u64 });
        record["antipodes"] = found.states[depth].iter().map(board).collect();
    }
    let verdict = truth(record["claimed"] == figure);
    if let Some(path) = path {
        record["run"]["max_depth"] = (path.len() - 1).into();
        let states: Vec<String> = path.iter().map(|&state| rules.draw(state)).collect();
        let labels = path.windows(2).map(|pair| rules.name(pair[0], pair[1]));
        let strip = json!({ "states": states, "labels": labels.collect::<Vec<_>>() });
        value["claim"]["witnesses"][0]["kind"]["strip"] = strip;
    }
    let said = json!({ "found": figure, "verdict": verdict });
    forge(&mut value, &said.to_string()).unwrap();
    value
}

/// Faults on states of a table: with none, the forgery is accepted; with any, it is rejected.
#[test]
fn tables_of_faulty_runs_are_rejected() {
    let checker = Checker::new(1, 1);
    for (id, root, symmetry) in [
        ("pancake-levels-5", "sorted", false),
        ("lights-solvable-4", "..../..../..../....", true),
    ] {
        let run = |value: &Value| value["cases"][0]["run"]["max_depth"].as_u64();
        let depth = |value: &Value| run(value).map(|depth| depth as u32);
        let question = |rules: &Faulty, value: &Value| Question {
            roots: vec![rules.read(root).unwrap()],
            depth: depth(value),
            symmetry,
            ..Question::default()
        };
        let run = |fault, at, far| {
            let (value, rules) = certified(id);
            let rules = Faulty {
                rules,
                at,
                fault,
                far,
            };
            let found = search(&rules, &question(&rules, &value), true).unwrap();
            (
                outcome(&checker, &forged(value, &rules, &found, None)),
                found,
            )
        };
        let (accepted, found) = run(Fault::None, 0, 0);
        assert_eq!(accepted, Ok(vec![]), "{id}");
        let (near, far) = (&found.states[2], found.states[found.states.len() - 2][0]);
        let mut faults = vec![(Fault::Invented, near[0]), (Fault::Key, near[1])];
        if symmetry {
            faults.push((Fault::Images, near[0]));
        } else {
            // Each move of the root is the only one to its successor in one step.
            faults.push((Fault::Lost, found.states[0][0]));
        }
        for (fault, at) in faults {
            let (outcome, _) = run(fault, at, far);
            assert!(is_wrong(&outcome), "{id}: {fault:?} gives {outcome:?}");
        }
    }
}

/// A shortest path by faulty rules: one longer than necessary, one with a jump.
#[test]
fn paths_of_faulty_runs_are_rejected() {
    let checker = Checker::new(1, 1);
    let forge = |fault, at, far| {
        let (value, rules) = certified("rush-fogleman-1");
        let rules = Faulty {
            rules,
            at,
            fault,
            far,
        };
        let start = rules.start().unwrap();
        let question = Question::solving(start);
        let found = search(&rules, &question, true).unwrap();
        // Without the move there may be no solved state within reach.
        let solved = |state: &&u128| rules.solved(**state);
        let mut path = vec![*found.states.last()?.iter().find(solved)?];
        for level in found.states.iter().rev().skip(1) {
            let leads = |state: &&u128| rules.next(**state).contains(&path[0]);
            let before = *level.iter().find(leads).unwrap();
            path.insert(0, before);
        }
        let value = forged(value, &rules, &found, Some(&path));
        Some((outcome(&checker, &value), path))
    };
    let (accepted, path) = forge(Fault::None, 0, 0).unwrap();
    assert_eq!(accepted, Ok(vec![]));
    let (lost, longer) = (0..60)
        .filter_map(|at| forge(Fault::Lost, path[at], 0))
        .find(|(_, other)| other.len() > path.len())
        .expect("some move lost makes the way longer");
    assert!(is_wrong(&lost), "{} moves: {lost:?}", longer.len() - 1);
    let (jumps, shorter) = forge(Fault::Invented, path[5], path[30]).unwrap();
    assert!(shorter.len() < path.len());
    assert!(is_wrong(&jumps), "{jumps:?}");
}
