//! Every puzzle that ships keeps the contract that `test-plugin` checks of a library, on a small
//! instance. This includes that the fast variant agrees with the rulebook.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use antipode_check::conformance::{self, Event, Scope, TestPlan, Verdict};
use antipode_graph::{Capabilities, Expansion, Graph, Library, RankExpansion, builtin};
use antipode_search::progress::Stop;
use puzzle_api::{Direction, Key, NEVER, Placement, Settings};

/// Small instances, at least one of each puzzle in the order of the list, and those whose fast
/// variant takes another way: settings of the metric, of walls and goals, boards too large for a
/// word, boards with gates. Settings are separated by `; `. The texts of permutation puzzles have
/// pieces that look alike, places that are not for all, joined pieces, and many states.
const SMALL: &str = "
    tilt | box | grey=1; blue=1; green=0..1
    tilt | box |
    tilt | thesis-a |
    coin-sliding | custom | width=3; height=5; coins=6
    coin-sliding | custom | coins=15
    coin-sliding | custom | width=1; height=9; coins=4
    coin-sliding | custom | width=9; height=1; coins=4
    coin-sliding | custom | width=2; height=7; coins=8
    coin-sliding | custom | width=7; height=2; coins=8
    coin-sliding | custom | width=6; height=4; coins=4
    coin-sliding | custom | width=8; height=8; coins=6
    coin-sliding | custom | width=2; height=2; coins=4
    coin-sliding | custom | coins=8; to=.oo./o..o/o..o/.oo.
    coin-sliding | custom | coins=5; from=.o../o.o./.oo./....; to=.oo./o..o/..../..o.
    coin-sliding | custom | coins=4; from=o..o/.oo./..../....; to=.oo./o..o/..../....
    coin-sliding | custom | coins=4; from=o..o/..../..../o..o; to=..../.oo./.oo./....
    coin-sliding | custom | HIGH
    coin-sliding | 5x9 | from=A
    coin-sliding | custom | coins=4; to=..../.oo./.oo./....
    coin-sliding | 5x7 |
    coin-sliding | 5x7 | from=A; to=O,X
    coin-sliding | 5x9 | from=A; to=O,X
    coin-sliding | custom | width=64; height=1; coins=30
    peg-solitaire | triangle-15 |
    peg-solitaire | triangle-15 | to=4
    peg-solitaire | custom | LINES
    peg-solitaire | custom | CHAIN
    peg-solitaire | english-33 | to=1:0
    peg-solitaire | english-33 | to=any
    peg-solitaire | french-37 |
    peg-solitaire | wiegleb-45 |
    peg-solitaire | diamond-32 | to=-1:1
    peg-solitaire | diamond-41 |
    sliding-block | donkey | metric=line
    sliding-block | donkey | metric=step
    sliding-block | block-10-v11 |
    sliding-block | climb-pro-24 |
    sliding-block | mini-climb-pro |
    sliding-block | maxi-ma | metric=step
    sliding-block | custom | board=a..b/aacc/.-../--#./goal: a 1,0; metric=line
    sliding-block | custom | board=#a.b-/cc-dd/.-**e/f-**./goal: * 0,1
    sliding-block | custom | board=ab-c/.*-./d.#f/goal: * 0,2; metric=step
    sliding-block | custom | board=aabbc.../......../......../dd....../goal: a 0,4; metric=step
    sliding-block | custom | board=a../bb./.../goal: a 2,2
    sliding-block | custom | WIDE
    rush-hour | card-1 |
    rush-hour | fogleman-21 | metric=step
    rush-hour | 4x4 | walls=2; row=4
    rush-hour | 5x5 | metric=step
    rush-hour | 5x5 | walls=1
    rush-hour | custom | board=BB./AA./..C/..C/D../D../DEE/...
    rush-hour | custom | board=BB....CC/DD....EE/FF....GG/AA....../HH....II/JJ....KK/LL....MM/NN....PP
    rush-hour | custom | board=BBCDD/..C../AA#E./...E.
    unit-rush-hour | 3x3 |
    unit-rush-hour | 2x2 | empty=any
    unit-rush-hour | 4x3 | empty=2..5; metric=move
    unit-rush-hour | 4x4 | empty=any; exit=2
    unit-rush-hour | 10x2 | exit=10
    unit-rush-hour | tromp-5x5 |
    unit-rush-hour | custom | board=A.-|.|-.||/||-.|.--|.
    unit-rush-hour | custom | board=.A.-.|-|/|..|.--./..|-|...; metric=move
    simple-block | 3x3-n4 |
    simple-block | 3x3-n3 | goal=edges
    simple-block | 3x4-n10 |
    simple-block | 4x4-n6 | goal=edges
    simple-block | custom | board=AABE/CFBB/CDGH/.DI.
    sliding-tile | 2x3 | empty=0,1
    sliding-tile | 3x3 | empty=1,1
    sliding-tile | 2x8 |
    sliding-tile | 5x3 | empty=2,1
    sliding-tile | 4x4 |
    large-tile | 3x6 | empty=1,2
    large-tile | 5x5 |
    pancake | burnt-4 |
    pancake | plain-1 |
    pancake | plain-7 |
    pancake | plain-12 |
    pancake | burnt-12 |
    hanoi | 4-4 |
    hanoi | 3-20 |
    hanoi | 5-7 |
    hanoi | 6-20 |
    hanoi | 6-1 |
    lights-out | 2x4 | states=4; torus=true
    lights-out | 8x8 |
    lights-out | 4x4 | torus=true
    lights-out | 3x4 | pattern=o.o/.o./o.o
    lights-out | 3x3 | pattern=.o./.oo/...
    lights-out | 1x4 | states=6; pattern=121
    lights-out | 2x2 | states=8; pattern=426; torus=true
    lights-out | 3x3 | states=3; pattern=21012/11111/02120
    lights-out | 4x5 | states=7; torus=true; pattern=6/1/3
    permutation | custom | define=TEXTS/square-one-shape.tws
    permutation | custom | define=TEXTS/square-one.tws
    permutation | custom | define=TEXTS/tiny.tws
    permutation | custom | define=TEXTS/eleven.tws
    permutation | custom | define=TEXTS/ring.tws
    permutation | custom | define=TEXTS/cross.tws
    permutation | custom | define=TEXTS/two-rings.tws
    permutation | custom | define=TEXTS/loop.tws
    permutation | custom | define=TEXTS/puck.tws
    permutation | custom | define=TEXTS/bicube.def
    permutation | custom | define=TEXTS/pyraminx.def
    permutation | custom | define=TEXTS/zero-based.tws
    permutation | custom | define=TEXTS/2x2x2.kpuzzle.json; solved=turned
    permutation | pocket-cube |
    permutation | pyraminx | metric=quarter
    permutation | skewb |
    permutation | tower | metric=quarter
";

/// The texts of permutation puzzles.
const TEXTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../puzzles/permutation/tests/texts"
);

/// Long settings by their names in the table.
const LONG: [(&str, &str); 4] = [
    ("HIGH", HIGH),
    ("LINES", LINES),
    ("CHAIN", CHAIN),
    ("WIDE", WIDE),
];

/// Coins above the lowest 20 cells.
const HIGH: &str = "width=4; height=6; coins=3; to=..../..../.oo./.o../..../....; \
                    from=oo../o.../..../..../..../....,..../..../..../..../...o/..oo";

/// Pegs on lines: with a symmetry, and with jumps around a corner.
const LINES: &str = "board=hole a 0:0;hole b 1:0;hole c 2:0;hole d 1:1;hole e 1:-1;line a b c;\
                     line d b e; to=b";
const CHAIN: &str = "board=hole a 0:0;hole b 1:0;hole c 2:0;hole d 0:1;hole e 1:1;hole f 2:1;\
                     hole g 0:2;hole h 1:2;hole i 2:2;line a b c f e d g h i;line a e i;line c e g;\
                     line b e a;line h e c; from=e; to=i";

/// More cells than a word has bits.
const WIDE: &str = "board=aab..c..de/..b..c.fff/........../........../........../........../\
                    ........../........../goal: a 5,5; metric=step";

/// What the contract leaves to a variant is the same in all: draws, parts, images, names of moves,
/// hints and reversals; and no bound is below that of the rulebook.
fn twins(library: &Arc<Library>, instance: &str, settings: &Settings) -> Vec<String> {
    let name = format!("{}/{instance} {settings:?}", library.name);
    let open = |variant: &str| {
        let opened = library.open(instance, variant, settings);
        Graph::of(opened.unwrap_or_else(|why| panic!("{name}: {why}")))
    };
    let rules = open(library.reference_variant());
    let drawn = match rules.has(Capabilities::RANDOM) {
        true => rules.random(1, 0, 60).unwrap_or_default(),
        false => Vec::new(),
    };
    let mut states = drawn.clone();
    states.extend(rules.roots(Direction::Forward, 0).expect("starts"));
    let mut faults = Vec::new();
    for variant in library.variants.iter().filter(|name| *name != "reference") {
        let fast = open(variant);
        let both = [&rules, &fast];
        let mut same = |what: &str, same: bool| {
            if !same {
                faults.push(format!("{name}: {what} of {variant}"));
            }
        };
        let draws = drawn.is_empty() || fast.random(1, 0, 60).is_ok_and(|own| own == drawn);
        same("draws", draws);
        let parts = both.map(|graph| {
            let mut at = Vec::new();
            let placed = graph.place(&states, &mut at);
            let part = |place: Option<Placement>| place.map(|place| place.part);
            placed.map(|()| at.into_iter().map(part).collect::<Vec<_>>())
        });
        if let [Ok(literal), Ok(parts)] = parts {
            same("parts", literal == parts);
            let sizes = both.map(|graph| {
                let size = |part| (graph.part_name(part), graph.space(part).ok());
                (0..graph.opened.part_count.min(20))
                    .map(size)
                    .collect::<Vec<_>>()
            });
            same("sizes of parts", sizes[0] == sizes[1]);
        }
        let images = both.map(|graph| {
            let images = graph.images_of(&states).expect("images");
            let orbit = |images: &[u128]| images.iter().copied().collect::<BTreeSet<u128>>();
            let count = images.len() / states.len().max(1);
            images.chunks(count.max(1)).map(orbit).collect::<Vec<_>>()
        });
        same("images", images[0] == images[1]);
        let names = both.map(|graph| {
            let mut next = Expansion::default();
            let expanded = graph.expand(Direction::Forward, &states, &mut next);
            expanded.expect("moves");
            let each = states.iter().enumerate();
            let each = each.map(|(i, &from)| {
                let name = |&to: &u128| (to, graph.describe_move(from, to));
                next.of(i).iter().map(name).collect::<BTreeMap<_, _>>()
            });
            each.collect::<Vec<_>>()
        });
        same("names", names[0] == names[1]);
        let reversed = both.map(|graph| {
            let mut keys = states.clone();
            graph.time_reversed(&mut keys).map(|()| keys).ok()
        });
        same("reversals", reversed[0] == reversed[1]);
        let ends = both.map(|graph| graph.objective(&states).ok());
        same("objectives", ends[0] == ends[1]);
        if let [Ok(literal), Ok(order)] = both.map(|graph| graph.move_order(&states)) {
            same("order of moves", literal == order);
        }
        if let [Ok(least), Ok(bounds)] = both.map(|graph| graph.lower_bound(&states)) {
            // A rulebook that knows of no way is right.
            let holds =
                |(least, own): (&u64, &u64)| least <= own && (*least != NEVER || *own == NEVER);
            same("bounds", least.iter().zip(&bounds).all(holds));
        }
        if let Some(own) = Graph::<u64>::new(Arc::clone(&fast.opened)) {
            let narrow: Vec<u64> = states.iter().map(|&key| key as u64).collect();
            let answers = answers(&own, &narrow) == answers(&fast, &states);
            same("keys of its own width", answers);
        }
    }
    faults
}

/// Answers about some states, with keys as numbers.
fn answers<K: Key>(graph: &Graph<K>, states: &[K]) -> Vec<Vec<u128>> {
    let numbers = |keys: &[K]| keys.iter().map(|key| key.to_u128()).collect::<Vec<_>>();
    let mut out = Expansion::default();
    let (mut sizes, mut placed, mut made) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = vec![numbers(
        &graph.roots(Direction::Forward, 0).expect("starts"),
    )];
    for way in [Direction::Forward, Direction::Backward] {
        if graph.expand(way, states, &mut out).is_ok() {
            all.push(numbers(out.keys()));
        }
    }
    let expanded = graph.expand_to_orbits(Direction::Forward, states, &mut out);
    expanded.expect("moves up to symmetry");
    all.push(numbers(out.keys()));
    all.push(numbers(&graph.images_of(states).expect("images")));
    let mut keys = states.to_vec();
    graph
        .canonical(&mut keys, Some(&mut sizes))
        .expect("orbits");
    all.push(numbers(&keys));
    if graph.time_reversed(&mut keys).is_ok() {
        all.push(numbers(&keys));
    }
    let read = states
        .iter()
        .map(|&key| graph.parse(&graph.draw(key).expect("a drawing")));
    let read: Vec<K> = read.collect::<Result<_, _>>().expect("a state");
    all.push(numbers(&read));
    if graph.has(Capabilities::RANK) && graph.place(states, &mut placed).is_ok() {
        for Placement { part, rank } in placed.into_iter().flatten() {
            graph.unrank(part, &[rank], &mut made).expect("a state");
            all.push(numbers(&made));
            let size = graph.space(part).expect("a space").unwrap_or(0);
            let mut next = RankExpansion::default();
            let way = Direction::Forward;
            if graph
                .neighbour_ranks(way, (part, size), &[rank], true, &mut next)
                .is_ok()
            {
                all.push(numbers(next.keys()));
                all.push(next.ranks().iter().copied().map(u128::from).collect());
            }
        }
    }
    all.push(sizes.into_iter().map(u128::from).collect());
    all
}

#[test]
fn every_puzzle_keeps_the_contract() {
    let (mut passed, mut faults) = (HashSet::new(), Vec::new());
    let lines = SMALL.lines().filter(|line| !line.is_empty());
    let row = |line: &'static str| {
        let cells = line.split(" |").map(str::trim).collect::<Vec<_>>();
        <[&str; 3]>::try_from(cells).unwrap_or_else(|_| panic!("{line}"))
    };
    let small: Vec<[&str; 3]> = lines.map(row).collect();
    let mut named: Vec<&str> = small.iter().map(|row| row[0]).collect();
    named.dedup();
    let all = builtin::all();
    let names: Vec<&str> = all.iter().map(|library| &*library.name).collect();
    assert_eq!(names, named);
    for library in all.into_iter().map(Arc::new) {
        let rows = small.iter().filter(|row| *row[0] == *library.name);
        for (row, &[_, instance, given]) in rows.enumerate() {
            let mut given = given.replace("TEXTS", TEXTS);
            for (name, long) in LONG {
                given = given.replace(name, long);
            }
            let pairs = given.split("; ").filter_map(|pair| pair.split_once('='));
            let settings = puzzle_api::settings(&pairs.collect::<Vec<_>>());
            faults.extend(twins(&library, instance, &settings));
            let plan = TestPlan {
                boards: Vec::new(),
                instances: vec![(instance.to_owned(), settings)],
                variants: library.variants.clone(),
                scope: Scope {
                    seed: 1,
                    exhaustive: 300,
                    sample: 100,
                    // Walks to great depths take seconds.
                    deep: if row == 0 { 10 } else { 0 },
                },
                checks: usize::MAX,
                claims: None,
                after: None,
            };
            let (mut found, mut failed) = (0, Vec::new());
            let mut watch = |event: Event| {
                if let Event::Found(finding) = event {
                    if finding.failed() {
                        failed.push(format!("{finding:?}"));
                    } else if matches!(finding.verdict, Verdict::Passed { .. }) {
                        found += 1;
                        passed.insert(finding.at.check);
                    }
                }
            };
            let tested = conformance::test(&library, &plan, &Stop::default(), &mut watch);
            let name = format!("{}/{instance} {given}", library.name);
            tested.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(failed.is_empty(), "{name}: {failed:#?}");
            // For each variant some twenty checks, and more for those with ranks or symmetries.
            assert!(found > 15 * plan.variants.len(), "{name}: {found} checks");
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    let checks = conformance::CHECKS.into_iter();
    let checks = checks.map(|(name, _)| name);
    let never: Vec<&str> = checks.filter(|&name| !passed.contains(name)).collect();
    assert!(never.is_empty(), "{never:?}");
}
