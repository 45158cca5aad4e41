//! Pancakes: the topmost n are turned over together. Solved: sorted, the smallest on top,
//! and burnt sides down.

use super::board::has;
use super::keys::{digit, each_order, pack};
use super::{MOST, Rules, Settings};

const SYMBOLS: &str = "123456789abc";

pub struct Pancakes {
    count: usize,
    burnt: bool,
}

impl Pancakes {
    /// The rules of an instance; there are no settings.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let (kind, count) = instance.split_once('-')?;
        let (burnt, count) = (kind == "burnt", count.parse().ok()?);
        let known = (burnt || kind == "plain") && (1..=12).contains(&count);
        let known = known && format!("{kind}-{count}") == instance;
        (known && settings.is_empty()).then_some(Self { count, burnt })
    }

    /// The state of some pancakes, the topmost first: sizes, and whether a burnt side is up.
    fn pack(pancakes: impl Iterator<Item = (usize, bool)>) -> u128 {
        pancakes.zip(0..).fold(0, |state, ((size, up), place)| {
            state | (size as u128) << (4 * place) | u128::from(up) << (48 + place)
        })
    }

    fn pancake(&self, state: u128, place: usize) -> (usize, bool) {
        (digit(4, state, place), has(state, 48 + place))
    }

    fn turned(&self, state: u128, count: usize) -> u128 {
        Self::pack((0..self.count).map(|place| {
            if place >= count {
                return self.pancake(state, place);
            }
            let (size, up) = self.pancake(state, count - 1 - place);
            (size, up != self.burnt)
        }))
    }
}

impl Rules for Pancakes {
    fn read(&self, text: &str) -> Option<u128> {
        if text == "sorted" {
            return self.solved_states().first().copied();
        }
        let (mut stack, mut up) = (Vec::<(usize, bool)>::new(), false);
        for symbol in text.chars() {
            match SYMBOLS[..self.count].find(symbol) {
                Some(size) if stack.iter().all(|one| one.0 != size) => {
                    stack.push((size, std::mem::take(&mut up)));
                }
                None if symbol == '-' && self.burnt && !up => up = true,
                _ => return None,
            }
        }
        let whole = stack.len() == self.count && !up;
        whole.then(|| Self::pack(stack.into_iter()))
    }
    fn draw(&self, state: u128) -> String {
        let pancake = |place: usize| {
            let (size, up) = self.pancake(state, place);
            let side = if up { "-" } else { "" };
            format!("{side}{}", &SYMBOLS[size..=size])
        };
        (0..self.count).map(pancake).collect()
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let turns = (1..=self.count).map(|count| self.turned(state, count));
        turns.filter(|next| *next != state).collect()
    }
    fn count(&self) -> Option<u128> {
        let orders: u128 = (1..=self.count as u128).product();
        Some(orders << if self.burnt { self.count } else { 0 })
    }
    fn solved_states(&self) -> Vec<u128> {
        vec![pack(4, 0..self.count)]
    }
    fn each_state(&self, take: &mut dyn FnMut(u128)) -> bool {
        let sides = if self.burnt { 1 << self.count } else { 1 };
        let count = (1..=self.count).product::<usize>() * sides;
        if count <= MOST {
            let mut stack: Vec<usize> = (0..self.count).collect();
            each_order(&mut stack, 0, &mut |stack| {
                let sizes = pack(4, stack.iter().copied());
                (0..sides as u128).for_each(|up| take(sizes | up << 48));
            });
        }
        count <= MOST
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let count = (1..=self.count).find(|&count| self.turned(from, count) == to)?;
        Some(format!("turn {count}"))
    }
}
