//! Memory and kernels of a graphics card, as engine `gpu` uses them. The engine knows a card as a
//! [`Device`]; tests run the same kernels on the processor.

mod card;

pub use card::{Card, missing};

/// A kernel of `kernels/levels.cu`; its number is its place here.
#[derive(Debug, Clone, Copy)]
pub enum Kernel {
    /// Adds the neighbours of `from` to `next`.
    Expand,
    /// Keeps the new states of `next`, and adds up their level.
    Settle,
    /// Lists states of `from`.
    Pick,
}

/// Kernels by number, with their names in the PTX.
pub const KERNELS: [&str; 3] = ["expand", "settle", "pick"];

/// Words of [`Slab::sums`]: some copies of five sums, so that threads wait less for each other.
pub const SUMS: usize = 5 * 64;

/// Arguments of every kernel, `struct slab` of `kernels/levels.cu`. Sets have a bit for each rank;
/// the first members are addresses on the device.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Slab {
    /// Constants of the instance.
    pub table: u64,
    /// The level to expand or to list.
    pub from: u64,
    /// All states of finished levels.
    pub seen: u64,
    /// The next level.
    pub next: u64,
    /// States, orbits, and hashes of a level in three words; for [`Kernel::Pick`] only a number.
    pub sums: u64,
    /// Keys that were listed.
    pub list: u64,
    /// Ranks of the part.
    pub size: u64,
    /// The part.
    pub part: u64,
    /// Words of the sets to work on: the first, and their number.
    pub first: u64,
    /// One thread each.
    pub words: u64,
    /// 1 to expand against the moves.
    pub backward: u64,
    /// 1 if orbits count, each by its smallest key.
    pub symmetry: u64,
    /// Keys to list: those whose hash begins here, in a window of this width; 0 for all.
    pub start: u64,
    /// The width.
    pub width: u64,
}

/// A device that runs kernels on its own memory. Errors are what its driver reports.
pub trait Device: Send + Sync {
    /// What it is called.
    fn name(&self) -> String;

    /// Free bytes of its memory.
    fn free(&self) -> Result<u64, String>;

    /// Takes some words of its memory, for as long as the device is open; returns their address.
    fn take(&self, words: u64) -> Result<u64, String>;

    /// Sets every byte of some words.
    fn fill(&self, at: u64, words: u64, byte: u8) -> Result<(), String>;

    /// Writes words.
    fn write(&self, at: u64, words: &[u64]) -> Result<(), String>;

    /// Reads words.
    fn read(&self, at: u64, words: &mut [u64]) -> Result<(), String>;

    /// Runs a kernel with a thread for each word of the slab, and waits for its end.
    fn launch(&self, kernel: Kernel, slab: &Slab) -> Result<(), String>;
}
