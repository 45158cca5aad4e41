//! The kernels of engine `gpu` as C, behind `shim.c`, on several threads of the host.

#![allow(unsafe_code)]

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use antipode_gpu::{Device, Kernel, Slab};
use antipode_graph::builtin;
use libloading::{Library, Symbol};
use puzzle_api::Direction;

use super::{GpuEngine, Memory, SLAB, WHOLE};
use crate::engine::Engine;
use crate::engines::hash::HashEngine;
use crate::observers::{InclusionList, Observers, Sampling};
use crate::outcome::{Outcome, StopReason};
use crate::progress::{Progress, Stop};
use crate::question::Roots;
use crate::search::{Held, Search};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The folder of a puzzle's `gpu.cu`.
fn folder(puzzle: &str) -> String {
    let folder = match puzzle {
        "coin-sliding" => "coin-sliding/src",
        _ => "classics/src/sliding_tile",
    };
    format!("{ROOT}/puzzles/{folder}")
}

type Run = unsafe extern "C" fn(u64, u64, u64, *const Slab);

/// The processor as a device.
struct Host {
    kernels: Library,
    taken: Mutex<Vec<Vec<u64>>>,
    free: u64,
}

impl Host {
    fn open(puzzle: &str, free: u64) -> Box<Self> {
        let built = tempfile::tempdir().unwrap();
        let file = built.path().join("kernels.so");
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args([
            "-std=gnu11",
            "-O2",
            "-Wall",
            "-Werror",
            "-shared",
            "-fPIC",
            "-I",
        ]);
        command.arg(folder(puzzle)).arg("-o").arg(&file);
        command.arg(format!("{ROOT}/harness/gpu/kernels/shim.c"));
        assert!(
            command
                .status()
                .expect("a C compiler: install one or set CC")
                .success()
        );
        Box::new(Self {
            // SAFETY: the library has no code that runs when it is loaded.
            kernels: unsafe { Library::new(file) }.unwrap(),
            taken: Mutex::default(),
            free,
        })
    }
}

/// Words at an address that a host gave.
fn words<'a>(at: u64, count: usize) -> &'a mut [u64] {
    // SAFETY: the engine stays within what it took, as a card would check, and no other reference
    // lives while one of these does.
    unsafe { std::slice::from_raw_parts_mut(at as *mut u64, count) }
}

impl Device for Host {
    fn name(&self) -> String {
        "the processor".to_owned()
    }

    fn free(&self) -> Result<u64, String> {
        Ok(self.free)
    }

    fn take(&self, words: u64) -> Result<u64, String> {
        let mut block = vec![0; words as usize];
        let at = block.as_mut_ptr() as u64;
        self.taken.lock().unwrap().push(block);
        Ok(at)
    }

    fn fill(&self, at: u64, count: u64, byte: u8) -> Result<(), String> {
        words(at, count as usize).fill(u64::from_ne_bytes([byte; 8]));
        Ok(())
    }

    fn write(&self, at: u64, new: &[u64]) -> Result<(), String> {
        words(at, new.len()).copy_from_slice(new);
        Ok(())
    }

    fn read(&self, at: u64, out: &mut [u64]) -> Result<(), String> {
        out.copy_from_slice(words(at, out.len()));
        Ok(())
    }

    fn launch(&self, kernel: Kernel, slab: &Slab) -> Result<(), String> {
        // SAFETY: this is the function of `shim.c`, and the slab has the layout of `struct slab`.
        let run: Symbol<'_, Run> = unsafe { self.kernels.get(b"run") }.unwrap();
        let share = slab.words.div_ceil(4);
        thread::scope(|scope| {
            for begin in (0..slab.words).step_by(share as usize) {
                let (run, end) = (&run, slab.words.min(begin + share));
                // SAFETY: the kernels write shared words by atomics only.
                scope.spawn(move || unsafe { run(kernel as u64, begin, end, slab) });
            }
        });
        Ok(())
    }
}

/// A search from the solved states or from a board.
fn search(name: &str, settings: &str, from: &str, way: Direction) -> Search<u64> {
    let settings: Vec<(&str, &str)> = settings
        .split(' ')
        .filter_map(|pair| pair.split_once('='))
        .collect();
    let graph = builtin::graph::<u64>(name, None, &settings).expect(name);
    let roots = match (from, way) {
        ("-", Direction::Backward) => Roots::Solved,
        ("-", Direction::Forward) => Roots::Starts,
        (board, _) => Roots::State(graph.parse(board).unwrap()),
    };
    Search::new(graph, way, roots, None).unwrap()
}

/// Gives a search the processor in place of a card.
fn hold(search: &mut Search<u64>, free: u64, sizes: (u64, u64)) -> Result<(), String> {
    let graph = &search.graph;
    let (_, table) = builtin::kernels(&graph.opened).unwrap().unwrap();
    let host = Host::open(&graph.opened.library.name, free);
    let taken = Memory::take(search, host, &table, sizes);
    let (memory, _) = taken.map_err(|error| error.to_string())?;
    search.held = Held::of(Mutex::new(memory));
    Ok(())
}

/// All that observers see of a search with an engine, as text.
fn seen(search: &Search<u64>, engine: &dyn Engine<u64>, list: &Arc<InclusionList<u64>>) -> String {
    let mut seen = Observers::new(Arc::clone(list), Sampling::new(1, 20));
    let progress = Progress::silent(&Stop::default());
    for part in search.parts().unwrap() {
        let walked = engine.levels(search, part, &mut seen, &progress).unwrap();
        assert_eq!(walked.outcome, Outcome::Levels);
    }
    seen.strikes.met.sort_unstable();
    seen.spots.waiting.sort_unstable();
    let checks = (seen.strikes.met, seen.spots.waiting);
    let table = seen.levels.table(search.covers_space());
    format!("{table:?}\n{checks:?}\n{:?}", seen.antipodes.sorted())
}

/// Every 40th state of each part of a search, as samples of a check.
fn samples(search: &Search<u64>) -> Arc<InclusionList<u64>> {
    let mut samples = Vec::new();
    for part in search.parts().unwrap() {
        let size = search.graph.space(part).unwrap().unwrap();
        let ranks: Vec<u64> = (0..40).map(|at| at * size / 40).collect();
        let mut keys = Vec::new();
        search.graph.unrank(part, &ranks, &mut keys).unwrap();
        search.reduce(&mut keys).unwrap();
        samples.extend(keys.into_iter().map(|key| (part, key, 0)));
    }
    Arc::new(InclusionList::new(samples))
}

/// Backward and forward, with and without symmetry, a row of 64 cells; with small slabs, and with
/// levels of which the host sees only samples.
#[test]
fn kernels_find_what_engine_hash_finds() {
    let row = format!("oo.o{}", ".".repeat(60));
    let corners = "coins=8 from=oo../oo../..oo/..oo,..oo/..oo/oo../oo.. to=.oo./o..o/o..o/.oo.";
    for (name, settings, from, ways) in [
        ("sliding-tile/2x4", "", "-", 1),
        ("sliding-tile/3x3", "empty=1,1", "-", 1),
        ("sliding-tile/2x3", "", "5.2/143", 2),
        ("coin-sliding/custom", corners, "-", 2),
        ("coin-sliding/custom", "coins=8", "oo../oo../..oo/..oo", 2),
        ("coin-sliding/custom", "width=64 height=1 coins=3", &row, 2),
    ] {
        for way in [Direction::Backward, Direction::Forward]
            .into_iter()
            .take(ways)
        {
            let mut search = search(name, settings, from, way);
            let list = samples(&search);
            let expected = seen(&search, &HashEngine, &list);
            for sizes in [(SLAB, WHOLE), (97, 0), (40, 100)] {
                hold(&mut search, u64::MAX, sizes).unwrap();
                let found = seen(&search, &GpuEngine, &list);
                assert_eq!(
                    found, expected,
                    "{name} {settings} {from} {way:?} {sizes:?}"
                );
            }
        }
    }
}

#[test]
fn a_search_ends_between_slabs_and_at_a_level() {
    let mut search = search("sliding-tile/2x4", "", "-", Direction::Backward);
    hold(&mut search, u64::MAX, (40, WHOLE)).unwrap();
    let walk = |search: &Search<u64>, stop: &Stop| {
        let (mut seen, progress) = (Observers::plain(), Progress::silent(stop));
        let walked = GpuEngine.levels(search, 0, &mut seen, &progress).unwrap();
        (walked.outcome, seen.levels.table(false).levels.len())
    };
    let over = Stop::default().fork_for(Some(Duration::ZERO));
    let stopped = Outcome::NotReached(StopReason::Requested);
    assert_eq!(walk(&search, &over), (stopped, 0));
    search.max_depth = Some(3);
    assert_eq!(walk(&search, &Stop::default()), (Outcome::Levels, 4));
}

#[test]
fn a_small_card_and_wrong_sums_are_refused() {
    let mut search = search("sliding-tile/3x3", "empty=1,1", "-", Direction::Backward);
    let refused = hold(&mut search, 1 << 20, (SLAB, WHOLE)).unwrap_err();
    assert!(
        refused.contains("of the card's memory, of which 1.00 MiB are free"),
        "{refused}"
    );
    let (_, mut table) = builtin::kernels(&search.graph.opened).unwrap().unwrap();
    // The card counts every state as its own orbit, the host does not.
    table[3] = 1;
    let host = Host::open("sliding-tile", u64::MAX);
    let (memory, _) = Memory::take(&search, host, &table, (SLAB, WHOLE)).unwrap();
    search.held = Held::of(Mutex::new(memory));
    let progress = Progress::silent(&Stop::default());
    let wrong = GpuEngine.levels(&search, 0, &mut Observers::plain(), &progress);
    assert!(
        wrong
            .unwrap_err()
            .to_string()
            .contains("on level 1 the card counts")
    );
}

/// The digest with which `ptx.py` begins each text.
#[test]
fn the_ptx_is_made_from_these_sources() {
    let read = |path: String| std::fs::read(path).unwrap();
    for (puzzle, instance) in [("coin-sliding", "5x7"), ("sliding-tile", "3x3")] {
        let mut sources = read(format!("{ROOT}/harness/gpu/kernels/levels.cu"));
        sources.extend(read(format!("{}/gpu.cu", folder(puzzle))));
        let fold =
            |value: u64, &byte: &u8| (value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let digest = sources.iter().fold(0xcbf2_9ce4_8422_2325, fold);
        let graph = builtin::graph::<u64>(&format!("{puzzle}/{instance}"), None, &[]).unwrap();
        let (ptx, _) = builtin::kernels(&graph.opened).unwrap().unwrap();
        let wanted = format!("// Made by harness/gpu/ptx.py from sources {digest:016x}.\n");
        assert!(ptx.starts_with(&wanted), "{puzzle}: run harness/gpu/ptx.py");
    }
}
