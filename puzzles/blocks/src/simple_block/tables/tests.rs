use proptest::prelude::*;
use puzzle_api::Xorshift;
use puzzle_api::optional::*;
use puzzle_api::proof::{CensusTables, TableProof};

use super::places::{NONE, Place};
use super::{NO_PART, PieceTables};
use crate::proving::{
    Delivered, holds_on_a_walk, opened, proves, searched, takes_states_alone, tells_faults,
};
use crate::simple_block::board::{Board, MOST_CELLS};

const INSTANCES: [(&str, &[(&str, &str)]); 5] = [
    ("3x3-n4", &[]),
    ("3x3-n1", &[("goal", "edges")]),
    ("2x4-n5", &[]),
    ("3x4-n3", &[]),
    ("3x4-n9", &[("goal", "edges")]),
];

fn tables(instance: &str, settings: &[(&str, &str)]) -> PieceTables {
    opened((instance, settings), PieceTables::open).unwrap()
}

/// The boards of a part, by the rulebook.
fn boards(tables: &PieceTables, part: u64) -> Vec<Delivered> {
    searched(&tables.rules, part, |board| (board.clone(), 1))
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
        let mut random = Xorshift::for_draw(seed, 0);
        let key = (0..).find_map(|_| tables.drawn(&mut random)).unwrap();
        holds_on_a_walk(&tables, &tables.rules, key, &mut random);
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
        let all = 1 << (4 * tables.instance.grid.cells());
        // Digits beyond the number of pieces are no boards': of those, some.
        let digits = 2 + tables.instance.pieces as u64;
        let low = |key: &u64| (0..16).all(|cell| key >> (4 * cell) & 15 < digits);
        let keys = (0..all + 50).filter(|key| low(key) || key % 97 == 0);
        takes_states_alone(&tables, &tables.rules, (keys, all), |board| {
            vec![board.clone()]
        });
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

#[test]
fn a_whole_census_is_proven_and_faults_are_told() {
    for (instance, goal) in [("3x3-n3", "corner"), ("2x4-n4", "edges")] {
        let settings = [("goal", goal)];
        let by_rules = tables(instance, &settings);
        let proof = TableProof::new(tables(instance, &settings));
        let parts = by_rules.rules.part_count();
        proves(&proof, parts, |part| boards(&by_rules, part));
    }
    let by_rules = tables("3x3-n4", &[]);
    let proof = TableProof::new(tables("3x3-n4", &[]));
    tells_faults(&proof, &[1], |part| boards(&by_rules, part));
}

#[test]
fn a_small_census_and_a_board_bring_no_proof() {
    let of = |instance, settings| opened((instance, settings), super::proof).unwrap();
    assert!(of("custom", &[("board", "A./..")]).is_none());
    for few in ["4x4-n1", "4x4-n14", "4x4-n15", "3x3-n4"] {
        assert!(of(few, &[]).is_none(), "{few}");
    }
    assert!(of("4x4-n2", &[]).is_some() && of("4x4-n13", &[]).is_some());
}
