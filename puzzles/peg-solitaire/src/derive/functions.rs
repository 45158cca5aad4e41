//! The article's functions, tested as printed.

use puzzle_api::{BadInput, Figure, Parameters, Xorshift};

use super::{explained, instance};
use crate::printed::functions::{self, FACTORS};

type Figures = Result<Vec<Figure>, BadInput>;

/// Whether the loop counts bits and runs once per bit: tries all positions with up to three pegs,
/// and the effect of one round on any word.
pub(super) fn bit_count(parameters: &Parameters<'_>) -> Figures {
    let holes = instance(parameters)?.board.len();
    let holds = |word: u64| functions::bit_count(word) == (word.count_ones(), word.count_ones());
    let mut checked = 1_u64;
    let mut wrong = u64::from(!holds(0));
    let mut check = |word: u64| {
        checked += 1;
        wrong += u64::from(!holds(word));
    };
    for a in 0..holes {
        check(1 << a);
        for b in 0..a {
            check(1 << a | 1 << b);
            for c in 0..b {
                check(1 << a | 1 << b | 1 << c);
            }
        }
    }
    let rounds = rounds_that_clear_more();
    Ok(explained(
        vec![
            Figure::new("value", wrong == 0 && rounds == 0),
            // A proof, for each lowest bit.
            Figure::new("all", u64::BITS),
            Figure::new("words checked", checked),
            Figure::new("wrong", wrong),
            Figure::new("rounds that clear another bit", rounds),
        ],
        "A round makes x & (x - 1). Where t is the lowest set bit, x is h above it and 2^t, and x - 1 \
         is h and 2^t - 1, which has no bit at t or above: so exactly bit t is cleared, whatever h is, \
         and there are as many rounds as set bits. Tried for every t with h empty, full and each single \
         bit, and every position with up to three pegs: three rounds for three.",
    ))
}

/// For each lowest bit, with no bit, one bit or all bits above it: rounds of the printed loop that
/// do not clear exactly that bit.
fn rounds_that_clear_more() -> u64 {
    let mut wrong = 0;
    for lowest in 0..u64::BITS {
        let above = u64::MAX.checked_shl(lowest + 1).unwrap_or(0);
        let singles = (0..u64::BITS).map(|bit| above & 1 << bit);
        for high in singles.chain([0, above]) {
            let word = high | 1 << lowest;
            wrong += u64::from(word & (word - 1) != high);
        }
    }
    wrong
}

/// Whether different words can have the same hash. It is undone step by step, so they
/// cannot.
pub(super) fn hash(parameters: &Parameters<'_>) -> Figures {
    let seed = parameters.number("seed")?;
    let count = parameters.number("count")?;
    let undone = |word: u64| functions::unhash(functions::hash(word)) == word;
    let words = (0..count).map(|draw| Xorshift::for_draw(seed, draw).next_u64());
    let wrong = words.filter(|&word| !undone(word)).count();
    let odd = FACTORS.iter().all(|factor| factor % 2 == 1);
    Ok(explained(
        vec![
            Figure::new("value", !odd || wrong > 0),
            Figure::new("words hashed and back", count),
            Figure::new("not recovered", wrong),
        ],
        "The hash can be undone: both factors are odd, so they have inverses modulo 2^64, and x ^ \
         x >> n is undone from the top bits down. It is a bijection of 64-bit words, and no two \
         positions have the same hash; only the mask makes them meet.",
    ))
}

/// The index into a table: whether masking is the remainder, and whether positions must
/// share an index.
pub(super) fn table_index(parameters: &Parameters<'_>) -> Figures {
    let figure = parameters.one_of("figure")?;
    let holes = instance(parameters)?.board.len();
    // An int of 32 bits cannot hold the mask of a larger table.
    let sizes = 0..=31_u32;
    if figure == "shared" {
        let largest = sizes.last().unwrap_or(0);
        return Ok(explained(
            vec![
                Figure::new("value", holes as u32 > largest),
                Figure::new("all", 1),
                Figure::new("holes", holes),
            ],
            format!(
                "There are 2^{holes} positions and at most 2^{largest} indices, since the printed \
                 index is an int: some positions share one, whatever the hash."
            ),
        ));
    }
    const HASHES: u64 = 10_000;
    let agrees = |hash: u64| {
        let is_remainder = |bits: u32| {
            let mask = ((1_u64 << bits) - 1) as i32;
            u64::try_from(functions::index(hash, mask)) == Ok(hash % (1 << bits))
        };
        sizes.clone().all(is_remainder)
    };
    let hashes = (0..HASHES).map(|draw| functions::hash(Xorshift::for_draw(2, draw).next_u64()));
    let wrong = hashes.filter(|&hash| !agrees(hash)).count();
    Ok(explained(
        vec![
            Figure::new("value", wrong == 0),
            Figure::new("sampled", HASHES),
            Figure::new("wrong", wrong),
            Figure::new(
                "drawn",
                "Hashes of words drawn at random, in tables of every size,",
            ),
        ],
        "For every table of 2^0 to 2^31 entries, (int) hash & (2^n - 1) is the remainder of the \
         hash by 2^n: the low n bits survive the cast.",
    ))
}
