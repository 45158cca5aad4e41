//! Loops over all threads of the pool. An adapter of rayon is compiled anew for each closure, and
//! that was a fifth of this crate; these loops share one.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::error::locked;

/// Does numbered pieces of work.
pub fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// The results of work on some items, in their order. After a failure no further work begins.
///
/// # Errors
/// A failure; which of several depends on the threads.
pub fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    // Plain loops: chains of adapters would be compiled for each closure too.
    let mut slots = Vec::new();
    for item in items {
        slots.push(Mutex::new((Some(item), None)));
    }
    let failed = AtomicBool::new(false);
    each(slots.len(), &|at| {
        if failed.load(Relaxed) {
            return;
        }
        let slot = &mut *locked(&slots[at]);
        if let Some(item) = slot.0.take() {
            let done = work(item);
            if done.is_err() {
                failed.store(true, Relaxed);
            }
            slot.1 = Some(done);
        }
    });
    let mut results = Vec::with_capacity(slots.len());
    for slot in slots {
        if let Some(done) = slot.into_inner().unwrap_or_else(PoisonError::into_inner).1 {
            results.push(done?);
        }
    }
    Ok(results)
}

/// Like [`try_map`], for work without a result.
///
/// # Errors
/// Same as [`try_map`].
pub fn try_each<T: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    try_map(items, work).map(drop)
}

/// Like [`try_map`], for work that cannot fail.
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let Ok(done) = try_map(items, |item| Ok::<R, Infallible>(work(item)));
    done
}

#[cfg(test)]
mod tests {
    use super::{map, try_map};

    #[test]
    fn results_are_in_order_and_no_work_begins_after_a_failure() {
        let numbers = || 0..10_000_u32;
        assert!(
            map(numbers(), |n| n * 2)
                .into_iter()
                .eq(numbers().map(|n| n * 2))
        );
        assert!(map(0..0, |n: u32| n).is_empty());
        let begun = super::AtomicBool::new(false);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let failed = pool.unwrap().install(|| {
            try_map(numbers(), |n| match n {
                0..=9 => Ok(n),
                10 => Err(n),
                _ => Ok(begun.fetch_or(true, super::Relaxed).into()),
            })
        });
        assert_eq!(failed, Err(10));
        assert!(!begun.into_inner());
    }
}
