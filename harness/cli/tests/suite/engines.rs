//! Every engine that offers itself gives the same levels and digests, in both directions, on every
//! listed instance and every instance of a claim that is small. The oracle is the plain queue on
//! the literal rules.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use antipode_check::analysis::{Request, analyse};
use antipode_claims::{ClaimSource, parse_claims};
use antipode_graph::{Capabilities, Library, builtin};
use antipode_search::engine::{Kind, Opt};
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use puzzle_api::{Direction, Settings};

use crate::support::{tables, tilt};

/// Time of the oracle beyond which an instance is not small.
const SMALL: Duration = Duration::from_millis(60);
/// Ranks beyond which it is not, where states are numbered.
const FEW_RANKS: u64 = 20_000;
/// Parts beyond which it is not.
const FEW_PARTS: u64 = 64;
/// What an engine gets that the oracle beat.
const LONG: Duration = Duration::from_secs(60);

/// Instances with their settings: all that are listed, and all that claims name.
fn places(library: &Arc<Library>) -> BTreeSet<(String, Settings)> {
    let listed = library.instances.iter();
    let mut all: BTreeSet<_> = listed
        .map(|info| (info.name.clone(), Settings::new()))
        .collect();
    if let Some(source) = ClaimSource::of_library(library) {
        let claims = parse_claims(&source.file, &source.text).unwrap();
        for case in claims.all().unwrap().into_iter().flat_map(|one| one.cases) {
            if let Some(instance) = case.instance {
                all.insert((instance, case.settings));
            }
        }
    }
    all
}

/// Whether an instance opens, and is not large as far as its numbering says.
fn may_be_small(library: &Arc<Library>, (instance, settings): &(String, Settings)) -> bool {
    let Ok(opened) = library.open(instance, "reference", settings) else {
        return false;
    };
    let (parts, ranked) = (opened.part_count, opened.offers(Capabilities::RANK));
    let words = library.key_words();
    let space = |part| match words {
        1 => antipode_search::open::typed_graph::<u64>(
            library.open(instance, "reference", settings).unwrap(),
        )
        .unwrap()
        .space(part)
        .unwrap(),
        _ => antipode_search::open::typed_graph::<u128>(
            library.open(instance, "reference", settings).unwrap(),
        )
        .unwrap()
        .space(part)
        .unwrap(),
    };
    parts <= FEW_PARTS && (!ranked || space(0).unwrap_or(0) * parts <= FEW_RANKS)
}

/// The tables of one engine; nothing where it refuses, or where its time is over.
fn found(
    request: &Request,
    engine: EngineId,
    variant: Option<&str>,
    time: Duration,
) -> Option<String> {
    let work = tempfile::tempdir().unwrap();
    let mut request = request.clone();
    request.engine = Some(engine);
    request.variant = variant.map(str::to_owned);
    if engine.takes(Kind::Levels, Opt::Work) {
        request.means.work = Some(work.path().join("work"));
    }
    let analysis = analyse(&request, &Stop::default().fork_for(Some(time))).ok()?;
    analysis.run.complete.then(|| tables(&analysis))
}

/// Compares all engines on all small instances of a puzzle; gives how many tables were compared.
fn compare(library: Library) -> usize {
    let library = Arc::new(library);
    let mut compared = 0;
    for place in places(&library) {
        if !may_be_small(&library, &place) {
            continue;
        }
        for way in [Direction::Forward, Direction::Backward] {
            let request = Request {
                settings: place.1.clone(),
                direction: Some(way),
                ..Request::new(Arc::clone(&library), place.0.clone())
            };
            let Some(oracle) = found(&request, EngineId::REFERENCE, Some("reference"), SMALL)
            else {
                continue;
            };
            for engine in EngineId::all(Kind::Levels) {
                for variant in &library.variants {
                    let name = format!("{}/{place:?} {way:?} {engine} on {variant}", library.name);
                    if let Some(table) = found(&request, engine, Some(variant), LONG) {
                        assert_eq!(table, oracle, "{name}");
                        compared += 1;
                    }
                }
            }
        }
    }
    compared
}

#[test]
fn all_engines_agree_on_every_small_instance() {
    let mut total = 0;
    for library in builtin::all() {
        let name = library.name.clone();
        let compared = compare(library);
        println!("{name}: {compared} tables");
        total += compared;
    }
    assert!(total >= 200, "{total} tables");
}

/// Three green blocks are more than Tilt's own loop was written for: it took them for two.
#[test]
fn a_loop_refuses_what_it_was_not_written_for() {
    let request = |instance: &str| Request {
        direction: Some(Direction::Backward),
        engine: Some("sweep".parse().unwrap()),
        ..Request::new(tilt(), instance.to_owned())
    };
    let refused = analyse(&request("thesis-a"), &Stop::default()).unwrap_err();
    let told = "tilt/thesis-a: variant bitboard has no inner loop of its own for this instance";
    assert_eq!(refused.to_string(), told);
    let hash = Request {
        engine: Some(EngineId::HASH),
        ..request("thesis-a")
    };
    let analysis = analyse(&hash, &Stop::default()).unwrap();
    // 33 moves by `solve`, as others find; the deepest level is 47.
    assert_eq!(analysis.levels.levels.last().unwrap().depth, 47);
}
