//! What the moves out of each level lead to: no search of its own, but one more look at
//! every state that an engine has found.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use antipode_check::analysis::Analysis;
use antipode_check::board;
use antipode_check::verify::{
    ConsistencyFrame, PartRules, Proof, check_part, consistency, same_parts,
};
use antipode_graph::{Capabilities, Expansion, Graph};
use antipode_reports::model::{Evidence, LevelMoves};
use antipode_search::digest::hash_key;
use antipode_search::engine::Means;
use antipode_search::engines::{BATCH, Companion, EngineError, Roots, Search, run};
use antipode_search::observers::{ConsistencyTally, Distance, Observers};
use antipode_search::open::{AnyWidth, with_keys_of};
use antipode_search::progress::Progress;
use foldhash::{HashMap, HashMapExt, HashSet};
use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::record::{Clock, Ended, Ran, Work};
use crate::context::{Context, Moves};
use crate::question::LevelQuestion;
use antipode_search::{machine, registry};

/// Buckets of a uniform hash that locality is held against (Dogon's example of a number).
const UNIFORM_BUCKETS: u128 = 8192;

/// Levels with the moves out of each but the last that was asked for, found when they are first
/// asked for; the states, not their orbits, some 50 bytes of memory each.
///
/// # Errors
/// As any search.
pub(crate) fn moves(
    question: &LevelQuestion,
    context: &mut Context,
) -> Result<Arc<Moves>, EngineError> {
    let mut made = context.moves.iter();
    if let Some((_, made)) = made.find(|(asked, _)| asked.is(question)) {
        return Ok(Arc::clone(made));
    }
    let look = Look(question, context);
    let (analysis, moves) = with_keys_of(&question.place.library, look)?;
    let made = Arc::new((Arc::new(analysis), moves));
    context.moves.push((question.clone(), Arc::clone(&made)));
    Ok(made)
}

/// The states of each part that a search has met, up to symmetry.
type ByPart<K> = Vec<(u64, Vec<Distance<K>>)>;

/// Keeps every state of every part.
struct Keep<K>(Mutex<ByPart<K>>);

impl<K: Key> Companion<K> for Keep<K> {
    fn wants(&self, _part: u64) -> bool {
        true
    }

    fn part_done(
        &self,
        part: u64,
        states: Option<&[Distance<K>]>,
        _seen: &mut Observers<K>,
        _progress: &Progress,
    ) -> Result<bool, EngineError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((part, states.unwrap_or_default().to_vec()));
        Ok(true)
    }

    fn block_done(&self, _seen: &mut Observers<K>) -> Result<(), EngineError> {
        Ok(())
    }
}

/// A search, and a look at the moves out of what it met.
struct Look<'a>(&'a LevelQuestion, &'a Context);

impl AnyWidth for Look<'_> {
    type Output = Result<(Analysis, Vec<LevelMoves>), EngineError>;

    fn with<K: Key>(self) -> Self::Output {
        typed::<K>(self.0, self.1)
    }
}

fn typed<K: Key>(
    question: &LevelQuestion,
    context: &Context,
) -> Result<(Analysis, Vec<LevelMoves>), EngineError> {
    let clock = Clock::start();
    let graph: Graph<K> = question
        .place
        .open(question.place.variant(question.engine))?;
    let roots = match (&question.from, question.direction) {
        (Some(text), _) => Roots::State(board::read(&graph, text)?),
        (None, Direction::Forward) => Roots::Starts,
        (None, Direction::Backward) => Roots::Solved,
    };
    let max_depth = question.max_depth;
    let mut search = Search::new(graph, question.direction, roots, max_depth)?;
    // The images of a single board's states are boards of other instances.
    search.symmetry &= search.graph.opened.part_count > 1;
    let work = Work::of_levels(question, "moves", context)?;
    let means = match &work {
        Some(work) => work.means().clone(),
        None => Means::threads(context.threads),
    };
    let named = Some(question.engine);
    let engine = registry::choose(named, &search.graph, &search.ask(), &means)?;
    let rules: Graph<K> = question.place.rules()?;
    engine.of().prepare(&mut search, &means, &rules)?;
    let keep = Keep(Mutex::new(Vec::new()));
    let progress = Progress::silent(&context.stop);
    let pool = machine::pool(context.threads)?;
    let outcome = pool.install(|| {
        let observers = Observers::plain();
        run(&search, engine.of(), &observers, None, &keep, &progress)
    })?;
    let by_part = keep.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    let states = with_images(&search, &by_part)?;
    let seen = &outcome.observers;
    let last = max_depth.filter(|&depth| seen.levels.level(depth).orbits > 0);
    let because = match (outcome.complete(), last) {
        (false, _) => Some("stopped on request".to_owned()),
        (true, Some(depth)) => Some(format!(
            "level {depth} was the last asked for, and what lies further was not searched"
        )),
        (true, None) => None,
    };
    let ended = Ended {
        finished: outcome.complete(),
        because,
        stop: outcome.outcome.stop().cloned(),
    };
    let fitting = context.effort.fitting_states() as usize;
    let by_rules = question.place.counts_by_rules();
    let whole = ended.finished && last.is_none() && search.direction == Direction::Backward;
    let counted = Counted {
        // What a verdict rests on is counted on the rulebook, as far as all of it is checked.
        moves: match by_rules || states.len() <= fitting {
            true => &rules,
            false => &search.graph,
        },
        buckets: match by_rules {
            true => &rules,
            false => &search.graph,
        },
        last,
        tells_unsolvable: whole && search.roots == Roots::Solved,
    };
    let tallies = counted.tallies(&states)?;
    let checked = match question.checked {
        true => pool.install(|| check(question, &search, &by_part, fitting, &progress))?,
        false => (Vec::new(), Proof::None, Vec::new()),
    };
    let ran = Ran {
        search: &search,
        engine: question.engine.name(),
        from: question.from.as_deref(),
        seen: &seen.levels,
        clock: &clock,
        spent: &outcome.spent,
        context,
    };
    let finished = ended.finished;
    let analysis = ran.analysis(ended, checked);
    if let Some(work) = work.filter(|_| finished) {
        work.clear()?;
    }
    Ok((analysis, tallies))
}

/// The states of a search that can be solved or reached, with all their images.
fn with_images<K: Key>(
    search: &Search<K>,
    by_part: &ByPart<K>,
) -> Result<Vec<(K, u16)>, EngineError> {
    let states = by_part.iter().flat_map(|(_, states)| states);
    let states = states.filter(|state| state.depth != UNSOLVABLE);
    if !search.symmetry {
        return Ok(states.map(|state| (state.key, state.depth)).collect());
    }
    let mut all = Vec::new();
    for state in states {
        let mut images = search.graph.images(state.key)?;
        images.sort_unstable();
        images.dedup();
        all.extend(images.into_iter().map(|key| (key, state.depth)));
    }
    Ok(all)
}

/// Compares the states of a search with the rulebook.
fn check<K: Key>(
    question: &LevelQuestion,
    search: &Search<K>,
    by_part: &ByPart<K>,
    fitting: usize,
    progress: &Progress,
) -> Result<(Vec<Evidence>, Proof, Vec<String>), EngineError> {
    let rules = question.place.rules()?;
    same_parts(&search.graph, &rules)?;
    let against = PartRules {
        search,
        rules: &rules,
        whole: search.covers_space() || question.engine.of::<K>().shows_all(),
    };
    let mut tally = ConsistencyTally::default();
    for (part, states) in by_part {
        if states.len() <= fitting {
            check_part(&against, *part, states, &mut tally, progress)?;
        } else {
            tally.too_large += 1;
        }
    }
    let frame = ConsistencyFrame {
        direction: search.direction,
        parts_total: search.parts()?.len() as u64,
        numbered: against.numbering().is_some(),
        max_depth: search.max_depth,
        most_states: fitting,
        brought: None,
        parts_said: false,
        strays: &[],
    };
    let (evidence, proof, faults) = consistency(&tally, &frame);
    Ok((vec![evidence], proof, faults))
}

/// How the moves out of some states are counted.
struct Counted<'a, K> {
    /// Where the moves lead.
    moves: &'a Graph<K>,
    /// What has the buckets.
    buckets: &'a Graph<K>,
    /// The last level asked for, whose neighbours were not searched.
    last: Option<u16>,
    /// Whether every state that can be solved was met, so that any other one cannot.
    tells_unsolvable: bool,
}

/// Some states of a level.
struct Batch<'a, K> {
    depth: u16,
    keys: &'a [K],
    /// Their buckets; empty where the puzzle has none.
    buckets: &'a [u64],
}

impl<K: Key> Counted<'_, K> {
    /// Looks at the moves of all states but those of the last level.
    fn tallies(&self, states: &[(K, u16)]) -> Result<Vec<LevelMoves>, EngineError> {
        let mut depths: HashMap<K, u16> = HashMap::with_capacity(states.len());
        let mut levels: BTreeMap<u16, Vec<K>> = BTreeMap::new();
        for &(key, depth) in states {
            depths.insert(key, depth);
            levels.entry(depth).or_default().push(key);
        }
        let mut tallies = Vec::new();
        for (depth, keys) in levels {
            let mut tally = LevelMoves {
                states: keys.len() as u64,
                ..LevelMoves::default()
            };
            let mut buckets: HashSet<u64> = HashSet::default();
            for keys in keys.chunks(BATCH) {
                let own = match self.buckets.has(Capabilities::BUCKET) {
                    true => self.buckets.bucket(keys)?,
                    false => Vec::new(),
                };
                buckets.extend(&own);
                if self.last != Some(depth) {
                    let from = Batch {
                        depth,
                        keys,
                        buckets: &own,
                    };
                    self.count(&from, &depths, &mut tally)?;
                }
            }
            tally.buckets = buckets.len() as u64;
            tallies.push(tally);
        }
        Ok(tallies)
    }

    fn count(
        &self,
        from: &Batch<'_, K>,
        depths: &HashMap<K, u16>,
        tally: &mut LevelMoves,
    ) -> Result<(), EngineError> {
        let mut out = Expansion::default();
        self.moves.expand(Direction::Forward, from.keys, &mut out)?;
        let buckets = match from.buckets.is_empty() {
            true => Vec::new(),
            false => self.buckets.bucket(out.keys())?,
        };
        let mut at = 0;
        for (i, &key) in from.keys.iter().enumerate() {
            let own = uniform(key);
            let successors = out.of(i);
            let of_successors = buckets.get(at..at + successors.len()).unwrap_or_default();
            at += successors.len();
            for (nth, &next) in successors.iter().enumerate() {
                // A move that changes nothing may be listed or not, and any of them twice.
                if next == key || successors[..nth].contains(&next) {
                    continue;
                }
                tally.moves += 1;
                tally.kept_by_hash += u64::from(uniform(next) == own);
                if let (Some(own), Some(bucket)) = (from.buckets.get(i), of_successors.get(nth)) {
                    tally.kept += u64::from(own == bucket);
                }
                match depths.get(&next) {
                    Some(&depth) if depth <= from.depth => {
                        tally.known += 1;
                        tally.back = tally.back.max(u64::from(from.depth - depth));
                    }
                    Some(_) => {}
                    None => tally.to_unsolvable += u64::from(self.tells_unsolvable),
                }
            }
        }
        Ok(())
    }
}

/// Bucket of a key by a uniform hash.
fn uniform<K: Key>(key: K) -> u128 {
    let hash = hash_key(key.to_u128()) as u64;
    (u128::from(hash) * UNIFORM_BUCKETS) >> 64
}
