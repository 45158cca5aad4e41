//! Texts of moves as people write them.

use super::{Permutation, Row, after, back};

/// Greatest depth of nested brackets.
pub(super) const DEEPEST: u32 = 100;

impl Permutation {
    /// Reads moves up to their closing bracket, as people write them: names with amounts, with or
    /// without blanks between them; `(A)2`, `[A, B]` for `A B A' B'`, `[A: B]` for `A B A'`.
    pub(super) fn read_moves(&self, rest: &mut &str, depth: u32) -> Option<Row> {
        let mut row = self.all_solved();
        loop {
            *rest = rest.trim_start();
            let is_name = !rest.starts_with(['(', '[']);
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
                    let there = after(&after(&first, &second), &back(&first));
                    match commutes {
                        true => after(&there, &back(&second)),
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
            let turns = one != self.all_solved();
            let power = self.times(one, rest)?;
            // As often as it leads back, a move is none.
            (!is_name || !turns || power != self.all_solved()).then_some(())?;
            row = after(&row, &power);
        }
    }

    /// A row repeated by an amount: `2`, `'`, `2'` or `'2`.
    fn times(&self, row: Row, rest: &mut &str) -> Option<Row> {
        let before = rest.strip_prefix('\'');
        let text = before.unwrap_or(rest);
        let end = text.find(|c: char| !c.is_ascii_digit());
        let (digits, behind) = text.split_at(end.unwrap_or(text.len()));
        let later = behind.strip_prefix('\'').filter(|_| before.is_none());
        *rest = later.unwrap_or(behind);
        let mut times: u64 = match digits {
            "" => 1,
            digits => digits.parse().ok()?,
        };
        let mut power = match before.or(later) {
            Some(_) => back(&row),
            None => row,
        };
        let mut all = self.all_solved();
        while times > 0 {
            if times % 2 == 1 {
                all = after(&all, &power);
            }
            power = after(&power, &power);
            times /= 2;
        }
        Some(all)
    }
}
