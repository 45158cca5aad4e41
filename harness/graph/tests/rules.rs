//! Rulebook programs as graphs: batches of any size, parts of a library, any number of goals, and
//! the backward searches. Needs Python; skipped without.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use antipode_graph::{Capabilities, Expansion, Graph, Library, builtin, rules};
use puzzle_api::{Direction, Settings};

/// Ten or fewer letters in a ring, with a counter: both turns of the ring, and the first four
/// letters reversed, which counts. Instances `nN` with N letters.
const RING: &str = r#"
import json, sys
def moves(s):
    p, c = s[:-2], s[-1]
    return [p[1:] + p[0] + "/" + c, p[-1] + p[:-1] + "/" + c,
            p[3::-1] + p[4:] + "/" + "120"[int(c)]]
def start(name):
    return "ABCDEFGHIJ"[:int(name[1:])] + "/0"
NAMES = ["n10", "n9", "n8", "n7", "n6"]
def answer(ask):
    do = ask["do"]
    if do == "moves":
        return {"moves": [moves(s) for s in ask["states"]]}
    if do == "solved":
        return {"solved": [s == GOAL for s in ask["states"]]}
    if do == "about":
        return {"name": "ring", "instances": [{"name": n, "start": start(n)} for n in NAMES]}
    if do == "open":
        global GOAL
        GOAL = start(ask["instance"]) if ask["instance"] in NAMES else None
        return {} if GOAL and not ask["settings"] else {"error": "unknown"}
    return {"unsupported": True}
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
"#;

/// A walk along `last` steps, with the goals and the one-way step that an instance has.
const WALKS: &str = r#"
import json, sys
PLACES = {"one-way": (600, [0]), "both": (600, [0]), "many": (600, list(range(0, 600, 2))),
          "many-one-way": (600, list(range(0, 600, 2))), "none": (600, None)}
def moves(n):
    to = [k for k in (n - 1, n + 1) if 0 <= k <= LAST]
    return [str(k) for k in (to + [3] if n == 300 and "one-way" in NAME else to)]
def answer(ask):
    global NAME, LAST, GOALS
    do = ask["do"]
    if do == "about":
        return {"name": "walk", "instances": [{"name": n, "start": "600"} for n in PLACES]}
    if do == "open":
        NAME = ask["instance"]
        if NAME not in PLACES or ask["settings"]:
            return {"error": "unknown"}
        LAST, GOALS = PLACES[NAME]
        return {}
    if do == "moves":
        return {"moves": [moves(int(s)) for s in ask["states"]]}
    if do == "solved":
        return {"solved": [int(s) in (GOALS or [0]) for s in ask["states"]]}
    if do == "goals" and GOALS is not None:
        return {"goals": [str(goal) for goal in GOALS]}
    return {"unsupported": True}
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
"#;

/// The 8-puzzle and smaller ones as the built-in puzzle draws them.
const TILES: &str = r#"
import json, sys
def moves(s):
    rows = s.split("/")
    w, flat = len(rows[0]), "".join(rows)
    at, out = flat.index("."), []
    for to in (at - 1 if at % w else -1, at + 1 if (at + 1) % w else -1, at - w, at + w):
        if 0 <= to < len(flat):
            c = list(flat)
            c[at], c[to] = c[to], "."
            out.append("/".join("".join(c[i:i + w]) for i in range(0, len(c), w)))
    return out
def answer(ask):
    do = ask["do"]
    if do == "about":
        return {"name": "sliding-tile", "instances": [{"name": "2x3"}, {"name": "3x3"}]}
    if do == "open":
        return {"error": "no settings"} if ask["settings"] else {}
    if do == "moves":
        return {"moves": [moves(s) for s in ask["states"]]}
    if do == "solved":
        done = lambda s: "".join(s.split("/")) == "12345678"[:len(s.replace("/", "")) - 1] + "."
        return {"solved": [done(s) for s in ask["states"]]}
    return {"unsupported": True}
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
"#;

fn python() -> Option<String> {
    let mut python = Command::new("python3");
    let output = python.args(["-c", "import sys; print(sys.executable)"]);
    let output = output
        .output()
        .ok()
        .filter(|output| output.status.success());
    if output.is_none() {
        println!("SKIPPED: no python3");
    }
    Some(String::from_utf8(output?.stdout).ok()?.trim().to_owned())
}

fn command(folder: &Path, name: &str, program: &str) -> Option<String> {
    let file = folder.join(name);
    std::fs::write(&file, program).expect("written");
    Some(format!("{} {}", python()?, file.display()))
}

fn open(library: &Arc<Library>, instance: &str) -> Graph<u64> {
    let opened = library.open(instance, "reference", &Settings::new());
    Graph::new(opened.expect("opens")).expect("one word")
}

/// States reachable from a start, by distance; neighbours are requested in batches.
fn levels(graph: &Graph<u64>, batch: usize) -> Vec<usize> {
    let mut level = graph.roots(Direction::Forward, 0).expect("a start");
    let mut seen: HashSet<u64> = level.iter().copied().collect();
    let (mut counts, mut out) = (Vec::new(), Expansion::default());
    while !level.is_empty() {
        counts.push(level.len());
        let mut next = Vec::new();
        for keys in level.chunks(batch) {
            graph
                .expand(Direction::Forward, keys, &mut out)
                .expect("moves");
            next.extend(out.keys().iter().copied().filter(|key| seen.insert(*key)));
            let solved = graph.is_solved(keys).expect("solved");
            assert_eq!(solved.len(), keys.len());
        }
        level = next;
    }
    counts
}

#[test]
fn levels_do_not_depend_on_batches() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(command) = command(folder.path(), "ring.py", RING) else {
        return;
    };
    let library = Arc::new(rules::load(&command).expect("loads"));
    let graph = open(&library, "n6");
    let all = levels(&graph, 4096);
    assert_eq!(all.iter().sum::<usize>(), 720 * 3);
    assert_eq!(levels(&graph, 1), all);
    assert_eq!(levels(&graph, 37), all);
    // An unanswered request ends in one line that names it.
    let refused = graph.parse("\u{1}").expect_err("no state").to_string();
    assert!(!refused.contains('\n'), "{refused}");
}

/// Each instance separately, whichever comes first, and with any number of goals.
#[test]
fn whether_an_instance_is_searched_backward_is_its_own_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(command) = command(folder.path(), "walk.py", WALKS) else {
        return;
    };
    let library = Arc::new(rules::load(&command).expect("loads"));
    for (instance, backward) in [
        ("one-way", false),
        ("both", true),
        ("many", true),
        ("many-one-way", false),
        ("none", false),
    ] {
        let graph = open(&library, instance);
        for capability in [Capabilities::PREDECESSORS, Capabilities::SOLVED_ROOTS] {
            assert_eq!(graph.has(capability), backward, "{instance}");
        }
    }
    let graph = open(&library, "both");
    let (goals, mut out) = (graph.roots(Direction::Backward, 0), Expansion::default());
    let goals = goals.expect("goals");
    graph
        .expand(Direction::Backward, &goals, &mut out)
        .expect("undone");
    assert_eq!(graph.draw(out.keys()[0]).expect("drawn"), "1");
}

/// An instance that a puzzle refuses is answered with the puzzle's own line, else with the command
/// that lists what it has.
#[test]
fn a_refused_instance_comes_with_the_puzzles_own_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(command) = command(folder.path(), "walk.py", WALKS) else {
        return;
    };
    let library = Arc::new(rules::load(&command).expect("loads"));
    assert_eq!(library.find("zz"), Err("unknown".into()));
    let list = format!("see `antipode list walk --rules '{command}'`");
    assert_eq!(library.find("Not a name"), Err(list));
    let tilt = Arc::new(builtin::named("tilt").expect("built in"));
    assert_eq!(
        tilt.find("Not a name"),
        Err("see `antipode list tilt`".into())
    );
    let advice = tilt.find("boxx").expect_err("refused");
    assert!(advice.starts_with("use box, "), "{advice}");
}

/// A puzzle in parts: a program does not know them, but the library to which it is joined does.
#[test]
fn a_rulebook_of_a_puzzle_in_parts_is_joined() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(command) = command(folder.path(), "tiles.py", TILES) else {
        return;
    };
    let built_in = builtin::named("sliding-tile").expect("built in");
    let joined = Arc::new(rules::join(&built_in, &command).expect("joins"));
    for instance in ["2x3", "3x3"] {
        let graph = open(&joined, instance);
        let opened = Arc::new(built_in.clone()).open(instance, "reference", &Settings::new());
        let own = Graph::<u64>::new(opened.expect("opens")).expect("one word");
        assert_eq!(graph.opened.part_count, own.opened.part_count);
        assert!(graph.opened.part_count > 1);
        let (mut out, mut right) = (Expansion::default(), Expansion::default());
        let drawn = own.random(7, 0, 200).expect("draws");
        graph
            .expand(Direction::Forward, &drawn, &mut out)
            .expect("moves");
        own.expand(Direction::Forward, &drawn, &mut right)
            .expect("moves");
        let (mut places, mut own_places) = (Vec::new(), Vec::new());
        graph.place(&drawn, &mut places).expect("placed");
        own.place(&drawn, &mut own_places).expect("placed");
        for (at, &key) in drawn.iter().enumerate() {
            assert_eq!(out.others(at, key), right.others(at, key));
            let part = |place: &Option<puzzle_api::Placement>| place.map(|place| place.part);
            assert_eq!(part(&places[at]), part(&own_places[at]));
        }
        assert_eq!(graph.is_solved(&drawn).ok(), own.is_solved(&drawn).ok());
    }
}

/// Ten million states in 4 GiB, at half of the rate of the program itself: 10,886,400 states with
/// all moves and whether they are solved. Prints the time and memory: `cargo test -p antipode-graph
/// --test rules -- --ignored --nocapture`.
#[test]
#[ignore = "minutes"]
fn ten_million_states_of_a_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(command) = command(folder.path(), "ring.py", RING) else {
        return;
    };
    let library = Arc::new(rules::load(&command).expect("loads"));
    rules::keep_answers();
    let instance = std::env::var("RING").unwrap_or_else(|_| "n10".into());
    let graph = open(&library, &instance);
    let since = Instant::now();
    let states: usize = levels(&graph, 4096).iter().sum();
    let (wall, own) = (since.elapsed(), cpu());
    drop((graph, library));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or_default();
    println!("{states} states in {wall:?}, {own:?} of processor time of our own; {peak}");
    let letters: u32 = instance[1..].parse().expect("a number");
    // Turns of a ring of an odd number of letters are even.
    let orders = (1..=letters as usize).product::<usize>() / (1 + letters as usize % 2);
    assert_eq!(states, 3 * orders);
}

/// Processor time of this process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    Duration::from_millis(10 * (ticks(11).unwrap_or(0) + ticks(12).unwrap_or(0)))
}
