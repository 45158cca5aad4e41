//! Positions by the first cells of their pieces, and their keys: the same ranks as
//! [`crate::alphabet`] has, with binomials looked up.

use crate::board::Board;

/// Most kinds of pieces.
pub(super) const MOST_KINDS: usize = 16;
/// Most symbols of a string, which has no more than the board has cells.
const MOST: usize = 64;

/// Where pieces stand, by number of open cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Position {
    /// First cells, by kind.
    pub(super) anchors: [u64; MOST_KINDS],
    pub(super) empty: u64,
}

/// The bits of a mask, from the lowest.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(bit)
    })
}

/// A position as its string is read: which symbol each first or empty cell has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Laid {
    /// 0 on cells that are empty or no first ones.
    pub(super) symbols: [u8; MOST],
    /// First and empty cells.
    pub(super) cells: u64,
}

impl Default for Laid {
    fn default() -> Self {
        Self {
            symbols: [0; MOST],
            cells: 0,
        }
    }
}

/// Most symbols whose counts fit a word, a byte each.
const NARROW: usize = 8;
/// Most sets of places of a symbol that are written out.
const MOST_SETS: u128 = 1 << 12;

/// What turns positions into keys.
#[derive(Debug)]
pub(super) struct Packing {
    full: u64,
    /// By symbol: how often it stands in a string, its radix and its weight.
    symbols: Vec<(u32, u128, u128)>,
    length: usize,
    /// `n` over `k` at `n * (MOST + 1) + k`.
    binomials: Vec<u64>,
    /// By symbol and digit, the places that the symbol takes among those left; none where they
    /// are too many to be written out.
    sets: Vec<Vec<u64>>,
    /// What the `nth` of a symbol adds to the key at a place, at `(first[symbol] + nth) * MOST +
    /// place`.
    parts: Vec<u128>,
    first: [usize; NARROW],
}

impl Packing {
    pub(super) fn new(board: &Board, open: &[usize]) -> Self {
        let alphabet = &board.alphabet;
        let counts = alphabet.counts().iter().map(|&count| u32::from(count));
        let weights = alphabet.radices().iter().zip(alphabet.weights());
        let symbols = counts.zip(weights);
        let mut binomials = vec![0_u64; (MOST + 1) * (MOST + 1)];
        for n in 0..=MOST {
            let row = n * (MOST + 1);
            binomials[row] = 1;
            for k in 1..=n {
                let above = row - (MOST + 1);
                binomials[row + k] = binomials[above + k - 1] + binomials[above + k];
            }
        }
        let mut packing = Self {
            full: u64::MAX >> (u64::BITS - open.len() as u32),
            symbols: symbols
                .map(|(count, (&radix, &weight))| (count, radix, weight))
                .collect(),
            length: alphabet.length(),
            binomials,
            sets: Vec::new(),
            parts: Vec::new(),
            first: [0; NARROW],
        };
        packing.write_out();
        packing
    }

    /// Fills `sets`, and `parts` where there are few symbols.
    fn write_out(&mut self) {
        let mut many = self.length;
        for symbol in 0..self.symbols.len() {
            let (count, radix, weight) = self.symbols[symbol];
            let sets = match radix <= MOST_SETS {
                true => sets_of(count, radix),
                false => Vec::new(),
            };
            self.sets.push(sets);
            many -= count as usize;
            if self.is_narrow() {
                self.first[symbol] = self.length - many - count as usize;
                for nth in 0..count as usize {
                    for place in 0..MOST {
                        // Beyond the last place are binomials that no key has.
                        let many = u128::from(self.binomial(place, nth + 1));
                        self.parts.push(many.wrapping_mul(weight));
                    }
                }
            }
        }
    }

    /// Whether [`Packing::pack_laid`] knows all symbols.
    pub(super) fn is_narrow(&self) -> bool {
        self.symbols.len() <= NARROW
    }

    /// The key of a position, of few kinds of pieces: [`Packing::pack`] in one pass over the
    /// string.
    #[inline]
    pub(super) fn pack_laid(&self, symbols: &[u8; MOST], mut cells: u64) -> u128 {
        // Bytes by symbol: symbols met that are none before it, and symbols met that are it.
        let (mut places, mut met, mut key) = (0_u64, 0_u64, 0_u128);
        while cells != 0 {
            let symbol = usize::from(symbols[cells.trailing_zeros() as usize]) % NARROW;
            let shift = 8 * symbol;
            let (place, nth) = (places >> shift & 0xff, met >> shift & 0xff);
            let part = (self.first[symbol] + nth as usize) * MOST + place as usize;
            key += self.parts[part];
            places += 0x0101_0101_0101_0101 >> (56 - shift as u32);
            met += 1 << shift;
            cells &= cells - 1;
        }
        key
    }

    /// All open cells.
    pub(super) fn full(&self) -> u64 {
        self.full
    }

    fn binomial(&self, n: usize, k: usize) -> u64 {
        self.binomials[n * (MOST + 1) + k]
    }

    /// The places of a symbol among so many left.
    fn set(&self, count: u32, mut digit: u64, many: usize) -> Option<u64> {
        let (mut taken, mut place) = (0_u64, many);
        for nth in (1..=count as usize).rev() {
            // The last place at which so many lie before it, or fewer.
            place = (0..place)
                .rev()
                .find(|&at| self.binomial(at, nth) <= digit)?;
            digit -= self.binomial(place, nth);
            taken |= 1 << place;
        }
        Some(taken)
    }

    /// The position of a key; `None` for one that no position has. `covers` says what a piece of
    /// a kind covers from its first cell, nothing where it does not fit.
    pub(super) fn unpack(
        &self,
        key: u128,
        covers: impl Fn(usize, usize) -> u64,
    ) -> Option<Position> {
        let mut string = [0_u8; MOST];
        let mut left = match self.length <= Short::MOST {
            true => Left::Short(Short::all()),
            false => Left::Long(std::array::from_fn(|at| at as u8)),
        };
        let (mut many, mut rest) = (self.length, key);
        for (symbol, &(count, radix, _)) in (0_u8..).zip(&self.symbols) {
            let digit;
            (digit, rest) = divided(rest, radix);
            let digit = u64::try_from(digit).ok()?;
            let taken = match self.sets[usize::from(symbol)].get(digit as usize) {
                Some(&taken) => taken,
                None => self.set(count, digit, many)?,
            };
            match &mut left {
                Left::Short(left) => left.take(taken, |place| string[place] = symbol),
                Left::Long(left) => take(left, many, taken, |place| string[place] = symbol),
            }
            many -= count as usize;
        }
        if rest != 0 {
            return None;
        }
        let (mut position, mut free) = (Position::default(), self.full);
        for &symbol in &string[..self.length] {
            let cell = (free != 0).then(|| free.trailing_zeros())?;
            let covered = match usize::from(symbol).checked_sub(1) {
                None => {
                    position.empty |= 1 << cell;
                    1 << cell
                }
                Some(kind) => {
                    position.anchors[kind] |= 1 << cell;
                    covers(kind, cell as usize)
                }
            };
            if covered == 0 || covered & !free != 0 {
                return None;
            }
            free ^= covered;
        }
        (free == 0).then_some(position)
    }

    /// The key of a position.
    pub(super) fn pack(&self, position: &Position) -> u128 {
        let kinds = self.symbols.len() - 1;
        let all = position.anchors[..kinds].iter();
        let mut left = all.fold(position.empty, |all, anchors| all | anchors);
        let sets = std::iter::once(position.empty).chain(position.anchors);
        let mut key = 0;
        for (set, &(_, _, weight)) in sets.zip(&self.symbols) {
            let digit: u64 = bits(set)
                .zip(1..)
                .map(|(cell, nth)| {
                    let place = (left & ((1 << cell) - 1)).count_ones() as usize;
                    self.binomial(place, nth)
                })
                .sum();
            key += u128::from(digit) * weight;
            left &= !set;
        }
        key
    }
}

/// The places of a string that no symbol has taken yet, in order.
enum Left {
    Short(Short),
    Long([u8; MOST]),
}

/// The same of a short string, in the digits of a word.
struct Short(u64);

impl Short {
    /// Most places of a string.
    const MOST: usize = 16;

    fn all() -> Self {
        Self(0xfedc_ba98_7654_3210)
    }

    /// Takes those at these positions away, and calls `each` of them.
    #[inline]
    fn take(&mut self, mut positions: u64, mut each: impl FnMut(usize)) {
        // From the last, so that those before it stay where they are.
        while positions != 0 {
            let last = 63 - positions.leading_zeros();
            positions ^= 1 << last;
            let shift = 4 * (last % 16);
            each((self.0 >> shift & 0xf) as usize);
            let before = (1 << shift) - 1;
            self.0 = self.0 & before | self.0 >> 4 & !before;
        }
    }
}

/// [`Short::take`], of a string of any length with so many places left.
fn take(left: &mut [u8; MOST], many: usize, positions: u64, mut each: impl FnMut(usize)) {
    for position in bits(positions) {
        each(usize::from(left[position as usize]));
    }
    // Whether one is kept, no processor can foresee.
    let mut kept = 0;
    for at in 0..many {
        left[kept] = left[at];
        kept += usize::from(positions >> at & 1 == 0);
    }
}

/// The sets of so many places by their digits: in the order of the masks.
fn sets_of(count: u32, radix: u128) -> Vec<u64> {
    let mut set = u64::MAX.checked_shr(u64::BITS - count).unwrap_or(0);
    let mut sets = Vec::with_capacity(radix as usize);
    for _ in 1..radix {
        sets.push(set);
        // The next number with as many bits.
        let lowest = set & set.wrapping_neg();
        let carried = set.wrapping_add(lowest);
        let moved = (set ^ carried).checked_shr(2 + lowest.trailing_zeros());
        set = carried | moved.unwrap_or(0);
    }
    sets.push(set);
    sets
}

/// Quotient and rest the other way round: a rest of a number and what is left of it. Most keys
/// fit a word, which divides much faster.
fn divided(number: u128, by: u128) -> (u128, u128) {
    match (u64::try_from(number), u64::try_from(by)) {
        (Ok(number), Ok(by)) => (u128::from(number % by), u128::from(number / by)),
        _ => (number % by, number / by),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances;
    use puzzle_api::{Request, Settings, Xorshift};

    fn packings() -> Vec<Packing> {
        let names = ["donkey", "climb-12", "climb-pro-24", "mini-climb-pro"];
        let open = |instance| {
            let settings = &Settings::new();
            let board = instances::open(&Request { instance, settings })
                .unwrap()
                .board;
            let open: Vec<usize> = board.grid.open_cells().collect();
            Packing::new(&board, &open)
        };
        names.map(open).into()
    }

    #[test]
    fn sets_written_out_are_those_of_their_digits() {
        for packing in packings() {
            let mut many = packing.length;
            for (sets, &(count, radix, _)) in packing.sets.iter().zip(&packing.symbols) {
                assert!(radix > MOST_SETS || sets.len() as u128 == radix);
                for (digit, &set) in (0..).zip(sets) {
                    assert_eq!(packing.set(count, digit, many), Some(set));
                }
                many -= count as usize;
            }
        }
    }

    #[test]
    fn places_left_in_a_word_are_those_of_a_list() {
        let mut random = Xorshift::for_draw(7, 0);
        for _ in 0..500 {
            let (mut short, mut many) = (Short::all(), Short::MOST);
            let mut long: [u8; MOST] = std::array::from_fn(|at| at as u8);
            while many != 0 {
                let positions = random.below(1 << many);
                let (mut by_word, mut by_list) = (Vec::new(), Vec::new());
                short.take(positions, |place| by_word.insert(0, place));
                take(&mut long, many, positions, |place| by_list.push(place));
                assert_eq!(by_word, by_list);
                many -= positions.count_ones() as usize;
            }
        }
    }

    #[test]
    fn a_key_of_one_pass_is_that_of_each_symbol_by_itself() {
        let mut random = Xorshift::for_draw(6, 0);
        let mut narrow = 0;
        for packing in packings().iter().filter(|packing| packing.is_narrow()) {
            narrow += 1;
            for _ in 0..300 {
                let counts = packing.symbols.iter().map(|&(count, ..)| count as usize);
                let mut string: Vec<u8> = (0..)
                    .zip(counts)
                    .flat_map(|(symbol, count)| vec![symbol; count])
                    .collect();
                for at in 1..string.len() {
                    string.swap(at, random.below(at as u64 + 1) as usize);
                }
                // Cells of a string that are passed over: every third.
                let (mut position, mut cells) = (Position::default(), 0);
                let mut symbols = [0; MOST];
                for (at, &symbol) in string.iter().enumerate() {
                    let cell = at + at / 3;
                    cells |= 1 << cell;
                    symbols[cell] = symbol;
                    match usize::from(symbol).checked_sub(1) {
                        None => position.empty |= 1 << cell,
                        Some(kind) => position.anchors[kind] |= 1 << cell,
                    }
                }
                assert_eq!(packing.pack_laid(&symbols, cells), packing.pack(&position));
            }
        }
        assert!(narrow >= 2);
    }
}
