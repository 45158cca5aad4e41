//! The table of strategies for one permutation, as the command line shows it.

use std::time::Duration;

use super::permutation::{Permutation, SplitMix64};
use super::program::Program;
use super::proof;
use super::strategy::Strategy;
use super::timing::time_programs;

/// A survey's work beyond compiling and counting.
#[derive(Clone, Debug)]
pub struct SurveyOptions {
    /// Compile the programs with the machine's C compiler and time them.
    pub time: bool,
    /// Time limit for compiling and running the timing program.
    pub time_limit: Duration,
    /// Random words on which a program that cannot be proven is compared.
    pub words: usize,
    /// The seed of those words.
    pub seed: u64,
}

impl Default for SurveyOptions {
    fn default() -> Self {
        Self {
            time: true,
            time_limit: Duration::from_secs(60),
            words: 10_000,
            seed: 1,
        }
    }
}

/// One strategy for one permutation.
#[derive(Clone, Debug)]
pub struct StrategyRow {
    /// The strategy.
    pub strategy: Strategy,
    /// Word operations, by the counting rule of [`program`](super::program).
    pub operations: usize,
    /// Distinct masks and other constants.
    pub masks: usize,
    /// Operations on the longest path.
    pub depth: usize,
    /// Bytes of tables.
    pub table_bytes: usize,
    /// Nanoseconds per call in a chain, if it was timed.
    pub nanoseconds: Option<f64>,
    /// Nanoseconds per call on independent words, if it was timed.
    pub throughput_nanoseconds: Option<f64>,
    /// Whether it equals the index-by-index moves: on every single bit and on random words.
    pub equals_naive: bool,
    /// Whether that is proven for every word, by running the program on symbols.
    pub proven: bool,
    /// A remark: stages, sets, reasons for a failure.
    pub note: String,
    /// The program, to print with [`emit`](super::emit).
    pub program: Program,
}

/// Compiles, counts, checks and times these strategies.
pub fn survey(
    perm: &Permutation,
    strategies: &[Strategy],
    options: &SurveyOptions,
) -> Vec<StrategyRow> {
    let rows = strategies.iter().map(|&s| row(perm, s, options));
    let mut rows: Vec<StrategyRow> = rows.collect();
    if options.time {
        add_times(&mut rows, options.time_limit);
    }
    rows
}

/// The index of the fastest row that is right: the least latency if all were timed, else the
/// fewest operations and then the least depth.
pub fn best_row(rows: &[StrategyRow]) -> Option<usize> {
    let right = || rows.iter().enumerate().filter(|(_, r)| r.equals_naive);
    if right().all(|(_, r)| r.nanoseconds.is_some()) {
        let time = |r: &StrategyRow| r.nanoseconds.unwrap_or(f64::INFINITY);
        let fastest = right().min_by(|a, b| time(a.1).total_cmp(&time(b.1)));
        return fastest.map(|(i, _)| i);
    }
    let cheapest = right().min_by_key(|(_, r)| (r.operations, r.depth));
    cheapest.map(|(i, _)| i)
}

fn row(perm: &Permutation, strategy: Strategy, options: &SurveyOptions) -> StrategyRow {
    let compiled = strategy.compile(perm);
    let counts = compiled.program.counts();
    let proven = proof::proves(&compiled.program, perm);
    let differs = first_difference(&compiled.program, perm, options);
    let mut note = compiled.note;
    if let Some(word) = differs {
        let wrong = wrong_bits(&compiled.program, perm);
        add(
            &mut note,
            &format!(
                "WRONG: {wrong} of {} single bits, and word 0x{word:x}",
                perm.len()
            ),
        );
    }
    StrategyRow {
        strategy,
        operations: counts.operations,
        masks: counts.constants,
        depth: counts.depth,
        table_bytes: counts.table_bytes,
        nanoseconds: None,
        throughput_nanoseconds: None,
        equals_naive: differs.is_none(),
        proven,
        note,
        program: compiled.program,
    }
}

/// Number of single bits that a program sends elsewhere (or nowhere, or to two places).
pub fn wrong_bits(program: &Program, perm: &Permutation) -> usize {
    let wrong = |bit: &usize| program.run(1 << bit) != perm.apply(1 << bit);
    (0..perm.len()).filter(wrong).count()
}

/// A word on which the program and the index-by-index moves differ. Zero, all ones, every single
/// bit and random words are tried.
pub fn first_difference(
    program: &Program,
    perm: &Permutation,
    options: &SurveyOptions,
) -> Option<u64> {
    let mut random = SplitMix64::new(options.seed);
    let words = (0..options.words).map(|_| random.next_word() & perm.domain());
    let single = (0..perm.len()).map(|bit| 1 << bit);
    let mut all = [0, perm.domain()].into_iter().chain(single).chain(words);
    all.find(|&word| program.run(word) != perm.apply(word))
}

fn add_times(rows: &mut [StrategyRow], limit: Duration) {
    let programs: Vec<&Program> = rows.iter().map(|r| &r.program).collect();
    match time_programs(&programs, limit) {
        Ok(times) => {
            for (row, time) in rows.iter_mut().zip(times) {
                row.nanoseconds = Some(time.latency);
                row.throughput_nanoseconds = Some(time.throughput);
            }
        }
        Err(why) => {
            for row in rows {
                add(&mut row.note, &format!("not timed: {why}"));
            }
        }
    }
}

fn add(note: &mut String, more: &str) {
    if !note.is_empty() {
        note.push_str("; ");
    }
    note.push_str(more);
}
