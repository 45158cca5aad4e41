//! Reads definitions: a text of twsearch or ksolve, or the JSON of cubing.js.

use crate::definition::{Definition, Sequence, Set, gcd};
use crate::words::Fault;
use crate::{alg, kpuzzle, text};

impl Definition {
    /// Reads a definition: a text of twsearch or ksolve, or the JSON of cubing.js.
    ///
    /// # Errors
    /// The first word that does not belong where it is.
    pub fn read(text: &str) -> Result<Self, Fault> {
        // Some old systems end lines with a carriage return alone.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (mut read, sequences) = match text.trim_start().starts_with('{') {
            true => kpuzzle::read(&text)?,
            false => text::read(&text)?,
        };
        let nowhere = |what: &str| Fault {
            line: 1,
            column: 1,
            what: what.to_owned(),
        };
        if read.sets.is_empty() {
            return Err(nowhere("no set: write a line such as 'Set CORNERS 8 3'"));
        }
        read.put_together(sequences)?;
        read.forget_turns();
        let none = read.turnings.len();
        match read.moves.is_empty() {
            true if none > 0 => Err(nowhere(
                "no move: all names are those of rotations of the whole puzzle (x, y, z, or \
                 capitals and a final v)",
            )),
            true => Err(nowhere("no move: write 'Move NAME', its sets and 'End'")),
            false => Ok(read),
        }
    }

    /// Moves defined by other moves, in any order.
    fn put_together(&mut self, mut waiting: Vec<Sequence<'_>>) -> Result<(), Fault> {
        while !waiting.is_empty() {
            let (mut left, mut refused) = (Vec::new(), None);
            let before = waiting.len();
            for sequence in waiting {
                match alg::read(self, &sequence.written) {
                    Ok(turns) => {
                        let mut made = self.rest();
                        for turn in turns {
                            made = self.then(&made, &turn);
                        }
                        made.name = sequence.own;
                        self.add(sequence.name, made)?;
                    }
                    Err(why) => {
                        refused = refused.or(Some(sequence.name.fault(why)));
                        left.push(sequence);
                    }
                }
            }
            match refused {
                Some(fault) if left.len() == before => return Err(fault),
                _ => waiting = left,
            }
        }
        Ok(())
    }

    /// Takes orientations modulo the number that are distinguishable.
    fn forget_turns(&mut self) {
        if self.periods.is_empty() {
            let all = |set: &Set| vec![set.turns as u8; set.count];
            self.periods = self.sets.iter().map(all).collect();
        }
        for at in 0..self.sets.len() {
            let pieces = self.solved[at].pieces.iter();
            let shows = pieces.map(|&piece| usize::from(self.periods[at][usize::from(piece)]));
            let shows = shows.fold(1, |all, one| all / gcd(all, one) * one);
            self.sets[at].turns = shows;
            for period in &mut self.periods[at] {
                *period = gcd(usize::from(*period), shows) as u8;
            }
            for also in &mut self.also {
                let part = &mut also[at];
                for (turn, piece) in part.turns.iter_mut().zip(&part.pieces) {
                    *turn %= self.periods[at][usize::from(*piece)];
                }
            }
            let moves = self.moves.iter_mut().chain(&mut self.turnings);
            let parts = moves.map(|one| &mut one.parts[at]);
            for turn in parts.flat_map(|part| &mut part.turns) {
                *turn %= shows as u8;
            }
        }
    }
}
