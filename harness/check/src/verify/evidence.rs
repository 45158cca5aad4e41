//! The evidence from a run's samples, for reports.

use std::collections::HashMap;

use puzzle_api::{Key, UNSOLVABLE};

use antipode_reports::count;
use antipode_reports::model::Evidence;

use super::{CONFIDENCE, LEAST_SAMPLE, upper_bound};
use antipode_search::observers::{Sample, SpotChecks, Strikes};
use antipode_search::outcome::Sampled;

/// How a distance reads.
fn moves(depth: u16) -> String {
    match depth {
        UNSOLVABLE => "unsolvable".into(),
        n => count(n, "moves"),
    }
}

/// A check that was left out, and why.
pub(crate) fn not_done(what: &str, why: &str) -> Evidence {
    evidence(what, 0, 0, None, format!("not done, because {why}"))
}

/// Why a sample without a fault shows nothing.
pub(crate) fn too_few(sampled: u64) -> String {
    format!("{sampled} checked are too few for a bound; a sample has at least {LEAST_SAMPLE}")
}

/// Result of the samples of levels on disk; `states` is the number of states in those levels.
pub fn level_samples(sampled: &Sampled, states: u64) -> (Evidence, Vec<String>) {
    const NAME: &str = "levels";
    if sampled.states == 0 {
        let why = "no level was finished, or the rulebook lists no predecessors of a layered graph";
        return (not_done(NAME, why), Vec::new());
    }
    let bound = upper_bound(sampled.states, sampled.wrong, CONFIDENCE);
    let (picked_from, alone) = match sampled.levels == sampled.of {
        true => ("each".to_owned(), ""),
        false => (
            sampled.levels.to_string(),
            " The bound is on these levels alone.",
        ),
    };
    let text = format!(
        "States picked from {picked_from} of {} levels, with their {} neighbours on the rulebook, each of which must be in the level before (at least one, if moves can be undone), the same or the next.{alone}",
        sampled.of, sampled.neighbours
    );
    let mut found = evidence(NAME, sampled.states, sampled.wrong, bound, text);
    found.population = (sampled.states == states).then(|| states.into());
    (found, sampled.faults.clone())
}

/// The distances that the run gave each sample, by its index.
fn by_sample<K: Key>(strikes: &Strikes<K>) -> HashMap<u32, Vec<u16>> {
    let mut met: HashMap<u32, Vec<u16>> = HashMap::new();
    for strike in &strikes.met {
        met.entry(strike.index).or_default().push(strike.depth);
    }
    met
}

/// Whether the run's distances of a sample are as a check demands; `None` if the sample is not of
/// that check.
type Demand<'a, K> = &'a dyn Fn(&Sample<K>, &[u16]) -> Option<Result<(), String>>;

fn struck<K: Key>(
    what: &str,
    strikes: &Strikes<K>,
    draw: &dyn Fn(K) -> String,
    text: String,
    demand: Demand<'_, K>,
) -> (Evidence, Vec<String>) {
    let met = by_sample(strikes);
    let (mut sampled, mut wrong, mut faults) = (0, 0, Vec::new());
    for sample in strikes.samples() {
        let depths = met.get(&sample.index).map_or(&[][..], Vec::as_slice);
        match demand(sample, depths) {
            None => continue,
            Some(Ok(())) => {}
            Some(Err(fault)) => {
                wrong += 1;
                faults.push(format!("{}: {fault}", draw(sample.key)));
            }
        }
        sampled += 1;
    }
    let bound = upper_bound(sampled, wrong, CONFIDENCE);
    (
        evidence(what, sampled, wrong, bound, text),
        first_few(faults),
    )
}

/// Outcome of the inclusiveness check. `whole` means that the run delivered unsolvable states too;
/// else it must not have met one. Returns the evidence, and a line for each of the first few
/// faults. `how` and `remarks` say how the states were drawn.
pub(crate) fn inclusiveness<K: Key>(
    strikes: &Strikes<K>,
    whole: bool,
    how: &str,
    remarks: &str,
    draw: &dyn Fn(K) -> String,
) -> (Evidence, Vec<String>) {
    let expected = strikes
        .samples()
        .iter()
        .filter_map(|sample| sample.expected);
    let reached = expected.filter(|&depth| depth != UNSOLVABLE).count();
    let text = format!(
        "States {how} ({reached} of them to be reached) must be met by the run once and at the same distance.{remarks}"
    );
    struck("inclusiveness", strikes, draw, text, &|sample, depths| {
        let expected = sample.expected?;
        Some(drawn_fault(expected, depths, whole).map_or(Ok(()), Err))
    })
}

fn drawn_fault(expected: u16, depths: &[u16], whole: bool) -> Option<String> {
    let on_rules = moves(expected);
    match depths {
        [] if expected == UNSOLVABLE && !whole => None,
        [] => Some(format!("{on_rules} on the rules, missed by the run")),
        [depth] if *depth == expected => None,
        [depth] => Some(format!(
            "{on_rules} on the rules, {} by the run",
            moves(*depth)
        )),
        several => Some(format!("delivered {} times by the run", several.len())),
    }
}

/// Outcome of the playouts; `exact` means that the run must meet each end at the exact distance of
/// the walk.
#[must_use]
pub fn playouts_met<K: Key>(
    strikes: &Strikes<K>,
    exact: bool,
    text: &str,
    draw: &dyn Fn(K) -> String,
) -> (Evidence, Vec<String>) {
    struck(
        "playouts",
        strikes,
        draw,
        text.to_owned(),
        &|sample, depths| {
            let within = sample.within?;
            let walked = format!("reached in {} by a playout", moves(within));
            Some(match depths {
                [] => Err(format!("{walked}, missed by the run")),
                [depth] if *depth == within || (*depth < within && !exact) => Ok(()),
                [depth] => Err(format!("{walked}, {} by the run", moves(*depth))),
                several => Err(format!("delivered {} times by the run", several.len())),
            })
        },
    )
}

/// Outcome of the ascents: each state on their paths must be met once, at its distance. It is no
/// sample, and gives no bound.
pub(crate) fn ascended<K: Key>(
    strikes: &Strikes<K>,
    text: &str,
    draw: &dyn Fn(K) -> String,
) -> (Evidence, Vec<String>) {
    let text = text.to_owned();
    let (mut evidence, faults) = struck("ascents", strikes, draw, text, &|sample, depths| {
        Some(drawn_fault(sample.ascended?, depths, true).map_or(Ok(()), Err))
    });
    evidence.bound = None;
    (evidence, faults)
}

/// The fault of a state that the run delivered at a distance other than its own.
pub(super) fn measured_fault(run: u16, measured: u16) -> String {
    let on_rules = match measured {
        UNSOLVABLE => "out of reach (or further)".into(),
        depth => moves(depth),
    };
    format!("{} by the run, {on_rules} on the rules", moves(run))
}

/// Outcome of the exclusiveness check, and a line for each of the first few faults. `way` says how
/// distances are derived, `met` is the number of orbits that the run met.
pub(crate) fn exclusiveness<K: Key>(
    spots: &SpotChecks<K>,
    way: &str,
    met: u64,
    draw: &dyn Fn(K) -> String,
) -> (Evidence, Vec<String>) {
    const NAME: &str = "exclusiveness";
    let one_in = spots.sampling().one_in();
    if spots.solved == 0 {
        let why = match (met, spots.left) {
            (0, _) => "the run met no state".into(),
            (_, 0) => format!(
                "none of the {} met was picked, one in {} of them; give a smaller --exclusion",
                count(met, "orbits"),
                count(one_in, "")
            ),
            (_, left) => {
                format!("the searches from the {left} states picked out see too many states")
            }
        };
        return (not_done(NAME, &why), Vec::new());
    }
    let every = one_in == 1 && spots.left == 0;
    if spots.wrong == 0 && spots.left > spots.solved {
        let why = format!(
            "the searches from {} of the states picked out see too many states, and only {} are measured",
            spots.left, spots.solved
        );
        return (not_done(NAME, &why), Vec::new());
    }
    if spots.wrong == 0 && spots.solved < LEAST_SAMPLE && !every {
        return (not_done(NAME, &too_few(spots.solved)), Vec::new());
    }
    let bound = upper_bound(spots.solved, spots.wrong, CONFIDENCE);
    let share = match one_in {
        1 => "Every state".into(),
        n => format!("One in {n} of the states"),
    };
    let mut text = format!("{share} that the run met is {way} and must have the same distance.");
    if spots.left > 0 {
        text.push_str(&format!(
            " {} of those picked are left out, because their searches see too many states: the bound is on the others alone.",
            spots.left
        ));
    }
    let mut mismatches = spots.mismatches.clone();
    mismatches.sort_unstable();
    let faults = mismatches
        .iter()
        .map(|m| format!("{}: {}", draw(m.key), measured_fault(m.run, m.forward)))
        .collect();
    let mut found = evidence(NAME, spots.solved, spots.wrong, bound, text);
    found.population = (every && spots.solved == met).then(|| met.into());
    (found, first_few(faults))
}

/// The result of a check of states, none of which need be all.
#[must_use]
pub fn evidence(
    what: &str,
    sampled: u64,
    wrong: u64,
    bound: Option<f64>,
    text: String,
) -> Evidence {
    Evidence {
        what: what.to_owned(),
        sampled: sampled.into(),
        population: None,
        wrong: wrong.into(),
        confidence: CONFIDENCE,
        bound,
        text,
    }
}

/// Faults listed in a report; the count is always exact.
const FEW: usize = 10;

pub(super) fn first_few(mut faults: Vec<String>) -> Vec<String> {
    faults.truncate(FEW);
    faults
}
