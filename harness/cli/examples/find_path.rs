//! Searches for one path on one core, measured: `beam` over many seeds, and `dfs` with
//! every hash and policy. Times are CPU times of this process.
//!
//! `cargo run --release -p antipode --example find_path [PUZZLE/INSTANCE] [NODES] [SEEDS] [GOAL]`
//!
//! The tables are compared on a goal that is hard or out of reach (by default one finish of
//! Diamond-41 that no proof rules out), because an easy one leaves them almost empty.

use std::sync::Arc;

use antipode_graph::{Capabilities, Graph, builtin};
use antipode_search::engines::beam::{self, Scoring};
use antipode_search::engines::dfs::{self, HashKind, Policy};
use antipode_search::engines::find::Limits;
use antipode_search::forward::Goal;
use antipode_search::open::typed_graph;
use antipode_search::outcome::Outcome;
use antipode_search::progress::Stop;
use cpu_time::ProcessTime;
use puzzle_api::{Direction, Settings};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next();
    let name = name.as_deref().unwrap_or("peg-solitaire/diamond-41");
    let nodes: u64 = arguments
        .next()
        .map_or(Ok(2_000_000), |text| text.parse())?;
    let seeds: u64 = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let goal = arguments.next();
    let graph = open(name)?;
    let start = graph.roots(Direction::Forward, 0)?[0];
    println!("{name} from {}", graph.draw(start)?);
    beams(&graph, start, seeds)?;
    let goal = graph.parse(goal.as_deref().unwrap_or("=4:0"))?;
    tables(&graph, start, &Goal::State(goal), nodes)?;
    Ok(())
}

fn open(name: &str) -> Result<Graph<u64>, Failure> {
    let (puzzle, instance) = name.split_once('/').ok_or("write PUZZLE/INSTANCE")?;
    let library = builtin::all().into_iter().find(|all| all.name == puzzle);
    let library = Arc::new(library.ok_or("no such puzzle")?);
    let variant = library.variants[0].clone();
    let opened = library.open(instance, &variant, &Settings::new())?;
    Ok(typed_graph(opened)?)
}

fn beams(graph: &Graph<u64>, start: u64, seeds: u64) -> Result<(), Failure> {
    println!("\nscoring   perimeter     width  solved  median s  least  most  median states");
    let mut scorings = vec![("learned", Scoring::Learned), ("chance", Scoring::Chance)];
    if graph.has(Capabilities::MOVE_ORDER) {
        scorings.push(("puzzle", Scoring::Puzzle));
    }
    for (name, scoring) in scorings {
        for (perimeter, first_width) in [(100_000, 500), (100_000, 2_000), (400_000, 2_000)] {
            let mut times = Vec::new();
            let mut nodes = Vec::new();
            let mut solved = 0;
            for seed in 1..=seeds {
                let options = beam::Options {
                    perimeter,
                    first_width,
                    most_width: 32_000,
                    scoring,
                    seed,
                    ..beam::Options::default()
                };
                let clock = ProcessTime::now();
                let found = beam::reach(graph, start, &Goal::Solved, &options, &Stop::default())?;
                times.push(clock.elapsed().as_secs_f64());
                nodes.push(found.stats.nodes);
                solved += u32::from(matches!(found.outcome, Outcome::Path(_)));
            }
            times.sort_by(f64::total_cmp);
            nodes.sort_unstable();
            let middle = times.len() / 2;
            println!(
                "{name:8} {perimeter:7} {first_width:6} {solved:4}/{seeds} {:8.3} {:7.3} {:6.3} {:10}",
                times[middle],
                times[0],
                times[times.len() - 1],
                nodes[middle]
            );
        }
    }
    Ok(())
}

fn tables(graph: &Graph<u64>, start: u64, goal: &Goal<u64>, nodes: u64) -> Result<(), Failure> {
    println!(
        "\nhash      policy     table  hit rate  lost/stores  declined  seconds  ns/state  end"
    );
    for table in [1_u64 << 20, 1 << 24] {
        for hash in HashKind::ALL {
            for policy in Policy::ALL {
                let options = dfs::Options {
                    table_bytes: table,
                    policy,
                    hash,
                    limits: Limits {
                        nodes: Some(nodes),
                        time: None,
                    },
                    ..dfs::Options::default()
                };
                let clock = ProcessTime::now();
                let found = dfs::reach(graph, start, goal, &options, &Stop::default())?;
                let seconds = clock.elapsed().as_secs_f64();
                let stats = found.stats.table;
                let end = match &found.outcome {
                    Outcome::Path(path) => format!("solved in {}", path.moves()),
                    Outcome::Unreachable(_) => "no path".to_owned(),
                    Outcome::NotReached(_) | Outcome::Levels => {
                        format!("{} states", found.stats.nodes)
                    }
                };
                println!(
                    "{:9} {:9} {:3} MiB   {:6.3} %   {:6.3} %   {:6.3} %   {seconds:6.2} {:8.0}   {end}",
                    hash.name(),
                    policy.name(),
                    table >> 20,
                    percent(stats.hits, stats.probes),
                    percent(stats.lost, stats.stores),
                    percent(stats.declined, stats.stores),
                    seconds * 1e9 / found.stats.nodes.max(1) as f64,
                );
            }
        }
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
