//! Permutation puzzles: pieces of some sets on places, each in one of some turns. A move takes
//! pieces to other places of their set and turns them. Solved: each on its own place, none turned.
//! With the setting `metric` as `half`, or without it, every power of a move is one move; as
//! `quarter`, a move forward or back.
//!
//! Stickers are numbered set by set, place by place, turn by turn. A row has, by place, the sticker
//! of the solved state that is now on the first of the place. So a row holds where each sticker
//! comes from, and a move is the row that it makes from the solved state.
//!
//! State and key: the sticker's number in its set, set by set and place by place from the lowest
//! bits. The number is the piece from 0, times the turns of its set, plus its turn. It takes as
//! many bits as the largest number of the set. The canonical state is the image with the smallest
//! key, under all symmetries; with the setting `symmetry` as `off` the state itself.

mod census;
mod definition;
mod moves;
mod read;
mod symmetry;

use std::ops::Range;

use super::{Rules, Settings};
use definition::Place;

const SYMBOLS: &str = "123456789abcdefghijklmnopqrstuvwxyz";

/// A sticker by place.
type Row = Vec<usize>;

/// A move by its name.
type Move = (String, Row);

#[derive(Default)]
pub struct Permutation {
    places: Vec<Place>,
    /// The places of each set.
    sets: Vec<Range<usize>>,
    /// By sticker: its place.
    owners: Vec<usize>,
    /// The moves as written, and those that count as one move.
    moves: Vec<Move>,
    steps: Vec<Move>,
    symmetries: Vec<symmetry::Symmetry>,
}

impl Permutation {
    /// The rules of an instance that is known by its name.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let (half, symmetric) = read::settings(settings)?;
        let mut rules = Self::known(instance)?;
        let powers = rules.moves.iter().map(|one| rules.powers(one, half));
        rules.steps = powers.flatten().collect();
        rules.symmetries = rules.symmetries(symmetric);
        Some(rules)
    }

    /// The turn of a sticker on its piece.
    fn turn(&self, sticker: usize) -> usize {
        sticker - self.places[self.owners[sticker]].first
    }

    /// A sticker of the same piece, turned on by n.
    fn turned(&self, sticker: usize, by: usize) -> usize {
        let place = &self.places[self.owners[sticker]];
        place.first + (sticker - place.first + by) % place.turns
    }

    /// The sticker on any sticker's place in a row.
    fn at(&self, row: &Row, sticker: usize) -> usize {
        self.turned(row[self.owners[sticker]], self.turn(sticker))
    }

    /// A row after a move.
    fn after(&self, row: &Row, one: &Row) -> Row {
        one.iter().map(|&from| self.at(row, from)).collect()
    }

    /// The powers of a move that count as one move: all before the one that changes nothing.
    fn powers(&self, (name, one): &Move, half: bool) -> Vec<Move> {
        let next = |row: &Row| Some(self.after(row, one));
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

    fn pack(&self, row: impl Iterator<Item = usize>) -> u128 {
        let digits = row.zip(&self.places);
        digits.map(|(sticker, place)| place.digit(sticker)).sum()
    }

    fn row(&self, state: u128) -> Row {
        let digit = |place: &Place| (state >> place.shift) as usize & ((1 << place.bits) - 1);
        let sticker = |place: &Place| place.of_set + digit(place);
        self.places.iter().map(sticker).collect()
    }
}

impl Rules for Permutation {
    fn read(&self, text: &str) -> Option<u128> {
        let row = self.read_row(text.trim())?;
        Some(self.pack(row.into_iter()))
    }
    fn draw(&self, state: u128) -> String {
        self.draw_row(&self.row(state))
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let row = self.row(state);
        let after = |(_, one): &Move| self.pack(one.iter().map(|&from| self.at(&row, from)));
        self.steps.iter().map(after).collect()
    }
    /// Every move can be made backward, also as one move.
    fn before(&self, state: u128) -> Option<Vec<u128>> {
        Some(self.next(state))
    }
    fn solved(&self, state: u128) -> bool {
        self.row(state) == self.all_solved()
    }
    fn states(&self) -> Option<Vec<u128>> {
        self.all_states()
    }
    fn solved_states(&self) -> Vec<u128> {
        vec![self.pack(self.all_solved().into_iter())]
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.images_of(state)
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let at = self.next(from).iter().position(|&after| after == to)?;
        Some(self.steps[at].0.clone())
    }
}
