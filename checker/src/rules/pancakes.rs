//! Pancakes: the topmost so many are turned over together. Solved: sorted, the smallest on top,
//! and burnt sides down.
//!
//! State and key: four bits a pancake for its size from 0, the topmost lowest; from bit 48 on, a
//! bit for each burnt side that is up. No state has another image.

use super::{Rules, Settings};

const SYMBOLS: &str = "123456789abc";

pub struct Pancakes {
    count: usize,
    burnt: bool,
}

impl Pancakes {
    /// # Errors
    /// An unknown instance, or any setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let known = instance.split_once('-').and_then(|(kind, count)| {
            let count = count
                .parse()
                .ok()
                .filter(|count| (1..=12).contains(count))?;
            ["plain", "burnt"]
                .contains(&kind)
                .then_some((kind == "burnt", count))
        });
        let (burnt, count) = known
            .filter(|_| settings.is_empty())
            .ok_or(format!("no instance pancake/{instance} here, or a setting"))?;
        Ok(Self { count, burnt })
    }

    fn turned(&self, state: u128, count: usize) -> u128 {
        let mut next = state;
        for place in 0..count {
            let from = count - 1 - place;
            let (size, up) = (state >> (4 * from) & 15, state >> (48 + from) & 1);
            next &= !(15 << (4 * place) | 1 << (48 + place));
            next |= size << (4 * place) | (up ^ u128::from(self.burnt)) << (48 + place);
        }
        next
    }
}

impl Rules for Pancakes {
    fn read(&self, text: &str) -> Result<u128, String> {
        if text == "sorted" {
            return Ok((0..self.count).fold(0, |state, size| state | (size as u128) << (4 * size)));
        }
        let (mut state, mut sizes, mut up) = (0, Vec::new(), 0);
        for symbol in text.chars() {
            match SYMBOLS[..self.count].find(symbol) {
                Some(size) if !sizes.contains(&size) => {
                    state |= (size as u128) << (4 * sizes.len()) | up << (48 + sizes.len());
                    sizes.push(size);
                    up = 0;
                }
                None if symbol == '-' && self.burnt && up == 0 => up = 1,
                _ => return Err(format!("{text:?} is no stack of these pancakes")),
            }
        }
        match sizes.len() == self.count && up == 0 {
            true => Ok(state),
            false => Err(format!("{text:?} is no whole stack")),
        }
    }
    fn draw(&self, state: u128) -> String {
        let pancake = |place: usize| {
            let size = (state >> (4 * place)) as usize & 15;
            let up = if state >> (48 + place) & 1 == 1 {
                "-"
            } else {
                ""
            };
            format!("{up}{}", &SYMBOLS[size..=size])
        };
        (0..self.count).map(pancake).collect()
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        let turns = (1..=self.count).map(|count| self.turned(state, count));
        out.extend(turns.filter(|next| *next != state));
    }
    fn solved(&self, state: u128) -> bool {
        self.read("sorted") == Ok(state)
    }
    fn start(&self) -> Option<u128> {
        None
    }
    fn images(&self, state: u128) -> Vec<u128> {
        vec![state]
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let count = (1..=self.count).find(|&count| self.turned(from, count) == to)?;
        Some(format!("turn {count}"))
    }
}
