//! Sweeps a whole census and prints its level table with digests and its antipodes, without
//! the harness, and the farthest states of each number of pieces: `census INSTANCE THREADS
//! [KEY=VALUE …]`. With `drawn=RUNS` (and `seed=N`) among the settings it sweeps so many runs of
//! adjacent parts drawn at random instead, and says what the whole would take.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use antipode_blocks::rush_hour::{Bits, Pieces};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, UNSOLVABLE, Xorshift};
use xxhash_rust::xxh3::xxh3_128;

/// Parts that are swept one after the other, so that they share what is worked out for them.
const RUN: u64 = 32;

/// States and digest by distance, and the farthest states.
#[derive(Default)]
struct Table {
    levels: BTreeMap<u16, (u64, u128)>,
    farthest: (u16, Vec<u64>),
    /// By the number of pieces: the farthest states that are not solved.
    by_pieces: [Farthest; 32],
}

/// The greatest distance among some states, how many have it, and the least of their keys.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
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

impl Table {
    fn see(&mut self, keys: &[u64], depths: &[u16], pieces: &Pieces) {
        let mut rest = keys;
        for same in depths.chunk_by(|a, b| a == b) {
            let (own, later) = rest.split_at(same.len());
            rest = later;
            let depth = same[0];
            let level = self.levels.entry(depth).or_default();
            level.0 += own.len() as u64;
            for &key in own {
                let hash = xxh3_128(&u128::from(key).to_le_bytes());
                level.1 = level.1.wrapping_add(hash);
            }
            self.keep(depth, own);
            if depth != 0 && depth != UNSOLVABLE {
                self.count_pieces(depth, own, pieces);
            }
        }
    }

    fn count_pieces(&mut self, depth: u16, keys: &[u64], pieces: &Pieces) {
        let seen = keys
            .iter()
            .fold(0_u64, |seen, &key| seen | 1 << pieces.count(key));
        let far = |number: usize| seen >> number & 1 == 1 && depth >= self.by_pieces[number].depth;
        // Nearly always nothing is so far.
        if !(0..self.by_pieces.len()).any(far) {
            return;
        }
        for &key in keys {
            let own = &mut self.by_pieces[usize::from(pieces.count(key))];
            let states = 1;
            own.see(Farthest { depth, states, key });
        }
    }

    fn keep(&mut self, depth: u16, keys: &[u64]) {
        if depth != UNSOLVABLE && depth >= self.farthest.0 {
            if depth > self.farthest.0 {
                self.farthest = (depth, Vec::new());
            }
            // So few states lie far that no bound is needed; nearer ones are let go again.
            self.farthest.1.truncate(1 << 16);
            self.farthest.1.extend_from_slice(keys);
        }
    }

    fn absorb(&mut self, other: Self) {
        for (depth, (states, digest)) in other.levels {
            let level = self.levels.entry(depth).or_default();
            level.0 += states;
            level.1 = level.1.wrapping_add(digest);
        }
        self.keep(other.farthest.0, &other.farthest.1);
        for (own, more) in self.by_pieces.iter_mut().zip(other.by_pieces) {
            own.see(more);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let instance = arguments.first().map_or("5x5", String::as_str);
    let threads = arguments.get(1).map_or(Ok(2), |text| text.parse::<u32>())?;
    let pairs = arguments
        .iter()
        .skip(2)
        .filter_map(|pair| pair.split_once('='));
    let mut settings: Settings = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let drawn = settings.remove("drawn").map(|text| text.parse::<u64>());
    let seed = settings.remove("seed").map_or(Ok(1), |text| text.parse())?;
    let request = Request {
        instance,
        settings: &settings,
    };
    let bits = Bits::open(&request)?;
    let pieces = bits.pieces();
    let runs = bits.part_count().div_ceil(RUN);
    let drawn = drawn.transpose()?;
    let run = |number: u64| match drawn {
        Some(_) => Xorshift::for_draw(seed, number).below(runs),
        None => number,
    };
    let count = drawn.unwrap_or(runs);
    let (next, whole) = (AtomicU64::new(0), Mutex::new(Table::default()));
    // What each run took, in seconds of a processor, and how many states it has.
    let costs = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut table = Table::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let (began, mut states) = (processor_time(), 0);
                    let first = run(number) * RUN;
                    for part in first..(first + RUN).min(bits.part_count()) {
                        bits.sweep(part, &mut |swept| {
                            table.see(swept.keys, swept.depths, &pieces);
                            states += swept.keys.len() as u64;
                            true
                        });
                    }
                    let seconds = (processor_time() - began).as_secs_f64();
                    costs
                        .lock()
                        .expect("no thread panics")
                        .push((seconds, states as f64));
                    if number % 32 == 31 {
                        eprintln!("{} runs of {count}", number + 1);
                    }
                }
                whole.lock().expect("no thread panics").absorb(table);
            });
        }
    });
    let mut table = whole.into_inner()?;
    println!("depth,states,orbits,digest");
    for (depth, (states, digest)) in &table.levels {
        match *depth {
            UNSOLVABLE => println!("unsolvable,{states},{states},{digest:032x}"),
            depth => println!("{depth},{states},{states},{digest:032x}"),
        }
    }
    table.farthest.1.sort_unstable();
    for key in table.farthest.1.iter().take(64) {
        println!("# {} {}", table.farthest.0, bits.draw(&bits.state(*key)));
    }
    println!("pieces,depth,states,board");
    for (number, own) in table.by_pieces.iter().enumerate() {
        if own.states > 0 {
            let board = bits.draw(&bits.state(own.key));
            println!("{number},{},{},{board}", own.depth, own.states);
        }
    }
    if drawn.is_some() {
        forecast(&costs.into_inner()?, runs as f64, seed);
    }
    Ok(())
}

/// Prints what all runs would take, by those drawn: each mean with its standard error.
fn forecast(costs: &[(f64, f64)], runs: f64, seed: u64) {
    let count = costs.len() as f64;
    let of = |what: fn(&(f64, f64)) -> f64| {
        let mean = costs.iter().map(what).sum::<f64>() / count;
        let squares = costs.iter().map(|cost| (what(cost) - mean).powi(2));
        let error = (squares.sum::<f64>() / (count - 1.0) / count).sqrt();
        (mean, error)
    };
    let (seconds, states) = (of(|cost| cost.0), of(|cost| cost.1));
    println!("# {count} runs of {RUN} parts drawn with seed {seed}, of {runs}");
    println!(
        "# {:.0} states in {:.1} core-seconds, {:.1} million a core-second",
        states.0 * count,
        seconds.0 * count,
        states.0 / seconds.0 / 1e6
    );
    println!(
        "# the whole: {:.3e} ± {:.1e} states, {:.0} ± {:.0} core-seconds",
        states.0 * runs,
        states.1 * runs,
        seconds.0 * runs,
        seconds.1 * runs
    );
}

/// Time that this thread had a processor; where the system does not tell, time on the clock.
fn processor_time() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => BEGAN.get_or_init(Instant::now).elapsed(),
    }
}
