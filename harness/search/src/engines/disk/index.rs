//! The index of a level: the place of each partition's run.

use super::segment::PackedRun;

/// First bytes of an index.
const MAGIC: u64 = u64::from_le_bytes(*b"antindx1");
/// Bytes of a run in an index.
const RUN: usize = 40;

/// The index of a level.
pub(super) fn index_bytes(runs: &[PackedRun]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + runs.len() * RUN);
    bytes.extend(MAGIC.to_le_bytes());
    for run in runs {
        for word in [
            u64::from(run.segment),
            run.offset,
            run.bytes,
            run.states,
            run.check,
        ] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes
}

/// The runs that an index names; `None` if it does not have n partitions.
pub(super) fn runs_of(bytes: &[u8], partitions: usize) -> Option<Vec<PackedRun>> {
    let mut words = bytes.chunks(8).map(|word| {
        let word: Option<[u8; 8]> = word.try_into().ok();
        word.map(u64::from_le_bytes)
    });
    if words.next()?? != MAGIC || bytes.len() != 8 + partitions * RUN {
        return None;
    }
    let mut runs = Vec::with_capacity(partitions);
    for _ in 0..partitions {
        runs.push(PackedRun {
            segment: words.next()?? as u32,
            offset: words.next()??,
            bytes: words.next()??,
            states: words.next()??,
            check: words.next()??,
        });
    }
    Some(runs)
}
