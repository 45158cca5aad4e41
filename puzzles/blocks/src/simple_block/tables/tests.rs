use std::collections::BTreeMap;

use proptest::prelude::*;
use puzzle_api::UNSOLVABLE;
use puzzle_api::optional::*;
use puzzle_api::proof::{CensusTables, PartProof, PartProven, TableProof};
use puzzle_api::{Placement, Puzzle, Request, Settings, Xorshift};

use super::places::{NONE, Place};
use super::{NO_PART, PieceTables};
use crate::simple_block::board::{Board, MOST_CELLS};

const INSTANCES: [(&str, &[(&str, &str)]); 5] = [
    ("3x3-n4", &[]),
    ("3x3-n1", &[("goal", "edges")]),
    ("2x4-n5", &[]),
    ("3x4-n3", &[]),
    ("3x4-n9", &[("goal", "edges")]),
];

fn tables(instance: &str, settings: &[(&str, &str)]) -> PieceTables {
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: &Settings = &settings.iter().map(pair).collect();
    PieceTables::open(&Request { instance, settings }).unwrap()
}

impl PieceTables {
    /// A board of the census: pieces that fit are drawn one after the other, not all boards
    /// alike.
    fn drawn(&self, random: &mut Xorshift) -> Option<u64> {
        let mut open = self.places.board;
        let mut drawn: Vec<u16> = Vec::new();
        for left in (1..=self.instance.pieces as u32).rev() {
            let fits = |place: &Place| {
                let room = (open & !place.cells).count_ones();
                let row = usize::from(place.shape) * (MOST_CELLS + 1);
                let parts = &self.parts[row..row + MOST_CELLS + 1];
                let goal = !drawn.is_empty() || parts.iter().any(|&part| part != NO_PART);
                place.cells & !open == 0 && room >= left && goal
            };
            let all = (0..).zip(&self.places.all);
            let fitting: Vec<u16> = all.filter(|of| fits(of.1)).map(|of| of.0).collect();
            let one = *fitting.get(random.below(fitting.len().max(1) as u64) as usize)?;
            open &= !self.place(one).cells;
            drawn.push(one);
        }
        let covered = |&piece: &u16| {
            let cells = self.place(piece).cells;
            (0..MOST_CELLS)
                .filter(|cell| cells >> cell & 1 == 1)
                .collect::<Vec<usize>>()
        };
        let mut cells = drawn.iter().map(covered);
        let goal = cells.next()?;
        Some(Board::new(self.instance.grid, &goal, cells.collect()).key())
    }

    /// Compares the tables with the rulebook on boards drawn at random.
    fn tried(&self) -> Result<(), String> {
        let mut random = Xorshift::for_draw(1, 0);
        let mut draw = |_| self.drawn(&mut random).ok_or("no board of it is drawn");
        (0..400).try_for_each(|nth| self.holds(draw(nth)?))
    }
}

#[test]
fn what_tables_rest_on_holds() {
    for (instance, settings) in INSTANCES {
        tables(instance, settings).tried().unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn boards_move_as_by_the_rulebook(number in 0..INSTANCES.len(), seed: u64) {
        let (instance, settings) = INSTANCES[number];
        let tables = tables(instance, settings);
        let (rules, mut next) = (&tables.rules, Vec::new());
        let mut random = Xorshift::for_draw(seed, 0);
        let mut key = (0..).find_map(|_| tables.drawn(&mut random)).unwrap();
        for _ in 0..40 {
            prop_assert_eq!(tables.holds(key), Ok(()));
            next.clear();
            rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
            let Some(last) = next.len().checked_sub(1) else { break };
            key = next[random.below(last as u64 + 1) as usize];
        }
    }
}

#[test]
fn keys_of_no_state_are_not_their_own_image() {
    for (instance, goal) in [
        ("2x2-n1", "corner"),
        ("2x2-n2", "edges"),
        ("2x3-n3", "corner"),
        ("2x3-n4", "edges"),
    ] {
        let tables = tables(instance, &[("goal", goal)]);
        let rules = &tables.rules;
        let parts = rules.part_count();
        let (mut ranked, mut states) = (vec![0; parts as usize], 0);
        let all = 1 << (4 * tables.instance.grid.cells());
        // Digits beyond the number of pieces are no boards': of those, some.
        let digits = 2 + tables.instance.pieces as u64;
        let low = |key: &u64| (0..16).all(|cell| key >> (4 * cell) & 15 < digits);
        for key in (0..all + 50).filter(|key| low(key) || key % 97 == 0) {
            let mut images = Vec::new();
            tables.images(&[key], &mut images);
            let own = (key < all)
                .then(|| rules.place(&rules.state(key)))
                .flatten();
            assert_eq!(images[0] == key, own.is_some(), "{instance}: {key:x}");
            for part in 0..parts {
                let is_own = own.is_some_and(|place| place.part == part);
                assert_eq!(tables.is_ranked(part, key), is_own);
                ranked[part as usize] += u64::from(is_own);
            }
            states += u64::from(own.is_some());
        }
        for part in 0..parts {
            assert_eq!(tables.space(part), Some(ranked[part as usize]));
            assert_eq!(rules.space(part), Some(ranked[part as usize]));
        }
        assert_eq!(tables.space(parts), None);
        assert_eq!(tables.states(), states, "{instance}");
    }
}

#[test]
fn boards_are_counted_as_the_published_census_counts_them() {
    assert_eq!(tables("4x4-n1", &[]).states(), 6_587);
    assert_eq!(tables("4x4-n3", &[]).states(), 3_949_961);
    assert_eq!(tables("4x4-n14", &[]).states(), 6_384);
}

/// What a test does to tables.
type Edit = fn(&mut PieceTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit); 5] = [
        ("moves to other boards", |tables| {
            let all = tables.places.all.iter_mut();
            all.for_each(|place| place.steps[3] = NONE);
        }),
        ("moves to other boards", |tables| {
            let mut all = tables.places.all.iter_mut();
            all.find(|place| place.cells == 1 << 4).unwrap().cells ^= 1 << 5;
        }),
        ("is or is not solved, other", |tables| {
            let all = tables.places.all.iter_mut();
            all.for_each(|place| place.solved ^= true);
        }),
        ("moves to other boards", |tables| {
            let all = tables.places.all.iter_mut();
            all.for_each(|place| place.digits ^= 1);
        }),
        ("no board", |tables| tables.parts.fill(NO_PART)),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("3x3-n5", &[]);
        breaks(&mut tables);
        let told = tables.tried();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{what}: {told:?}"
        );
    }
}

/// The boards of a part with their distances, by the rulebook alone.
fn searched(tables: &PieceTables, part: u64) -> Vec<(u64, u16)> {
    let rules = &tables.rules;
    let ranks = 0..rules.space(part).unwrap();
    let states = ranks.map(|rank| rules.unrank(Placement { part, rank }).unwrap());
    let mut depths: BTreeMap<u64, u16> = states.map(|b| (b.key(), UNSOLVABLE)).collect();
    let mut level: Vec<u64> = depths.keys().copied().collect();
    level.retain(|&key| rules.is_solved(&rules.state(key)));
    for depth in 0.. {
        level.iter().for_each(|key| {
            depths.insert(*key, depth);
        });
        let mut next = Vec::new();
        for &key in &level {
            rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
        }
        next.sort_unstable();
        next.dedup();
        next.retain(|key| depths[key] == UNSOLVABLE);
        level = next;
        if level.is_empty() {
            break;
        }
    }
    depths.into_iter().collect()
}

fn checked(proof: &TableProof<PieceTables>, part: u64, states: &[(u64, u16)]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth) in states {
        check.take(&[key], &[depth], &[1]);
    }
    check.finish()
}

#[test]
fn a_whole_census_is_proven_and_faults_are_told() {
    for (instance, goal) in [("3x3-n3", "corner"), ("2x4-n4", "edges")] {
        let settings = [("goal", goal)];
        let by_rules = tables(instance, &settings);
        let proof = TableProof::new(tables(instance, &settings));
        proof.foundation().unwrap();
        let mut states = 0;
        for part in 0..by_rules.rules.part_count() {
            let right = searched(&by_rules, part);
            let proven = checked(&proof, part, &right);
            assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
            states += proven.states;
            for at in (0..right.len()).step_by(1 + right.len() / 8) {
                let mut missing = right.clone();
                missing.remove(at);
                assert!(checked(&proof, part, &missing).wrong > 0);
                let mut other = right.clone();
                other[at].1 = if other[at].1 == 0 { 1 } else { 0 };
                assert!(checked(&proof, part, &other).wrong > 0);
            }
        }
        assert_eq!(proof.states(), states, "{instance}");
    }
}

#[test]
fn a_small_census_and_a_board_bring_no_proof() {
    let of = |instance, settings: &[(&str, &str)]| {
        let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
        let settings: &Settings = &settings.iter().map(pair).collect();
        super::proof(&Request { instance, settings }).unwrap()
    };
    assert!(of("custom", &[("board", "A./..")]).is_none());
    for few in ["4x4-n1", "4x4-n14", "4x4-n15", "3x3-n4"] {
        assert!(of(few, &[]).is_none(), "{few}");
    }
    assert!(of("4x4-n2", &[]).is_some() && of("4x4-n13", &[]).is_some());
}
