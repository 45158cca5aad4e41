//! A set of numbers of 32 bits, none of them 0, in lines of sixteen: one cache line is fetched
//! and compared at once, and most questions end there. A full line goes on in the next.

use std::collections::TryReserveError;

use crate::ranks::prefetch;

/// Numbers of a line.
pub(super) const LINE: usize = 16;
/// Numbers to a line, on the average, beyond which there are to be more lines.
const FULL: usize = 14;

#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Line([u32; LINE]);

/// The numbers, each once; 0 marks a free place, and those of a line are its last.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    held: usize,
}

impl Lines {
    /// No numbers, with room for so many.
    pub(super) fn with_room(numbers: usize) -> Self {
        Self {
            lines: vec![Line([0; LINE]); numbers / FULL + 1],
            held: 0,
        }
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        (self.lines.capacity() * size_of::<Line>()) as u64
    }

    /// Makes sure of room for so many more.
    ///
    /// # Errors
    /// Where the system gives no more memory.
    #[inline]
    pub(super) fn room_for(&mut self, more: usize) -> Result<(), TryReserveError> {
        match self.held + more <= self.lines.len() * FULL {
            true => Ok(()),
            false => self.grow(more),
        }
    }

    /// Half as many lines again: twice as many would be half empty for long.
    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), TryReserveError> {
        let wanted = (self.lines.len() * 3 / 2).max((self.held + more) / FULL) + 1;
        let mut lines = Vec::new();
        lines.try_reserve_exact(wanted)?;
        lines.resize(wanted, Line([0; LINE]));
        let before = std::mem::replace(&mut self.lines, lines);
        for number in before.iter().flat_map(|line| line.0).filter(|&n| n != 0) {
            let mut at = self.home(number);
            while self.lines[at].0[LINE - 1] != 0 {
                at = self.after(at);
            }
            self.lines[at].add(number);
        }
        Ok(())
    }

    /// The line that a number is looked for in first.
    #[inline]
    pub(super) fn home(&self, number: u32) -> usize {
        let mixed = u64::from(number.wrapping_mul(0x9e37_79b1));
        ((mixed * self.lines.len() as u64) >> 32) as usize
    }

    /// Asks the processor to fetch a line.
    #[inline]
    pub(super) fn prefetch(&self, home: usize) {
        if let Some(line) = self.lines.get(home) {
            prefetch(line);
        }
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.lines.len() {
            0
        } else {
            at + 1
        }
    }

    /// Puts in a number whose home and room are known; whether it is new.
    #[inline]
    pub(super) fn insert_at(&mut self, home: usize, number: u32) -> bool {
        let mut at = home;
        loop {
            let line = &mut self.lines[at];
            if line.holds(number) {
                return false;
            }
            if line.0[LINE - 1] == 0 {
                line.add(number);
                self.held += 1;
                return true;
            }
            at = self.after(at);
        }
    }

    /// Whether it holds a number.
    pub(super) fn contains(&self, number: u32) -> bool {
        if self.held == 0 {
            return false;
        }
        let mut at = self.home(number);
        loop {
            let line = &self.lines[at];
            if line.holds(number) {
                return true;
            }
            if line.0[LINE - 1] == 0 {
                return false;
            }
            at = self.after(at);
        }
    }

    /// The numbers, in no order that matters.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        let all = self.lines.iter().flat_map(|line| line.0);
        all.filter(|&number| number != 0)
    }

    /// Lines looked at to find all numbers.
    #[cfg(test)]
    pub(super) fn steps(&self) -> usize {
        let away = |(at, line): (usize, &Line)| -> usize {
            let numbers = line.0.iter().filter(|&&number| number != 0);
            let steps = numbers.map(|&number| {
                let home = self.home(number);
                1 + (at + self.lines.len() - home) % self.lines.len()
            });
            steps.sum()
        };
        self.lines.iter().enumerate().map(away).sum()
    }
}

impl Line {
    /// Without an early end, so that all are compared at once.
    #[inline]
    fn holds(&self, number: u32) -> bool {
        let held = |all, &other| all | if other == number { u32::MAX } else { 0 };
        self.0.iter().fold(0, held) != 0
    }

    /// Takes the first free place.
    #[inline]
    fn add(&mut self, number: u32) {
        if let Some(place) = self.0.iter_mut().find(|place| **place == 0) {
            *place = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{FULL, Lines};

    proptest! {
        #[test]
        fn holds_what_an_ordered_set_holds(
            numbers in prop::collection::vec(prop_oneof![1_u32..300, Just(u32::MAX), 1_u32..], 0..900),
            room in 0_usize..400,
        ) {
            let (mut lines, mut plain) = (Lines::with_room(room), BTreeSet::new());
            for &number in &numbers {
                prop_assert_eq!(lines.contains(number), plain.contains(&number));
                lines.room_for(1).unwrap();
                let home = lines.home(number);
                prop_assert_eq!(lines.insert_at(home, number), plain.insert(number));
            }
            let mut all: Vec<u32> = lines.numbers().collect();
            all.sort_unstable();
            prop_assert_eq!(all, plain.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn numbers_in_order_stay_near_their_lines_even_in_a_full_set() {
        const LINES: usize = 4_000;
        let mut lines = Lines::with_room(LINES * FULL);
        let held = lines.lines.len() * FULL;
        for number in 1..=held as u32 {
            let home = lines.home(number);
            assert!(lines.insert_at(home, number));
        }
        assert_eq!(lines.lines.len(), LINES + 1);
        assert!(lines.steps() < held * 3 / 2, "{} for {held}", lines.steps());
    }
}
