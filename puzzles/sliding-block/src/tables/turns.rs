//! Symmetries by where they take each kind of piece from each place.

use crate::board::{Board, Cell};
use crate::grid::DIRECTIONS;
use crate::rules::Rules;
use puzzle_api::Symmetry as _;

use super::packed::bits;
use super::{Kind, alone};

/// One symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turned {
    /// What each kind becomes.
    pub(super) kinds: Vec<usize>,
    /// By kind and place, the place that it comes to.
    pub(super) places: Vec<Vec<u8>>,
    /// Where each cell goes.
    cells: Vec<u8>,
}

impl Turned {
    fn mask(&self, mask: u64) -> u64 {
        bits(mask).fold(0, |image, at| image | 1 << self.cells[at as usize])
    }

    /// This, and then another.
    fn then(&self, next: &Self) -> Self {
        let place = |kind: usize, &at: &u8| next.places[self.kinds[kind]][usize::from(at)];
        let places = self.places.iter().enumerate();
        Self {
            kinds: self.kinds.iter().map(|&kind| next.kinds[kind]).collect(),
            places: places
                .map(|(kind, all)| all.iter().map(|at| place(kind, at)).collect())
                .collect(),
            cells: self
                .cells
                .iter()
                .map(|&at| next.cells[usize::from(at)])
                .collect(),
        }
    }
}

/// The symmetries, by what the rulebook makes of each kind of piece alone on each place.
pub(super) fn by_the_rulebook(
    board: &Board,
    rules: &Rules,
    open: &[usize],
    kinds: &[Kind],
) -> Vec<Turned> {
    let image = |symmetry: u32, kind: usize, covers: u64| -> (usize, u64) {
        let piece = board.first_piece(kind);
        let cells = rules.image(&alone(board, open, piece, covers), symmetry);
        let taken = open
            .iter()
            .enumerate()
            .filter_map(|(at, &cell)| match cells[cell] {
                Cell::Piece(piece) => Some((board.kind_of(piece), 1_u64 << at)),
                _ => None,
            });
        taken.fold((kind, 0), |(_, mask), (kind, bit)| (kind, mask | bit))
    };
    let of = |symmetry| {
        // Of a cell alone, whatever piece covers it: no rule asks whether it is whole.
        let cells = (0..open.len()).map(|at| image(symmetry, 0, 1 << at).1.trailing_zeros() as u8);
        let of_kind = |(number, kind): (usize, &Kind)| {
            let mut to = number;
            let places = kind.covers.iter().map(|&covers| match covers {
                0 => 0,
                covers => {
                    let mask;
                    (to, mask) = image(symmetry, number, covers);
                    mask.trailing_zeros() as u8
                }
            });
            let places = places.collect();
            (to, places)
        };
        let (kinds, places) = kinds.iter().enumerate().map(of_kind).unzip();
        Turned {
            kinds,
            places,
            cells: cells.collect(),
        }
    };
    (0..rules.symmetry_count()).map(of).collect()
}

/// That the first is the identity, and that one after another is one of them, and undone by one.
pub(super) fn are_a_group(all: &[Turned]) -> Result<(), String> {
    let Some(identity) = all.first() else {
        return Err("there is no symmetry".into());
    };
    let in_order = |cells: &[u8]| cells.iter().zip(0..).all(|(&to, at): (_, u8)| to == at);
    if !in_order(&identity.cells) || !identity.kinds.iter().enumerate().all(|(at, &to)| at == to) {
        return Err("symmetry 0 is not the identity".into());
    }
    for (first, symmetry) in all.iter().enumerate() {
        let mut undone = false;
        for (second, next) in all.iter().enumerate() {
            let both = symmetry.then(next);
            undone |= both.cells == identity.cells && both.kinds == identity.kinds;
            let same = |one: &Turned| one.cells == both.cells && one.kinds == both.kinds;
            if !all.iter().any(same) {
                return Err(format!(
                    "symmetry {first} and then {second} are none of the symmetries"
                ));
            }
        }
        if !undone {
            return Err(format!("symmetry {first} is undone by none"));
        }
    }
    Ok(())
}

/// That each symmetry leads from steps to steps, of every kind from every place: what a piece
/// covers goes where the image covers it, and a direction becomes one direction for all.
pub(super) fn lead_from_steps_to_steps(all: &[Turned], kinds: &[Kind]) -> Result<(), String> {
    for (number, symmetry) in all.iter().enumerate() {
        let astray = Err(format!("symmetry {number} leads from steps to others"));
        for (kind, own) in kinds.iter().enumerate() {
            let image = &kinds[symmetry.kinds[kind]];
            let goal = own.goal.map(|goal| symmetry.places[kind][goal as usize]);
            if image.goal != goal.map(u32::from) {
                return astray;
            }
            for (at, &covers) in own
                .covers
                .iter()
                .enumerate()
                .filter(|(_, covers)| **covers != 0)
            {
                let to = usize::from(symmetry.places[kind][at]);
                if image.covers[to] != symmetry.mask(covers) {
                    return astray;
                }
            }
        }
        let becomes = |direction: usize, other: usize| {
            kinds.iter().enumerate().all(|(kind, own)| {
                let (places, image) = (&symmetry.places[kind], &kinds[symmetry.kinds[kind]]);
                own.steps.iter().enumerate().all(|(at, steps)| {
                    own.covers[at] == 0 || {
                        let step = steps[direction].map(|to| places[usize::from(to)]);
                        image.steps[usize::from(places[at])][other] == step
                    }
                })
            })
        };
        let each = 0..DIRECTIONS.len();
        if !each
            .clone()
            .all(|direction| each.clone().any(|other| becomes(direction, other)))
        {
            return astray;
        }
    }
    Ok(())
}
