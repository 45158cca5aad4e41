//! Permutation puzzles: pieces of some sets on places, each in one of some turns. A move takes
//! pieces to other places of their set and turns them. Solved: each on its own place, none turned.
//! With the setting `metric` as `half`, or without it, every power of a move is one move; as
//! `quarter`, a move forward or back.
//!
//! Stickers are numbered set by set, place by place, turn by turn. A row has, by sticker's place, the
//! sticker of the solved state that is now there. So a move is the row that it makes from the solved
//! state.

mod census;
mod definition;
mod moves;
mod read;
mod symmetry;

use std::ops::Range;

use super::{Rules, Settings, chosen};
use definition::Place;

const SYMBOLS: &str = "123456789abcdefghijklmnopqrstuvwxyz";

type Row = Vec<usize>;

type Move = (String, Row);

#[derive(Default)]
pub struct Permutation {
    places: Vec<Place>,
    sets: Vec<Range<usize>>,
    /// By sticker: its place.
    owners: Vec<usize>,
    /// The moves as written, and those that count as one move.
    moves: Vec<Move>,
    steps: Vec<Move>,
    /// The image of each sticker, and what has each as its image.
    symmetries: Vec<(Row, Row)>,
}

/// A row after a move.
fn after(row: &Row, one: &Row) -> Row {
    one.iter().map(|&from| row[from]).collect()
}

fn back(row: &Row) -> Row {
    let mut back = row.clone();
    for (place, &sticker) in row.iter().enumerate() {
        back[sticker] = place;
    }
    back
}

impl Permutation {
    /// The rules of an instance that is known by its name.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let keys = [("metric", "half quarter"), ("symmetry", "on off")];
        let [metric, symmetry] = chosen(instance, settings, keys)?;
        let mut rules = Self::known(instance)?;
        let powers = rules.moves.iter().map(|one| rules.powers(one, metric == 0));
        rules.steps = powers.flatten().collect();
        rules.symmetries = rules.symmetries(symmetry == 0);
        Some(rules)
    }

    /// The turn of a sticker on its piece.
    fn turn(&self, sticker: usize) -> usize {
        sticker - self.places[self.owners[sticker]].first
    }

    /// The row with some stickers on the first of each place.
    fn with_firsts(&self, firsts: &[usize]) -> Row {
        let piece = |&sticker: &usize| {
            let place = &self.places[self.owners[sticker]];
            let turns = 0..place.turns;
            turns.map(move |by| place.first + (sticker - place.first + by) % place.turns)
        };
        firsts.iter().flat_map(piece).collect()
    }

    /// The stickers on the first of each place.
    fn firsts(&self, row: &Row) -> Vec<usize> {
        self.places.iter().map(|place| row[place.first]).collect()
    }

    /// The powers of a move that count as one move: all before the one that changes nothing.
    fn powers(&self, (name, one): &Move, half: bool) -> Vec<Move> {
        let next = |row: &Row| Some(after(row, one));
        let all = std::iter::successors(Some(one.clone()), next);
        let all: Vec<Row> = all.take_while(|row| *row != self.all_solved()).collect();
        let last = all.len();
        let powers = (1..).zip(all);
        let powers = powers.filter(|&(power, _)| half || power == 1 || power == last);
        let named = powers.map(|(power, row)| match power {
            1 => (name.clone(), row),
            _ if power == last => (format!("{name}'"), row),
            _ if 2 * power > last + 1 => (format!("{name}{}'", last + 1 - power), row),
            _ => (format!("{name}{power}"), row),
        });
        named.collect()
    }

    /// The state of a row, given by the stickers on its places.
    fn pack(&self, row: impl Fn(usize) -> usize) -> u128 {
        let places = self.places.iter();
        places.map(|place| place.digit(row(place.first))).sum()
    }

    fn row(&self, state: u128) -> Row {
        let digit = |place: &Place| (state >> place.shift) as usize & ((1 << place.bits) - 1);
        let sticker = |place: &Place| place.of_set + digit(place);
        self.with_firsts(&self.places.iter().map(sticker).collect::<Row>())
    }
}

impl Rules for Permutation {
    fn read(&self, text: &str) -> Option<u128> {
        let row = self.read_row(text.trim())?;
        Some(self.pack(|place| row[place]))
    }
    fn draw(&self, state: u128) -> String {
        self.draw_row(&self.row(state))
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let row = self.row(state);
        let after = |(_, one): &Move| self.pack(|place| row[one[place]]);
        self.steps.iter().map(after).collect()
    }
    fn states(&self) -> Option<Vec<u128>> {
        self.all_states()
    }
    fn solved_states(&self) -> Vec<u128> {
        vec![self.pack(|place| place)]
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let row = self.row(state);
        let image = |(becomes, from): &(Row, Row)| self.pack(|place| becomes[row[from[place]]]);
        self.symmetries.iter().map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let after = self.next(from).into_iter().zip(&self.steps);
        let names = after
            .filter(|one| one.0 == to)
            .map(|one| one.1.0.clone() + "\n");
        Some(names.collect()).filter(|names: &String| !names.is_empty())
    }
}
