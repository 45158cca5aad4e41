//! Binomial coefficients, exact.

use super::MOST_CELLS;

const SIDE: usize = MOST_CELLS as usize + 1;

/// C(n, k) for n and k up to 64, 0 if k > n. The largest, C(64, 32), is about
/// 1.8 * 10^18 and fits. 33 KiB.
pub static BINOMIALS: [[u64; SIDE]; SIDE] = pascal();

const fn pascal() -> [[u64; SIDE]; SIDE] {
    let mut table = [[0; SIDE]; SIDE];
    let mut n = 0;
    while n < SIDE {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// C(n, k), 0 if k > n.
///
/// # Panics
/// If n > 64.
#[inline]
#[must_use]
pub fn binomial(n: u32, k: u32) -> u64 {
    assert!(n <= MOST_CELLS, "n = {n} is more than 64");
    if k > n {
        0
    } else {
        BINOMIALS[n as usize][k as usize]
    }
}
