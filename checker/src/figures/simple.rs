//! Figures of simple sliding blocks: the number of boards, and the hardest of small censuses.

use std::collections::HashMap;

use super::{Derived, Parameters, exact, unknown, unnamed};
use crate::parts::{NEVER, distances};
use crate::rules::board::{Grid, has};
use crate::rules::simple::{Simple, arrived, joined, step};
use crate::rules::{Rules, Settings, UNKNOWN};
use crate::shown::Stop;

pub fn derive(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let board = parameters.text("board", "4x4");
    let grid = Grid::named(board).filter(|grid| grid.cells().len() <= 16);
    let mut counted = Counted::new(grid.ok_or("no such board".to_owned())?);
    let goal = parameters.text("goal", "corner");
    match what {
        "placements" => exact(counted.ways(counted.all)),
        "just-solved" => exact(counted.just_solved(goal == "edges")),
        "hardest" => {
            let settings = Settings::from([("goal".to_owned(), goal.to_owned())]);
            let record = |pieces: &str| {
                let instance = format!("{board}-n{pieces}");
                let rules = Simple::open(&instance, &settings).ok_or(UNKNOWN)?;
                let depth = hardest(&rules, parameters.text("begin", "corner"))?;
                Ok::<_, Stop>(depth.to_string())
            };
            let records = parameters.text("pieces", "1").split(',').map(record);
            exact(records.collect::<Result<Vec<_>, _>>()?.join(", "))
        }
        _ => unnamed(),
    }
}

/// The greatest distance of the boards with this beginning of the goal piece.
fn hardest(rules: &Simple, begin: &str) -> Result<u32, Stop> {
    let Some(states) = rules.states() else {
        return unknown("a census of millions of boards");
    };
    let next = |&state: &u128| rules.next(state);
    let depths = distances(&states, next, |&state| rules.solved(state));
    let begins = |state: u128| {
        let goal = rules.goal(state);
        let shut = |way| step(rules.grid, goal, way).is_none();
        match begin {
            "corner" => has(goal, 0),
            "edges" => shut((-1, 0)) && shut((0, -1)),
            _ => true,
        }
    };
    let boards = states.into_iter().zip(depths);
    let boards = boards.filter(|&(state, depth)| depth != NEVER && begins(state));
    Ok(boards.map(|(_, depth)| depth).max().unwrap_or(0))
}

/// Boards counted by their open cells: the last open cell stays empty, or is the last of a piece.
struct Counted {
    grid: Grid,
    all: u128,
    /// The possible pieces, by their last cell.
    pieces: Vec<Vec<u128>>,
    known: HashMap<u128, u64>,
}

impl Counted {
    fn new(grid: Grid) -> Self {
        let all = (1 << grid.cells().len()) - 1;
        Self {
            grid,
            all,
            pieces: grid.cells().map(|last| joined(grid, all, last)).collect(),
            known: HashMap::from([(0, 1)]),
        }
    }

    fn ways(&mut self, open: u128) -> u64 {
        if let Some(&ways) = self.known.get(&open) {
            return ways;
        }
        let last = open.ilog2() as usize;
        let mut ways = self.ways(open & !(1 << last));
        for at in 0..self.pieces[last].len() {
            let piece = self.pieces[last][at];
            if piece & !open == 0 {
                ways += self.ways(open & !piece);
            }
        }
        self.known.insert(open, ways);
        ways
    }

    /// Boards with a piece at the goal that can go a step up or left; counted once for each such
    /// piece.
    fn just_solved(&mut self, edges: bool) -> u64 {
        let mut boards = 0;
        for piece in self.pieces.concat() {
            if !arrived(self.grid, piece, edges) {
                continue;
            }
            let ways = [(-1, 0), (0, -1)];
            let steps = ways.map(|way| step(self.grid, piece, way));
            let free = |moved: u128| self.all & !piece & !moved;
            let [up, left] = steps.map(|moved| moved.map(free));
            for open in [up, left].into_iter().flatten() {
                boards += self.ways(open);
            }
            if let Some((up, left)) = up.zip(left) {
                boards -= self.ways(up & left);
            }
        }
        boards
    }
}
