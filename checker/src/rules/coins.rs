//! Coin sliding: a move lifts a coin and puts it on another empty cell. That cell must have two or
//! more of the other coins next to it (up, down, left, right).

use super::board::{Grid, has, image, members, set};
use super::{Ends, Rules, Settings, board};
use crate::shown::{OrWrong, Stop};

#[derive(Debug, Clone)]
pub struct Coins {
    pub grid: Grid,
    pub coins: u32,
    /// By cell: its neighbours.
    pub near: Vec<u128>,
    /// Where the drawings of its named boards are.
    pub font: String,
    starts: Vec<u128>,
    goals: Vec<u128>,
    symmetries: Vec<Vec<usize>>,
}

impl Coins {
    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let (rows, coins) = match instance {
            "5x7" => (7, 12),
            "5x9" => (9, 13),
            _ => return None,
        };
        let mut opened = Self::new(Grid::new(rows, 5), coins, instance);
        for (key, value) in settings {
            let states = value.split(',').map(|text| opened.read(text));
            let states: Vec<u128> = states.collect::<Option<_>>()?;
            match key.as_str() {
                "from" => opened.starts = states,
                "to" => opened.goals = states,
                _ => return None,
            }
        }
        let keeps = |to: &[usize], states: &[u128]| {
            let mut images = states.iter().map(|&state| image(state, to));
            images.all(|image| states.contains(&image))
        };
        let free = opened.starts.is_empty() && opened.goals.is_empty();
        let turns = opened.grid.turns().take(if free { 1 } else { 4 });
        let both = |to: &Vec<usize>| keeps(to, &opened.starts) && keeps(to, &opened.goals);
        opened.symmetries = turns.filter(both).collect();
        Some(opened)
    }

    /// Some coins on a board, without start and goal; boards of a font have names.
    pub fn new(grid: Grid, coins: u32, font: &str) -> Self {
        Self {
            grid,
            coins,
            near: grid.cells().map(|cell| set(grid.beside(cell))).collect(),
            font: format!("coin-sliding-{font}"),
            starts: vec![],
            goals: vec![],
            symmetries: vec![],
        }
    }

    /// Number of some coins next to a cell.
    pub fn beside(&self, coins: u128, cell: usize) -> u32 {
        (coins & self.near[cell]).count_ones()
    }
}

impl Rules for Coins {
    fn read(&self, text: &str) -> Option<u128> {
        let name = match text.trim() {
            "/" => "slash",
            name => name,
        };
        let coins = self
            .grid
            .read_set(board(&self.font, name).unwrap_or(name))?;
        (coins.count_ones() == self.coins).then_some(coins)
    }
    fn draw(&self, state: u128) -> String {
        self.grid.draw_set(state)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let mut next = Vec::new();
        for from in members(state) {
            let lifted = state & !(1 << from);
            let lands = |to: &usize| !has(state, *to) && self.beside(lifted, *to) >= 2;
            let to = self.grid.cells().filter(lands);
            next.extend(to.map(|to| lifted | 1 << to));
        }
        next
    }
    fn before(&self, state: u128) -> Option<Vec<u128>> {
        let mut before = Vec::new();
        for to in members(state).filter(|&to| self.beside(state, to) >= 2) {
            let empty = self.grid.cells().filter(|&from| !has(state, from));
            before.extend(empty.map(|from| state & !(1 << to) | 1 << from));
        }
        Some(before)
    }
    fn solved(&self, state: u128) -> bool {
        self.goals.contains(&state)
    }
    fn start(&self) -> Option<u128> {
        // A question about one start is not asked of several.
        self.starts
            .first()
            .copied()
            .filter(|_| self.starts.len() == 1)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.symmetries.iter().map(|to| image(state, to)).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (lifted, put) = (from & !to, to & !from);
        let name = |coin: u128| self.grid.name(coin.trailing_zeros() as usize);
        let one = lifted.count_ones() == 1 && put.count_ones() == 1;
        one.then(|| format!("{} to {}", name(lifted), name(put)))
    }
    fn proves(&self, ends: Ends, proof: &str) -> Result<(), Stop> {
        by_span(self, ends, proof)
    }
}

/// The span: all cells covered if coins are added to every empty cell with two neighbours. No coin
/// ever leaves it. Or: the coin moved last is next to two others.
fn by_span(coins: &Coins, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let goal = goal.ok_or(Stop::Unknown("a proof for several goals".into()))?;
    let mut span = start;
    let grows = |span: u128| {
        let mut empty = coins.grid.cells().filter(|&cell| !has(span, cell));
        empty.find(|&cell| coins.beside(span, cell) >= 2)
    };
    while let Some(cell) = grows(span) {
        span |= 1 << cell;
    }
    let outside = goal & !span != 0;
    let landed = members(goal).any(|cell| coins.beside(goal, cell) >= 2);
    (outside || !landed && start != goal).or_wrong("neither proof holds")?;
    let drawn = |state: u128| coins.draw(state);
    let shown = match outside {
        true => format!("span: {}\ngoal: {}", drawn(span), drawn(goal)),
        false => format!("goal: {}", drawn(goal)),
    };
    (text == shown).or_wrong("the proof shows something else")
}
