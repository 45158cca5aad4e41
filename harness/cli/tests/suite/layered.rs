//! Engine `hash` on layered graphs, which keeps no set of all states met: the same bytes on any
//! number of threads, and a limit to memory that cuts the table off between levels. `engines.rs`
//! compares it with the plain queue.

use crate::support::{Text, forward, tables, try_analyse};

/// Enough states for several partitions and slabs' worth of batches.
#[test]
fn levels_of_many_partitions_do_not_depend_on_threads() {
    let mut asked = forward("peg-solitaire/english-33 to=any", "hash");
    asked.max_depth = Some(10);
    let one = try_analyse(&asked).unwrap();
    asked.threads = 2;
    let two = try_analyse(&asked).unwrap();
    assert_eq!(tables(&one), tables(&two));
    let orbits = one.levels.levels.iter().map(|level| level.orbits);
    // As published: sequence A112737 of the OEIS.
    assert_eq!(
        orbits.collect::<Vec<_>>(),
        [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31_312, 89_927]
    );
}

#[test]
fn a_limit_to_memory_leaves_whole_levels() {
    let mut asked = forward("peg-solitaire/diamond-41", "hash");
    asked.max_depth = Some(9);
    let whole = try_analyse(&asked).unwrap();
    asked.options.memory = Some(400_000);
    let cut = try_analyse(&asked).unwrap();
    assert!(!cut.run.complete);
    let why = cut.run.stopped_because.as_deref().unwrap();
    why.has(["390.62 KiB"]);
    let (cut, whole) = (&cut.levels.levels, &whole.levels.levels);
    assert!(cut.len() > 2 && cut.len() < whole.len());
    assert_eq!(cut[..], whole[..cut.len()]);
}
