//! Random claims of every kind about small instances of every puzzle, compared with a plain search
//! over the rulebook. No false claim is confirmed, and no true one refuted.

use std::collections::BTreeMap;
use std::sync::Arc;

use antipode_claims::{Context, Effort, counts};
use antipode_graph::builtin;
use antipode_reports::model::Verdict;
use antipode_search::engine::QuestionKind;
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use puzzle_api::Direction;

use crate::world::{Asked, World};

/// Puzzle, instance and settings with `;` between them. A setting whose value begins with `@` is
/// a file with that text, in which `/` ends a line.
const WORLDS: &str = "\
    tilt|card-12|
    tilt|box|grey=0;blue=1;green=0..1
    tilt|box|grey=1;blue=0;green=0..1
    coin-sliding|custom|width=3;height=3;coins=4;from=oo./oo./...;to=.../.oo/.oo,o.o/.../o.o
    coin-sliding|custom|width=3;height=3;coins=5;from=ooo/oo./...;to=.../.oo/ooo
    coin-sliding|custom|width=3;height=2;coins=3
    peg-solitaire|custom|board=@ooo/ooo/ooo/;from=0:1;to=any
    peg-solitaire|custom|board=@oooo/oooo/;from=1:0;to=0:0
    rush-hour|custom|board=BB.C/AA.C/D.../D.EE
    rush-hour|custom|board=BB.C/AA.C/D.../D.EE;metric=step
    rush-hour|card-1|
    unit-rush-hour|2x3|
    unit-rush-hour|custom|board=|-|/A.-
    simple-block|3x3-n2|
    simple-block|custom|board=AB./CDE/F.G;goal=edges
    sliding-block|custom|board=@aab/c.b/d../goal: a 1,1/;metric=step
    sliding-tile|2x3|empty=0,1
    pancake|plain-4|
    pancake|burnt-3|
    hanoi|3-3|
    hanoi|4-3|
    lights-out|2x4|
    permutation|custom|define=@Set A 5/Move a/A/2 1 3 4 5/End/Move b/A/1 3 2 4 5/End/Move c/A/2 3 4 5 1/End/Move x/A/5 4 3 2 1/End/;metric=quarter
    permutation|custom|define=@Set A 4 3/Move a/A/2 3 1 4/1 1 1 0/End/Move b/A/1 3 4 2/0 1 2 0/End/;symmetry=off";

/// Numbers at random.
struct Dice(u64);

impl Dice {
    /// A number below `below`.
    fn below(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A claim: its lines, and whether it is true; `None` if the plain search does not know.
type Drawn = Option<(String, bool)>;

/// Draws claims about one instance.
struct Draws<'a> {
    world: &'a World,
    states: Vec<u128>,
    starts: Vec<u128>,
    dice: Dice,
}

impl Draws<'_> {
    fn state(&mut self) -> u128 {
        let at = self.dice.below(self.states.len());
        self.states[at]
    }

    fn draw(&self, state: u128) -> String {
        self.world.rules.draw(state).unwrap()
    }

    /// `engine = …`, for most claims.
    fn engine(&mut self, kind: QuestionKind) -> String {
        let all = EngineId::all(kind);
        let named = all[self.dice.below(all.len())];
        // Engine `cluster` starts processes, which would slow a test of this many claims.
        let alone = !self.dice.one_in(3) && named.name() != "cluster";
        match alone {
            true => format!("engine = \"{named}\"\n"),
            false => String::new(),
        }
    }

    fn bound(&mut self) -> (Option<usize>, String) {
        let bound = self
            .dice
            .of(&[None, None, Some(0), Some(1), Some(3), Some(100)]);
        let line = bound.map(|depth| format!("max_depth = {depth}\n"));
        (bound, line.unwrap_or_default())
    }

    /// A comparison with the right number or one near it, and whether it holds.
    fn compared(&mut self, right: usize) -> (String, bool) {
        let claimed = match self.dice.below(3) {
            0 => right,
            1 => right + 1 + self.dice.below(2),
            _ => right.saturating_sub(1 + self.dice.below(2)),
        };
        let (compare, holds) = self.dice.of(&[
            ("equal", right == claimed),
            ("at-most", right <= claimed),
            ("at-least", right >= claimed),
        ]);
        let lines = format!("claimed = {claimed}\ncompare = \"{compare}\"\n");
        (lines, holds)
    }

    /// Where a path begins and ends, as keys of a claim, and its length.
    fn path(&mut self) -> Option<(String, Option<usize>)> {
        let mut keys = String::new();
        let own = self.dice.one_in(4).then(|| self.starts.first().copied());
        let start = match own.flatten() {
            Some(start) => start,
            None => {
                let state = self.state();
                keys += &format!("board = \"{}\"\n", self.draw(state));
                state
            }
        };
        let levels = self.world.levels(true, Some(start));
        // For some puzzles, `to` takes the value of their setting of that name.
        let named = self
            .world
            .library
            .settings
            .iter()
            .any(|set| set.key == "to");
        let length = if !named && self.dice.one_in(3) {
            let to = self.state();
            keys += &format!("to = \"{}\"\n", self.draw(to));
            levels.get(&to).copied()
        } else {
            let solved = self.world.solved.iter();
            solved.filter_map(|state| levels.get(state).copied()).min()
        };
        keys += &self.engine(QuestionKind::Path);
        keys += &self.bound().1;
        Some((keys, length))
    }

    fn length(&mut self) -> Drawn {
        let (keys, length) = self.path()?;
        let (lines, holds) = match length {
            _ if self.dice.one_in(6) => ("claimed = \"unsolvable\"\n".into(), length.is_none()),
            Some(right) => self.compared(right),
            None => {
                let (lines, _) = self.compared(3);
                let holds = lines.contains("at-least");
                (lines, holds)
            }
        };
        Some((format!("kind = \"length\"\n{lines}{keys}"), holds))
    }

    fn solvable(&mut self) -> Drawn {
        let (keys, length) = self.path()?;
        let (kind, holds) = self.dice.of(&[
            ("solvable", length.is_some()),
            ("unreachable", length.is_none()),
        ]);
        Some((format!("kind = \"{kind}\"\n{keys}"), holds))
    }

    fn hardest(&mut self) -> Drawn {
        let levels = self.world.levels(false, None);
        let greatest = levels.values().copied().max()?;
        let mut last = levels.iter().filter(|(_, depth)| **depth == greatest);
        let board = match self.dice.one_in(2) {
            true => *last.next()?.0,
            false => self.state(),
        };
        let mut lines = format!("kind = \"hardest\"\nboard = \"{}\"\n", self.draw(board));
        let mut holds = levels.get(&board) == Some(&greatest);
        if self.dice.one_in(2) {
            let claimed = greatest + self.dice.below(2);
            lines += &format!("claimed = {claimed}\n");
            holds &= claimed == greatest;
        }
        Some((lines, holds))
    }

    /// A search, as keys of a claim.
    fn search(&mut self) -> Asked {
        let engine = self.engine(QuestionKind::Levels);
        let forward = self.dice.one_in(2);
        let board = self.dice.one_in(2).then(|| self.state());
        let (max_depth, _) = self.bound();
        let first = 1 + self.dice.below(3);
        let some = self.dice.one_in(3);
        let levels = some.then_some((first, first + self.dice.below(3)));
        match self.dice.one_in(5) {
            true => self.world.asks_of_all(),
            false => (self.world).asks(&engine, (forward, board), max_depth, levels),
        }
    }

    fn count(&mut self) -> Drawn {
        let asked = self.search();
        if asked.forward && asked.board.is_none() && self.starts.is_empty() {
            return None;
        }
        let names: Vec<[String; 5]> = counts().collect();
        let [name, unit, ..] = &names[self.dice.below(names.len())];
        let name = name.replace('N', "3");
        let of_moves = name.starts_with("moves_") || name == "levels_back";
        if asked.keys.is_empty() && of_moves {
            return None;
        }
        let levels = self.world.levels(asked.forward, asked.board);
        let right = self.world.figure(&name, &asked, &levels)?;
        let mut lines = format!("kind = \"count\"\ncount = \"{name}\"\n{}", asked.keys);
        if self.dice.one_in(4) {
            lines += &format!("unit = \"{unit}\"\n");
        }
        let (more, holds) = match right.parse::<usize>() {
            Ok(right) => self.compared(right),
            Err(_) => {
                let right: f64 = right.parse().unwrap();
                let claimed = right + self.dice.of(&[0.25, 0.5, -0.5]);
                let (compare, holds) = self.dice.of(&[
                    ("at-most", right <= claimed),
                    ("at-least", right >= claimed),
                ]);
                let lines = format!("claimed = \"{claimed:.5}\"\ncompare = \"{compare}\"\n");
                (lines, holds)
            }
        };
        Some((lines + &more, holds))
    }

    fn levels(&mut self) -> Drawn {
        let asked = self.search();
        let starts = !self.starts.is_empty();
        if !starts && asked.board.is_none() {
            return None;
        }
        let levels = self.world.levels(true, asked.board);
        let first = self.dice.below(4);
        let last = first + self.dice.below(4);
        let mut sizes: Vec<usize> = (first..=last)
            .map(|depth| levels.values().filter(|at| **at == depth).count())
            .collect();
        let holds = !self.dice.one_in(2);
        if !holds {
            let at = self.dice.below(sizes.len());
            sizes[at] += 1;
        }
        let board = asked
            .board
            .map(|board| format!("board = \"{}\"\n", self.draw(board)));
        let lines = format!(
            "kind = \"levels\"\nlevels = [{first}, {last}]\nclaimed = {sizes:?}\n{}{}{}",
            board.unwrap_or_default(),
            self.engine(QuestionKind::Levels),
            self.bound().1,
        );
        Some((lines, holds))
    }

    fn lengths(&mut self) -> Drawn {
        let boards: Vec<u128> = (0..2).map(|_| self.state()).collect();
        let (mut rows, mut holds) = (BTreeMap::new(), true);
        for (from, to) in [(0, 1), (1, 0)] {
            let levels = self.world.levels(true, Some(boards[from]));
            let right = levels.get(&boards[to]).copied();
            let claimed = right.unwrap_or(3) + usize::from(self.dice.one_in(3));
            holds &= right == Some(claimed);
            let ends = format!("{},{}", self.draw(boards[from]), self.draw(boards[to]));
            rows.insert(ends, claimed);
        }
        let rows = rows.iter().map(|(ends, moves)| format!("{ends},{moves}\n"));
        let table: String = rows.collect();
        Some((
            format!("kind = \"lengths\"\ntable = '''\n{table}'''\n"),
            holds,
        ))
    }
}

/// How many claims of each kind were decided.
type Decided = BTreeMap<String, usize>;

/// Draws claims about an instance and compares their verdicts with what is true.
fn try_some(world: &World, seed: u64, claims: usize, decided: &mut Decided) {
    let mut draws = Draws {
        world,
        states: world.moves.keys().copied().collect(),
        starts: world.rules.roots(Direction::Forward, 0).unwrap(),
        dice: Dice(seed),
    };
    let mut context = Context::new(Effort::Quick, seed, 1, Stop::default());
    for _ in 0..claims {
        let drawn = match draws.dice.below(8) {
            0 | 1 => draws.length(),
            2 => draws.solvable(),
            3 => draws.hardest(),
            4 => draws.levels(),
            5 => draws.lengths(),
            _ => draws.count(),
        };
        let Some((lines, holds)) = drawn else {
            continue;
        };
        let verdict = world.decided(&lines, &mut context);
        let told = format!("{}, seed {seed}: {lines}", world.rules.opened.full_name());
        match verdict {
            Some(Verdict::Confirmed | Verdict::ConfirmedBySample) => {
                assert!(holds, "false, and confirmed: {told}");
            }
            Some(Verdict::Refuted | Verdict::RefutedBySample) => {
                assert!(!holds, "true, and refuted: {told}");
            }
            _ => continue,
        }
        let kind = lines.split('"').nth(1).unwrap_or_default().to_owned();
        *decided.entry(kind).or_default() += 1;
    }
}

/// Claims drawn by one seed about one instance.
const CLAIMS: usize = 24;

/// With `ANTIPODE_SEEDS=N`, N seeds are tried.
#[test]
fn no_false_claim_is_confirmed_and_no_true_one_refuted() {
    let seeds = std::env::var("ANTIPODE_SEEDS").map_or(1, |seeds| seeds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut decided = Decided::new();
    for (number, world) in WORLDS.lines().enumerate() {
        let [puzzle, instance, settings] =
            world.trim_start().splitn(3, '|').collect::<Vec<_>>()[..]
        else {
            panic!("{world}");
        };
        let pairs = settings.split(';').filter(|pair| !pair.is_empty());
        let pairs: Vec<(&str, String)> = pairs
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap();
                let Some(text) = value.strip_prefix('@') else {
                    return (key, value.to_owned());
                };
                let file = folder.path().join(format!("{number}.txt"));
                std::fs::write(&file, text.replace('/', "\n")).unwrap();
                (key, file.display().to_string())
            })
            .collect();
        let settings: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let library = Arc::new(builtin::named(puzzle).expect("a built-in puzzle"));
        let world = World::new(&library, instance, &settings);
        for seed in 1..=seeds {
            try_some(&world, seed << 8 | number as u64, CLAIMS, &mut decided);
        }
    }
    println!("decided: {:?}", decided);
    // Every kind but `derived`.
    assert_eq!(decided.len(), 7, "{:?}", decided);
    for (kind, number) in &decided {
        assert!(*number >= 10, "{kind}: {number}");
    }
}
