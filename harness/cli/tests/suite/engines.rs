//! Every engine that offers itself gives the same levels and digests, in both directions, on small
//! instances of every puzzle. So does one engine on every other small instance that is listed or
//! has a claim. The oracle is the plain queue on the literal rules. Lengths by every engine for
//! paths, distances of a table and those of many pairs are compared with a plain search of this
//! file.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use antipode_check::analysis::{Request, analyse};
use antipode_check::ask::{self, KnownDistance, LengthsRequest, PathRequest};
use antipode_check::distances::{Distances, TableLimits, part_of};
use antipode_claims::{ClaimSource, parse_claims};
use antipode_graph::{Capabilities, Expansion, Graph, Library, builtin};
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::{Roots, Search};
use antipode_search::many_to_many::Length;
use antipode_search::outcome::{Outcome, StopReason};
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use puzzle_api::{Direction, Settings};

use crate::support::{fresh, graph, pairs, request, rows, tables, try_analyse};

/// Time of the oracle beyond which an instance is not small.
const SMALL: Duration = Duration::from_millis(60);
/// Number of ranks beyond which it is not, if states are numbered.
const FEW_RANKS: u64 = 20_000;
/// Number of parts beyond which it is not.
const FEW_PARTS: u64 = 64;
/// Time limit of an engine on an instance that the oracle solved.
const LONG: Duration = Duration::from_secs(60);

/// Small instances: puzzle, instance, and settings with `;` between them. A setting whose value
/// begins with `@` names a file with that text, in which `/` ends a line.
const CUSTOM: &str = "
    tilt | box | grey=2;blue=0;green=0..1
    tilt | box | grey=0;blue=1;green=0..2
    coin-sliding | custom | width=3;height=3;coins=4;from=oo./oo./...;to=.../.oo/.oo,o.o/.../o.o
    coin-sliding | custom | width=3;height=4;coins=5;from=ooo/oo./.../...;to=.../.../.oo/ooo
    coin-sliding | custom | width=6;height=1;coins=3;from=ooo...;to=...ooo
    coin-sliding | custom | width=4;height=3;coins=3;from=oo../o.../....;to=oo../o.../....
    peg-solitaire | custom | board=@ooo/ooo/ooo/;to=any
    peg-solitaire | custom | board=@oooo/oooo/ooo/;from=-1:0
    peg-solitaire | custom | board=@ oo/oooo/oooo/ oo/;from=1:1;to=0:0
    peg-solitaire | custom | board=@ooooooo/;from=1:0;to=any
    rush-hour | custom | board=BB.C/AA.C/D.../D.EE
    rush-hour | custom | board=BB.C/AA.C/D.../D.EE;metric=step
    rush-hour | custom | board=..#C./AA.C./.D..#/.DEE.
    rush-hour | 4x4 | row=1
    unit-rush-hour | custom | board=|-|/A.-
    simple-block | custom | board=AAB/CDB/.E.
    simple-block | custom | board=AB./CDE/F.G;goal=edges
    simple-block | 3x3-n4 | goal=edges
    sliding-block | custom | board=@aab/c.b/d../goal: a 1,1/;metric=step
    sliding-block | custom | board=@aab/c#b/d../goal: c 2,2/goal: d 0,2/;metric=line
    sliding-block | custom | board=@abc/d.e/fgh/goal: a 2,2/;metric=piece
    sliding-tile | 3x2 | empty=0,1
    sliding-tile | 4x2 |
    pancake | plain-2 |
    pancake | burnt-1 |
    lights-out | 1x7 |
    lights-out | 2x5 |
    permutation | custom | define=@Set A 5/Move a/A/2 1 3 4 5/End/Move b/A/1 3 2 4 5/End/Move c/A/2 3 4 5 1/End/Move x/A/5 4 3 2 1/End/;metric=quarter
    permutation | custom | define=@Set A 4 3/Move a/A/2 3 1 4/1 1 1 0/End/Move b/A/1 3 4 2/0 1 2 0/End/;symmetry=off
    permutation | custom | define=@Set A 6 2/Solved/A/1 1 2 2 3 3/End/Move a/A/2 3 4 1 5 6/1 0 0 1 0 0/End/Move b/A/1 2 4 5 6 3/End/
";

/// Settings of a row of [`CUSTOM`], whose files are written to a folder.
fn settings_in(folder: &Path, text: &str) -> Settings {
    let pairs = text.split(';').filter(|pair| !pair.is_empty());
    let read = pairs.enumerate().map(|(number, pair)| {
        let (key, value) = pair.split_once('=').unwrap();
        let value = match value.strip_prefix('@') {
            None => value.to_owned(),
            Some(text) => {
                let name = text.bytes().fold(number, |sum, byte| {
                    sum.wrapping_mul(31).wrapping_add(byte.into())
                });
                let file = folder.join(format!("{name:x}"));
                std::fs::write(&file, text.replace('/', "\n")).unwrap();
                file.display().to_string()
            }
        };
        (key.to_owned(), value)
    });
    read.collect()
}

/// The small instances of a puzzle.
fn custom(library: &Library, folder: &Path) -> BTreeSet<(String, Settings)> {
    let own = rows::<3>(CUSTOM)
        .into_iter()
        .filter(|[puzzle, ..]| *puzzle == library.name);
    own.map(|[_, instance, text]| (instance.to_owned(), settings_in(folder, text)))
        .collect()
}

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

/// Whether a variant offers something for an instance.
fn offers(
    library: &Arc<Library>,
    variant: &str,
    (instance, settings): &(String, Settings),
    what: Capabilities,
) -> bool {
    let opened = library.open(instance, variant, settings);
    opened.is_ok_and(|opened| opened.offers(what))
}

/// Whether an instance opens, and is not large according to its numbering.
fn may_be_small(library: &Arc<Library>, (instance, settings): &(String, Settings)) -> bool {
    let Ok(opened) = library.open(instance, "reference", settings) else {
        return false;
    };
    let (parts, ranked) = (opened.part_count, opened.offers(Capabilities::RANK));
    let graph = Graph::of(opened);
    let space = |part| graph.space(part).unwrap();
    parts <= FEW_PARTS && (!ranked || space(0).unwrap_or(0) * parts <= FEW_RANKS)
}

/// The tables of one engine; `None` if it refuses, or if its time is over.
fn found(
    request: &Request,
    engine: EngineId,
    variant: Option<&str>,
    time: Duration,
) -> Option<String> {
    let work = fresh();
    let mut request = request.clone();
    request.engine = Some(engine);
    request.variant = variant.map(str::to_owned);
    if engine.takes(QuestionKind::Levels, Opt::Work) {
        request.options.work = Some(work.join("work"));
        // Many partitions, so that most neighbours are exchanged.
        request.options.partition_states = Some(16);
    }
    let analysis = analyse(&request, &Stop::default().fork_for(Some(time))).ok()?;
    let known = analysis.run.complete || request.max_depth.is_some() && analysis.finished;
    known.then(|| tables(&analysis))
}

/// Tables without the states that no search from the solved ones meets: only a variant that numbers
/// its states knows these.
fn without_rest(tables: &str) -> String {
    let lines = tables.split_inclusive('\n');
    lines
        .filter(|line| !line.starts_with("unsolvable"))
        .collect()
}

/// Compares engines on all small instances of a puzzle. On the instances of this file, and on all
/// if `every` is set, it tries every engine in every variant; else the next one that does not
/// refuse. Returns how many tables were compared.
fn compare(library: Library, every: bool) -> usize {
    let library = Arc::new(library);
    let folder = fresh();
    let mut custom = custom(&library, &folder);
    let (mut compared, mut instances) = (0, BTreeSet::new());
    let engines = EngineId::all(QuestionKind::Levels).into_iter();
    let mut cells: VecDeque<_> = engines
        .flat_map(|engine| {
            library
                .variants
                .iter()
                .map(move |variant| (engine, variant))
        })
        .collect();
    for place in places(&library).into_iter().chain(custom.clone()) {
        let is_custom = custom.remove(&place);
        let oracle_time = match is_custom {
            true => LONG,
            false if may_be_small(&library, &place) => SMALL,
            false => continue,
        };
        let from = is_custom.then(|| board_of(&library, &place)).flatten();
        // Also from a board, both to the end and with a limit.
        let mut bounds = vec![(None, None)];
        if from.is_some() {
            bounds.extend([(from.clone(), None), (from, Some(2))]);
        }
        let ways = [Direction::Forward, Direction::Backward].into_iter();
        let asked = ways.flat_map(|way| bounds.iter().map(move |bound| (way, bound.clone())));
        for (way, (from, max_depth)) in asked {
            let request = Request {
                settings: place.1.clone(),
                direction: Some(way),
                from,
                max_depth,
                ..Request::new(Arc::clone(&library), place.0.clone())
            };
            let Some(oracle) = found(
                &request,
                EngineId::REFERENCE,
                Some("reference"),
                oracle_time,
            ) else {
                continue;
            };
            instances.insert(place.clone());
            let counts = offers(&library, "reference", &place, Capabilities::RANK);
            for _ in 0..cells.len() {
                cells.rotate_left(1);
                let (engine, variant) = cells[0];
                let Some(mut table) = found(&request, engine, Some(variant), LONG) else {
                    continue;
                };
                if !counts {
                    table = without_rest(&table);
                }
                let bound = (&request.from, max_depth);
                let name = format!(
                    "{}/{place:?} {way:?} {bound:?} {engine} on {variant}",
                    library.name
                );
                assert_eq!(table, oracle, "{name}");
                compared += 1;
                if !is_custom && !every {
                    break;
                }
            }
        }
    }
    assert!(custom.is_empty(), "{}: {custom:?}", library.name);
    assert!(instances.len() >= 3, "{}: {instances:?}", library.name);
    compared
}

fn compare_all(every: bool) -> usize {
    let libraries = builtin::all().into_iter().filter(has_small_instances);
    let compared = libraries.map(|library| {
        let name = library.name.clone();
        let compared = compare(library, every);
        println!("{name}: {compared} tables");
        compared
    });
    compared.sum()
}

#[test]
fn all_engines_agree_on_small_instances_of_every_puzzle() {
    let total = compare_all(false);
    assert!(total >= 200, "{total} tables");
}

#[test]
#[ignore = "half a CPU-minute; CI_FULL=1 .ci/run"]
fn all_engines_agree_on_every_small_instance() {
    let total = compare_all(true);
    assert!(total >= 1000, "{total} tables");
}

/// Sliding tiles on 17 squares and more have at least 1e14 boards.
fn has_small_instances(library: &Library) -> bool {
    library.name != "large-tile"
}

/// The results of a plain search over the moves of the rulebook from a start.
struct Plain {
    depths: HashMap<u128, u32>,
    to_solved: Option<u32>,
}

fn plain(rules: &Graph<u128>, start: u128) -> Plain {
    let (mut depths, mut level) = (HashMap::from([(start, 0)]), vec![start]);
    let (mut to_solved, mut depth, mut out) = (None, 0, Expansion::default());
    while !level.is_empty() {
        if to_solved.is_none() && rules.is_solved(&level).unwrap().contains(&true) {
            to_solved = Some(depth);
        }
        depth += 1;
        rules.expand(Direction::Forward, &level, &mut out).unwrap();
        level = out.keys().to_vec();
        level.retain(|&key| match depths.entry(key) {
            Entry::Vacant(new) => {
                new.insert(depth);
                true
            }
            Entry::Occupied(_) => false,
        });
    }
    Plain { depths, to_solved }
}

/// Boards of an instance, drawn at random.
fn boards(fast: &Graph<u128>, rules: &Graph<u128>, seed: u64) -> Vec<u128> {
    const BOARDS: usize = 2;
    if fast.has(Capabilities::RANDOM) {
        return fast.random(seed, 0, BOARDS).unwrap();
    }
    let mut mixed = seed;
    let mut draw = |below: u64| {
        mixed = mixed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (mixed >> 33) % below
    };
    let mut keys = Vec::new();
    for _ in 0..BOARDS {
        let part = draw(fast.opened.part_count);
        match fast.space(part).unwrap() {
            Some(size @ 1..) => fast.unrank(part, &[draw(size)], &mut keys).unwrap(),
            _ => {
                let starts = rules.roots(Direction::Forward, 0).unwrap();
                let reached = starts.first().map(|&start| plain(rules, start).depths);
                let mut reached: Vec<u128> = reached.unwrap_or_default().into_keys().collect();
                reached.sort_unstable();
                keys.extend(reached.get(draw(reached.len().max(1) as u64) as usize));
            }
        }
    }
    keys
}

/// A board of an instance, as text.
fn board_of(library: &Arc<Library>, place: &(String, Settings)) -> Option<String> {
    let (instance, settings) = place;
    let open = |variant: &str| Graph::of(library.open(instance, variant, settings).unwrap());
    let (fast, rules) = (
        open(&library.variants[0]),
        open(library.reference_variant()),
    );
    let key = *boards(&fast, &rules, 3).first()?;
    Some(rules.draw(key).unwrap())
}

/// Asks every engine in every variant for one path; returns the number of answers.
fn paths(request: &PathRequest, right: Option<u32>, what: &str) -> usize {
    let mut answers = 0;
    for engine in [None]
        .into_iter()
        .chain(EngineId::all(QuestionKind::Path).into_iter().map(Some))
    {
        for variant in &request.library.variants {
            let work = fresh();
            let mut request = request.clone();
            (request.engine, request.variant) = (engine, Some(variant.clone()));
            if engine.is_some_and(|engine| engine.takes(QuestionKind::Path, Opt::Work)) {
                request.options.work = Some(work.join("work"));
            }
            let stop = Stop::default().fork_for(Some(LONG));
            let Ok(report) = ask::path(&request, &stop) else {
                continue;
            };
            let name = engine.map_or("", EngineId::name);
            let told = format!("{what} by {name} on {variant}: {}", report.summary);
            match (&report.outcome, right) {
                (Outcome::Path(path), Some(right)) if path.shortest => {
                    assert_eq!(path.moves() as u32, right, "{told}");
                }
                (Outcome::Path(path), Some(right)) => {
                    assert!(path.moves() as u32 >= right, "{told}");
                }
                (Outcome::Unreachable(_), None) => {}
                (Outcome::NotReached(reason), _) => {
                    assert!(*reason != StopReason::Requested, "{told}");
                    assert_eq!(name, "beam", "{told}");
                }
                (_, right) => panic!("{told}, and it is {right:?}"),
            }
            answers += 1;
        }
    }
    answers
}

/// Compares lengths on small instances of a puzzle with a plain search; returns how many answers
/// were compared.
fn compare_lengths(library: &Arc<Library>, seed: u64) -> usize {
    let folder = fresh();
    let listed = places(library).into_iter();
    // Without ranks, nothing shows how small an instance is.
    let listed = listed.filter(|place| {
        may_be_small(library, place) && offers(library, "reference", place, Capabilities::RANK)
    });
    let mut listed: Vec<_> = listed.collect();
    let every = listed.len().max(1);
    let mut number = seed as usize;
    listed.retain(|_| {
        number += 1;
        number.is_multiple_of(every)
    });
    let mut compared = 0;
    for (instance, settings) in custom(library, &folder).into_iter().chain(listed) {
        let open = |variant: &str| Graph::of(library.open(&instance, variant, &settings).unwrap());
        let (fast, rules) = (
            open(&library.variants[0]),
            open(library.reference_variant()),
        );
        let starts = boards(&fast, &rules, seed);
        let texts: Vec<String> = starts.iter().map(|&key| rules.draw(key).unwrap()).collect();
        let found: Vec<Plain> = starts.iter().map(|&start| plain(&rules, start)).collect();
        let name = format!("{}/{instance} {settings:?}", library.name);
        let solvable = fast.has(Capabilities::SOLVED_ROOTS);
        for (i, text) in texts.iter().enumerate() {
            let mut request = PathRequest {
                settings: settings.clone(),
                from: Some(text.clone()),
                options: EngineOptions::threads(1),
                ..PathRequest::new(Arc::clone(library), instance.clone())
            };
            compared += paths(&request, found[i].to_solved, &format!("{name} {text}"));
            // To another board; if goals are a setting, `to` is one of those.
            let to = &texts[(i + 1) % texts.len()];
            if !library.settings.iter().any(|setting| setting.key == "to") {
                request.to = Some(to.clone());
                let right = found[i].depths.get(&starts[(i + 1) % starts.len()]);
                compared += paths(&request, right.copied(), &format!("{name} {text} to {to}"));
            }
            // The table that `explore` shows.
            let part = part_of(&fast, starts[i]).unwrap();
            let limits = TableLimits {
                orbits: 1 << 20,
                time: LONG,
                threads: 1,
            };
            if let (Some(part), true) = (part, solvable)
                && let Ok(table) =
                    Distances::walk(&fast, &rules, part, &limits, &Stop::default()).unwrap()
            {
                let known = table.of(&starts[i..=i]).unwrap()[0];
                let right = found[i].to_solved;
                let right = right.map_or(KnownDistance::Unsolvable, |depth| {
                    KnownDistance::Exactly(depth as u16)
                });
                assert_eq!(known, right, "{name} {text} in a table");
                compared += 1;
            }
        }
        compared += compare_pairs(library, (&instance, &settings), &texts, |from, to| {
            found[from].depths.get(&starts[to]).copied()
        });
    }
    compared
}

/// Compares the lengths between all boards with the right ones.
fn compare_pairs(
    library: &Arc<Library>,
    (instance, settings): (&str, &Settings),
    texts: &[String],
    right: impl Fn(usize, usize) -> Option<u32>,
) -> usize {
    let mut compared = 0;
    for (variant, engine) in library.variants.iter().flat_map(|variant| {
        let all = EngineId::all(QuestionKind::Many).into_iter();
        all.map(move |engine| (variant, engine))
    }) {
        let request = LengthsRequest {
            settings: settings.clone(),
            variant: Some(variant.clone()),
            memory: Some(1 << 26),
            ..pairs(&format!("{}/{instance}", library.name), texts)
        };
        let Ok(lengths) = ask::many(Some(engine), &request, &Stop::default()) else {
            continue;
        };
        for row in &lengths.rows {
            let at = |name: &String| texts.iter().position(|text| text == name).unwrap();
            let right = right(at(&row.from), at(&row.to));
            let told = format!(
                "{}/{instance} {settings:?} {} to {} by {engine} on {variant}: {}",
                library.name, row.from, row.to, row.length
            );
            match row.length {
                Length::Exactly { moves, .. } => assert_eq!(Some(moves), right, "{told}"),
                Length::Unreachable { .. } => assert_eq!(None, right, "{told}"),
                Length::MoreThan { .. } => panic!("{told}"),
            }
            compared += 1;
        }
    }
    compared
}

/// With `ANTIPODE_SEEDS=N`, N seeds are tried.
#[test]
fn all_lengths_are_those_of_a_plain_search() {
    let seeds = std::env::var("ANTIPODE_SEEDS").map_or(1, |seeds| seeds.parse().unwrap());
    let libraries = builtin::all().into_iter().filter(has_small_instances);
    for library in libraries.map(Arc::new) {
        for seed in 1..=seeds {
            let compared = compare_lengths(&library, seed);
            println!("{}: {compared} lengths, seed {seed}", library.name);
            assert!(compared >= 40, "{}: {compared} lengths", library.name);
        }
    }
}

/// Three green blocks are more than Tilt's own sweep was written for: it took them for two.
#[test]
fn a_loop_refuses_what_it_was_not_written_for() {
    let mut asked = request("tilt/thesis-a");
    asked.engine = Some("sweep".parse().unwrap());
    let refused = try_analyse(&asked).unwrap_err();
    let said = "tilt/thesis-a: variant bitboard has no inner loop of its own for this instance; use --engine hash";
    assert_eq!(refused.to_string(), said);
    asked.engine = Some(EngineId::HASH);
    let analysis = try_analyse(&asked).unwrap();
    // 33 moves by `solve`, as others find; the deepest level is 47.
    assert_eq!(analysis.levels.levels.last().unwrap().depth, 47);
}

/// Levels and the unsolvable states are all placements: grey, blue and green blocks on the squares
/// besides the hole, those of a card in each of its images; or coins on cells.
#[test]
fn all_rows_add_up_to_the_number_of_placements() {
    for [instance, placements] in rows(
        "tilt/box grey=1 blue=2 green=0..2 | 1408704
         tilt/card-20 | 28880
         coin-sliding/custom coins=8 to=.oo./o..o/o..o/.oo. | 12870
         coin-sliding/custom width=5 coins=4 to=oo.../oo.../...../..... | 4845",
    ) {
        let levels = try_analyse(&request(instance)).unwrap().levels;
        let unsolvable = levels.unsolvable.as_ref().unwrap().states;
        let all = levels.total_states() + unsolvable;
        assert_eq!(all.to_string(), placements, "{instance}");
    }
}

/// Rows, such as that of unsolvable states, rest on what an instance offers; both variants of every
/// listed one offer the same, and have the same starts, which they read and draw alike.
#[test]
fn variants_make_the_same_rows() {
    use Capabilities as Offers;
    let rows = [
        Offers::RANK,
        Offers::SOLVED_ROOTS,
        Offers::PARTS,
        Offers::SYMMETRY,
    ];
    for library in builtin::all().into_iter().map(Arc::new) {
        for instance in &library.instances {
            let offers = |variant: &String| {
                let opened = library.open(&instance.name, variant, &Settings::new());
                let graph = Graph::<u128>::of(opened.ok()?);
                let starts = graph.roots(Direction::Forward, 0).unwrap();
                let drawn = starts.iter().map(|&key| graph.draw(key).unwrap());
                let drawn: Vec<String> = drawn.collect();
                let read = drawn.iter().map(|text| graph.parse(text).unwrap());
                assert!(read.eq(starts), "{}/{}", library.name, instance.name);
                Some((rows.map(|row| graph.opened.offers(row)), drawn))
            };
            let all: BTreeSet<_> = library.variants.iter().map(offers).collect();
            assert_eq!(all.len(), 1, "{}/{}: {all:?}", library.name, instance.name);
        }
    }
}

/// A search from one board uses symmetry only if the board is its own image.
#[test]
fn a_board_that_is_its_own_image_is_searched_with_symmetry() {
    for (board, reduced) in [
        ("b...b/...../..O../...../b...b", true),
        ("g..../...../..O../...../.....", false),
        ("g...g/...../..O../...../.....", false),
    ] {
        let graph = graph::<u64>("tilt/box", "bitboard");
        let root = Roots::State(graph.parse(board).unwrap());
        let search = Search::new(graph, Direction::Forward, root, None).unwrap();
        assert_eq!(search.symmetry, reduced, "{board}");
    }
}
