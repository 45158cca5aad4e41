//! The cost of the boundary: Tilt built in compared with Tilt as a shared library.
//!
//! ```text
//! cargo build --release -p antipode-tilt-plugin
//! cargo run --release -p antipode --example boundary_cost -- target/release/libantipode_tilt_plugin.so
//! ```
//!
//! Engine, instance and threads are the same. Runs are interleaved in one process, in an order that
//! changes from pair to pair, so that other load on the machine affects both. It measures processor
//! time, which other programs disturb less. The ratio and its interval are found as `antipode
//! compare` finds them. Then the cost of one state at several batch sizes.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use antipode_bench::judge::stats::summary;
use antipode_graph::{Expansion, Graph, Library, Source, builtin, load};
use antipode_search::engine::EngineOptions;
use antipode_search::engines::{Roots, Search, run};
use antipode_search::observers::Observers;
use antipode_search::progress::{Progress, Stop};
use antipode_search::registry::EngineId;
use anyhow::{Context, Result, bail, ensure};
use cpu_time::ProcessTime;
use puzzle_api::{Direction, Settings};

/// Pairs of runs of each comparison.
const PAIRS: usize = 101;
/// Processor time of one measurement: short searches are repeated.
const LEAST_SECONDS: f64 = 0.03;
/// The instance whose engines are timed.
const INSTANCE: &str = "card-40";
/// The variant of both.
const VARIANT: &str = "bitboard";

fn main() -> Result<()> {
    let Some(file) = std::env::args().nth(1) else {
        bail!("name the library: boundary_cost target/release/libantipode_tilt_plugin.so");
    };
    let built_in = builtin::all()
        .into_iter()
        .find(|library| library.name == "tilt");
    let built_in = Arc::new(built_in.context("tilt is built in")?);
    let shared = Arc::new(load(Path::new(&file))?);
    ensure!(
        shared.name == "tilt",
        "{file}: holds another puzzle than tilt"
    );
    ensure!(
        matches!(shared.source, Source::File { .. }),
        "{file}: is not a file"
    );
    println!("tilt/{INSTANCE}, variant {VARIANT}, {PAIRS} interleaved pairs, 1 thread");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        for engine in ["hash", "dense", "sweep"] {
            compare(
                engine,
                &graph(&built_in, INSTANCE)?,
                &graph(&shared, INSTANCE)?,
            )?;
        }
        batches(&graph(&built_in, "box")?, &graph(&shared, "box")?)
    })
}

fn graph(library: &Arc<Library>, instance: &str) -> Result<Graph<u64>> {
    let opened = library.open(instance, VARIANT, &Settings::new())?;
    Graph::new(opened).context("keys of one word")
}

/// Seconds of one search, and its digest, which must not depend on the boundary.
fn search(engine: &str, graph: &Graph<u64>) -> Result<(f64, String)> {
    let start = ProcessTime::now();
    let mut search = Search::new(graph.clone(), Direction::Backward, Roots::Solved, None)?;
    let engine: EngineId = engine.parse().map_err(anyhow::Error::msg)?;
    let engine = engine.of();
    engine.prepare(&mut search, &EngineOptions::threads(1), graph)?;
    let progress = Progress::silent(&Stop::default());
    let outcome = run(&search, engine, &Observers::plain(), None, &(), &progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let table = outcome.observers.levels.table(true);
    Ok((seconds, format!("{:?}", table.levels)))
}

/// Seconds of one search, the mean of several.
fn mean(engine: &str, graph: &Graph<u64>, times: usize) -> Result<f64> {
    let mut total = 0.0;
    for _ in 0..times {
        total += search(engine, graph)?.0;
    }
    Ok(total / times as f64)
}

fn compare(engine: &str, built_in: &Graph<u64>, shared: &Graph<u64>) -> Result<()> {
    // Once each before it counts: caches, page tables and the allocator warm up.
    let warm = search(engine, built_in)?;
    ensure!(warm.1 == search(engine, shared)?.1, "results differ");
    let times = (LEAST_SECONDS / warm.0).ceil().clamp(1.0, 1000.0) as usize;
    let mut pairs = Vec::new();
    for pair in 0..PAIRS {
        pairs.push(if pair % 2 == 0 {
            let ours = mean(engine, built_in, times)?;
            (ours, mean(engine, shared, times)?)
        } else {
            let theirs = mean(engine, shared, times)?;
            (mean(engine, built_in, times)?, theirs)
        });
    }
    let found = summary(&pairs, 1).map_err(anyhow::Error::msg)?;
    let run = median(&mut pairs.iter().map(|(ours, _)| *ours).collect::<Vec<_>>());
    println!(
        "  {engine:9} shared / built in = {:.3}, 95% interval {:.3} to {:.3} ({:.2} ms a search, {times} a measurement)",
        found.ratio,
        found.low,
        found.high,
        run * 1e3
    );
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// States expanded at each batch size.
const STATES: usize = 1 << 16;
/// Rounds over all batch sizes; the median counts.
const ROUNDS: usize = 15;

fn batches(built_in: &Graph<u64>, shared: &Graph<u64>) -> Result<()> {
    let keys = shared.random(1, 0, STATES)?;
    println!(
        "successors of {STATES} random states of tilt/box, ns a state, median of {ROUNDS} rounds:"
    );
    println!("  {:>6} {:>10} {:>10}", "batch", "built in", "shared");
    let sizes = [1, 16, 256, 4096];
    let mut times = vec![[Vec::new(), Vec::new()]; sizes.len()];
    let mut out = Expansion::default();
    for _ in 0..ROUNDS {
        for (size, times) in sizes.iter().zip(&mut times) {
            for (graph, times) in [built_in, shared].into_iter().zip(times) {
                let start = ProcessTime::now();
                for batch in keys.chunks(*size) {
                    graph.expand(Direction::Forward, batch, &mut out)?;
                    black_box(out.keys().len());
                }
                times.push(start.elapsed().as_secs_f64() * 1e9 / STATES as f64);
            }
        }
    }
    for (size, mut times) in sizes.into_iter().zip(times) {
        let [ours, theirs] = times.each_mut().map(|times| median(times));
        println!("  {size:>6} {ours:>10.1} {theirs:>10.1}");
    }
    Ok(())
}
