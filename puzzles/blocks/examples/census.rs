//! Sweeps a whole census of Rush Hour and prints the farthest placement of each number of pieces
//! (`measured/rush-hour/hardest-by-pieces.csv`): `census INSTANCE THREADS [KEY=VALUE …]`.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use antipode_blocks::rush_hour::Bits;
use antipode_blocks::rush_hour::instances::{self, Instance};
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle, Request, Settings, UNSOLVABLE};

/// Parts that are swept one after another, so that they share computed data.
const RUN: u64 = 32;

/// The greatest distance among some states, the number of states that have it, and the least of
/// their keys.
#[derive(Clone, Copy, Default)]
struct Farthest {
    depth: u16,
    states: u64,
    key: u64,
}

impl Farthest {
    fn see(&mut self, other: Self) {
        if other.depth > self.depth {
            *self = other;
        } else if other.depth == self.depth && other.states > 0 {
            self.key = self.key.min(other.key);
            self.states += other.states;
        }
    }
}

/// Most entries of a table of numbers of pieces.
const MOST: usize = 1 << 14;

/// Numbers of pieces by key: a table for each few digits of it, the lowest first.
fn pieces(instance: &Instance) -> Vec<Vec<u8>> {
    let (mut tables, mut sums) = (Vec::new(), vec![0_u8]);
    for line in instance.lines.iter().rev() {
        if sums.len() * line.contents.len() > MOST {
            tables.push(std::mem::replace(&mut sums, vec![0]));
        }
        let each = line.contents.iter();
        let each = each.map(|content| content.heads.count_ones() as u8);
        let with = |own: u8| sums.iter().map(move |sum| sum + own);
        sums = each.flat_map(with).collect();
    }
    tables.push(sums);
    tables
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let instance = arguments.first().map_or("5x5", String::as_str);
    let threads = arguments.get(1).map_or(Ok(2), |text| text.parse::<u32>())?;
    let pairs = arguments.iter().skip(2);
    let pairs = pairs.filter_map(|pair| pair.split_once('='));
    let settings: &Settings = &pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let request = Request { instance, settings };
    let (bits, pieces) = (Bits::open(&request)?, pieces(&instances::open(&request)?));
    let count = |key: u64| {
        let digits = pieces.iter().scan(key, |rest, table| {
            let entries = table.len() as u64;
            let own = table[(*rest % entries) as usize];
            *rest /= entries;
            Some(usize::from(own))
        });
        digits.sum::<usize>()
    };
    let parts = bits.part_count();
    let (next, whole) = (AtomicU64::new(0), Mutex::new([Farthest::default(); 32]));
    let work = || {
        let mut farthest = [Farthest::default(); 32];
        loop {
            let first = next.fetch_add(RUN, Ordering::Relaxed);
            if first >= parts {
                break;
            }
            for part in first..(first + RUN).min(parts) {
                bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
                    for (&key, &depth) in swept.keys.iter().zip(swept.depths) {
                        let own = &mut farthest[count(key)];
                        if depth != 0 && depth != UNSOLVABLE && depth >= own.depth {
                            let states = 1;
                            own.see(Farthest { depth, states, key });
                        }
                    }
                    true
                });
            }
        }
        let mut whole = whole.lock().expect("no thread panics");
        let pairs = whole.iter_mut().zip(farthest);
        pairs.for_each(|(whole, own)| whole.see(own));
    };
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| {
            scope.spawn(work);
        });
    });
    println!("pieces,depth,states,board");
    for (number, own) in whole.into_inner()?.iter().enumerate() {
        if own.states > 0 {
            let board = bits.draw(&bits.state(own.key));
            let letters = board.chars().filter(char::is_ascii_alphabetic);
            assert_eq!(letters.collect::<BTreeSet<char>>().len(), number);
            println!("{number},{},{},{board}", own.depth, own.states);
        }
    }
    Ok(())
}
