//! Engine `bidirectional` in the registry.

use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_reports::count;
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key};

use super::{
    BidirectionalFolder, BidirectionalOptions, BidirectionalRequest, BidirectionalResult,
    SideTable, meet, planned_memory, possible,
};
use crate::engine::{Engine, Facts};
use crate::engines::find::Reduction;
use crate::engines::reference;
use crate::error::EngineError;
use crate::limit::within;
use crate::options::Opt;
use crate::outcome::{NoPathProof, Outcome, Spent, StopReason};
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};
use crate::side::SideLevel;
use crate::{machine, memory};

/// Engine `bidirectional`.
#[derive(Debug)]
pub struct BidirectionalEngine;

/// Most solved states that a search for any of them starts from.
const FEW_GOALS: usize = 1 << 20;
/// States that a search along the moves may see before it uses the other end, if any solved state
/// is a goal.
const SMALL: u64 = 1 << 20;

impl<K: Key> Engine<K> for BidirectionalEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "bidirectional",
            summary: "from the start and from the goal, until the two searches meet",
            answers: &[QuestionKind::Path],
            tells_whole_levels: true,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[
            Opt::Memory,
            Opt::Disk,
            Opt::Work,
            Opt::Resume,
            Opt::Visited,
            Opt::MaxTime,
        ]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        if !possible(graph) {
            let lacks = "a search from both ends needs predecessors, or a reversal of moves";
            return Some(lacks.into());
        }
        match ask {
            Ask::Path { start, goal } => match goals(graph, *start, goal) {
                Ok(Some(_)) => None,
                Ok(None) => Some(format!(
                    "bidirectional needs a goal, or solved states that are listed, 1 to {} of them in the part of the start",
                    HumanCount(FEW_GOALS as u64)
                )),
                Err(error) => Some(error.to_string()),
            },
            _ => None,
        }
    }

    fn preference(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        let Ask::Path { start, goal } = ask else {
            return 0;
        };
        match (goal, goals(graph, *start, goal).ok().flatten()) {
            (_, Some(goals)) => preference(graph, *start, (goal, goals)),
            (Goal::Solved, None) => 0,
            (Goal::State(_), None) => 2,
        }
    }

    /// The goals are listed once for both: for a board that is solved in milliseconds, listing
    /// takes as long as the search.
    fn preferred(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        let Ask::Path { start, goal } = ask else {
            return 0;
        };
        if !possible(graph) {
            return 0;
        }
        match goals(graph, *start, goal).ok().flatten() {
            Some(goals) => preference(graph, *start, (goal, goals)),
            None => 0,
        }
    }

    /// Searches along the moves alone, for as long as that is enough.
    fn path_alone(
        &self,
        question: &PathQuestion<'_, K>,
    ) -> Result<Option<PathAnswer<K>>, EngineError> {
        if question.goal != Goal::Solved {
            return Ok(None);
        }
        let small = reference::forward(question, Reduction::Identity, Some(SMALL))?;
        let large = Outcome::NotReached(StopReason::States(SMALL));
        Ok(Some(small).filter(|small| small.outcome != large))
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let request = request(question)?;
        let mut searched = match question.options.max_time {
            None => meet(&request, question.stop)?,
            Some(time) => within(time, question.stop, |stop| meet(&request, stop))?,
        };
        if let (Outcome::NotReached(why @ StopReason::Requested), Some(time), false) = (
            &mut searched.outcome,
            question.options.max_time,
            question.stop.requested(),
        ) {
            *why = StopReason::Time(time);
        }
        Ok(Some(PathAnswer {
            summary: summary(question, &searched),
            figures: figures(&searched),
            levels: searched.sides.concat(),
            spent: Spent {
                expanded: searched.expanded,
                generated: Some(searched.moves),
                ..Spent::default()
            },
            kept: searched.work,
            outcome: searched.outcome,
        }))
    }
}

/// Its preference if the goals are these states.
fn preference<K: Key>(graph: &Graph<K>, start: Option<K>, (goal, goals): (&Goal<K>, Vec<K>)) -> u8 {
    let Goal::Solved = goal else {
        return 2;
    };
    let Some(start) = start else {
        return 0;
    };
    // The available memory is not read either, since the system first adds it up.
    if !graph.has(Capabilities::RANK) {
        // States without numbers are too many for a search without a bound, if there is a bound.
        return if graph.proves(Capabilities::LOWER_BOUND) {
            1
        } else {
            2
        };
    }
    // A search that can run along the moves stays one-sided if the bits would not fit.
    let request = BidirectionalRequest {
        graph: graph.clone(),
        start,
        goals,
        options: BidirectionalOptions::new(
            available(),
            BidirectionalFolder::WhenLarge("work".into()),
        ),
    };
    let planned = planned_memory(&request).ok().flatten();
    match planned.is_none_or(|need| need <= request.options.memory) {
        true => 2,
        false => 0,
    }
}

/// The states from which to search back; `None` if they cannot be listed, or are too many.
fn goals<K: Key>(
    graph: &Graph<K>,
    start: Option<K>,
    goal: &Goal<K>,
) -> Result<Option<Vec<K>>, PluginError> {
    if let Goal::State(key) = goal {
        return Ok(Some(vec![*key]));
    }
    if !graph.has(Capabilities::SOLVED_ROOTS) {
        return Ok(None);
    }
    let mut part = 0;
    if let Some(start) = start
        && (graph.has(Capabilities::PARTS) || graph.has(Capabilities::RANK))
    {
        let mut placed = Vec::new();
        graph.place(&[start], &mut placed)?;
        // The solved states of a state outside the numbering are outside it too.
        let Some(at) = placed[0] else { return Ok(None) };
        part = at.part;
    }
    let roots = graph.roots(Direction::Backward, part)?;
    Ok((1..=FEW_GOALS).contains(&roots.len()).then_some(roots))
}

/// The available memory, except for a twentieth for other processes.
fn available() -> u64 {
    memory::available().map_or(u64::MAX, |available| available / 20 * 19)
}

fn request<K: Key>(question: &PathQuestion<'_, K>) -> Result<BidirectionalRequest<K>, EngineError> {
    let options = question.options;
    let goals = goals(question.graph, Some(question.start), &question.goal)?;
    let goals = goals.ok_or_else(|| {
        let name = question.graph.opened.full_name();
        EngineError::CannotHold(format!("{name}: the solved states cannot be listed"))
    })?;
    let work = match &options.work {
        Some(work) => BidirectionalFolder::Folder(work.clone()),
        None => BidirectionalFolder::WhenLarge(question.default_folder()),
    };
    let mut own = BidirectionalOptions::new(options.memory.unwrap_or_else(available), work);
    own.disk = options.disk;
    own.resume = options.resume;
    own.show_progress = options.show_progress;
    own.table = options.visited.unwrap_or(SideTable::Auto);
    Ok(BidirectionalRequest {
        graph: question.graph.clone(),
        start: question.start,
        goals,
        options: own,
    })
}

fn summary<K: Key>(question: &PathQuestion<'_, K>, searched: &BidirectionalResult<K>) -> String {
    let seen = HumanCount(searched.states());
    let [forward, backward] = &searched.sides;
    let no = match question.goal {
        Goal::State(_) => "unreachable",
        Goal::Solved => "unsolvable",
    };
    match &searched.outcome {
        Outcome::Path(path) if path.moves() == 0 => match question.goal {
            Goal::State(_) => "start and goal are the same state".to_owned(),
            Goal::Solved => "the start is solved".to_owned(),
        },
        Outcome::Path(_) | Outcome::Levels => format!(
            "the fewest possible: {} forward and {} backward do not meet ({seen} states seen)",
            count(forward.len(), "levels"),
            backward.len()
        ),
        Outcome::Unreachable(NoPathProof::Exhausted {
            direction,
            states,
            levels,
        }) => {
            let (states, levels) = (HumanCount(*states), levels.unwrap_or_default());
            let (these, and) = match direction {
                Direction::Forward => ("can be reached", "no goal is among them"),
                Direction::Backward => ("can reach the goal", "the start is not among them"),
            };
            format!(
                "{no}: the {states} states that {these} were all found, in {levels} levels, and {and}"
            )
        }
        Outcome::Unreachable(proof) => format!("{no}: {proof}"),
        Outcome::NotReached(why) => {
            let how = match &searched.work {
                Some(_) => "rerun with --resume to continue",
                None => "give --work DIR to be able to continue with --resume",
            };
            let ended = match why {
                StopReason::Time(_) => format!("{why}: stopped"),
                _ => "stopped".to_owned(),
            };
            format!(
                "{ended} after {} levels forward and {} backward, {seen} states, without an answer; {how}",
                forward.len(),
                backward.len()
            )
        }
    }
}

fn figures<K>(searched: &BidirectionalResult<K>) -> SearchFigures {
    SearchFigures {
        states_seen: Some(searched.states()),
        levels: SideLevel::figures(&searched.sides.concat()),
        states_expanded: Some(searched.expanded),
        moves_listed: Some(searched.moves),
        level_bytes: Some(searched.level_bytes),
        planned_memory_bytes: Some(searched.planned_memory),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    }
}
