//! Length of the seed's coding of a position: the string of symbols in a Huffman code for their
//! frequencies. Every position has the same symbols, so all take the same number of bits (Dogon,
//! "encoding of the board positions").

use std::cmp::Reverse;

/// Fewest bits of a string with these frequencies of symbols: the two rarest groups are joined until
/// one is left, and each time the words of both become longer by a bit.
pub fn bits(counts: &[u8]) -> u32 {
    let mut groups: Vec<u32> = counts.iter().map(|&count| count.into()).collect();
    groups.retain(|&count| count > 0);
    if let [only] = groups[..] {
        return only;
    }
    let mut bits = 0;
    while groups.len() > 1 {
        groups.sort_unstable_by_key(|&count| Reverse(count));
        let joined = groups.split_off(groups.len() - 2).iter().sum();
        bits += joined;
        groups.push(joined);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_codes() {
        assert_eq!(bits(&[4, 2, 1, 1]), 4 + 2 * 2 + 3 + 3);
        assert_eq!(bits(&[0, 7]), 7);
        assert_eq!(bits(&[5, 5, 5, 5]), 40);
    }
}
