//! The position to show: the named one, an antipode, or a random one.

use antipode_check::ask::KnownDistance;
use antipode_check::board;
use antipode_check::distances::{Distances, MaybeTable};
use antipode_graph::{Capabilities, Expansion};
use antipode_search::progress::Stop;
use antipode_search::steps::DirectionSteps;
use puzzle_api::{Direction, Xorshift};

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::question::Go;

/// Most positions drawn to find a solvable one.
const DRAWN: u64 = 16;
/// Moves of a walk that begins at a solved position.
const WALKED: usize = 1000;
/// Most parts searched for a solved position.
const MOST_PARTS: u64 = 1024;

impl Explorer {
    /// The position named, else the start, else one farthest away in the finished run, else some
    /// position.
    fn named(&self, text: Option<&str>, stop: &Stop) -> Result<u128, ExploreError> {
        if let Some(text) = text {
            return Ok(board::read(&self.graph, text)?);
        }
        if let Some(start) = self.graph.start()? {
            return Ok(start);
        }
        if let Some(run) = self.run.as_ref()
            && let Some(antipode) = run.antipodes.first()
        {
            return Ok(board::read(&self.graph, &antipode.state)?);
        }
        let named = self.graph.names()?.into_iter().next();
        if let (true, Some(name)) = (self.goalless.is_some(), &named) {
            return Ok(self.graph.parse(name)?);
        }
        match (self.solvable(stop)?, named) {
            (Some(key), _) => Ok(key),
            (None, Some(name)) => Ok(self.graph.parse(&name)?),
            (None, None) => self.refuse(
                "no position to begin with: it has no start and lists no solved positions; give a board with --board",
            ),
        }
    }

    /// The first random position that a table does not call unsolvable. Without one, a position far
    /// from a solved one, else any that is known.
    fn solvable(&self, stop: &Stop) -> Result<Option<u128>, ExploreError> {
        for seed in 1..=DRAWN {
            let Some(drawn) = self.drawn(seed)? else {
                break;
            };
            let Ok(table) = &*self.table(drawn, stop)? else {
                break;
            };
            if table.of(&[drawn])? != [KnownDistance::Unsolvable] {
                return Ok(Some(drawn));
            }
        }
        match self.walked_back(stop)? {
            None => self.drawn(1),
            end => Ok(end),
        }
    }

    /// A solved position of the first part that has one, if the puzzle lists them.
    pub(crate) fn a_solved_one(&self) -> Result<Option<u128>, ExploreError> {
        if !self.graph.has(Capabilities::SOLVED_ROOTS) {
            return Ok(None);
        }
        let mut parts = 0..self.graph.opened.part_count.min(MOST_PARTS);
        let root = |part| {
            Ok(self
                .graph
                .roots(Direction::Backward, part)?
                .first()
                .copied())
        };
        parts.find_map(|part| root(part).transpose()).transpose()
    }

    /// A position farthest from a solved one by its table, else the end of a random walk backward
    /// from it, so that a path leads back; that position itself if no move back is known.
    fn walked_back(&self, stop: &Stop) -> Result<Option<u128>, ExploreError> {
        let (graph, root) = (&self.graph, self.a_solved_one()?);
        if let Some(root) = root
            && let Ok(table) = &*self.table(root, stop)?
        {
            let deepest = table.levels.max_depth().unwrap_or(0) as u16;
            return Ok(table.level(deepest).next().or(Some(root)));
        }
        let (Some(mut key), Some(back)) = (root, DirectionSteps::backward(graph)) else {
            return Ok(root);
        };
        let (mut random, mut out) = (Xorshift::for_draw(1, 0), Expansion::default());
        for _ in 0..WALKED {
            back.expand(graph, &[key], &mut out)?;
            let count = out.keys().len() as u64;
            if count == 0 {
                break;
            }
            key = out.keys()[random.below(count) as usize];
        }
        Ok(Some(key))
    }

    /// A position drawn uniformly, or by rank of the first part; `None` if neither is possible.
    pub(crate) fn drawn(&self, seed: u64) -> Result<Option<u128>, ExploreError> {
        if self.graph.has(Capabilities::RANDOM) {
            return Ok(self.graph.random(seed, 0, 1)?.first().copied());
        }
        let one_part = self.graph.opened.part_count == 1;
        let Some(size) = self.graph.space(0)?.filter(|&size| one_part && size > 0) else {
            return Ok(None);
        };
        let mut keys = Vec::new();
        let rank = Xorshift::for_draw(seed, 0).next_u64() % size;
        self.graph.unrank(0, &[rank], &mut keys)?;
        Ok(keys.first().copied())
    }

    fn refuse<T>(&self, why: &str) -> Result<T, ExploreError> {
        let name = self.graph.opened.full_name();
        Err(ExploreError::Refused(format!("{name}: {why}")))
    }

    /// A position drawn uniformly from the solvable ones in the table of a part.
    fn drawn_from_table(&self, beside: u128, seed: u64, stop: &Stop) -> Result<u128, ExploreError> {
        let table = self.table(beside, stop)?;
        let table = self.known(&table, false, "which positions there are to draw from")?;
        let levels = &table.levels.levels;
        let all: u64 = levels.iter().map(|level| level.states as u64).sum();
        let mut number = Xorshift::for_draw(seed, 0).below(all.max(1));
        for level in levels {
            if number < level.states as u64 {
                if let Some(key) = table.at(level.depth as u16, number)? {
                    return Ok(key);
                }
                break;
            }
            number -= level.states as u64;
        }
        self.refuse("no position of this part can be solved; give another with --board")
    }

    /// The position to show for the user's request.
    pub(crate) fn go(&self, text: Option<&str>, go: Go, stop: &Stop) -> Result<u128, ExploreError> {
        match (go, &self.run) {
            (Go::Stay, _) => self.named(text, stop),
            (Go::Random { at: None, seed }, _) => match self.drawn(seed)? {
                Some(drawn) => Ok(drawn),
                None => self.drawn_from_table(self.named(text, stop)?, seed, stop),
            },
            (Go::Antipode(nth), Some(run)) if !run.antipodes.is_empty() => {
                let at = nth % run.antipodes.len() as u64;
                Ok(board::read(&self.graph, &run.antipodes[at as usize].state)?)
            }
            (Go::Antipode(nth), _) => {
                let table = self.table(self.named(text, stop)?, stop)?;
                let table = self.known(&table, true, "which position is farthest")?;
                let deepest = table.levels.max_depth().unwrap_or(0) as u16;
                let count = table.level(deepest).count().max(1) as u64;
                match table.level(deepest).nth((nth % count) as usize) {
                    Some(key) => Ok(key),
                    None => self.refuse(
                        "no position of this part can be solved, so none is farthest; give another with --board",
                    ),
                }
            }
            (Go::Random { at: Some(at), seed }, _) => {
                let table = self.table(self.named(text, stop)?, stop)?;
                let table = self.known(&table, false, "which positions lie at a distance")?;
                let levels = &table.levels.levels;
                let level = levels.iter().find(|level| level.depth == u32::from(at));
                let states = level.map_or(0, |level| level.states as u64);
                let number = Xorshift::for_draw(seed, 0).next_u64() % states.max(1);
                match table.at(at, number)? {
                    Some(key) => Ok(key),
                    None => {
                        let most = table.levels.max_depth().unwrap_or(0);
                        self.refuse(&format!(
                            "no position of this part is known to be at distance {at}: known distances are 0 to {most}; give a board of another part with --board"
                        ))
                    }
                }
            }
        }
    }

    /// A table, which has to hold all positions of its part if `whole`.
    fn known<'a>(
        &self,
        table: &'a MaybeTable,
        whole: bool,
        what: &str,
    ) -> Result<&'a Distances, ExploreError> {
        let why = match table {
            Ok(table) if !whole || table.is_complete() => return Ok(table),
            Ok(_) => "the table is not complete",
            Err(why) => why,
        };
        self.refuse(&format!(
            "not known {what}: {why}; give the folder of a finished run with --from-run"
        ))
    }
}
