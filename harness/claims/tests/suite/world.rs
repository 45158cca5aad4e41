//! A small instance searched plainly over the rulebook, with which claims about it are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use antipode_claims::Context;
use antipode_graph::{Capabilities, Expansion, Graph, Library};
use antipode_reports::model::Verdict;
use puzzle_api::Direction;

use crate::judged;

/// A question, as the keys of a claim.
pub(crate) struct Asked {
    pub(crate) forward: bool,
    pub(crate) board: Option<u128>,
    pub(crate) max_depth: Option<usize>,
    pub(crate) levels: Option<(usize, usize)>,
    pub(crate) keys: String,
}

/// An instance with all of its states and moves, by the rulebook.
pub(crate) struct World {
    pub(crate) library: Arc<Library>,
    instance: &'static str,
    /// Its settings, as in a claim; empty if there are none.
    settings: String,
    pub(crate) rules: Graph<u128>,
    /// Whether all states are known, or only those reached from solved ones.
    pub(crate) counted: bool,
    pub(crate) moves: BTreeMap<u128, BTreeSet<u128>>,
    /// The states without their images, for an instance of one board.
    own: BTreeSet<u128>,
    pub(crate) solved: BTreeSet<u128>,
}

/// Levels of states, each with its distance.
pub(crate) type Levels = BTreeMap<u128, usize>;

impl World {
    pub(crate) fn new(
        library: &Arc<Library>,
        instance: &'static str,
        settings: &[(&str, &str)],
    ) -> Self {
        let library = Arc::clone(library);
        let set = puzzle_api::settings(settings);
        let open = |library: &Arc<Library>, variant: &str| {
            let opened = library.open(instance, variant, &set);
            Graph::of(opened.expect("opens"))
        };
        let rules = open(&library, library.reference_variant());
        let fast = open(&library, &library.variants[0]);
        let mut all: BTreeSet<u128> = BTreeSet::new();
        let mut own: BTreeSet<u128> = BTreeSet::new();
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
                None if fast.has(Capabilities::SOLVED_ROOTS) => {
                    fast.roots(Direction::Backward, part).unwrap()
                }
                None => Vec::new(),
            };
            if fast.opened.part_count == 1 && counted {
                own.extend(&keys);
            }
            if fast.has(Capabilities::SYMMETRY) {
                keys = fast.images_of(&keys).unwrap();
            }
            all.extend(keys);
        }
        all.extend(rules.roots(Direction::Forward, 0).unwrap());
        if library.name == "peg-solitaire" {
            // A peg or none in each hole.
            all.extend(0..=rules.parse("full").unwrap());
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
            let next: BTreeSet<u128> = out
                .keys()
                .iter()
                .copied()
                .filter(|&to| to != state)
                .collect();
            left.extend(&next);
            moves.insert(state, next);
        }
        let keys: Vec<u128> = moves.keys().copied().collect();
        let is = rules.is_solved(&keys).unwrap();
        let solved = keys
            .iter()
            .zip(is)
            .filter(|(_, is)| *is)
            .map(|(key, _)| *key);
        let solved = solved.collect();
        let pairs = settings.iter();
        let pairs = pairs.map(|(key, value)| format!("{key} = \"{value}\""));
        let settings = match settings.is_empty() {
            true => String::new(),
            false => format!(
                "settings = {{ {} }}\n",
                pairs.collect::<Vec<_>>().join(", ")
            ),
        };
        Self {
            library,
            instance,
            settings,
            rules,
            counted,
            moves,
            own,
            solved,
        }
    }

    /// A question by an engine, which is a line of a claim or nothing.
    pub(crate) fn asks(
        &self,
        engine: &str,
        (forward, board): (bool, Option<u128>),
        max_depth: Option<usize>,
        levels: Option<(usize, usize)>,
    ) -> Asked {
        let mut keys = engine.to_owned();
        keys += match forward {
            true => "direction = \"forward\"\n",
            false => "direction = \"backward\"\n",
        };
        if let Some(board) = board {
            keys += &format!("board = \"{}\"\n", self.rules.draw(board).unwrap());
        }
        if let Some(depth) = max_depth {
            keys += &format!("max_depth = {depth}\n");
        }
        if let Some((first, last)) = levels {
            keys += &format!("levels = [{first}, {last}]\n");
        }
        Asked {
            forward,
            board,
            max_depth,
            levels,
            keys,
        }
    }

    /// A question about the whole instance, with all checks; with settings, a separate search, which
    /// runs forward.
    pub(crate) fn asks_of_all(&self) -> Asked {
        Asked {
            keys: String::new(),
            ..self.asks("", (!self.settings.is_empty(), None), None, None)
        }
    }

    /// Every state reachable from a start, or from which one is reachable, with its distance.
    pub(crate) fn levels(&self, forward: bool, board: Option<u128>) -> Levels {
        let mut edges: BTreeMap<u128, Vec<u128>> = BTreeMap::new();
        for (&from, next) in &self.moves {
            for &to in next {
                let (from, to) = if forward { (from, to) } else { (to, from) };
                edges.entry(from).or_default().push(to);
            }
        }
        let roots: Vec<u128> = match (board, forward) {
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
    fn orbits(&self, states: impl Iterator<Item = u128>) -> usize {
        let mut keys: Vec<u128> = states.collect();
        if self.rules.has(Capabilities::SYMMETRY) {
            self.rules.canonical(&mut keys, None).unwrap();
        }
        keys.into_iter().collect::<BTreeSet<u128>>().len()
    }

    /// A figure in the form of its line in the documentation; nothing for speeds, buckets and
    /// parts.
    pub(crate) fn figure(&self, name: &str, asked: &Asked, levels: &Levels) -> Option<String> {
        let count = |orbits: bool, states: &mut dyn Iterator<Item = u128>| match orbits {
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
        // The symmetries are those of the solved states, which a start need not share.
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
        let from_solved = !asked.forward && asked.board.is_none();
        let mut levels = levels.clone();
        levels.retain(|state, _| !from_solved || self.own.is_empty() || self.own.contains(state));
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
        // Twelve significant digits, without zeros at the end.
        let share = |part: usize, all: usize| {
            let digits = format!("{:.11e}", part as f64 / all as f64);
            digits.parse::<f64>().ok().map(|share| share.to_string())
        };
        match name {
            "moves_to_unsolvable" => Some(lost.to_string()),
            "levels_back" => Some(back.to_string()),
            "moves_known" => share(*known, *moves),
            "moves_per_new" => share(*moves, new),
            "moves_wasted" => share(moves.saturating_sub(new), *moves),
            _ => None,
        }
    }

    /// The verdict on a claim of some lines; `None` if it is refused.
    pub(crate) fn decided(&self, lines: &str, context: &mut Context) -> Option<Verdict> {
        let (instance, settings) = (self.instance, &self.settings);
        let lines = format!("instance = \"{instance}\"\n{settings}{lines}");
        let judged = judged(&self.library, &lines, context).ok()?;
        let notes = judged.result.notes.join(" ");
        assert!(!notes.contains("disagree"), "{lines}: {notes}");
        Some(judged.result.verdict)
    }

    /// The verdict on a count; `None` if it is refused.
    pub(crate) fn verdict(
        &self,
        name: &str,
        keys: &str,
        claimed: &str,
        context: &mut Context,
    ) -> Option<Verdict> {
        if claimed.contains('.') {
            let lines = format!(
                "kind = \"count\"\ncount = \"{name}\"\nclaimed = \"{claimed}\"\ncompare = \"about\"\n{keys}"
            );
            return self.decided(&lines, context);
        }
        // Two bounds are one figure, and take any number.
        let both = ["at-most", "at-least"].map(|compare| {
            let lines = format!(
                "kind = \"count\"\ncount = \"{name}\"\nclaimed = \"{claimed}\"\ncompare = \"{compare}\"\n{keys}"
            );
            self.decided(&lines, context)
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
