//! One instance to explore, and what is known about its positions.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use antipode_check::ask::{KnownDistance, PathReport, PathRequest, path, planned};
use antipode_check::board;
use antipode_check::distances::{Distances, MaybeTable, part_of};
use antipode_graph::{Capabilities, Expansion, Graph};
use antipode_reports::html::playable;
use antipode_reports::model::{Legend, Position, PositionLevel, PositionMove, Remaining};
use antipode_reports::{count, grouped};
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::EngineError;
use antipode_search::limit::within;
use antipode_search::progress::Stop;
use antipode_search::record::legend_of;
use antipode_search::table::rules_of;
use puzzle_api::{Direction, UNSOLVABLE};

use crate::error::ExploreError;
use crate::finished::FinishedRun;
use crate::knowledge::Knowledge;
use crate::question::{AnswerLimits, Go, Say};
use crate::tables::InstanceTables;

/// Positions whose distances are remembered from searches; with more, all are dropped.
const MOST_REMEMBERED: usize = 1 << 20;
/// Memory of one search.
const SEARCH_MEMORY: u64 = 1 << 30;
/// Boards drawn at random to learn the symbols of boards.
const SHOWN: u64 = 32;
/// Least time that makes starting a search worthwhile.
const LEAST_TIME: Duration = Duration::from_millis(20);
/// Pixels of a large board's longer side.
const LARGE: u32 = 448;

/// One instance to explore.
pub struct Explorer {
    name: String,
    rules_text: String,
    legend: Legend,
    /// The question of searches, each from its own position.
    asked: PathRequest,
    /// A finished run of the instance.
    pub(crate) run: Option<FinishedRun>,
    limits: AnswerLimits,
    pub(crate) graph: Graph<u128>,
    rules: Graph<u128>,
    /// Why no position is solved, if none is.
    pub(crate) goalless: Option<String>,
    tables: InstanceTables,
    /// Results of searches.
    searched: Mutex<HashMap<u128, KnownDistance>>,
    /// Positions of the finished run by canonical key, if their depths are distances.
    by_run: HashMap<u128, u16>,
    /// Deepest positions of the finished run, if its depths are something else.
    farthest: HashMap<u128, u32>,
}

/// A position with the positions one move from it.
struct Around {
    /// The position, then where its moves lead.
    keys: Vec<u128>,
    known: Knowledge,
    notes: Vec<String>,
}

impl Explorer {
    /// Opens the instance of a question, whose start and goal do not matter; nothing is searched
    /// yet. `run` is a finished run of it.
    ///
    /// # Errors
    /// An unknown instance, variant or setting; a finished run that is not of this instance.
    pub fn open(
        asked: PathRequest,
        run: Option<FinishedRun>,
        limits: AnswerLimits,
    ) -> Result<Self, ExploreError> {
        let library = &asked.library;
        let variant = asked.variant.as_deref().unwrap_or(&library.variants[0]);
        let opened = library.open(&asked.instance, variant, &asked.settings)?;
        let graph = Graph::of(opened);
        let rules = rules_of(&graph)?;
        let takes_goal = library.settings.iter().any(|setting| setting.key == "to");
        let goalless = takes_goal && !graph.has(Capabilities::SOLVED_ROOTS);
        let goalless = goalless.then(|| {
            "No position is solved until there is a goal: give one as the setting `to`".to_owned()
        });
        let (mut by_run, mut farthest) = (HashMap::new(), HashMap::new());
        if let Some(run) = &run {
            run.check(&graph.opened.full_name(), &graph.opened.settings)?;
            for antipode in &run.antipodes {
                let mut key = [board::read(&graph, &antipode.state)?];
                if !run.is_to_solved() {
                    farthest.insert(key[0], antipode.depth);
                    continue;
                }
                graph.canonical(&mut key, None)?;
                by_run.insert(key[0], antipode.depth as u16);
            }
        }
        let mut infos = library.instances.iter();
        let about = infos.find(|info| info.name == asked.instance);
        Ok(Self {
            name: format!("{}/{}", library.name, asked.instance),
            rules_text: match about {
                Some(info) => format!("{}. Here: {}.", library.summary, info.summary),
                None => format!("{}.", library.summary),
            },
            legend: legend_of(&library.legend, &asked.instance),
            tables: InstanceTables::new(limits.tables),
            asked,
            run,
            limits,
            graph,
            rules,
            goalless,
            searched: Mutex::default(),
            by_run,
            farthest,
        })
    }

    /// `PUZZLE/INSTANCE`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The puzzle's and the instance's descriptions of themselves.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules_text
    }

    /// How to draw its positions; if empty, as text.
    #[must_use]
    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// A text as a large board, whether it is a position or not; `None` if the puzzle has no
    /// legend.
    #[must_use]
    pub fn picture(&self, board: &str) -> Option<String> {
        playable(board, &self.name, &self.legend, LARGE)
    }

    /// The table of a position's part, or why there is none.
    pub(crate) fn table(&self, key: u128, stop: &Stop) -> Result<Arc<MaybeTable>, ExploreError> {
        if let Some(why) = &self.goalless {
            return Ok(Arc::new(Err(why.clone())));
        }
        Ok(match part_of(&self.graph, key)? {
            Some(part) => self
                .tables
                .of(&self.graph, &self.rules, (part, key), stop)?,
            None => Arc::new(Err("the position has no place in the numbering".into())),
        })
    }

    /// The position and where its moves lead, on the rulebook.
    fn around(&self, key: u128) -> Result<Around, ExploreError> {
        let mut out = Expansion::default();
        self.rules.expand(Direction::Forward, &[key], &mut out)?;
        let mut keys = vec![key];
        for &next in out.keys() {
            if !keys.contains(&next) {
                keys.push(next);
            }
        }
        let boards = keys.iter().map(|&key| self.rules.draw(key));
        let boards = boards.collect::<Result<_, _>>()?;
        Ok(Around {
            known: Knowledge::of(boards, &self.rules.is_solved(&keys)?),
            notes: self.goalless.iter().cloned().collect(),
            keys,
        })
    }

    /// Adds the results of tables, the finished run and earlier searches, and searches for what is
    /// still unknown, while there is time.
    fn inform(
        &self,
        around: &mut Around,
        table: &MaybeTable,
        stop: &Stop,
    ) -> Result<(), ExploreError> {
        if let Ok(table) = table {
            self.hold_against_run(table)?;
            for (at, said) in table.of(&around.keys)?.into_iter().enumerate() {
                around.known.learn(at, said)?;
            }
        }
        if self.graph.proves(Capabilities::LOWER_BOUND) {
            // Checked against all other knowledge, like everything here.
            for (at, &bound) in self.graph.lower_bound(&around.keys)?.iter().enumerate() {
                around.known.learn(at, bounded(bound))?;
            }
        }
        let mut canonical = around.keys.clone();
        self.graph.canonical(&mut canonical, None)?;
        for (at, key) in canonical.iter().enumerate() {
            if let Some(&depth) = self.by_run.get(key) {
                around.known.learn(at, KnownDistance::Exactly(depth))?;
            }
        }
        around.known.conclude()?;
        // The position itself first, with as much time as all later ones together.
        if !around.known.is_decided(0) {
            self.search(around, 0, self.limits.search, stop)?;
            around.known.conclude()?;
        }
        let started = Instant::now();
        for at in 1..around.keys.len() {
            if around.known.is_decided(at) {
                continue;
            }
            let left = self.limits.search.saturating_sub(started.elapsed());
            let share = left / (around.keys.len() - at) as u32;
            self.search(around, at, share, stop)?;
            around.known.conclude()?;
        }
        self.within_run(around)
    }

    /// Result of a search for one position, now or earlier.
    fn search(
        &self,
        around: &mut Around,
        at: usize,
        time: Duration,
        stop: &Stop,
    ) -> Result<(), ExploreError> {
        let remembered = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        let before = remembered.get(&around.keys[at]).copied();
        drop(remembered);
        if let Some(before) = before {
            around.known.learn(at, before)?;
            // As a move of another position, it had a smaller share of the time.
            if at > 0 || around.known.is_decided(at) {
                return Ok(());
            }
        }
        if time < LEAST_TIME || stop.requested() {
            return Ok(());
        }
        let folder = tempfile::tempdir().map_err(|error| {
            ExploreError::Refused(format!("no folder for a search can be made: {error}"))
        })?;
        let mut request = PathRequest {
            from: Some(around.known.boards[at].clone()),
            options: EngineOptions::threads(self.limits.tables.threads),
            ..self.asked.clone()
        };
        let found = planned(&request).and_then(|engine| {
            if engine.takes(QuestionKind::Path, Opt::Memory) {
                request.options.memory = Some(SEARCH_MEMORY);
            }
            if engine.takes(QuestionKind::Path, Opt::Work) {
                request.options.work = Some(folder.path().join("work"));
            }
            within(time, stop, |stop| path(&request, stop))
        });
        let found = match found {
            Ok(found) => found,
            // No engine can, or not within the short time limit; the next position may differ.
            Err(EngineError::CannotHold(why) | EngineError::Memory(why)) => {
                around
                    .notes
                    .push(format!("{}: not searched: {why}", around.known.boards[at]));
                return Ok(());
            }
            Err(fault) => return Err(fault.into()),
        };
        let said = match (found.length(), around.known.get(at)) {
            // No path is shorter than the bound.
            (Some(moves), KnownDistance::AtLeast(least)) if moves == usize::from(least) => {
                KnownDistance::Exactly(least)
            }
            _ => found.known(),
        };
        self.remember(around.keys[at], said, &found)?;
        around.known.learn(at, said)
    }

    /// Keeps a search's result for every position on its path.
    fn remember(
        &self,
        key: u128,
        said: KnownDistance,
        found: &PathReport,
    ) -> Result<(), ExploreError> {
        let mut learnt = vec![(key, said)];
        if let KnownDistance::Exactly(moves) = said {
            for (done, state) in (0..=moves).zip(found.outcome.states()) {
                learnt.push((
                    self.graph.parse(state)?,
                    KnownDistance::Exactly(moves - done),
                ));
            }
        }
        let mut remembered = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered.len() > MOST_REMEMBERED {
            remembered.clear();
        }
        remembered.extend(learnt);
        Ok(())
    }

    /// A table of all states must equal the level table of the finished run.
    fn hold_against_run(&self, table: &Distances) -> Result<(), ExploreError> {
        let Some(run) = self.run.as_ref().filter(|run| run.is_to_solved()) else {
            return Ok(());
        };
        let all = table.is_complete() && self.graph.opened.part_count == 1;
        if all && run.run.max_depth.is_none() && run.levels.levels != table.levels.levels {
            return Err(ExploreError::Disagree(format!(
                "{}: levels.csv is not the level table that engine {} finds here",
                run.folder.display(),
                table.engine.name()
            )));
        }
        Ok(())
    }

    /// No position is farther than the farthest of the finished run.
    fn within_run(&self, around: &Around) -> Result<(), ExploreError> {
        let run = self.run.as_ref();
        let run = run.filter(|run| run.is_to_solved() && run.run.max_depth.is_none());
        let Some((run, deepest)) = run.and_then(|run| Some((run, run.levels.max_depth()?))) else {
            return Ok(());
        };
        for (at, board) in around.known.boards.iter().enumerate() {
            if let KnownDistance::Exactly(moves) = around.known.get(at)
                && u32::from(moves) > deepest
            {
                return Err(ExploreError::Disagree(format!(
                    "{board} is {} from solved, and {} says that no position is more than {deepest}",
                    count(moves, self.graph.opened.unit()),
                    run.folder.display()
                )));
            }
        }
        Ok(())
    }

    fn basis(&self, table: &MaybeTable) -> String {
        let seconds = self.limits.search.as_secs_f64();
        let bound = match self.graph.has(Capabilities::LOWER_BOUND) {
            true => "the puzzle's own lower bound and ",
            false => "",
        };
        let beyond =
            format!("{bound}searches of at most {seconds} s for a position and for its moves");
        match table {
            _ if self.goalless.is_some() => "No distances.".into(),
            Ok(table) if table.onward => format!(
                "A table of the {} positions that moves lead to, by the rulebook.",
                grouped(table.len())
            ),
            Ok(table) if table.is_complete() => format!(
                "A table of {} positions up to symmetry, made by engine {}.",
                grouped(table.len()),
                table.engine.name()
            ),
            Ok(table) => format!(
                "A table of the {} positions up to symmetry that are at most {} from solved, made by engine {}; beyond it, {beyond}.",
                grouped(table.len()),
                count(
                    table.levels.max_depth().unwrap_or(0),
                    self.graph.opened.unit()
                ),
                table.engine.name()
            ),
            Err(why) => format!("No table, because {why}; {beyond}."),
        }
    }

    /// Further remarks on a position: its place in a run whose depths are no distances to a solved
    /// position, and the puzzle's proof that it cannot be solved.
    fn remarks(&self, around: &mut Around) -> Result<(), ExploreError> {
        let key = around.keys[0];
        if let (Some(run), Some(depth)) = (&self.run, self.farthest.get(&key)) {
            around.notes.push(run.says_of_farthest(*depth));
        }
        if self.goalless.is_none()
            && around.known.get(0) == KnownDistance::Unsolvable
            && let Some(proof) = self.graph.refute(key, None)?
        {
            around.notes.extend(proof_lines(&proof));
        }
        Ok(())
    }

    fn record(&self, around: Around, table: &MaybeTable) -> Result<Position, ExploreError> {
        let key = around.keys[0];
        let name = |at: usize| {
            let to = around.keys[at];
            let name = self.graph.describe_move(key, to);
            name.or_else(|| self.rules.describe_move(key, to))
        };
        let worst = around
            .known
            .worst(|at| (name(at), around.known.boards[at].clone()));
        let shown = |at: usize| match self.goalless {
            Some(_) => Remaining::default(),
            None => around.known.remaining(at),
        };
        let moves = (1..around.keys.len()).map(|at| PositionMove {
            r#move: name(at),
            board: around.known.boards[at].clone(),
            remaining: shown(at),
            shortest: self.goalless.is_none() && around.known.is_shortest(at),
            worst: self.goalless.is_none() && worst == Some(at),
        });
        let opened = &self.graph.opened;
        let part = match opened.part_count {
            1 => None,
            _ => part_of(&self.graph, key)?.map(|part| self.graph.part_name(part)),
        };
        let complete = table.as_ref().is_ok_and(Distances::is_complete);
        let levels = table.as_ref().map_or(&[][..], |table| &table.levels.levels);
        let levels = levels.iter().map(|level| PositionLevel {
            depth: level.depth,
            states: level.states,
        });
        Ok(Position {
            instance: opened.full_name(),
            settings: opened.settings.clone(),
            unit: opened.unit().into(),
            board: around.known.boards[0].clone(),
            svg: self.picture(&around.known.boards[0]),
            remaining: shown(0),
            basis: self.basis(table),
            moves: moves.collect(),
            part,
            levels: levels.collect(),
            levels_complete: complete,
            notes: around.notes.clone(),
        })
    }
}

/// A proof as sentences: its reason, then the statements written out in lines. A line with a
/// certificate for programs is omitted.
fn proof_lines(proof: &str) -> impl Iterator<Item = String> + '_ {
    let lines = proof.lines().filter(|line| !line.starts_with('{'));
    lines.enumerate().map(|(at, line)| match at {
        0 => format!("It cannot be solved: {line}."),
        _ => line.to_owned(),
    })
}

/// The statement of a puzzle's lower bound: if no path can have that length, there is none.
fn bounded(bound: u64) -> KnownDistance {
    match u16::try_from(bound) {
        Ok(moves) if moves < UNSOLVABLE => KnownDistance::AtLeast(moves),
        _ => KnownDistance::Unsolvable,
    }
}

impl Explorer {
    /// A position with its moves; `None` for the instance's start, or, without one, some
    /// position.
    ///
    /// # Errors
    /// A text that is no position, an unknown place to go to, a puzzle that breaks its contract, or
    /// [`ExploreError::Disagree`].
    pub fn position(
        &self,
        board: Option<&str>,
        go: Go,
        stop: &Stop,
    ) -> Result<Position, ExploreError> {
        self.shown(board, go, Say::Distances, stop)
    }

    /// The same, with only the requested data.
    pub(crate) fn shown(
        &self,
        board: Option<&str>,
        go: Go,
        say: Say,
        stop: &Stop,
    ) -> Result<Position, ExploreError> {
        let key = self.go(board, go, stop)?;
        let mut around = self.around(key)?;
        if say == Say::Moves {
            return self.record(around, &Err("distances were not asked for".into()));
        }
        let table = self.table(key, stop)?;
        if self.goalless.is_none() {
            self.inform(&mut around, &table, stop)?;
        }
        self.remarks(&mut around)?;
        self.record(around, &table)
    }

    /// A solved position of another one's part, if one is known, and whether it is the only one.
    pub(crate) fn goal(
        &self,
        board: Option<&str>,
        stop: &Stop,
    ) -> Result<Option<(String, bool)>, ExploreError> {
        let key = self.go(board, Go::Stay, stop)?;
        let mut goals = match part_of(&self.graph, key)? {
            Some(part) if self.graph.has(Capabilities::SOLVED_ROOTS) => {
                self.graph.roots(Direction::Backward, part)?
            }
            _ => Vec::new(),
        };
        if goals.is_empty()
            && let Ok(table) = self.table(key, stop)?.as_ref()
        {
            goals = table.level(0).collect();
        }
        let only = goals.len() == 1 && self.graph.opened.part_count == 1;
        let goal = goals
            .first()
            .map(|&goal| self.rules.draw(goal))
            .transpose()?;
        Ok(goal.map(|goal| (goal, only)))
    }

    /// Why it is impossible to go to an antipode and to a random position from a position; `None`
    /// if possible.
    pub(crate) fn obstacles(
        &self,
        board: &str,
        stop: &Stop,
    ) -> Result<[Option<String>; 2], ExploreError> {
        let known = self
            .run
            .as_ref()
            .is_some_and(|run| !run.antipodes.is_empty());
        let table = self.table(board::read(&self.graph, board)?, stop)?;
        let (antipode, random) = match table.as_ref() {
            Ok(table) if table.is_complete() => (None, None),
            Ok(_) => (Some("the table is not complete".to_owned()), None),
            Err(why) => (Some(why.clone()), Some(why.clone())),
        };
        let drawn = self.drawn(1)?.is_some();
        Ok([antipode.filter(|_| !known), random.filter(|_| !drawn)])
    }

    /// The symbols on boards of the instance, in no order. Looks at the boards that are available:
    /// the given one, solved ones, and some drawn at random.
    pub(crate) fn symbols(&self, board: &str) -> Result<String, ExploreError> {
        let mut keys = self.graph.roots(Direction::Forward, 0)?;
        keys.extend(self.a_solved_one()?);
        for seed in 1..=SHOWN {
            keys.extend(self.drawn(seed)?);
        }
        let mut all: BTreeSet<char> = board.chars().collect();
        for key in keys {
            all.extend(self.rules.draw(key)?.chars());
        }
        Ok(all.into_iter().filter(|&symbol| symbol != '/').collect())
    }

    /// Whether a text is a position of the instance.
    ///
    /// # Errors
    /// Why not, in one line.
    pub fn check(&self, board: &str) -> Result<(), ExploreError> {
        Ok(board::read(&self.graph, board).map(drop)?)
    }
}
