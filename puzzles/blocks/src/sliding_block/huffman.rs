//! The seed's coding of a position: the string of symbols in a Huffman code for how often
//! each symbol stands in it. Every position has the same symbols, so all take the same
//! number of bits (Dogon, "encoding of the board positions").

/// A prefix code of a board's symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Huffman {
    /// By symbol: length of its code word in bits; 0 for a symbol that never stands.
    lengths: Vec<u8>,
    /// By symbol: the code word.
    words: Vec<u128>,
    /// Symbols by length and number, with the first word of each length.
    by_length: Vec<(u8, u128, Vec<u8>)>,
    bits: u32,
    symbols: usize,
}

impl Huffman {
    /// A code with the fewest bits for these counts by symbol; `None` if a string takes
    /// more than 128 bits.
    #[must_use]
    pub fn new(counts: &[u8]) -> Option<Self> {
        let lengths = lengths(counts);
        let pairs = counts.iter().zip(&lengths);
        let bits = pairs.map(|(&count, &length)| u32::from(count) * u32::from(length));
        let bits: u32 = bits.sum();
        if bits > u128::BITS {
            return None;
        }
        // Canonical: shorter words first, within a length by symbol.
        let mut order: Vec<usize> = (0..counts.len()).filter(|&s| lengths[s] > 0).collect();
        order.sort_by_key(|&symbol| (lengths[symbol], symbol));
        let mut words = vec![0; counts.len()];
        let mut by_length: Vec<(u8, u128, Vec<u8>)> = Vec::new();
        let (mut word, mut length) = (0_u128, 0);
        for symbol in order {
            word <<= lengths[symbol] - length;
            length = lengths[symbol];
            words[symbol] = word;
            match by_length.last_mut().filter(|group| group.0 == length) {
                Some(group) => group.2.push(symbol as u8),
                None => by_length.push((length, word, vec![symbol as u8])),
            }
            word += 1;
        }
        Some(Self {
            lengths,
            words,
            by_length,
            bits,
            symbols: counts.iter().map(|&count| usize::from(count)).sum(),
        })
    }

    /// Bits of every string.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Length of each symbol's code word in bits.
    #[must_use]
    pub fn lengths(&self) -> &[u8] {
        &self.lengths
    }

    /// Code word of each symbol.
    #[must_use]
    pub fn words(&self) -> &[u128] {
        &self.words
    }

    /// The bits of a string, the first symbol's highest.
    #[must_use]
    pub fn encode(&self, string: &[u8]) -> u128 {
        string.iter().fold(0, |bits, &symbol| {
            let symbol = usize::from(symbol);
            bits << self.lengths[symbol] | self.words[symbol]
        })
    }

    /// The string of [`Huffman::encode`].
    #[must_use]
    pub fn decode(&self, bits: u128) -> Vec<u8> {
        let mut string = Vec::with_capacity(self.symbols);
        let mut left = self.bits;
        while left > 0 {
            let symbol = self.by_length.iter().find_map(|(length, first, symbols)| {
                let word = (bits >> left.checked_sub(u32::from(*length))?) & mask(*length);
                let place = word.checked_sub(*first)?;
                Some((*length, *symbols.get(usize::try_from(place).ok()?)?))
            });
            // Bits that `encode` made always begin with a word.
            let Some((length, symbol)) = symbol else {
                break;
            };
            string.push(symbol);
            left -= u32::from(length);
        }
        string
    }
}

fn mask(length: u8) -> u128 {
    (1 << length) - 1
}

/// Lengths of the code words: the two rarest groups are joined until one is left.
fn lengths(counts: &[u8]) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    let mut groups: Vec<(u32, Vec<usize>)> = (0..counts.len())
        .filter(|&symbol| counts[symbol] > 0)
        .map(|symbol| (u32::from(counts[symbol]), vec![symbol]))
        .collect();
    if let [(_, only)] = &groups[..] {
        lengths[only[0]] = 1;
    }
    while groups.len() > 1 {
        groups.sort_by_key(|(count, symbols)| std::cmp::Reverse((*count, symbols[0])));
        let (Some(rarest), Some((count, mut symbols))) = (groups.pop(), groups.pop()) else {
            break;
        };
        symbols.extend(rarest.1);
        for &symbol in &symbols {
            lengths[symbol] += 1;
        }
        groups.push((count + rarest.0, symbols));
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding_block::instances::{NAMED, named};

    #[test]
    fn words_are_prefix_free_and_use_all_bits() {
        for board in NAMED {
            let board = named(board.name).expect("ships");
            let code = Huffman::new(board.alphabet.counts()).expect("short");
            let pairs = || code.lengths().iter().zip(code.words());
            // Kraft's sum is one: no word could be shorter.
            let sum: u64 = code
                .lengths()
                .iter()
                .map(|&length| 1 << (32 - length))
                .sum();
            assert_eq!(sum, 1 << 32, "{}", board.name);
            for (i, (&a, &word)) in pairs().enumerate() {
                for (j, (&b, &other)) in pairs().enumerate() {
                    assert!(i == j || a > b || other >> (b - a) != word, "{i} {j}");
                }
            }
            let string = board.string(&board.start);
            assert_eq!(code.decode(code.encode(&string)), string);
        }
    }

    #[test]
    fn a_known_code() {
        // 4 + 2 + 1 + 1 symbols: words of 1, 2, 3 and 3 bits.
        let code = Huffman::new(&[4, 2, 1, 1]).expect("short");
        assert_eq!(code.lengths(), [1, 2, 3, 3]);
        assert_eq!(code.bits(), 4 + 4 + 3 + 3);
        assert!(Huffman::new(&[5; 40]).is_none());
    }
}
