//! Placements of an instance by their counts of blocks.

/// Counts of blocks with the number of placements that have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) grey: u32,
    pub(crate) blue: u32,
    pub(crate) green: u32,
    pub(crate) placements: u64,
}

/// n! / (k! (n-k)!), by the product formula; 0 if k > n.
pub(crate) fn binomial(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (0..u64::from(k)).fold(1, |ways, i| ways * (u64::from(n) - i) / (i + 1))
}
