//! Paths, replayed, with the levels that show that there is none shorter.

use serde_json::Value;

use super::levels::{antipodes, can_be, ran, same, shows_antipodes};
use super::{BEYOND, in_moves, nearest};
use crate::checker::{Checker, once};
use crate::reading::Reading;
use crate::replay::{has_no_detour, is_called, replayed};
use crate::rules::{Ends, Rules};
use crate::search::{Found, Question, deepening};
use crate::shown::{OrWrong, Shown, Stop, list, or_none, text};
use crate::verdict::{more_than, truth, whole};

/// What the next move may be called: the line, if that is a name as it is; else beginnings of it up
/// to a comma or its end, or up to a blank if no name has one.
fn may_name<'a>(rules: &dyn Rules, from: u128, line: &'a str) -> Vec<&'a str> {
    let next = rules.next(from).into_iter();
    let names: String = next
        .filter_map(|to| Some(rules.name(from, to)? + "\n"))
        .collect();
    if names.lines().any(|name| name == line) {
        return vec![line];
    }
    let blanks = !names.lines().any(|name| name.trim().contains(' '));
    let parts = |name: &str| name.matches([',', ' ']).count() + 1;
    let most = 2 * names.lines().map(parts).max().unwrap_or(1);
    let ends = line.match_indices(|c: char| c == ',' || blanks && c.is_whitespace());
    let ends = ends.map(|(at, _)| at).chain([line.len()]);
    let mut texts: Vec<&str> = ends.map(|end| line[..end].trim()).take(most).collect();
    texts.dedup();
    texts
}

/// The line that is left of a claim's moves, or what is left of it, when those of a path were named.
fn left_of<'a>(rules: &dyn Rules, path: &[u128], text: &'a str) -> Result<&'a str, Stop> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut line = lines.next().unwrap_or_default();
    for step in path.windows(2) {
        let names_a_move = |text: &&str| {
            let mut next = rules.next(step[0]).into_iter();
            next.any(|next| is_called(rules, (step[0], next), text))
        };
        let texts = may_name(rules, step[0], line).into_iter();
        let texts: Vec<&str> = texts.filter(names_a_move).collect();
        (texts.len() < 2).or_wrong("the claim's moves can be read in two ways")?;
        let own = texts
            .first()
            .filter(|text| is_called(rules, (step[0], step[1]), text));
        let own = own.ok_or("another path than the claim's")?;
        let rest = line[own.len()..].trim_start();
        line = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        if line.is_empty() {
            line = lines.next().unwrap_or_default();
        }
    }
    Ok(line)
}

/// Most boards of a search by a lower bound.
const DEEPEST: u64 = 10_000_000;

/// The trusted part if no search was made as far as it must.
const NO_SHORTER: &str = "that no path is shorter: more states than are searched here";

/// The beginning of the finding if the claim's own path is not a solution.
pub(super) const BROKEN: &str = "a path that ";

struct Asked<'a> {
    checker: &'a Checker,
    reading: &'a Reading<'a>,
    rules: &'a dyn Rules,
    ends: Ends,
}

pub(super) fn path(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let start = reading.start(&*rules)?.ok_or("there is no start")?;
    let goal = case.text("to").map(|to| rules.state(to)).transpose()?;
    let [picture] = reading.witnesses() else {
        return Err("not one witness".into());
    };
    let asked = Asked {
        checker,
        reading,
        rules: &*rules,
        ends: (start, goal),
    };
    let picture = &picture["kind"];
    // A path that is not a solution says nothing about a lower bound, or a figure only reported.
    let decides = case.kind != "length" || !["at-least", "report"].contains(&&*case.compare);
    let is_broken = match decides {
        true => reading.text("found").starts_with(BROKEN),
        false => reading.is_open(),
    };
    if case.text("path").is_some() && is_broken {
        return asked.broken(picture);
    }
    if picture["strip"].is_null() {
        let own = picture["board"]["state"] == rules.draw(start);
        own.or_wrong("the board shown is not the start")?;
        return asked.without_path();
    }
    let path = replayed(&*rules, picture)?;
    let moves = path.len() - 1;
    (path[0] == start).or_wrong("the path begins elsewhere")?;
    let arrives = rules.ends(path[moves], goal);
    arrives.or_wrong("the path ends elsewhere")?;
    let most = reading.asked("max_depth").and_then(Value::as_u64);
    let within = most.is_none_or(|most| moves as u64 <= most);
    within.or_wrong("the path is longer than the claim lets a search go")?;
    match case.kind.as_str() {
        "count" => {
            asked.tabled(Some(moves))?;
            reading.is_by_the_clock()
        }
        _ => asked.with_path(&path),
    }
}

/// The depth at which a search ends in any case.
fn bound(reading: &Reading) -> Option<u64> {
    let case = reading.case;
    let bound = reading.asked("max_depth").and_then(Value::as_u64);
    let most = whole(&case.claimed).filter(|_| case.compare == "at-most");
    let most = most.filter(|_| ["disk", "cluster", "ida"].contains(&reading.text("engine")));
    bound.into_iter().chain(most.map(|most| most as u64)).min()
}

/// The depth of the levels around a path of n moves, or without one.
fn depth(reading: &Reading, moves: Option<usize>) -> Result<Option<u64>, Stop> {
    let run = reading.part("run");
    (!run.is_null()).or_wrong("its levels are missing")?;
    let depth = run["max_depth"].as_u64();
    let asked = match reading.text("engine") {
        "forward search" => moves.map(|moves| moves as u64),
        _ => bound(reading),
    };
    (depth == asked || reading.is_open()).or_wrong("the run went to another depth")?;
    Ok(depth)
}

/// Whether levels that are not searched again are of the search for a path of n moves from a
/// state.
pub(super) fn told(reading: &Reading, from: &str, moves: Option<usize>) -> Result<(), Stop> {
    let run = reading.part("run");
    if run.is_null() {
        return Ok(());
    }
    depth(reading, moves)?;
    ran(reading, (false, Some(from)), run["complete"] == true, 1)?;
    can_be(reading)?;
    let levels = list(&reading.part("levels")["levels"]).len();
    let reached = moves.is_none_or(|moves| levels == moves + 1);
    reached.or_wrong("the levels end elsewhere than the path")
}

impl Asked<'_> {
    /// Checks that the finding is a path of n moves, and as good as the claim needs.
    fn with_path(&self, path: &[u128]) -> Shown {
        let moves = path.len() - 1;
        let (case, kind) = (self.reading.case, self.reading.case.kind.as_str());
        let (count, compare) = (moves.to_string(), case.compare.as_str());
        self.reading.comes_to(&match kind {
            "unreachable" => in_moves(case, moves),
            _ => count.clone(),
        })?;
        let logical = match (kind, compare) {
            ("unreachable", _) => "refuted",
            ("solvable", _) => "confirmed",
            _ => case.verdict(&count).unwrap_or_default(),
        };
        // Whether the path alone decides, however long a shortest one is.
        let decides = match (kind, compare, logical) {
            ("length", "at-most", "confirmed") | ("length", "at-least", "refuted") => true,
            ("length", "equal", "refuted") => whole(&case.claimed) > whole(&count),
            _ => kind != "length",
        };
        if let Some(names) = case.text("path") {
            let left = left_of(self.rules, path, names)?;
            left.is_empty().or_wrong("another path than the claim's")?;
            // Nothing was searched: a path by itself shows that no longer one is needed.
            let logical = match decides || logical == "reported" {
                true => logical,
                false => "not-reached",
            };
            return self.reading.graded(logical, false).map(|()| vec![]);
        }
        let engine = case.text("engine").unwrap_or_default();
        // A search in layers that are cut off finds some path. Only where all are equally long does
        // it decide more than the path itself.
        if ["dfs", "beam"].contains(&engine) {
            let decided = decides || self.rules.is_layered();
            let verdict = if decided { logical } else { "not-reached" };
            self.reading.graded(verdict, false)?;
            return self.tabled(Some(moves));
        }
        // Their paths were not searched again in full.
        let rests = ["disk", "cluster", "ida"].contains(&engine) && !decides;
        self.reading.graded(logical, rests)?;
        let bounded = self.ends.1.is_none() && self.rules.at_least(self.ends.0).is_some();
        if engine == "ida" && bounded {
            return self.by_bound(path, decides);
        }
        match nearest(self.checker, self.reading, self.rules, self.ends, None) {
            Some(again) => {
                let same = again.met == Some(moves as u32);
                same.or_wrong(format!("the fewest moves are {}", or_none(again.met)))?;
                self.reading.hides_nothing(self.rules)?;
            }
            None if !decides => {
                has_no_detour(self.rules, path)?;
                return self.tabled(Some(moves)).map(|_| vec![NO_SHORTER.into()]);
            }
            _ => {}
        }
        self.tabled(Some(moves))
    }

    /// Checks that no path has fewer moves, by a search that a lower bound leads. If the path alone
    /// decides, that search need not end.
    fn by_bound(&self, path: &[u128], decides: bool) -> Shown {
        let (start, moves) = (self.ends.0, path.len() - 1);
        let name = format!("{} from {start}", self.reading.name());
        let again = once(&self.checker.texts, name, || {
            let fewest = deepening(self.rules, start, DEEPEST);
            Ok(fewest.map_or(String::new(), |fewest| fewest.to_string()))
        })?;
        if again.is_empty() {
            has_no_detour(self.rules, path)?;
            let rests = (!decides).then(|| NO_SHORTER.into());
            return Ok(rests.into_iter().collect());
        }
        (again == moves.to_string()).or_wrong(format!("the fewest moves are {again}"))?;
        Ok(vec![])
    }

    /// The claim's own path is not a solution: it is played as far as the rules allow.
    fn broken(&self, picture: &Value) -> Shown {
        let (reading, rules, (start, goal)) = (self.reading, self.rules, self.ends);
        let open = reading.is_open();
        let comes_to = |figure: String| match open {
            true => reading.comes_to(""),
            false => reading.comes_to(&figure),
        };
        let names = reading.case.text("path").unwrap_or_default();
        let path = match picture["strip"].is_null() {
            true => vec![rules.state(text(&picture["board"], "state"))?],
            false => replayed(rules, picture)?,
        };
        (path[0] == start).or_wrong("the path begins elsewhere")?;
        let (moves, last) = (path.len() - 1, path[path.len() - 1]);
        let left = left_of(rules, &path, names)?;
        if !left.is_empty() {
            comes_to(format!("{BROKEN}breaks at move {}", moves + 1))?;
            let texts = may_name(rules, last, left);
            let named = |next| {
                texts
                    .iter()
                    .any(|text| is_called(rules, (last, next), text))
            };
            (!rules.next(last).into_iter().any(named)).or_wrong("the path continues")?;
        } else {
            comes_to(format!("{BROKEN}ends elsewhere"))?;
            let arrives = rules.ends(last, goal);
            (!arrives).or_wrong("the path ends where it should")?;
        }
        let logical = if open { "not-reached" } else { "refuted" };
        reading.graded(logical, false)?;
        Ok(vec![])
    }

    /// The table with a path: levels from its start, as far as they decide.
    fn tabled(&self, last: Option<usize>) -> Shown {
        let (reading, rules, (start, goal)) = (self.reading, self.rules, self.ends);
        let engine = reading.text("engine");
        if !["forward search", "disk", "cluster"].contains(&engine) {
            return Ok(vec![]);
        }
        let files = engine != "forward search";
        let depth = depth(reading, last)?;
        let question = Question {
            roots: vec![start],
            depth: depth.map(|depth| depth as u32),
            symmetry: !files && rules.is_symmetric(start),
            until: files.then_some(goal),
            backward: false,
        };
        let name = reading.name();
        let Some(found) = self.checker.search(&name, rules, &question, false) else {
            return Ok(vec![BEYOND.into()]);
        };
        let from = rules.draw(start);
        ran(reading, (false, Some(&from)), found.complete, 1)?;
        same(reading, &found.levels, None)?;
        if shows_antipodes(reading, found.complete && !files)? {
            let whole = found.complete;
            whole.or_wrong("antipodes of levels that were cut")?;
            antipodes(reading, rules, None)?;
        }
        Ok(vec![])
    }

    /// Checks that there is no path: a proof, complete levels, or all levels up to a depth.
    fn without_path(&self) -> Shown {
        // Nothing of it is checked then.
        const OPEN: &str = "that no path is among more states than are searched here";
        let open = || Stop::Unknown(OPEN.into());
        let (reading, case) = (self.reading, self.reading.case);
        let search = |depth| nearest(self.checker, reading, self.rules, self.ends, depth);
        let (is_length, is_unreachable) = (case.kind == "length", case.kind == "unreachable");
        let none = match is_unreachable {
            true => "unreachable",
            false => "unsolvable",
        };
        let proof = reading.part("proof").as_str();
        proof.map_or(Ok(()), |text| self.rules.proves(self.ends, text))?;
        if reading.text("found") == none {
            // No path is shorter than any bound then.
            let holds = case.claimed == "unsolvable" || case.compare == "at-least";
            let claimed = is_length && holds;
            let engine = reading.text("engine");
            let logical = match (case.kind.as_str(), case.compare.as_str()) {
                // Such a search is not repeated.
                _ if ["dfs", "beam"].contains(&engine) => "not-reached",
                ("length", "report") => "reported",
                _ => truth(is_unreachable || claimed),
            };
            reading.graded(logical, ["disk", "cluster"].contains(&engine))?;
            if proof.is_some() {
                return Ok(vec![]);
            }
            let again = search(None).ok_or_else(open)?;
            (again.complete && again.met.is_none()).or_wrong("there is a path")?;
            self.tabled(None)
        } else if let Some(depth) = more_than(reading.text("found")) {
            let logical = case.beyond(depth).ok_or("the claim is not passed")?;
            let again = search(Some(depth)).ok_or_else(open)?;
            let asked = bound(reading) == Some(depth.into());
            asked.or_wrong("the claim's own lines end at another depth")?;
            let so_far = again.met.is_none() && again.levels.len() as u32 == depth + 1;
            so_far.or_wrong("there is a path, or nothing so far")?;
            reading.graded(logical, true)?;
            self.tabled(Some(depth as usize))
        } else {
            let nothing = reading.is_open();
            nothing.or_wrong("found without a path")?;
            // Such a search may miss a path.
            if ["dfs", "beam"].contains(&reading.text("engine")) {
                return self.tabled(None);
            }
            let depth = bound(reading).map(|depth| depth as u32);
            let passed = is_length && depth.is_some_and(|depth| case.beyond(depth).is_some());
            let again = search(depth);
            // Without a path there is no time to report.
            let tells = reading.text("engine") != "ida" && case.kind != "count";
            let ends = |found: &Found| found.complete && tells;
            let decides = |found: &Found| passed || found.met.is_some() || ends(found);
            let hidden = again.as_deref().is_some_and(decides);
            (!hidden).or_wrong("a search decides, and it says not-reached")?;
            self.tabled(None)
        }
    }
}
