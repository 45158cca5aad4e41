//! The deepest states of a run, measured by the rules: the greatest distance depends on these few,
//! which are rare in a sample of all states.

use puzzle_api::Key;

use super::evidence::{evidence, first_few, measured_fault, not_done};
use super::near::Keys;
use super::oracle::Oracle;
use antipode_graph::PluginError;
use antipode_reports::count;
use antipode_reports::model::Evidence;
use antipode_search::digest::hash_key;
use antipode_search::observers::{Antipodes, Sampling};
use antipode_search::progress::Stop;

const NAME: &str = "antipodes";
/// Orbits that are measured, of more.
const MOST: usize = 100;
/// Measured in parallel, after a first one that shows whether it is feasible.
const ROUND: usize = 8;
/// States that their searches may see together.
const BUDGET: u64 = 1_000_000;

/// Measures orbits that a run delivered at its greatest distance, in an order independent of them.
/// Returns the evidence, and a line for each of the first few faults. It is no sample of all
/// states, and gives no bound. Nothing if the run delivered no solvable state.
pub(crate) fn deepest<K: Key>(
    oracle: &Oracle<K>,
    antipodes: &Antipodes<K>,
    seed: u64,
    stop: &Stop,
    draw: &dyn Fn(K) -> String,
) -> Result<Option<(Evidence, Vec<String>)>, PluginError> {
    let Some(depth) = antipodes.depth.filter(|&depth| depth > 0) else {
        return Ok(None);
    };
    let mut orbits = in_random_order(antipodes, seed);
    let kept = orbits.len();
    orbits.truncate(MOST);
    let (mut measured, mut seen, mut left) = (0, 0, 0);
    let (mut faults, mut hopeless) = (Vec::new(), Keys::default());
    let (first, others) = orbits.split_at(1.min(kept));
    for round in std::iter::once(first).chain(others.chunks(ROUND)) {
        if seen > BUDGET || (measured == 0 && left > 0) || stop.requested() {
            left += round.len();
            continue;
        }
        let asked: Vec<_> = round.iter().map(|&key| (key, Some(depth))).collect();
        for ((key, _), (distance, states)) in
            asked.iter().zip(oracle.distances(&asked, &mut hopeless)?)
        {
            seen += states;
            match distance {
                None => left += 1,
                Some(distance) => {
                    measured += 1;
                    let fault = (distance != depth).then(|| measured_fault(depth, distance));
                    faults.extend(fault.map(|fault| format!("{}: {fault}", draw(*key))));
                }
            }
        }
    }
    if measured == 0 {
        let why = "the searches from the states at the greatest distance see too many states";
        return Ok(Some((not_done(NAME, why), Vec::new())));
    }
    let mut text = format!(
        "Of the {} that the run has at the greatest distance, {} are {} and must have the same distance. They say nothing of others, so there is no bound.",
        count(kept, "orbits"),
        count(measured, ""),
        oracle.way()
    );
    if left > 0 {
        text.push_str(&format!(
            " {left} are left out, because their searches see too many states."
        ));
    }
    let wrong = faults.len() as u64;
    let evidence = evidence(NAME, measured, wrong, None, text);
    Ok(Some((evidence, first_few(faults))))
}

/// The antipodes that are kept, in an order independent of them, the same on any number of
/// threads.
fn in_random_order<K: Key>(antipodes: &Antipodes<K>, seed: u64) -> Vec<K> {
    let sampling = Sampling::new(seed ^ 0x0064_6565_7065_7374, 1);
    let place = |key: K| sampling.place(hash_key(key.to_u128()) as u64);
    let mut keys: Vec<K> = antipodes.found.iter().map(|orbit| orbit.key).collect();
    keys.sort_by_cached_key(|&key| (place(key), key));
    keys
}
