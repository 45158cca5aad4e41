//! A cache of the tables of recently requested parts.

use std::sync::{Arc, PoisonError, RwLock};

/// Number of tables kept; a part uses the slot of its number modulo this.
const KEPT: usize = 64;

type Slot<T> = RwLock<Option<(u64, Arc<T>)>>;

#[derive(Debug)]
pub struct Kept<T>(Vec<Slot<T>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self((0..KEPT).map(|_| RwLock::new(None)).collect())
    }
}

impl<T> Kept<T> {
    /// The table of a part, built if it is not kept.
    pub fn of(&self, part: u64, make: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let slot = &self.0[part as usize % KEPT];
        // A thread that panicked left the slot valid: it is written in one step.
        let kept = slot.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = kept.as_ref().filter(|(own, _)| *own == part) {
            return Some(Arc::clone(table));
        }
        drop(kept);
        let table = Arc::new(make()?);
        *slot.write().unwrap_or_else(PoisonError::into_inner) = Some((part, Arc::clone(&table)));
        Some(table)
    }
}
