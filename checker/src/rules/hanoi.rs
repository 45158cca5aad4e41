//! The Towers of Hanoi: the topmost disc of a peg goes to another peg without a smaller one. All
//! start on the first peg; solved: all on the last.

use super::board::pair;
use super::keys::{digit, digits, orders, pack};
use super::{MOST, Rules, Settings};

const SYMBOLS: &str = "123456789abcdefghijk";

pub struct Hanoi {
    pegs: usize,
    discs: usize,
    exchanges: Vec<Vec<usize>>,
}

impl Hanoi {
    /// The rules of an instance; there are no settings.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let (pegs, discs) = pair(instance, '-')?;
        let known = (3..=6).contains(&pegs) && (1..=20).contains(&discs) && settings.is_empty();
        (known && format!("{pegs}-{discs}") == instance).then_some(())?;
        let others: Vec<usize> = (0..pegs - 1).collect();
        let exchange = |order: Vec<usize>| [order, vec![pegs - 1]].concat();
        Some(Self {
            pegs,
            discs,
            exchanges: orders(&others).into_iter().map(exchange).collect(),
        })
    }

    fn all_on(&self, peg: usize) -> u128 {
        pack(3, vec![peg; self.discs])
    }
}

impl Rules for Hanoi {
    fn read(&self, text: &str) -> Option<u128> {
        match text {
            "start" => return Some(self.all_on(0)),
            "goal" => return Some(self.all_on(self.pegs - 1)),
            _ => {}
        }
        // The pegs of the discs say everything; a row that draws them otherwise is invalid.
        let has = |row: &str, disc: usize| row.contains(&SYMBOLS[disc..=disc]);
        let peg = |disc| text.split('/').position(|row| has(row, disc));
        let state = pack(3, (0..self.discs).map(|disc| peg(disc).unwrap_or(0)));
        (self.draw(state) == text).then_some(state)
    }
    fn draw(&self, state: u128) -> String {
        let row = |peg: usize| {
            let discs = (0..self.discs).rev();
            let own = discs.filter(|&disc| digit(3, state, disc) == peg);
            let row: String = own.map(|disc| &SYMBOLS[disc..=disc]).collect();
            format!("{row:.<width$}", width = self.discs)
        };
        (0..self.pegs).map(row).collect::<Vec<_>>().join("/")
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let mut next = Vec::new();
        for (disc, from) in digits(3, state, self.discs).enumerate() {
            let clear = |peg| digits(3, state, disc).all(|smaller| smaller != peg);
            if clear(from) {
                let to = (0..self.pegs).filter(|&to| to != from && clear(to));
                next.extend(to.map(|to| state ^ ((from ^ to) as u128) << (3 * disc)));
            }
        }
        next
    }
    fn count(&self) -> Option<u128> {
        Some((self.pegs as u128).pow(self.discs as u32))
    }
    fn solved_states(&self) -> Vec<u128> {
        vec![self.all_on(self.pegs - 1)]
    }
    /// Each disc on each peg.
    fn each_state(&self, take: &mut dyn FnMut(u128)) -> bool {
        let count = self.pegs.pow(self.discs as u32);
        let states = (0..count).take_while(|_| count <= MOST);
        let peg = |number: usize, disc: usize| number / self.pegs.pow(disc as u32) % self.pegs;
        let state = |number| pack(3, (0..self.discs).map(|disc| peg(number, disc)));
        states.map(state).for_each(take);
        count <= MOST
    }
    fn start(&self) -> Option<u128> {
        Some(self.all_on(0))
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let image = |to: &Vec<usize>| pack(3, digits(3, state, self.discs).map(|peg| to[peg]));
        self.exchanges.iter().map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let peg = |state, disc| digit(3, state, disc);
        let disc = (0..self.discs).find(|&disc| peg(from, disc) != peg(to, disc))?;
        let symbol = &SYMBOLS[disc..=disc];
        Some(format!("disc {symbol} to peg {}", peg(to, disc) + 1))
    }
}
