//! Boards to order: drawn from all that take a given number of moves, and solved again.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use antipode_graph::{Capabilities, Graph, builtin};
use antipode_reports::count;
use antipode_reports::model::{Antipode, MadeBoard};
use antipode_search::engine::{Ask, EngineOptions, Finds};
use antipode_search::engines::EngineError;
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::progress::Stop;
use antipode_search::registry::{EngineId, choose};
use antipode_search::table::rules_of;
use puzzle_api::Direction;

use crate::analysis::{Analysis, Draw, Request, analyse, lists_solved, planned};
use crate::ask::{self, KnownDistance, PathRequest, Question};
use crate::{again, board};

/// Properties that boards are to have.
#[derive(Debug, Clone)]
pub struct BoardOrder {
    /// Moves to the nearest solved board.
    pub moves: RangeInclusive<u16>,
    /// Number of boards.
    pub count: usize,
    /// Whether no piece may be left out: without any one piece that [`builtin::without_a_piece`]
    /// removes, a board takes fewer moves or has no solution.
    pub minimal: bool,
    /// Whether each has a single shortest solution.
    pub unique: bool,
}

/// Boards as they were ordered.
#[derive(Debug)]
pub struct DrawnBoards {
    /// The search that found the distances of all boards.
    pub analysis: Analysis,
    /// Number of boards of the draw that were checked.
    pub looked_at: usize,
    /// The boards, in the order of the draw.
    pub boards: Vec<MadeBoard>,
}

/// Boards drawn at first for each requested one, if there are conditions; also the factor by which
/// this grows when the boards are used up.
const DRAWN: usize = 64;

impl BoardOrder {
    /// The search for the boards to draw from: backward from the solved ones.
    ///
    /// # Errors
    /// [`EngineError::CannotHold`]: distances to solved boards cannot be found, with the remedy.
    pub fn request(&self, base: Request) -> Result<Request, EngineError> {
        let library = &base.library;
        let name = format!("{}/{}", library.name, base.instance);
        let refused = |why: &str| Err(EngineError::CannotHold(format!("{name}: {why}")));
        if !lists_solved(library, &base.instance, &base.settings)? {
            return refused(
                match library.settings.iter().any(|setting| setting.key == "to") {
                    true => "no board is solved until there is a goal; give one by --set to=GOAL",
                    false => {
                        "cannot list its solved boards, from which distances are found; take another instance"
                    }
                },
            );
        }
        self.check_minimal(&base)?;
        let spare = if self.minimal || self.unique {
            DRAWN
        } else {
            1
        };
        let mut request = Request {
            direction: Some(Direction::Backward),
            antipodes: 0,
            draw: Some(Draw {
                depths: self.moves.clone(),
                count: self.count.saturating_mul(spare),
                seed: base.seed,
            }),
            ..base
        };
        // A puzzle's own sweep walks whole parts, in less time than others take for some levels.
        let whole = planned(&request).is_ok_and(|(engine, _)| engine.facts().puzzles_word);
        request.max_depth = (!whole).then_some(*self.moves.end());
        planned(&request)?;
        Ok(request)
    }

    /// Refuses [`BoardOrder::minimal`] for a puzzle whose pieces cannot be removed.
    ///
    /// # Errors
    /// [`EngineError::CannotHold`], with the remedy.
    pub fn check_minimal(&self, base: &Request) -> Result<(), EngineError> {
        let library = &base.library;
        if self.minimal && builtin::without_a_piece(library, &base.settings, "").is_none() {
            return Err(EngineError::CannotHold(format!(
                "{}/{}: --minimal is for tilt and rush-hour; leave it out",
                library.name, base.instance
            )));
        }
        Ok(())
    }

    /// The given board, solved by these moves, if the rulebook says that it meets the order. The
    /// number of boards does not matter; `None` if a stop came first.
    ///
    /// # Errors
    /// [`EngineError`] as of a search.
    pub fn accept(
        &self,
        question: &Question,
        request: &PathRequest,
        moves: &[String],
        stop: &Stop,
    ) -> Result<Option<Option<MadeBoard>>, EngineError> {
        let fits = |length| self.moves.contains(&length);
        if !u16::try_from(moves.len()).is_ok_and(fits) {
            return Ok(Some(None));
        }
        let images = question.graph.images(question.start)?;
        let candidate = Antipode {
            depth: moves.len() as u32,
            state: question.graph.draw(question.start)?,
            orbit_size: images.into_iter().collect::<BTreeSet<u128>>().len() as u32,
        };
        let judge = Judge {
            order: self,
            graph: rules_of(&question.graph)?,
            request: request.clone(),
            stop,
        };
        let fits = judge.fits(&candidate)?;
        Ok(fits.map(|fits| fits.then(|| made(&candidate, moves.to_vec()))))
    }

    /// Makes the boards; there are fewer if a stop is requested or there are no more.
    ///
    /// # Errors
    /// [`EngineError`] as of a search; [`EngineError::Disagree`] if the rulebook contradicts the
    /// search about a board.
    pub fn make(&self, mut request: Request, stop: &Stop) -> Result<DrawnBoards, EngineError> {
        let library = Arc::clone(&request.library);
        let variant = request.variant.as_ref().unwrap_or(&library.variants[0]);
        let fast = Judge::on(self, &request, variant, stop)?;
        let rules = Judge::on(self, &request, library.reference_variant(), stop)?;
        let (mut boards, mut looked_at) = (Vec::new(), 0);
        let mut last = None;
        let analysis = loop {
            let analysis = analyse(&request, stop)?;
            if let Some(fault) = analysis.faults.first().filter(|_| analysis.failed()) {
                return Err(EngineError::Disagree(format!(
                    "{}/{}: the distances contradict the rulebook: {fault}",
                    library.name, request.instance
                )));
            }
            // An unfinished search does not draw with equal chances.
            if !analysis.finished {
                break last.unwrap_or(analysis);
            }
            for candidate in analysis.drawn.iter().skip(looked_at) {
                if boards.len() == self.count || stop.requested() {
                    break;
                }
                match fast.fits(candidate)? {
                    Some(true) => match rules.solved(candidate)? {
                        Some(board) => boards.push(board),
                        None => break,
                    },
                    Some(false) => {}
                    None => break,
                }
                looked_at += 1;
            }
            match &mut request.draw {
                Some(draw) if boards.len() < self.count && looked_at == draw.count => {
                    draw.count = draw.count.saturating_mul(DRAWN);
                }
                _ => break analysis,
            }
            last = Some(analysis);
        };
        again::confirm()?;
        Ok(DrawnBoards {
            analysis,
            looked_at,
            boards,
        })
    }
}

/// Assesses boards on a variant.
struct Judge<'a> {
    order: &'a BoardOrder,
    graph: Graph<u128>,
    request: PathRequest,
    stop: &'a Stop,
}

impl<'a> Judge<'a> {
    fn on(
        order: &'a BoardOrder,
        asked: &Request,
        variant: &str,
        stop: &'a Stop,
    ) -> Result<Self, EngineError> {
        let library = &asked.library;
        let opened = library.open(&asked.instance, variant, &asked.settings)?;
        let graph = Graph::of(opened);
        let options = EngineOptions::threads(asked.threads);
        let goal = Goal::Solved;
        let ask = Ask::Path {
            start: None,
            goal: &goal,
        };
        let usual = choose(None, &graph, &ask, &options)?;
        // For a loaded library, only the plain queue on its rulebook proves a length.
        let proves = usual.facts().finds != Finds::ByEvaluation && graph.proves(Capabilities::NONE);
        let request = PathRequest {
            settings: asked.settings.clone(),
            variant: Some(variant.to_owned()),
            engine: (!proves).then_some(EngineId::REFERENCE),
            options,
            ..PathRequest::new(Arc::clone(library), asked.instance.clone())
        };
        Ok(Self {
            order,
            graph,
            request,
            stop,
        })
    }

    /// Whether a board is unique and minimal, if that is required; `None` if a stop came first.
    fn fits(&self, candidate: &Antipode) -> Result<Option<bool>, EngineError> {
        let (board, stop) = (&candidate.state, self.stop);
        if self.order.unique {
            let solver = ForwardSolver::new(self.graph.clone());
            let start = self.graph.parse(board)?;
            match solver.solutions(start, &mut || stop.requested())? {
                Some(1) => {}
                several => return Ok(several.map(|_| false)),
            }
        }
        if !self.order.minimal {
            return Ok(Some(true));
        }
        let library = &self.request.library;
        let smaller = builtin::without_a_piece(library, &self.request.settings, board);
        for placed in smaller.into_iter().flatten() {
            let request = PathRequest {
                instance: placed.instance,
                settings: placed.settings,
                from: placed.from,
                ..self.request.clone()
            };
            let report = ask::path(&request, stop)?;
            match report.known() {
                KnownDistance::Unsolvable => {}
                KnownDistance::Exactly(moves) if u32::from(moves) < candidate.depth => {}
                KnownDistance::Exactly(_) => return Ok(Some(false)),
                KnownDistance::AtLeast(_) => return self.undecided(board, &report.summary),
            }
        }
        Ok(Some(true))
    }

    /// A board solved from its text, as is every board before it is shown; `None` if a stop came
    /// first.
    fn solved(&self, candidate: &Antipode) -> Result<Option<MadeBoard>, EngineError> {
        let board = &candidate.state;
        let question = Question {
            graph: self.graph.clone(),
            start: board::read(&self.graph, board)?,
            goal: Goal::Solved,
            goal_by_rules: Goal::Solved,
        };
        let report = ask::path_of(&question, &self.request, self.stop)?;
        let found = match report.known() {
            KnownDistance::Exactly(moves) if u32::from(moves) == candidate.depth => {
                self.fits(candidate)?
            }
            KnownDistance::Exactly(_) | KnownDistance::Unsolvable => Some(false),
            KnownDistance::AtLeast(_) => return self.undecided(board, &report.summary),
        };
        if found == Some(false) {
            return Err(EngineError::Disagree(format!(
                "{}: the search of all boards gives {board} in {}, and the rulebook does not",
                report.instance,
                count(candidate.depth, report.unit)
            )));
        }
        Ok(found.map(|_| made(candidate, report.moves)))
    }

    /// Nothing after a stop, else an error.
    fn undecided<T>(&self, board: &str, why: &str) -> Result<Option<T>, EngineError> {
        match self.stop.requested() {
            true => Ok(None),
            false => Err(EngineError::NotAsked(format!("{board}: {why}"))),
        }
    }
}

fn made(candidate: &Antipode, moves: Vec<String>) -> MadeBoard {
    MadeBoard {
        board: candidate.state.clone(),
        length: moves.len() as u32,
        orbit_size: candidate.orbit_size,
        moves,
    }
}

/// Number of shortest solutions of a question's start on the rulebook, at most 2^128 - 1; 0 if there
/// is none, `None` if a stop was requested.
///
/// # Errors
/// [`EngineError`] as of a search.
pub fn shortest_solutions(asked: &PathRequest, stop: &Stop) -> Result<Option<u128>, EngineError> {
    let rules = asked.library.reference_variant();
    let opened = asked
        .library
        .open(&asked.instance, rules, &asked.settings)?;
    let graph = Graph::of(opened);
    let start = board::read(&graph, asked.from.as_deref().unwrap_or_default())?;
    let solutions = ForwardSolver::new(graph).solutions(start, &mut || stop.requested());
    Ok(solutions?)
}
