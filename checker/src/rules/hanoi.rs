//! The Towers of Hanoi: the topmost disc of a peg goes to another peg, where no smaller one
//! lies. All start on the first peg; solved: all on the last.
//!
//! State and key: three bits a disc for its peg from 0, the smallest disc lowest. Canonical is
//! the image of the smallest key, under all exchanges of the pegs but the last.

use super::{Rules, Settings};

const SYMBOLS: &str = "123456789abcdefghijk";

pub struct Hanoi {
    pegs: usize,
    discs: usize,
    exchanges: Vec<Vec<usize>>,
}

impl Hanoi {
    /// # Errors
    /// An unknown instance, or any setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let known = instance.split_once('-').and_then(|(pegs, discs)| {
            let pegs = pegs.parse().ok().filter(|pegs| (3..=6).contains(pegs))?;
            Some((
                pegs,
                discs
                    .parse()
                    .ok()
                    .filter(|discs| (1..=20).contains(discs))?,
            ))
        });
        let (pegs, discs): (usize, usize) = known
            .filter(|_| settings.is_empty())
            .ok_or(format!("no instance hanoi/{instance} here, or a setting"))?;
        let mut exchanges: Vec<Vec<usize>> = vec![vec![pegs - 1]];
        // Each of the others goes to every place among those before it.
        for peg in 0..pegs - 1 {
            let with = |order: &Vec<usize>| {
                (0..order.len())
                    .map(|at| [&order[..at], &[peg], &order[at..]].concat())
                    .collect()
            };
            exchanges = exchanges
                .iter()
                .flat_map::<Vec<Vec<usize>>, _>(with)
                .collect();
        }
        exchanges.sort_unstable();
        Ok(Self {
            pegs,
            discs,
            exchanges,
        })
    }

    fn peg(&self, state: u128, disc: usize) -> usize {
        (state >> (3 * disc)) as usize & 7
    }

    fn all_on(&self, peg: usize) -> u128 {
        (0..self.discs).fold(0, |state, disc| state | (peg as u128) << (3 * disc))
    }
}

impl Rules for Hanoi {
    fn read(&self, text: &str) -> Result<u128, String> {
        match text {
            "start" => return Ok(self.all_on(0)),
            "goal" => return Ok(self.all_on(self.pegs - 1)),
            _ => {}
        }
        // The pegs of the discs say all; a row that draws them otherwise is none.
        let rows: Vec<&str> = text.split('/').collect();
        let peg = |disc| {
            rows.iter()
                .position(|row| row.contains(&SYMBOLS[disc..=disc]))
        };
        let pegs: Option<Vec<usize>> = (0..self.discs).map(peg).collect();
        let state = pegs
            .unwrap_or_default()
            .iter()
            .rev()
            .fold(0, |s, &peg| s << 3 | peg as u128);
        match self.draw(state) == text {
            true => Ok(state),
            false => Err(format!("{text:?} is no position of this tower")),
        }
    }
    fn draw(&self, state: u128) -> String {
        let row = |peg: usize| {
            let discs = (0..self.discs)
                .rev()
                .filter(|&disc| self.peg(state, disc) == peg);
            let row: String = discs.map(|disc| &SYMBOLS[disc..=disc]).collect();
            format!("{row:.<width$}", width = self.discs)
        };
        (0..self.pegs).map(row).collect::<Vec<_>>().join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        for disc in 0..self.discs {
            let from = self.peg(state, disc);
            let clear = |peg| (0..disc).all(|smaller| self.peg(state, smaller) != peg);
            if clear(from) {
                let to = (0..self.pegs).filter(|&to| to != from && clear(to));
                out.extend(to.map(|to| state ^ ((from ^ to) as u128) << (3 * disc)));
            }
        }
    }
    fn solved(&self, state: u128) -> bool {
        state == self.all_on(self.pegs - 1)
    }
    fn start(&self) -> Option<u128> {
        Some(self.all_on(0))
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let image = |to: &Vec<usize>| {
            let discs = (0..self.discs).rev().map(|disc| to[self.peg(state, disc)]);
            discs.fold(0, |image, peg| image << 3 | peg as u128)
        };
        self.exchanges.iter().map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let disc = (0..self.discs).find(|&disc| self.peg(from, disc) != self.peg(to, disc))?;
        Some(format!(
            "disc {} to peg {}",
            &SYMBOLS[disc..=disc],
            self.peg(to, disc) + 1
        ))
    }
}
