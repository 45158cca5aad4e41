//! States as text and as keys.

use puzzle_api::{BadInput, Xorshift, shown};

use crate::alg;
use crate::definition::{Definition, Move, Part, Set};
use crate::kept::{Kept, Orbit, is_odd, those};
use crate::numbering::Numbers;
use crate::rotations::{Rotation, rotations};

/// The symbols of pieces, numbered from 1.
const SYMBOLS: &str = "123456789abcdefghijklmnopqrstuvwxyz";
/// The symbols of turns.
const TURNS: &str = "0123456789abcdefghijklmnopqrstuvwxyz";
/// Fewest capital letters that make a text one of stickers, not of moves.
const FEWEST_STICKERS: usize = 24;
/// Most bits of a key.
const MOST_BITS: u64 = 64;

/// A puzzle with its moves.
#[derive(Debug)]
pub struct Opened {
    /// The moves, with those that count as one.
    pub definition: Definition,
    /// The definition of one move.
    pub steps: Vec<Move>,
    /// For each set: what no move changes.
    pub kept: Vec<Kept>,
    /// All states.
    pub numbers: Numbers,
    /// The solved states, the definition's own first.
    pub goals: Vec<Vec<Part>>,
    /// Whether a key holds every place; else it is the number of the state.
    pub by_place: bool,
    /// Symmetries of the whole puzzle, the identity first.
    pub rotations: Vec<Rotation>,
}

/// Bits of a piece with its turn.
pub(crate) fn bits(set: &Set) -> u32 {
    usize::BITS - (set.count * set.turns - 1).leading_zeros()
}

/// The error of a turn that is written `?`, by place.
pub(crate) fn hidden(set: &Set, place: usize) -> String {
    let (name, place, most) = (&set.name, place + 1, set.turns - 1);
    format!(
        "place {place} of {name} has '?', but that piece has a turn in the solved state: write a \
         number from 0 to {most}"
    )
}

impl Opened {
    /// A puzzle in the half-turn or quarter-turn metric, without symmetries if they are not wanted.
    /// With `turned`, it is also solved if the whole puzzle is rotated.
    ///
    /// # Errors
    /// A puzzle with more states or moves than can be searched, or with a solved state that the
    /// first one cannot reach; with the remedy.
    pub fn new(
        definition: Definition,
        half: bool,
        symmetric: bool,
        turned: bool,
    ) -> Result<Self, String> {
        let each = definition.sets.iter().zip(&definition.solved).enumerate();
        let kept = each.map(|(at, (set, solved))| {
            let periods = &definition.periods[at];
            Kept::of(at, set, solved, periods, &definition.moves)
        });
        let kept: Vec<Kept> = kept.collect();
        let steps = definition.steps(half)?;
        let numbers = Numbers::new(&definition, &kept);
        let sets = definition.sets.iter();
        let all: u64 = sets
            .map(|set| set.count as u64 * u64::from(bits(set)))
            .sum();
        let by_place = all <= MOST_BITS;
        if !by_place && numbers.size.is_none() {
            let about = match numbers.about.is_finite() {
                true => format!("about {:.1e}", numbers.about),
                false => "over 1e308".to_owned(),
            };
            // Of pieces that look alike, too.
            let turned = |set: &Set| (set.turns as f64).powi(set.count as i32);
            let turned: f64 = definition.sets.iter().map(turned).product();
            let remedy = match turned > 2_f64.powi(MOST_BITS as i32) {
                true => "turns alone make as many, so leave out sets",
                false => "give equal numbers to pieces that need not differ, or leave out sets",
            };
            return Err(format!(
                "{about} states, more than a key of {MOST_BITS} bits can distinguish (1.8e19): {remedy}"
            ));
        }
        let mut opened = Self {
            goals: definition.goals(turned),
            rotations: Vec::new(),
            steps,
            kept,
            numbers,
            by_place,
            definition,
        };
        let written = opened.definition.also.len() + 1;
        let fits = |goal: &Vec<Part>| -> Result<(), String> {
            let mut parts = goal.iter().enumerate();
            parts.try_for_each(|(at, part)| opened.fits(at, part))
        };
        let all: Vec<_> = opened.goals.iter().map(fits).collect();
        if let Some(why) = all.iter().take(written).find_map(|one| one.as_ref().err()) {
            return Err(format!(
                "a solved state is out of reach of the first, so remove one of the two: {why}"
            ));
        }
        // A rotation of the whole puzzle may reach a state that no moves reach.
        let mut fits = all.iter().map(Result::is_ok);
        opened.goals.retain(|_| fits.next() == Some(true));
        opened.rotations = rotations(&opened.definition, &opened.steps, &opened.kept);
        if !symmetric || opened.is_restricted() {
            opened.rotations.truncate(1);
        }
        let keeps = |index: usize| {
            let mut images = opened.goals.iter().map(|goal| opened.image(goal, index));
            images.all(|image| opened.goals.contains(&image))
        };
        let kept: Vec<bool> = (0..opened.rotations.len()).map(keeps).collect();
        let mut kept = kept.into_iter();
        opened.rotations.retain(|_| kept.next() == Some(true));
        Ok(opened)
    }

    /// Whether some moves cannot be made from some states.
    pub fn is_restricted(&self) -> bool {
        !(self.definition.illegal.is_empty() && self.definition.blocks.is_empty())
    }

    /// Number of states, if they are numbered and every number is a state.
    pub fn space(&self) -> Option<u64> {
        self.numbers.offered().filter(|_| !self.is_restricted())
    }

    /// The number of a state.
    pub fn rank(&self, state: &[Part]) -> u64 {
        self.numbers
            .rank(|set, place| (state[set].pieces[place], state[set].turns[place]))
    }

    /// The state of a number.
    pub fn unrank(&self, rank: u64) -> Vec<Part> {
        let mut state = self.definition.solved.clone();
        self.numbers.unrank(rank, |set, place, piece, turn| {
            (state[set].pieces[place], state[set].turns[place]) = (piece, turn);
        });
        state
    }

    /// A state after a move, if it can be made.
    pub fn moved(&self, state: &[Part], one: &Move) -> Option<Vec<Part>> {
        let after = self.definition.is_free(state, one);
        let after = after.then(|| self.definition.after(state, &one.parts))?;
        self.definition.is_legal(&after).then_some(after)
    }

    /// The image of a state under a symmetry, piece by piece.
    pub fn image(&self, state: &[Part], index: usize) -> Vec<Part> {
        let rotation = &self.rotations[index];
        let mut image = state.to_vec();
        for (at, (set, part)) in self.definition.sets.iter().zip(state).enumerate() {
            for to in 0..set.count {
                let from = usize::from(rotation.right[at].pieces[to]);
                let lies_there = (part.pieces[from], part.turns[from]);
                let (piece, turn) = rotation.becomes(set, at, to, lies_there);
                image[at].pieces[to] = piece;
                image[at].turns[to] = turn;
            }
        }
        image
    }

    /// Reads a state as [`Opened::read`] does, but rows, and whatever else has no `/` to tell it
    /// from a row, only as they are drawn: the harness takes other texts for other boards.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(&self, text: &str) -> Result<Vec<Part>, BadInput> {
        let (state, text) = (self.read(text)?, text.trim());
        let drawn = self.draw(&state);
        let is_row = text.contains('/') || !drawn.contains('/') && text != "solved";
        match is_row && !text.split('/').map(str::trim).eq(drawn.split('/')) {
            true => Err(BadInput::new(format!(
                "'{}' is written {drawn}",
                shown(text)
            ))),
            false => Ok(state),
        }
    }

    /// Reads a state: rows joined by `/`, or moves made from the solved state, or `solved`.
    ///
    /// # Errors
    /// Anything else, and pieces at places that no move can bring them to.
    pub fn read(&self, text: &str) -> Result<Vec<Part>, BadInput> {
        let text = text.trim();
        let solved = &self.definition.solved;
        if text == "solved" {
            return Ok(solved.clone());
        }
        let rows: Vec<&str> = text.split('/').collect();
        let drawn = self.draw(solved);
        let one_row = !drawn.contains('/') && !text.contains('/');
        let read = self.rows(&rows);
        if let (Ok(state), true) = (&read, one_row) {
            return Ok(state.clone());
        }
        let is_row = one_row && text.len() == drawn.len() && !text.contains([' ', '(', '[', '\'']);
        if text.contains('/') || is_row {
            return read.map_err(|why| {
                let shown = shown(text);
                BadInput::new(format!("'{shown}' is no state: {why}; solved is {drawn}"))
            });
        }
        let letters = text.bytes().filter(u8::is_ascii_uppercase).count();
        if letters >= FEWEST_STICKERS && letters == text.len() {
            let shown = shown(text);
            return Err(BadInput::new(format!(
                "'{shown}' is {letters} stickers, which this instance does not read: write moves with \
                 blanks between them, solved, or rows like {drawn}"
            )));
        }
        let moves = alg::read(&self.definition, text);
        let moves = moves.map_err(|why| BadInput::new(format!("{why}, or rows like {drawn}")))?;
        let mut state = solved.clone();
        for one in &moves {
            let after = self.moved(&state, one);
            state = after.ok_or_else(|| {
                let (name, drawn) = (shown(&one.name), self.draw(&state));
                BadInput::new(format!("'{name}' cannot be made from {drawn}"))
            })?;
        }
        for (at, part) in state.iter().enumerate() {
            self.fits(at, part).map_err(|why| {
                let shown = shown(text);
                BadInput::new(format!(
                    "'{shown}' turns the whole puzzle: {why}; turn it back at the end"
                ))
            })?;
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
            let names = self.definition.moves.iter().take(2);
            let names: Vec<&str> = names.map(|one| &*one.name).collect();
            return Err(format!(
                "it takes {wanted} row{}, or moves with blanks between them, such as {}",
                if wanted == 1 { "" } else { "s" },
                names.join(" ")
            ));
        }
        let (mut rows, mut state) = (rows.iter(), Vec::new());
        for (at, set) in sets.iter().enumerate() {
            let mut numbers = |symbols: &str, first: usize, count: usize, pieces: &[u8]| {
                let row = rows.next().copied().unwrap_or_default().trim();
                let spaced = row.contains([',', ' ']) || set.count == 1 && row.len() > 1;
                let words: Vec<&str> = match spaced {
                    true => row.split([',', ' ']).collect(),
                    false => row.split("").collect(),
                };
                let words = words.into_iter().filter(|word| !word.is_empty());
                let of = match symbols.get(..count) {
                    Some(symbols) => symbols.to_owned(),
                    None => format!("{first} to {}, with commas", count - 1 + first),
                };
                let wrong = || format!("{} takes {} of {of}", set.name, set.count);
                let number = |(place, word): (usize, &str)| match (word, pieces.get(place)) {
                    ("?", Some(&piece)) => match self.definition.periods[at][usize::from(piece)] {
                        1 => Ok(0),
                        _ => Err(hidden(set, place)),
                    },
                    _ => {
                        let number = match spaced {
                            true => word.parse().ok().and_then(|n: usize| n.checked_sub(first)),
                            false => symbols.find(word),
                        };
                        let number = number.filter(|&number| number < count);
                        Ok(number.ok_or_else(wrong)? as u8)
                    }
                };
                let numbers = words.enumerate().map(number);
                let numbers: Vec<u8> = numbers.collect::<Result<_, String>>()?;
                match numbers.len() == set.count {
                    true => Ok(numbers),
                    false => Err(wrong()),
                }
            };
            let pieces = numbers(SYMBOLS, 1, set.count, &[])?;
            let turns = match set.turns {
                1 => vec![0; set.count],
                turns => numbers(TURNS, 0, turns, &pieces)?,
            };
            let part = Part { pieces, turns };
            self.fits(at, &part)?;
            state.push(part);
        }
        match self.definition.is_legal(&state) {
            true => Ok(state),
            false => Err("a piece lies where it is Illegal".to_owned()),
        }
    }

    /// Whether a set has its pieces, and agrees with the solved state in everything that no move
    /// changes.
    pub(crate) fn fits(&self, at: usize, part: &Part) -> Result<(), String> {
        let (set, kept) = (&self.definition.sets[at], &self.kept[at]);
        let (solved, periods) = (&self.definition.solved[at], &self.definition.periods[at]);
        let sorted = |mut pieces: Vec<u8>| {
            pieces.sort_unstable();
            pieces
        };
        if sorted(part.pieces.clone()) != sorted(solved.pieces.clone()) {
            return Err(format!("{} has other pieces", set.name));
        }
        let stays = |place: usize| {
            let piece = kept.exchanged[place] || part.pieces[place] == solved.pieces[place];
            let shows = part.turns[place] < periods[usize::from(part.pieces[place])];
            piece && shows && (kept.moved[place] || part.turns[place] == solved.turns[place])
        };
        let place = (0..set.count).find(|&place| !stays(place));
        let place = place.or_else(|| {
            let other = |orbit: &&Orbit| {
                let own = |part: &Part| sorted(those(&part.pieces, &orbit.places));
                own(part) != own(solved)
            };
            kept.orbits.iter().find(other).map(|orbit| orbit.places[0])
        });
        if let Some(place) = place {
            let place = place + 1;
            return Err(format!(
                "no move brings what is at place {place} of {} there",
                set.name
            ));
        }
        for orbit in &kept.orbits {
            let turns = |part: &Part| those(&part.turns, &orbit.places);
            let sum = |part: &Part| {
                let turns = turns(part).into_iter().map(usize::from);
                turns.sum::<usize>() % set.turns
            };
            if orbit.turns && turns(part) != turns(solved) {
                return Err(format!("no move turns pieces of {}", set.name));
            }
            if orbit.sum && sum(part) != sum(solved) {
                return Err(format!("no move changes the sum of turns of {}", set.name));
            }
            let odd = |part: &Part| is_odd(&those(&part.pieces, &orbit.places));
            if orbit.parity && odd(part) != odd(solved) {
                return Err(format!("no move exchanges two of {} alone", set.name));
            }
        }
        Ok(())
    }

    /// Writes a state: for each set a row of pieces, and a row of turns if it has some. Numbers
    /// beyond the letters are separated by commas.
    pub fn draw(&self, state: &[Part]) -> String {
        let row = |numbers: Vec<usize>, symbols: &str, first: usize, most: usize| {
            let symbol = |&n: &usize| char::from(symbols.as_bytes()[n]);
            let written = |&n: &usize| (n + first).to_string();
            match most <= symbols.len() {
                true => numbers.iter().map(symbol).collect(),
                false => numbers.iter().map(written).collect::<Vec<_>>().join(","),
            }
        };
        let mut rows: Vec<String> = Vec::new();
        for (at, (set, part)) in self.definition.sets.iter().zip(state).enumerate() {
            let numbers = |row: &[u8]| row.iter().map(|&n| usize::from(n)).collect();
            let pieces = self.definition.solved[at].pieces.iter();
            let most = pieces.max().map_or(0, |&piece| usize::from(piece) + 1);
            rows.push(row(numbers(&part.pieces), SYMBOLS, 1, most));
            if set.turns > 1 {
                rows.push(row(numbers(&part.turns), TURNS, 0, set.turns));
            }
        }
        rows.join("/")
    }

    /// A state drawn uniformly from those that [`Opened::parse`] takes; `None` if some moves
    /// cannot be made from some states.
    pub fn random(&self, random: &mut Xorshift) -> Option<Vec<Part>> {
        let mut state = self.definition.solved.clone();
        if self.is_restricted() {
            return None;
        }
        let sets = self.definition.sets.iter().zip(&self.definition.periods);
        for (((set, periods), kept), part) in sets.zip(&self.kept).zip(&mut state) {
            for orbit in &kept.orbits {
                let (places, own) = (&orbit.places, those(&part.pieces, &orbit.places));
                for last in (1..places.len()).rev().filter(|_| orbit.exchanged) {
                    let other = random.below(last as u64 + 1) as usize;
                    part.pieces.swap(places[last], places[other]);
                }
                let drawn = those(&part.pieces, places);
                if orbit.parity && is_odd(&drawn) != is_odd(&own) {
                    part.pieces.swap(places[0], places[1]);
                }
                if orbit.turns {
                    continue;
                }
                let turns = set.turns as u64;
                let all = those(&part.turns, places).into_iter().map(u64::from);
                let mut rest = all.sum::<u64>() + turns * places.len() as u64;
                for &place in places {
                    let shows = periods[usize::from(part.pieces[place])];
                    part.turns[place] = random.below(shows.into()) as u8;
                    rest -= u64::from(part.turns[place]);
                }
                if orbit.sum {
                    let last = &mut part.turns[places[places.len() - 1]];
                    *last = ((rest + u64::from(*last)) % turns) as u8;
                }
            }
        }
        Some(state)
    }

    /// The name of the move between two states.
    pub fn describe_move(&self, from: &[Part], to: &[Part]) -> Option<String> {
        let leads = |step: &&Move| self.moved(from, step).as_deref() == Some(to);
        let names = self.steps.iter().filter(leads).map(|step| &*step.name);
        let names: Vec<&str> = names.collect();
        (!names.is_empty()).then(|| names.join("\n"))
    }
}
