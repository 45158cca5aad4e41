//! Strategies on `pext` and `pdep`, which keep the order of the bits that they move.

use super::Compiled;
use crate::permute::permutation::{Permutation, low_bits};
use crate::permute::program::{Program, Value};

/// The fewest increasing subsequences: bits whose destinations rise with their sources travel in
/// one `pext` and one `pdep`. By Dilworth's theorem their number is the length of the longest
/// decreasing subsequence, and filling the first subsequence that fits reaches it. Cost: 3k - 1 for
/// k subsequences, less one for each with a contiguous source or destination. A shift then replaces
/// `pext` or `pdep`; at the low end it is not needed.
pub fn chains(perm: &Permutation) -> Compiled {
    let chains = increasing_subsequences(perm);
    let mut program = Program::new();
    let mut words = Vec::new();
    for chain in &chains {
        let from = chain.iter().fold(0u64, |m, &b| m | 1 << b);
        let to = chain.iter().fold(0u64, |m, &b| m | 1 << perm.to(b));
        words.push(one_chain(&mut program, perm, from, to));
    }
    let result = program.or_all(&words).unwrap_or(Value::INPUT);
    Compiled {
        program: program.finish(result),
        note: format!("{} increasing subsequences, the fewest", chains.len()),
    }
}

fn increasing_subsequences(perm: &Permutation) -> Vec<Vec<usize>> {
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for bit in 0..perm.len() {
        let end = |chain: &Vec<usize>| chain.last().map_or(0, |&last| perm.to(last));
        let fitting = chains.iter_mut().filter(|chain| end(chain) < perm.to(bit));
        // The one that ends highest leaves the most space for later bits.
        match fitting.max_by_key(|chain| end(chain)) {
            Some(chain) => chain.push(bit),
            None => chains.push(vec![bit]),
        }
    }
    chains
}

fn one_chain(program: &mut Program, perm: &Permutation, from: u64, to: u64) -> Value {
    let (low_from, low_to) = (from.trailing_zeros() as i32, to.trailing_zeros() as i32);
    if from >> low_from == to >> low_to {
        // One distance: a masked shift.
        let masked = match from == perm.domain() {
            true => Value::INPUT,
            false => program.and(Value::INPUT, from),
        };
        return program.shift(masked, low_to - low_from);
    }
    if is_contiguous(from) {
        // `pdep` takes no more bits than its mask has, so nothing needs to be masked away.
        let field = program.shift(Value::INPUT, -low_from);
        return program.pdep(field, to);
    }
    let packed = program.pext(Value::INPUT, from);
    if is_contiguous(to) {
        return program.shift(packed, low_to);
    }
    program.pdep(packed, to)
}

fn is_contiguous(mask: u64) -> bool {
    let field = mask >> mask.trailing_zeros();
    field & field.wrapping_add(1) == 0
}

/// The sheep-and-goats operation (Warren, Hacker's Delight, 7-7) as a radix sort. The result is cut
/// into runs in which the sources rise. A stage of four operations separates the bits by one binary
/// digit of their run's number, lowest digit first. ⌈log2 runs⌉ stages take them to their places.
/// If the inverse has fewer runs, the stages of the inverse are undone instead: merging two packs
/// by `pdep` costs as much as separating them by `pext`.
pub fn sheep_and_goats(perm: &Permutation) -> Compiled {
    let forward = digit_masks(perm);
    let backward = digit_masks(&perm.inverse());
    let parting = forward.len() <= backward.len();
    let mut program = Program::new();
    let mut word = Value::INPUT;
    if parting {
        for goats in &forward {
            word = part(&mut program, word, *goats, perm.len());
        }
    } else {
        for goats in backward.iter().rev() {
            word = merge(&mut program, word, *goats, perm.len());
        }
    }
    let (verb, stages) = match parting {
        true => ("parting", forward.len()),
        false => ("merging", backward.len()),
    };
    Compiled {
        program: program.finish(word),
        note: format!("{stages} {verb} stages"),
    }
}

/// For each stage: the places at that time of the bits that go to the high pack.
fn digit_masks(perm: &Permutation) -> Vec<u64> {
    let source = perm.inverse();
    let mut run = vec![0usize; perm.len()];
    for place in 1..perm.len() {
        let rises = source.to(place) > source.to(place - 1);
        run[source.to(place)] = run[source.to(place - 1)] + usize::from(!rises);
    }
    let runs = run.iter().max().map_or(1, |last| last + 1);
    let mut order: Vec<usize> = (0..perm.len()).collect();
    let mut masks = Vec::new();
    for digit in 0..runs.next_power_of_two().ilog2() {
        let is_goat = |bit: &usize| run[*bit] >> digit & 1 == 1;
        let places = order.iter().enumerate().filter(|(_, bit)| is_goat(bit));
        masks.push(places.fold(0u64, |m, (place, _)| m | 1 << place));
        order.sort_by_key(is_goat);
    }
    masks
}

fn part(program: &mut Program, word: Value, goats: u64, len: usize) -> Value {
    let sheep = low_bits(len) & !goats;
    let low = program.pext(word, sheep);
    let high = program.pext(word, goats);
    let high = program.shift(high, sheep.count_ones() as i32 & 63);
    program.or(low, high)
}

fn merge(program: &mut Program, word: Value, goats: u64, len: usize) -> Value {
    let sheep = low_bits(len) & !goats;
    let low = program.pdep(word, sheep);
    let high = program.shift(word, -(sheep.count_ones() as i32 & 63));
    let high = program.pdep(high, goats);
    program.or(low, high)
}
