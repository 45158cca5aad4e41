//! Settings, states from texts and as texts, and which rows are states.

use super::{Permutation, Row, SYMBOLS};
use crate::rules::Settings;

/// Brackets within each other in a text of moves, at most.
const DEEPEST: u32 = 100;

/// Whether all powers of a move count as one, and whether symmetries are used.
pub(super) fn settings(settings: &Settings) -> Option<(bool, bool)> {
    let (mut half, mut symmetric) = (true, true);
    for (key, value) in settings {
        match (key.as_str(), value.as_str()) {
            ("metric", "half" | "quarter") => half = value == "half",
            ("symmetry", "on" | "off") => symmetric = value == "on",
            _ => return None,
        }
    }
    Some((half, symmetric))
}

impl Permutation {
    /// Reads a state: `solved`, or moves that lead to it from there, or rows of pieces and turns.
    pub(super) fn read_row(&self, text: &str) -> Option<Row> {
        if text.contains('/') {
            return self.read_rows(text);
        }
        let text = text.replace(['\u{2019}', '\u{2032}', '`'], "'");
        let mut rest = if text == "solved" { "" } else { &*text };
        let row = self.read_moves(&mut rest, DEEPEST)?;
        rest.is_empty().then_some(row)
    }

    /// Reads moves up to what closes them, as people write them: names with amounts, with blanks
    /// between them or not; `(A)2`, `[A, B]` for `A B A' B'`, `[A: B]` for `A B A'`.
    fn read_moves(&self, rest: &mut &str, depth: u32) -> Option<Row> {
        let mut row = self.all_solved();
        loop {
            *rest = rest.trim_start();
            let one = match rest.chars().next() {
                None | Some(')' | ']' | ',' | ':') => return Some(row),
                Some('(') => {
                    *rest = &rest[1..];
                    let inner = self.read_moves(rest, depth.checked_sub(1)?)?;
                    *rest = rest.strip_prefix(')')?;
                    inner
                }
                Some('[') => {
                    *rest = &rest[1..];
                    let first = self.read_moves(rest, depth.checked_sub(1)?)?;
                    let commutes = rest.starts_with(',');
                    *rest = rest.strip_prefix([',', ':'])?;
                    let second = self.read_moves(rest, depth - 1)?;
                    *rest = rest.strip_prefix(']')?;
                    let there = self.after(&self.after(&first, &second), &self.back(&first));
                    match commutes {
                        true => self.after(&there, &self.back(&second)),
                        false => there,
                    }
                }
                Some(_) => {
                    let mut moves = self.moves.iter();
                    let (name, one) = moves.find(|(name, _)| rest.starts_with(&**name))?;
                    *rest = &rest[name.len()..];
                    one.clone()
                }
            };
            row = self.after(&row, &self.times(one, rest)?);
        }
    }

    /// What leads back from a row.
    fn back(&self, row: &Row) -> Row {
        let mut back = row.clone();
        for (&sticker, place) in row.iter().zip(&self.places) {
            let turns = place.turns - self.turn(sticker);
            back[self.owners[sticker]] = self.turned(place.first, turns);
        }
        back
    }

    /// A row as often as an amount says: `2`, `'`, `2'` or `'2`.
    fn times(&self, row: Row, rest: &mut &str) -> Option<Row> {
        let before = rest.strip_prefix('\'');
        let text = before.unwrap_or(rest);
        let end = text.find(|c: char| !c.is_ascii_digit());
        let (digits, behind) = text.split_at(end.unwrap_or(text.len()));
        let after = behind.strip_prefix('\'').filter(|_| before.is_none());
        *rest = after.unwrap_or(behind);
        let mut times: u64 = match digits {
            "" => 1,
            digits => digits.parse().ok()?,
        };
        let mut power = match before.or(after) {
            Some(_) => self.back(&row),
            None => row,
        };
        let mut all = self.all_solved();
        while times > 0 {
            if times % 2 == 1 {
                all = self.after(&all, &power);
            }
            power = self.after(&power, &power);
            times /= 2;
        }
        Some(all)
    }

    fn read_rows(&self, text: &str) -> Option<Row> {
        let (mut row, mut rows) = (vec![], text.split('/'));
        for set in &self.sets {
            let mut digits = |symbols: &str| {
                let digits = rows.next()?.chars().map(|symbol| symbols.find(symbol));
                let digits = digits.collect::<Option<Vec<usize>>>();
                digits.filter(|digits| digits.len() == set.len())
            };
            let pieces = digits(&SYMBOLS[..set.len()])?;
            let turns = match self.places[set.start].turns {
                1 => vec![0; set.len()],
                turns => digits(&"0123456789"[..turns])?,
            };
            for (piece, turn) in pieces.into_iter().zip(turns) {
                row.push(self.places[set.start + piece].first + turn);
            }
        }
        let lies = |piece: usize| row.iter().any(|&sticker| self.owners[sticker] == piece);
        let all = rows.next().is_none() && (0..self.places.len()).all(lies);
        (all && self.is_kept(&row)).then_some(row)
    }

    /// Whether what no move changes is as in the solved state.
    pub(super) fn is_kept(&self, row: &Row) -> bool {
        let moves = self.moves.iter().map(|(_, one)| self.changed(one));
        let moves: Vec<Vec<bool>> = moves.collect();
        let mut changed = self.changed(row).into_iter().enumerate();
        changed.all(|(what, changed)| !changed || moves.iter().any(|one| one[what]))
    }

    /// What differs from the solved state: by place its piece, and piece or turn; by set the sum
    /// of its turns, and whether its order takes an odd number of exchanges.
    fn changed(&self, row: &Row) -> Vec<bool> {
        let piece = |at: usize| self.owners[row[at]];
        let mut changed = vec![];
        for (at, place) in self.places.iter().enumerate() {
            changed.extend([piece(at) != at, row[at] != place.first]);
        }
        for set in &self.sets {
            let sum: usize = row[set.clone()].iter().map(|&one| self.turn(one)).sum();
            let crossed = |at: usize| (set.start..at).filter(|&i| piece(i) > piece(at)).count();
            let exchanges: usize = set.clone().map(crossed).sum();
            let rests = [sum % self.places[set.start].turns, exchanges % 2];
            changed.extend(rests.map(|rest| rest > 0));
        }
        changed
    }

    /// Writes a state: of each set a row of pieces, and one of turns if it has some.
    pub(super) fn draw_row(&self, row: &Row) -> String {
        let mut rows: Vec<String> = vec![];
        for set in &self.sets {
            let own = &row[set.clone()];
            let symbol = |&one: &usize| SYMBOLS.chars().nth(self.owners[one] - set.start);
            rows.push(own.iter().filter_map(symbol).collect());
            if self.places[set.start].turns > 1 {
                let turn = |&one: &usize| self.turn(one).to_string();
                rows.push(own.iter().map(turn).collect());
            }
        }
        rows.join("/")
    }
}
