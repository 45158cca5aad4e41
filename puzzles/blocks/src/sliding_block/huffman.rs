//! Length of the seed's coding of a position: the string of symbols in a Huffman code for their
//! frequencies. Every position has the same symbols, so all take the same number of bits (Dogon,
//! "encoding of the board positions").

/// Fewest bits of a string with these frequencies of symbols.
pub fn bits(counts: &[u8]) -> u32 {
    let pairs = counts.iter().zip(lengths(counts));
    pairs
        .map(|(&count, length)| u32::from(count) * u32::from(length))
        .sum()
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
    use crate::sliding_block::instances::{named, shipped};

    /// Kraft's sum is one: words of these lengths exist, and none could be shorter.
    #[test]
    fn words_use_all_bits() {
        for board in shipped() {
            let board = named(board.name).expect("ships");
            let words = lengths(board.alphabet.counts());
            let sum: u64 = words.iter().map(|&length| 1 << (32 - length)).sum();
            assert_eq!(sum, 1 << 32, "{}", board.name);
        }
    }

    #[test]
    fn a_known_code() {
        assert_eq!(lengths(&[4, 2, 1, 1]), [1, 2, 3, 3]);
        assert_eq!(bits(&[4, 2, 1, 1]), 4 + 4 + 3 + 3);
        assert_eq!(bits(&[7]), 7);
    }
}
