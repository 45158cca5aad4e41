//! States as text.

use puzzle_api::{BadInput, Xorshift, shown};

use crate::definition::{Definition, Move, Part};
use crate::kept::{Kept, is_odd};
use crate::rotations::{Rotation, rotations};

/// The symbols of pieces from 1.
const SYMBOLS: &str = "123456789abcdefghijklmnopqrstuvwxyz";

/// A puzzle with its moves.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The definition.
    pub definition: Definition,
    /// What counts as one move.
    pub steps: Vec<Move>,
    /// By set: what no move changes.
    pub kept: Vec<Kept>,
    /// Symmetries of the whole puzzle, the identity first.
    pub rotations: Vec<Rotation>,
}

impl Opened {
    /// A puzzle in the half-turn metric, or in that of quarter turns; without symmetries where
    /// they are not wanted.
    #[must_use]
    pub fn new(definition: Definition, half: bool, symmetric: bool) -> Self {
        let each = definition.sets.iter().zip(&definition.solved).enumerate();
        let kept = each.map(|(at, (set, solved))| {
            let parts = definition.moves.iter().map(|one| one.parts[at].clone());
            Kept::of(set, solved, parts)
        });
        let (steps, kept) = (definition.steps(half), kept.collect::<Vec<_>>());
        let mut rotations = rotations(&definition, &steps, &kept);
        if !symmetric {
            rotations.truncate(1);
        }
        Self {
            steps,
            kept,
            rotations,
            definition,
        }
    }

    /// Reads a state: rows joined by `/`, or names of moves made from the solved state, or
    /// `solved`.
    ///
    /// # Errors
    /// Anything else, and pieces that no move could bring where they are.
    pub fn parse(&self, text: &str) -> Result<Vec<Part>, BadInput> {
        let text = text.trim();
        let solved = &self.definition.solved;
        if text == "solved" {
            return Ok(solved.clone());
        }
        let rows: Vec<&str> = text.split('/').collect();
        let drawn = self.draw(solved);
        if text.contains('/') || !drawn.contains('/') && text.len() == drawn.len() {
            return self.rows(&rows).map_err(|why| {
                let shown = shown(text);
                BadInput::new(format!("'{shown}' is no state: {why}; solved is {drawn}"))
            });
        }
        let mut state = solved.clone();
        for word in text.split_whitespace() {
            let named = self.steps.iter().find(|step| step.name == word);
            let named = named.ok_or_else(|| {
                let names: Vec<&str> = self.steps.iter().map(|step| &*step.name).take(12).collect();
                BadInput::new(format!(
                    "'{}' is no move: use {}, or rows like {drawn}",
                    shown(word),
                    names.join(" ")
                ))
            })?;
            state = self.definition.after(&state, &named.parts);
        }
        Ok(state)
    }

    fn rows(&self, rows: &[&str]) -> Result<Vec<Part>, String> {
        let sets = &self.definition.sets;
        let wanted: usize = sets
            .iter()
            .map(|set| if set.turns > 1 { 2 } else { 1 })
            .sum();
        if rows.len() != wanted {
            return Err(format!("it takes {wanted} rows"));
        }
        let (mut rows, mut state) = (rows.iter(), Vec::new());
        for (at, set) in sets.iter().enumerate() {
            let mut numbers = |symbols: &str| -> Result<Vec<u8>, String> {
                let row = rows.next().copied().unwrap_or_default();
                let known = |c: char| symbols.find(c).map(|at| at as u8);
                let numbers: Option<Vec<u8>> = row.chars().map(known).collect();
                numbers
                    .filter(|all| all.len() == set.count)
                    .ok_or_else(|| format!("{} takes {} of {symbols}", set.name, set.count))
            };
            let pieces = numbers(&SYMBOLS[..set.count])?;
            let turns = match set.turns {
                1 => vec![0; set.count],
                turns => numbers(&"0123456789"[..turns])?,
            };
            let part = Part { pieces, turns };
            self.fits(at, &part)?;
            state.push(part);
        }
        Ok(state)
    }

    /// Whether a set has its pieces, and what no move changes is as in the solved state.
    fn fits(&self, at: usize, part: &Part) -> Result<(), String> {
        let (set, kept) = (&self.definition.sets[at], &self.kept[at]);
        let solved = &self.definition.solved[at];
        let sorted = |pieces: &[u8]| {
            let mut pieces = pieces.to_vec();
            pieces.sort_unstable();
            pieces
        };
        if sorted(&part.pieces) != sorted(&solved.pieces) {
            return Err(format!("{} has other pieces", set.name));
        }
        let stays = |place: usize| {
            let piece = kept.exchanged[place] || part.pieces[place] == solved.pieces[place];
            piece && (kept.moved[place] || part.turns[place] == solved.turns[place])
        };
        if let Some(place) = (0..set.count).find(|&place| !stays(place)) {
            let place = place + 1;
            return Err(format!(
                "no move brings that to place {place} of {}",
                set.name
            ));
        }
        let sum =
            |part: &Part| part.turns.iter().map(|&t| usize::from(t)).sum::<usize>() % set.turns;
        if kept.sum && sum(part) != sum(solved) {
            return Err(format!("no move changes the sum of turns of {}", set.name));
        }
        if kept.parity && is_odd(&part.pieces) != is_odd(&solved.pieces) {
            return Err(format!("no move exchanges two of {} alone", set.name));
        }
        Ok(())
    }

    /// Writes a state: of each set a row of pieces, and one of turns where it has some.
    #[must_use]
    pub fn draw(&self, state: &[Part]) -> String {
        let mut rows: Vec<String> = Vec::new();
        for (set, part) in self.definition.sets.iter().zip(state) {
            let symbol = |&piece: &u8| char::from(SYMBOLS.as_bytes()[usize::from(piece)]);
            rows.push(part.pieces.iter().map(symbol).collect());
            if set.turns > 1 {
                rows.push(part.turns.iter().map(|&t| char::from(b'0' + t)).collect());
            }
        }
        rows.join("/")
    }

    /// A state drawn uniformly from those that [`Opened::parse`] takes.
    pub fn random(&self, random: &mut Xorshift) -> Vec<Part> {
        let mut state = self.definition.solved.clone();
        for ((set, kept), part) in self.definition.sets.iter().zip(&self.kept).zip(&mut state) {
            let those = |which: &[bool]| -> Vec<usize> {
                (0..set.count).filter(|&place| which[place]).collect()
            };
            let (places, odd) = (those(&kept.exchanged), is_odd(&part.pieces));
            for last in (1..places.len()).rev() {
                let other = random.below(last as u64 + 1) as usize;
                part.pieces.swap(places[last], places[other]);
            }
            if kept.parity && is_odd(&part.pieces) != odd {
                part.pieces.swap(places[0], places[1]);
            }
            let places = those(&kept.moved);
            let Some((&last, others)) = places.split_last() else {
                continue;
            };
            let turns = set.turns as u64;
            let before: u64 = places
                .iter()
                .map(|&place| u64::from(part.turns[place]))
                .sum();
            let mut sum = 0;
            for &place in others {
                part.turns[place] = random.below(turns) as u8;
                sum += u64::from(part.turns[place]);
            }
            part.turns[last] = match kept.sum {
                true => ((before + turns * set.count as u64 - sum) % turns) as u8,
                false => random.below(turns) as u8,
            };
        }
        state
    }

    /// The name of the move between two states.
    #[must_use]
    pub fn describe_move(&self, from: &[Part], to: &[Part]) -> Option<String> {
        let found = self
            .steps
            .iter()
            .find(|step| self.definition.after(from, &step.parts) == to);
        Some(found?.name.clone())
    }
}
