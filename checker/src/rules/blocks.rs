//! Sliding blocks: a move takes one piece along any free path (metric `piece`), straight in one
//! direction (`line`), or by one cell (`step`). Solved: every piece with a goal is on it.
//!
//! The state is the string of symbols that the key ranks.

mod read;
mod string;

use super::Rules;
use super::board::{Grid, Way, image, members, spread};
use super::keys::rank;

/// The pieces of one symbol; or, for symbol 0, the empty cells.
pub struct Kind {
    /// Rows and columns of the cells from the first in reading order.
    pub shape: Vec<Way>,
    pub letters: Vec<u8>,
    goal: Option<usize>,
    /// By cell: the cells covered with the first one there; 0 if it does not fit.
    pub covers: Vec<u128>,
    /// By cell: the next cell up, left, right and down, if the piece fits.
    pub steps: Vec<[Option<usize>; 4]>,
}

pub struct Blocks {
    pub grid: Grid,
    pub walls: u128,
    /// By symbol.
    pub kinds: Vec<Kind>,
    start: u128,
    /// Along any path, in a line or by one step.
    metric: usize,
    /// Bits of a symbol in a state.
    bits: usize,
    /// By turn of the board: the image of each cell, and the image of each symbol.
    symmetries: Vec<(Vec<usize>, Vec<usize>)>,
}

/// By cell: the symbol of the piece whose first cell it is, or 0.
type Anchors = Vec<usize>;

impl Blocks {
    /// The cells that a piece gets to in a move, by its first cell.
    fn reached(&self, kind: &Kind, from: usize, empty: u128) -> Vec<usize> {
        let others = !(empty | kind.covers[from]);
        let free = |cell: usize, way: usize| {
            kind.steps[cell][way].filter(|&to| kind.covers[to] & others == 0)
        };
        if self.metric == 0 {
            let next = |at| (0..4).filter_map(move |way| free(at, way));
            return spread(from, next).split_off(1);
        }
        let most = if self.metric == 2 { 1 } else { usize::MAX };
        let straight = |way| std::iter::successors(free(from, way), move |&cell| free(cell, way));
        let ways = (0..4).map(straight);
        ways.flat_map(|cells| cells.take(most)).collect()
    }
}

fn pieces(anchors: &Anchors) -> impl Iterator<Item = usize> {
    (0..anchors.len()).filter(|&cell| anchors[cell] > 0)
}

impl Rules for Blocks {
    fn read(&self, text: &str) -> Option<u128> {
        if text == "start" {
            return self.start();
        }
        let marks = self.grid.read(text)?;
        let fits = read::walls(&marks) == self.walls;
        fits.then_some(self.pack(&self.anchors(&marks)?))
    }
    fn draw(&self, state: u128) -> String {
        let anchors = self.unpack(state).0;
        let mut marks = vec![b'.'; anchors.len()];
        members(self.walls).for_each(|cell| marks[cell] = b'#');
        for first in pieces(&anchors) {
            let covered = members(self.kinds[anchors[first]].covers[first]);
            covered.for_each(|cell| marks[cell] = self.letter(&anchors, first));
        }
        self.grid.draw(&marks)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let ((mut anchors, empty), mut next) = (self.unpack(state), Vec::new());
        for from in pieces(&anchors).collect::<Vec<_>>() {
            let symbol = std::mem::take(&mut anchors[from]);
            for to in self.reached(&self.kinds[symbol], from, empty) {
                anchors[to] = symbol;
                next.push(self.pack(&anchors));
                anchors[to] = 0;
            }
            anchors[from] = symbol;
        }
        next
    }
    fn before(&self, _state: u128) -> Option<Vec<u128>> {
        None
    }
    fn solved(&self, state: u128) -> bool {
        let anchors = self.unpack(state).0;
        let mut goals = self.kinds.iter().map(|kind| kind.goal).zip(0..);
        goals.all(|(goal, symbol)| goal.is_none_or(|goal| anchors[goal] == symbol))
    }
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let anchors = self.unpack(state).0;
        let image = |(to, symbols): &(Vec<usize>, Vec<usize>)| {
            let mut turned = vec![0; anchors.len()];
            for first in pieces(&anchors) {
                let symbol = anchors[first];
                let covered = image(self.kinds[symbol].covers[first], to);
                turned[covered.trailing_zeros() as usize] = symbols[symbol];
            }
            self.pack(&turned)
        };
        self.symmetries.iter().map(image).collect()
    }
    fn key(&self, state: u128) -> u128 {
        let mut rest: Vec<usize> = self.string(state).collect();
        let (mut key, mut weight) = (0, 1);
        for (symbol, radix) in self.radices().enumerate() {
            let places = (0..rest.len()).filter(|&place| rest[place] == symbol);
            key += weight * rank(places, 1);
            weight *= radix;
            rest.retain(|&other| other != symbol);
        }
        key
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (self.unpack(from).0, self.unpack(to).0);
        let old = pieces(&before).find(|&cell| after[cell] != before[cell])?;
        let is_new = |&cell: &usize| after[cell] == before[old] && before[cell] != after[cell];
        let new = self.grid.cells().find(is_new)?;
        let letter = char::from(self.letter(&before, old));
        Some(format!("{letter}{}", self.grid.told(old, new)))
    }
    fn bucket(&self, state: u128) -> Option<u128> {
        let little = self.kinds.iter().filter(|kind| kind.shape.len() <= 2);
        let others = self.radices().take(little.count()).product::<u128>();
        Some(self.key(state) / others)
    }
}
