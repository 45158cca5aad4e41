//! What a question can know: every count in every direction, with every bound, against a plain
//! search over the rulebook. A figure claimed rightly is confirmed, not reached or refused; one
//! claimed wrongly is never confirmed, and one claimed rightly never refuted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use antipode_claims::{ClaimSource, Context, Effort, check, counts, judge, parse_claims};
use antipode_graph::{Capabilities, Expansion, Graph, Library, builtin};
use antipode_reports::model::Verdict;
use antipode_search::open::typed_graph;
use antipode_search::progress::Stop;
use puzzle_api::{Direction, Settings};

/// An instance with all of its states and moves, by the rulebook.
struct World {
    library: Arc<Library>,
    instance: &'static str,
    rules: Graph<u64>,
    /// Whether all states are known, or only those that solved ones lead to.
    counted: bool,
    moves: BTreeMap<u64, BTreeSet<u64>>,
    solved: BTreeSet<u64>,
}

/// Levels of states, each with its distance.
type Levels = BTreeMap<u64, usize>;

impl World {
    fn new(puzzle: &str, instance: &'static str) -> Self {
        let library = Arc::new(builtin::named(puzzle).expect("a puzzle of ours"));
        let open = |library: &Arc<Library>, variant: &str| {
            let opened = library.open(instance, variant, &Settings::new());
            typed_graph::<u64>(opened.expect("opens")).expect("short keys")
        };
        let rules = open(&library, library.reference_variant());
        let fast = open(&library, &library.variants[0]);
        let mut all: BTreeSet<u64> = BTreeSet::new();
        let by_rules = rules.has(Capabilities::RANK);
        let ranked = if by_rules { &rules } else { &fast };
        let counted = ranked.has(Capabilities::RANK);
        let ranked = counted.then_some(ranked);
        for part in 0..fast.opened.part_count {
            let mut keys = match ranked {
                Some(ranked) => {
                    let size = ranked.space(part).unwrap().unwrap_or(0);
                    let mut keys = Vec::new();
                    let ranks: Vec<u64> = (0..size).collect();
                    ranked.unrank(part, &ranks, &mut keys).unwrap();
                    keys
                }
                None => fast.roots(Direction::Backward, part).unwrap(),
            };
            if fast.has(Capabilities::SYMMETRY) {
                keys = fast.images_of(&keys).unwrap();
            }
            all.extend(keys);
        }
        let (mut moves, mut left) = (BTreeMap::new(), Vec::from_iter(all));
        let mut out = Expansion::default();
        while let Some(state) = left.pop() {
            if moves.contains_key(&state) {
                continue;
            }
            rules
                .expand(Direction::Forward, &[state], &mut out)
                .unwrap();
            let next: BTreeSet<u64> = out
                .keys()
                .iter()
                .copied()
                .filter(|&to| to != state)
                .collect();
            left.extend(&next);
            moves.insert(state, next);
        }
        let keys: Vec<u64> = moves.keys().copied().collect();
        let is = rules.is_solved(&keys).unwrap();
        let solved = keys
            .iter()
            .zip(is)
            .filter(|(_, is)| *is)
            .map(|(key, _)| *key);
        let solved = solved.collect();
        Self {
            library,
            instance,
            rules,
            counted,
            moves,
            solved,
        }
    }

    fn levels(&self, forward: bool, board: Option<u64>) -> Levels {
        let mut edges: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (&from, next) in &self.moves {
            for &to in next {
                let (from, to) = if forward { (from, to) } else { (to, from) };
                edges.entry(from).or_default().push(to);
            }
        }
        let roots: Vec<u64> = match (board, forward) {
            (Some(board), _) => vec![board],
            (None, true) => self.rules.roots(Direction::Forward, 0).unwrap(),
            (None, false) => self.solved.iter().copied().collect(),
        };
        let (mut found, mut level) = (Levels::new(), roots);
        let mut depth = 0;
        while !level.is_empty() {
            level.retain(|&state| found.insert(state, depth).is_none());
            let next = level
                .iter()
                .flat_map(|state| edges.get(state).into_iter().flatten());
            level = next
                .copied()
                .filter(|state| !found.contains_key(state))
                .collect();
            level.sort_unstable();
            level.dedup();
            depth += 1;
        }
        found
    }

    /// Orbits of some states, by the rulebook's own canonical form.
    fn orbits(&self, states: impl Iterator<Item = u64>) -> usize {
        let mut keys: Vec<u64> = states.collect();
        if self.rules.has(Capabilities::SYMMETRY) {
            self.rules.canonical(&mut keys, None).unwrap();
        }
        keys.into_iter().collect::<BTreeSet<u64>>().len()
    }

    /// A figure as its line in the documentation has it; nothing for speeds, buckets and parts.
    fn figure(&self, name: &str, asked: &Asked, levels: &Levels) -> Option<String> {
        let count = |orbits: bool, states: &mut dyn Iterator<Item = u64>| match orbits {
            true => self.orbits(states),
            false => states.count(),
        };
        let deepest = levels.values().copied().max().unwrap_or(0);
        let (stem, end) = name.rsplit_once('_').unwrap_or((name, ""));
        let orbits = end == "orbits";
        let at = |depth: usize| {
            let at = levels.iter().filter(move |(_, at)| **at == depth);
            at.map(|(state, _)| *state)
        };
        // Symmetry is that of the solved states, which a start need not share.
        let of_solved = !asked.forward && asked.board.is_none();
        let whole = match stem {
            _ if orbits && !of_solved => return None,
            "total" if self.counted => count(orbits, &mut self.moves.keys().copied()),
            "unsolvable" if self.counted => {
                let rest = self
                    .moves
                    .keys()
                    .filter(|state| !levels.contains_key(state));
                count(orbits, &mut rest.copied())
            }
            "solvable" | "reachable" => count(orbits, &mut levels.keys().copied()),
            "solved" => count(orbits, &mut self.solved.iter().copied()),
            "max" => deepest,
            "antipodes" => count(orbits, &mut at(deepest)),
            "level_3" => count(orbits, &mut at(3)),
            _ => return self.of_moves(name, asked, levels),
        };
        Some(whole.to_string())
    }

    fn of_moves(&self, name: &str, asked: &Asked, levels: &Levels) -> Option<String> {
        let within = |depth: usize| match asked.levels {
            Some((first, last)) => first <= depth + 1 && depth < last,
            None => true,
        };
        let mut counted = [0_usize; 4];
        let [moves, known, back, lost] = &mut counted;
        for (state, depth) in levels.iter().filter(|(_, depth)| within(**depth)) {
            for to in &self.moves[state] {
                *moves += 1;
                match levels.get(to) {
                    Some(at) if at <= depth => {
                        *known += 1;
                        *back = (*back).max(depth - at);
                    }
                    Some(_) => {}
                    None => *lost += 1,
                }
            }
        }
        let new = levels
            .values()
            .filter(|&&depth| depth > 0 && within(depth - 1))
            .count();
        let share = |part: usize, all: usize| Some(format!("{:.5}", part as f64 / all as f64));
        match name {
            "moves_to_unsolvable" => Some(lost.to_string()),
            "levels_back" => Some(back.to_string()),
            "moves_known" => share(*known, *moves),
            "moves_per_new" => share(*moves, new),
            "moves_wasted" => share(moves.saturating_sub(new), *moves),
            _ => None,
        }
    }

    /// The verdict on a claim; nothing where it is refused.
    fn verdict(
        &self,
        name: &str,
        keys: &str,
        claimed: &str,
        context: &mut Context,
    ) -> Option<Verdict> {
        let text = format!(
            "[[claim]]\nid = \"k\"\nsource = \"none\"\nstatement = \"s\"\nexpect = \"confirmed\"\nkind = \"count\"\ninstance = \"{}\"\ncount = \"{name}\"\nclaimed = \"{claimed}\"\ncompare = \"at-most\"\n{keys}",
            self.instance
        );
        // Two bounds are one figure, and take any number.
        let both = ["at-most", "at-least"].map(|compare| {
            let text = text.replace("at-most", compare);
            let claim = parse_claims("k.toml", &text).ok()?.all().ok()?.remove(0);
            let source = ClaimSource::about(&self.library, "k.toml".into(), text);
            check(&source, &claim, context).is_empty().then_some(())?;
            let judged = judge(&source, &claim, context).ok()?;
            Some(judged.result.verdict)
        });
        let [most, least] = both;
        Some(match (most?, least?) {
            (one, other) if one == other => one,
            (Verdict::Refuted | Verdict::RefutedBySample, _)
            | (_, Verdict::Refuted | Verdict::RefutedBySample) => Verdict::Refuted,
            _ => Verdict::NotReached,
        })
    }
}

/// A question, as the keys of a claim.
struct Asked {
    forward: bool,
    board: Option<u64>,
    max_depth: Option<usize>,
    levels: Option<(usize, usize)>,
    keys: String,
}

fn questions(world: &World) -> Vec<Asked> {
    let starts = world.rules.roots(Direction::Forward, 0).unwrap();
    let boards = [None, world.moves.keys().nth(world.moves.len() / 3).copied()];
    let mut all = Vec::new();
    for forward in [true, false] {
        for board in boards
            .into_iter()
            .filter(|board| board.is_some() || !forward || !starts.is_empty())
        {
            for engine in ["hash", "reference", "dense"] {
                for (max_depth, levels) in [
                    (None, None),
                    (Some(0), None),
                    (Some(2), None),
                    (Some(3), None),
                    (Some(200), None),
                    (None, Some((1, 2))),
                    (None, Some((2, 4))),
                    (Some(3), Some((1, 3))),
                    (Some(3), Some((1, 4))),
                    (Some(200), Some((1, 3))),
                ] {
                    let mut keys = format!("engine = \"{engine}\"\n");
                    keys += match forward {
                        true => "direction = \"forward\"\n",
                        false => "direction = \"backward\"\n",
                    };
                    if let Some(board) = board {
                        keys += &format!("board = \"{}\"\n", world.rules.draw(board).unwrap());
                    }
                    if let Some(depth) = max_depth {
                        keys += &format!("max_depth = {depth}\n");
                    }
                    if let Some((first, last)) = levels {
                        keys += &format!("levels = [{first}, {last}]\n");
                    }
                    all.push(Asked {
                        forward,
                        board,
                        max_depth,
                        levels,
                        keys,
                    });
                }
            }
        }
    }
    // A search of the whole instance, with all checks.
    all.push(Asked {
        forward: false,
        board: None,
        max_depth: None,
        levels: None,
        keys: String::new(),
    });
    all
}

/// Tries every count with every question on an instance; gives how many were confirmed.
fn try_all(puzzle: &str, instance: &'static str) -> usize {
    let world = World::new(puzzle, instance);
    let mut context = Context::new(Effort::Quick, 1, 2, Stop::default());
    let mut confirmed = 0;
    let names: Vec<String> = counts().map(|[name, ..]| name.replace('N', "3")).collect();
    for asked in questions(&world) {
        let levels = world.levels(asked.forward, asked.board);
        let deepest = levels.values().copied().max().unwrap_or(0);
        for name in &names {
            let whole =
                asked.keys.is_empty() && (name.starts_with("moves_") || name == "levels_back");
            let Some(right) = (!whole)
                .then(|| world.figure(name, &asked, &levels))
                .flatten()
            else {
                continue;
            };
            let what = format!(
                "{puzzle}/{instance} {name} {right}: {}",
                asked.keys.replace('\n', " ")
            );
            let verdict = world.verdict(name, &asked.keys, &right, &mut context);
            let holds = matches!(
                verdict,
                Some(Verdict::Confirmed | Verdict::ConfirmedBySample)
            );
            let fails = matches!(verdict, Some(Verdict::Refuted | Verdict::RefutedBySample));
            assert!(!fails, "{what} is refuted");
            confirmed += usize::from(holds);
            // Below a greatest depth that cuts the search, only levels up to it are known.
            if asked.max_depth.is_some_and(|most| most < deepest) && asked.levels.is_none() {
                let known = name.starts_with("solved") || name.starts_with("level_3");
                assert!(
                    known || !holds,
                    "{what} is confirmed of a search that was cut off"
                );
            }
            let number: f64 = right.parse().unwrap();
            for wrong in [number + 1.0, (number - 1.0).max(0.0)] {
                if (wrong - number).abs() < 0.5 {
                    continue;
                }
                let found = world.verdict(name, &asked.keys, &wrong.to_string(), &mut context);
                let holds = matches!(found, Some(Verdict::Confirmed | Verdict::ConfirmedBySample));
                assert!(!holds, "{what} is confirmed as {wrong}");
            }
        }
    }
    confirmed
}

/// Moves that cannot be undone, states that cannot be solved, eight symmetries.
#[test]
fn of_a_directed_graph_with_dead_ends() {
    let confirmed = try_all("tilt", "card-12");
    assert!(confirmed > 100, "{confirmed}");
}

/// Moves that can be undone, several solved states, one part, no ranks or ranks.
#[test]
fn of_undirected_graphs() {
    for (puzzle, instance) in [("rush-hour", "card-1"), ("hanoi", "3-3")] {
        let confirmed = try_all(puzzle, instance);
        assert!(confirmed > 100, "{puzzle}/{instance}: {confirmed}");
    }
}

/// Several parts, some of them without a solved state.
#[test]
fn of_several_parts() {
    for (puzzle, instance) in [("sliding-tile", "2x2"), ("unit-rush-hour", "2x3")] {
        let confirmed = try_all(puzzle, instance);
        assert!(confirmed > 50, "{puzzle}/{instance}: {confirmed}");
    }
}
