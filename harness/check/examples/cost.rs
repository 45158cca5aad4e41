//! Prints the cost of the complete check of an instance compared with the search alone, in
//! processor time on one thread.
//!
//! Usage: `cost PUZZLE/INSTANCE [--engine E] [--backward | --forward] [--depth N] [KEY=VALUE …]`

use std::error::Error;
use std::sync::Arc;

use antipode_check::analysis::{Checks, Request, analyse};
use antipode_check::verify::ConsistencyScope;
use antipode_graph::builtin;
use antipode_search::progress::Stop;
use cpu_time::ProcessTime;
use puzzle_api::Direction;

/// Runs of each; the cheapest counts.
const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("which PUZZLE/INSTANCE?")?;
    let (puzzle, instance) = name.split_once('/').ok_or("write PUZZLE/INSTANCE")?;
    let library = builtin::named(puzzle).ok_or("no such puzzle")?;
    let mut request = Request::new(Arc::new(library), instance.to_owned());
    // Drawing them is no part of a search.
    request.antipodes = 0;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("a value is missing");
        match argument.as_str() {
            "--engine" => request.engine = Some(value()?.parse()?),
            "--depth" => request.max_depth = Some(value()?.parse()?),
            "--backward" => request.direction = Some(Direction::Backward),
            "--forward" => request.direction = Some(Direction::Forward),
            setting => {
                let (key, value) = setting.split_once('=').ok_or("write KEY=VALUE")?;
                request.settings.insert(key.to_owned(), value.to_owned());
            }
        }
    }
    let mut least = [f64::INFINITY; 2];
    let mut sentence = String::new();
    for _ in 0..RUNS {
        let scopes = [ConsistencyScope::Off, ConsistencyScope::All];
        for (least, scope) in least.iter_mut().zip(scopes) {
            request.checks = Checks::only(scope);
            let began = ProcessTime::now();
            let analysis = analyse(&request, &Stop::default())?;
            *least = least.min(began.elapsed().as_secs_f64());
            if analysis.failed() {
                return Err(analysis.faults.join("; ").into());
            }
            sentence = analysis
                .evidence
                .first()
                .map_or_else(String::new, |e| e.text.clone());
        }
    }
    let [search, both] = least;
    let times = (both - search) / search;
    println!(
        "{name}: search {search:.3} s, with the check {both:.3} s: the check is {times:.1} times the search"
    );
    println!("{sentence}");
    Ok(())
}
