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
/// If n > 64: use [`binomial_u128`].
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

/// C(n, k) for any n, by the product formula; `None` if it does not fit.
#[must_use]
pub fn binomial_u128(n: u64, k: u64) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut ways = 1_u128;
    for i in 0..k {
        // C(n, i + 1) = C(n, i) * (n - i) / (i + 1). Cancelled first, no intermediate
        // result is larger than the next binomial.
        let (up, down) = (u128::from(n - i), u128::from(i + 1));
        let common = gcd(ways, down);
        ways = (ways / common).checked_mul(up / (down / common))?;
    }
    Some(ways)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
