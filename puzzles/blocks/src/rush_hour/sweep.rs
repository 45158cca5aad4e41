//! Distances of all placements of a part, all contents of its columns at once.
//!
//! # How it works
//!
//! A part is given by the sequences of its rows, so its rows can be filled in few ways (at most
//! 38,880 on 6x6, 1,200 on average). For each, the placements are the *product* of the possible
//! contents of every column: a block of bits, one per placement. Layouts of the columns cost
//! nothing extra.
//!
//! *Words.* The contents of the trailing columns are the place of a bit in a word, those of the
//! others number the words. The column between them is cut, so that words are full (`shapes`). Each
//! part chooses its trailing columns (`part`).
//!
//! *Columns.* A move along a trailing column is a shift and a mask, for all placements of a word at
//! once. A move along a leading column takes the bits to another word of the block.
//!
//! *Rows.* A move along a row leads to another block, for the placements whose columns leave its
//! cells free. Both blocks hold these in the same order. So `pext` and `pdep` take a word of one
//! block to one or more words of the other (`locals`). Two short tables give these words, one by
//! the first leading columns and one by the others (`edges`).
//!
//! *Continuing.* A piece is moved by one cell first, and farther only if that reached unseen
//! placements. States seen are in the level itself and are moved from their own place, or a nearer
//! one. Then all further places of the piece were seen with them.
//!
//! *Levels.* The frontier is a list of non-empty words, by block. A block with nothing left to see
//! is neither moved in nor moved to.

mod columns;
mod edges;
mod emit;
mod locals;
mod memo;
mod part;
mod search;
mod shapes;

use std::sync::Mutex;

use puzzle_api::Swept;

use crate::bits;
use crate::rush_hour::instances::Instance;
use crate::rush_hour::moves::LineMoves;
use crate::rush_hour::numbering::Numbers;
use columns::Columns;
use emit::Emit;
use part::Part;
use search::Scratch;
use shapes::Shapes;

/// The subject of the sweep: an instance, the numbers of its parts and the moves of its lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) numbers: &'a Numbers,
    pub(crate) moves: &'a [LineMoves],
}

/// Data that the sweep keeps between parts.
#[derive(Debug)]
pub(crate) struct Tables {
    columns: Columns,
    /// Buffers of threads that are between parts.
    spare: Mutex<Vec<(Shapes, Part, Scratch)>>,
}

impl Tables {
    pub(crate) fn new(lines: Lines<'_>) -> Self {
        Self {
            columns: columns::columns(lines.instance, lines.numbers, lines.moves),
            spare: Mutex::default(),
        }
    }

    /// Walks a part, as [`puzzle_api::Sweep::sweep`] specifies.
    pub(crate) fn sweep(
        &self,
        lines: Lines<'_>,
        number: u64,
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        let Lines {
            instance,
            numbers,
            moves,
        } = lines;
        let Some(rows) = numbers.rows(instance, number) else {
            return;
        };
        let lock = || {
            self.spare
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
        };
        let (mut shapes, mut part, mut scratch) = lock().pop().unwrap_or_default();
        shapes.tidy();
        let columns = &self.columns;
        part.renew(instance, numbers, columns, moves, &rows, &mut shapes);
        scratch.start(&part, &shapes);
        run(
            &part,
            &shapes,
            columns,
            &mut scratch,
            &mut |keys, depths| {
                emit(Swept {
                    keys,
                    depths,
                    orbit_size: 1,
                })
            },
        );
        lock().push((shapes, part, scratch));
    }
}

/// Level by level, then the rest.
fn run(part: &Part, shapes: &Shapes, columns: &Columns, scratch: &mut Scratch, emit: Emit<'_>) {
    for depth in 0.. {
        match scratch.close_level(part, shapes, depth, emit) {
            None => return,
            Some(false) => break,
            Some(true) => expand(part, shapes, columns, scratch),
        }
    }
    scratch.close_rest(part, shapes, emit);
}

fn expand(part: &Part, shapes: &Shapes, columns: &Columns, scratch: &mut Scratch) {
    #[cfg(target_arch = "x86_64")]
    if bits::is_newer() {
        // SAFETY: the processor has the features that the function is compiled for.
        #[allow(unsafe_code)]
        unsafe {
            expand_by_hardware(part, shapes, columns, scratch);
        }
        return;
    }
    scratch.expand::<bits::Plain>(part, shapes, columns);
}

/// [`Scratch::expand`], compiled for a processor that gathers and scatters bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn expand_by_hardware(part: &Part, shapes: &Shapes, columns: &Columns, scratch: &mut Scratch) {
    scratch.expand::<bits::Bmi2>(part, shapes, columns);
}
