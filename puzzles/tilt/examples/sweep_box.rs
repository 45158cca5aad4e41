//! Sweeps the whole box and prints how many placements lie at each depth.
//!
//! Usage: `sweep_box [threads] [every-nth-part]`; a step above 1 samples.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use antipode_tilt::sweep::{Limits, Scratch, UNSOLVABLE, part_greys, sweep_part};

const BOX: Limits = Limits {
    blue: (0, 4),
    green_max: 2,
};
/// Depths that the histogram separates; the last one is for the unsolvable.
const DEPTHS: usize = 256;
/// Keys of deepest placements that the report lists.
const KEYS_SHOWN: usize = 16;

struct Census {
    states: [u64; DEPTHS],
    orbits: [u64; DEPTHS],
    /// Deepest solvable placements met, with their depth.
    deepest: (u16, Vec<u64>),
}

impl Census {
    fn new() -> Self {
        Self {
            states: [0; DEPTHS],
            orbits: [0; DEPTHS],
            deepest: (0, Vec::new()),
        }
    }

    fn count(&mut self, keys: &[u64], depths: &[u16], orbit: u32) {
        // Two interleaved histograms, so that equal neighbours do not wait
        // for each other's increment.
        let mut tallies = [[0u32; DEPTHS]; 2];
        for (index, &depth) in depths.iter().enumerate() {
            tallies[index & 1][usize::from(depth) & (DEPTHS - 1)] += 1;
        }
        let [even, odd] = &tallies;
        for (depth, (even, odd)) in even.iter().zip(odd).enumerate() {
            let tally = u64::from(even + odd);
            self.orbits[depth] += tally;
            self.states[depth] += tally * u64::from(orbit);
            if tally > 0 && depth < DEPTHS - 1 && depth as u16 >= self.deepest.0 {
                self.keep(depth as u16, keys, depths);
            }
        }
    }

    fn keep(&mut self, depth: u16, keys: &[u64], depths: &[u16]) {
        if depth > self.deepest.0 {
            self.deepest = (depth, Vec::new());
        }
        let at_depth = keys.iter().zip(depths).filter(|(_, d)| **d == depth);
        self.deepest.1.extend(at_depth.map(|(key, _)| *key));
    }

    fn add(&mut self, other: Self) {
        for depth in 0..DEPTHS {
            self.states[depth] += other.states[depth];
            self.orbits[depth] += other.orbits[depth];
        }
        match other.deepest.0.cmp(&self.deepest.0) {
            std::cmp::Ordering::Greater => self.deepest = other.deepest,
            std::cmp::Ordering::Equal => self.deepest.1.extend(other.deepest.1),
            std::cmp::Ordering::Less => {}
        }
    }
}

fn sweep_parts(parts: &[u32], next: &AtomicUsize) -> Census {
    let mut census = Census::new();
    let mut scratch = Scratch::new();
    while let Some(&grey) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
        sweep_part(grey, &BOX, &mut scratch, &mut |keys, depths, orbit| {
            census.count(keys, depths, orbit);
            true
        });
    }
    census
}

/// CPU time of the process in seconds, if the system reports it (Linux).
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

fn print_levels(census: &Census) {
    println!("{:>10} {:>15} {:>15}", "depth", "states", "orbits");
    for depth in 0..DEPTHS {
        if census.orbits[depth] > 0 {
            let name = if depth == usize::from(UNSOLVABLE) & (DEPTHS - 1) {
                "unsolvable".to_owned()
            } else {
                depth.to_string()
            };
            println!(
                "{name:>10} {:>15} {:>15}",
                census.states[depth], census.orbits[depth]
            );
        }
    }
}

fn main() {
    let number = |index, default| {
        std::env::args()
            .nth(index)
            .and_then(|text| text.parse::<usize>().ok())
            .unwrap_or(default)
    };
    let (threads, step) = (number(1, 1).max(1), number(2, 1).max(1));
    let parts: Vec<u32> = part_greys(0, 6).into_iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let mut total = Census::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| sweep_parts(&parts, &next)))
            .collect();
        for worker in workers {
            if let Ok(census) = worker.join() {
                total.add(census);
            }
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    print_levels(&total);
    let (states, orbits): (u64, u64) = (total.states.iter().sum(), total.orbits.iter().sum());
    println!("{:>10} {states:>15} {orbits:>15}", "all");
    let (depth, deepest) = &mut total.deepest;
    deepest.sort_unstable();
    println!(
        "parts {}, deepest {depth}, {} keys:",
        parts.len(),
        deepest.len()
    );
    for key in deepest.iter().take(KEYS_SHOWN) {
        println!("  key {key:#015x}");
    }
    println!("wall seconds {seconds:.2} on {threads} threads");
    if let Some(cpu) = cpu_seconds() {
        println!(
            "CPU seconds {cpu:.2}, {:.1} M orbits a core-second, {:.3} ns each",
            orbits as f64 / cpu / 1e6,
            cpu * 1e9 / orbits as f64
        );
    }
}
