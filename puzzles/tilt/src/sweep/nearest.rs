//! The innermost loop of the sweep.
#![allow(unsafe_code)]

use super::images::UNKNOWN;

/// The placements that have a blue set and their first green in common.
pub(super) struct Ray<'a> {
    /// Addresses by direction, but for the second green.
    pub(super) bases: [u32; 4],
    /// Shares of the second greens.
    pub(super) second: &'a [[u32; 4]],
    /// Their bits in the key.
    pub(super) bits: &'a [u64],
    pub(super) key: u64,
}

/// Squares that one step takes in: a fixed count has no exit to mispredict.
pub(super) const CHUNK: usize = 4;

/// Writes the keys of a ray's placements and the least of their entries over
/// the directions in `LEGAL`, in whole chunks.
#[inline]
pub(super) fn nearest_of_ray<const LEGAL: u32>(
    entries: &[u8],
    ray: &Ray,
    keys: &mut [u64],
    nearest: &mut [u8],
) {
    let [left, right, up, down] = ray.bases;
    let outputs = keys.as_chunks_mut::<CHUNK>().0.iter_mut();
    let outputs = outputs.zip(nearest.as_chunks_mut::<CHUNK>().0);
    let inputs = ray.second.as_chunks::<CHUNK>().0.iter();
    let inputs = inputs.zip(ray.bits.as_chunks::<CHUNK>().0);
    for ((keys, nearest), (seconds, bits)) in outputs.zip(inputs) {
        for at in 0..CHUNK {
            let second = &seconds[at];
            let entry = |base: u32, share: u32| {
                let address = base.wrapping_add(share) as usize;
                debug_assert!(address < entries.len());
                // SAFETY: the shares add up to rank * width^2 + slot * width
                // + slot of the placement after a legal tilt, as `Lines`
                // builds them, or to the base and 0 where a square is no
                // second green. The rank is below the number of blue sets and
                // slots are below the width, so the address is in the table.
                u32::from(unsafe { *entries.get_unchecked(address) })
            };
            // Spelt out, since a loop over the directions is not unrolled.
            let mut least = u32::from(UNKNOWN);
            if LEGAL & 1 != 0 {
                least = least.min(entry(left, second[0]));
            }
            if LEGAL & 2 != 0 {
                least = least.min(entry(right, second[1]));
            }
            if LEGAL & 4 != 0 {
                least = least.min(entry(up, second[2]));
            }
            if LEGAL & 8 != 0 {
                least = least.min(entry(down, second[3]));
            }
            keys[at] = ray.key | bits[at];
            nearest[at] = least as u8;
        }
    }
}
