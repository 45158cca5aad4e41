//! Memory that a plugin writes to, with a guard after it.

/// Elements after an output that a plugin must leave alone.
pub(super) const GUARD: usize = 64;

/// A value that plugins are unlikely to write by accident.
pub(super) trait Marker: Copy + Default + PartialEq {
    const MARK: Self;
}

impl Marker for u64 {
    const MARK: Self = 0x6775_6172_645f_6161;
}

impl Marker for u32 {
    const MARK: Self = 0x6775_6172;
}

impl Marker for u8 {
    const MARK: Self = 0xa5;
}

/// A buffer for a number of elements that a call is to fill, with a guard.
#[derive(Debug)]
pub(super) struct GuardedBuffer<T> {
    elements: Vec<T>,
    guard: usize,
}

impl<T: Marker> Default for GuardedBuffer<T> {
    fn default() -> Self {
        Self::new(0)
    }
}

impl<T: Marker> GuardedBuffer<T> {
    /// A buffer whose elements are marked as not written.
    pub(super) fn new(length: usize) -> Self {
        Self {
            elements: vec![T::MARK; length + GUARD],
            guard: GUARD,
        }
    }

    /// A buffer for an unknown number of elements, with a guard of n elements. It is not marked:
    /// the system provides large blocks zeroed, each page when it is first written, and most calls
    /// fill a small part. Writing all of it took a quarter of the pages of a search of some
    /// thousand states.
    pub(super) fn guarded(length: usize, guard: usize) -> Self {
        let mut elements = vec![T::default(); length + guard];
        elements[length..].fill(T::MARK);
        Self { elements, guard }
    }

    /// Fills the buffer anew, in the memory that it has; returns the number of elements.
    pub(super) fn refill<E>(
        &mut self,
        fill: impl FnOnce(&mut Vec<T>) -> Result<(), E>,
    ) -> Result<usize, E> {
        self.elements.clear();
        let done = fill(&mut self.elements);
        let length = self.elements.len();
        self.stretch(length);
        done.map(|()| length)
    }

    /// The first elements.
    pub(super) fn first(&self, count: usize) -> &[T] {
        &self.elements[..count]
    }

    /// Resizes the buffer to `length` elements, which keep their values, and sets up the guard
    /// after them.
    pub(super) fn stretch(&mut self, length: usize) {
        self.elements.resize(length + self.guard, T::MARK);
        self.elements[length..].fill(T::MARK);
    }

    /// Marks all elements as not written.
    pub(super) fn mark(&mut self) {
        self.elements.fill(T::MARK);
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len() - self.guard
    }

    pub(super) fn guard(&self) -> usize {
        self.guard
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut T {
        self.elements.as_mut_ptr()
    }

    /// Like [`GuardedBuffer::filled`], without the guard.
    pub(super) fn into_filled(mut self) -> Option<Vec<T>> {
        let length = self.filled()?.len();
        self.elements.truncate(length);
        Some(self.elements)
    }

    /// The elements; `None` if a call wrote beyond them.
    pub(super) fn filled(&self) -> Option<&[T]> {
        let (elements, guard) = self.elements.split_at(self.len());
        let whole = guard.iter().all(|&element| element == T::MARK);
        whole.then_some(elements)
    }
}
