//! Rotations and reflections of the whole puzzle, found from its moves. A relabelling of places
//! that maps every move to a move keeps all distances from the solved state.
//!
//! Orders of pieces with their turns are elements of a group, in which a move multiplies from the
//! right ([`Part::then`]). For an element `r` that turns each move `m` into a move `r' m r` (`r'`
//! is its inverse), the image of a state `s` is `l s r`. Here `l` is the element that keeps the
//! solved state. A reflection also changes the sign of turns.

use std::collections::BTreeSet;

use crate::definition::{Definition, Move, Part, Set};
use crate::kept::{Kept, differ};

/// Most tries of a step as the image of a move; beyond, no symmetry is used. Some tenths of a
/// second; the Dino cube, whose eight corners turn alone, takes two thirds of it.
const MOST_TRIED: usize = 100_000;
/// Most steps among which symmetries are searched.
const MOST_STEPS: usize = 2_000;
/// Most symmetries.
const MOST: usize = 192;

/// A symmetry of the whole puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// Whether turns change their sign.
    pub mirror: bool,
    /// By set: the images of pieces, and the turn that each gets.
    pub left: Vec<Part>,
    /// By set and place: the place from which its piece comes, and the turn that the place adds.
    pub right: Vec<Part>,
}

impl Rotation {
    fn identity(sets: &[Set]) -> Self {
        let rest: Vec<Part> = sets.iter().map(Part::rest).collect();
        Self {
            mirror: false,
            left: rest.clone(),
            right: rest,
        }
    }

    /// The images of all possible contents of places, which identify the symmetry.
    fn action(&self, sets: &[Set]) -> Vec<(u8, u8, u8)> {
        let mut action = Vec::new();
        for (at, set) in sets.iter().enumerate() {
            for to in 0..set.count {
                for piece in (0..set.count).map(|piece| piece as u8) {
                    let (new, turn) = self.becomes(set, at, to, (piece, 0));
                    action.push((self.right[at].pieces[to], new, turn));
                }
            }
        }
        // Turns that are at most halves have no sign.
        let signed = self.mirror && sets.iter().any(|set| set.turns > 2);
        action.push((0, 0, signed.into()));
        action
    }

    /// The image of a piece with its turn on a new place of a set.
    pub fn becomes(&self, set: &Set, at: usize, to: usize, (piece, turn): (u8, u8)) -> (u8, u8) {
        let own = if self.mirror {
            opposite(turn, set)
        } else {
            turn
        };
        let left = &self.left[at];
        let sum = usize::from(left.turns[usize::from(piece)])
            + usize::from(own)
            + usize::from(self.right[at].turns[to]);
        let turn = (sum % set.turns) as u8;
        (left.pieces[usize::from(piece)], turn)
    }

    /// This symmetry, then another.
    fn then(&self, next: &Self, sets: &[Set]) -> Self {
        let mirrored = |part: &Part, set: &Set| match next.mirror {
            true => mirrored(part, set),
            false => part.clone(),
        };
        let each = 0..sets.len();
        let left = |at: usize| next.left[at].then(&mirrored(&self.left[at], &sets[at]), &sets[at]);
        let right =
            |at: usize| mirrored(&self.right[at], &sets[at]).then(&next.right[at], &sets[at]);
        Self {
            mirror: self.mirror != next.mirror,
            left: each.clone().map(left).collect(),
            right: each.map(right).collect(),
        }
    }
}

fn opposite(turn: u8, set: &Set) -> u8 {
    ((set.turns - usize::from(turn)) % set.turns) as u8
}

fn mirrored(part: &Part, set: &Set) -> Part {
    Part {
        pieces: part.pieces.clone(),
        turns: part.turns.iter().map(|&turn| opposite(turn, set)).collect(),
    }
}

fn inverse(part: &Part, set: &Set) -> Part {
    let mut inverse = Part::rest(set);
    for (to, (&from, &turn)) in part.pieces.iter().zip(&part.turns).enumerate() {
        inverse.pieces[usize::from(from)] = to as u8;
        inverse.turns[usize::from(from)] = opposite(turn, set);
    }
    inverse
}

/// All symmetries of the solved state and the steps, the identity first; only the identity if
/// pieces look alike or there are too many tries.
pub fn rotations(definition: &Definition, steps: &[Move], kept: &[Kept]) -> Vec<Rotation> {
    let sets = &definition.sets;
    let mut found = vec![Rotation::identity(sets)];
    let whole = |(set, periods): (&Set, &Vec<u8>)| {
        let mut periods = periods.iter();
        periods.all(|&period| usize::from(period) == set.turns)
    };
    let all = sets.iter().zip(&definition.periods).all(whole);
    let alike = !definition.solved.iter().all(|part| differ(&part.pieces));
    if !all || alike || steps.len() > MOST_STEPS {
        return found;
    }
    for mirror in [false, true] {
        let mut search = Search::new(definition, steps, kept, mirror);
        let rest: Vec<Part> = sets.iter().map(Part::rest).collect();
        search.assign([&rest, &rest]);
        if search.tried > MOST_TRIED || found.len() + search.found.len() > MOST {
            found.truncate(1);
            return found;
        }
        found.append(&mut search.found);
    }
    let mut seen = BTreeSet::new();
    found.retain(|rotation| seen.insert(rotation.action(sets)));
    // If two relabellings act alike on moves, only one is taken. They still form a group on the
    // states that moves reach, but not on all others.
    let closed = found.iter().all(|first| {
        let mut products = found.iter().map(|next| first.then(next, sets));
        products.all(|product| seen.contains(&product.action(sets)))
    });
    if !closed {
        found.truncate(1);
    }
    found
}

/// Lengths of cycles with the sum of their turns, by set.
type Shape = Vec<Vec<(usize, usize)>>;

fn shape(parts: &[Part], sets: &[Set]) -> Shape {
    let cycles = |(part, set): (&Part, &Set)| {
        let (mut seen, mut cycles) = (vec![false; set.count], Vec::new());
        for start in 0..set.count {
            let (mut at, mut length, mut sum) = (start, 0, 0);
            while !std::mem::replace(&mut seen[at], true) {
                length += 1;
                sum += usize::from(part.turns[at]);
                at = usize::from(part.pieces[at]);
            }
            if length > 0 {
                cycles.push((length, sum % set.turns));
            }
        }
        cycles.sort_unstable();
        cycles
    };
    parts.iter().zip(sets).map(cycles).collect()
}

/// Searches the possible images of each move.
struct Search<'a> {
    definition: &'a Definition,
    steps: &'a [Move],
    kept: &'a [Kept],
    mirror: bool,
    /// Moves, reflected if the symmetry is a reflection.
    moves: Vec<Vec<Part>>,
    /// By move, its possible images among the steps.
    candidates: Vec<Vec<usize>>,
    /// The images of the first moves.
    chosen: Vec<usize>,
    tried: usize,
    found: Vec<Rotation>,
}

impl<'a> Search<'a> {
    fn new(definition: &'a Definition, steps: &'a [Move], kept: &'a [Kept], mirror: bool) -> Self {
        let sets = &definition.sets;
        let turned = |one: &Move| -> Vec<Part> {
            let each = one.parts.iter().zip(sets);
            match mirror {
                true => each.map(|(part, set)| mirrored(part, set)).collect(),
                false => one.parts.clone(),
            }
        };
        let moves: Vec<Vec<Part>> = definition.moves.iter().map(turned).collect();
        let shapes: Vec<Shape> = steps.iter().map(|step| shape(&step.parts, sets)).collect();
        let alike = |parts: &Vec<Part>| {
            let own = shape(parts, sets);
            (0..steps.len())
                .filter(|&step| shapes[step] == own)
                .collect()
        };
        Self {
            candidates: moves.iter().map(alike).collect(),
            definition,
            steps,
            kept,
            mirror,
            moves,
            chosen: Vec::new(),
            tried: 0,
            found: Vec::new(),
        }
    }

    fn commute(&self, one: &[Part], other: &[Part]) -> bool {
        self.definition.compose(one, other) == self.definition.compose(other, one)
    }

    /// Chooses the image of the next move, in every way that agrees with the earlier ones: the
    /// product of all moves so far has the shape of that of their images.
    fn assign(&mut self, [product, image]: [&[Part]; 2]) {
        let at = self.chosen.len();
        if self.tried > MOST_TRIED || self.found.len() > MOST {
            return;
        }
        if at == self.moves.len() {
            self.found.extend(self.relabelling());
            return;
        }
        let (definition, steps) = (self.definition, self.steps);
        let product = definition.compose(product, &self.moves[at]);
        let own_shape = shape(&product, &definition.sets);
        for step in self.candidates[at].clone() {
            self.tried += 1;
            let agrees = |(before, &other): (usize, &usize)| {
                let (own, becomes) = (&self.moves[before], &self.steps[other].parts);
                other != step
                    && self.commute(&self.moves[at], own)
                        == self.commute(&self.steps[step].parts, becomes)
            };
            if !self.chosen.iter().enumerate().all(agrees) {
                continue;
            }
            let image = definition.compose(image, &steps[step].parts);
            if shape(&image, &definition.sets) == own_shape {
                self.chosen.push(step);
                self.assign([&product, &image]);
                self.chosen.pop();
            }
        }
    }

    /// The symmetry that maps every move to its chosen image, if there is one.
    fn relabelling(&self) -> Option<Rotation> {
        let sets = &self.definition.sets;
        let right: Vec<Part> = (0..sets.len())
            .map(|at| self.of_set(at))
            .collect::<Option<_>>()?;
        let solved = &self.definition.solved;
        let left = |at: usize| {
            let (set, own) = (&sets[at], &solved[at]);
            let before = match self.mirror {
                true => mirrored(own, set),
                false => own.clone(),
            };
            let turned_back = own.then(&inverse(&right[at], set), set);
            turned_back.then(&inverse(&before, set), set)
        };
        Some(Rotation {
            mirror: self.mirror,
            left: (0..sets.len()).map(left).collect(),
            right,
        })
    }

    /// Its part in one set.
    fn of_set(&self, at: usize) -> Option<Part> {
        let (set, moved) = (&self.definition.sets[at], &self.kept[at].moved);
        let mut known: Vec<Option<(u8, u8)>> = vec![None; set.count];
        for place in 0..set.count {
            if known[place].is_some() {
                continue;
            }
            if !moved[place] {
                known[place] = Some((place as u8, 0));
                continue;
            }
            let others = (0..set.count).filter(|&other| other != place);
            let firsts = std::iter::once(place).chain(others).filter(|&p| moved[p]);
            let mut starts =
                firsts.flat_map(|first| (0..set.turns).map(move |turn| (first as u8, turn as u8)));
            known = starts.find_map(|start| self.follow(at, &known, place, start))?;
        }
        let (pieces, turns) = known.into_iter().flatten().unzip();
        Some(Part { pieces, turns })
    }

    /// Other consequences of the origin of one place's piece; `None` if the moves contradict it.
    fn follow(
        &self,
        at: usize,
        known: &[Option<(u8, u8)>],
        place: usize,
        start: (u8, u8),
    ) -> Option<Vec<Option<(u8, u8)>>> {
        let set = &self.definition.sets[at];
        let mut known = known.to_vec();
        let taken = |known: &[Option<(u8, u8)>], from| known.iter().flatten().any(|k| k.0 == from);
        if taken(&known, start.0) {
            return None;
        }
        known[place] = Some(start);
        let mut waiting = vec![place];
        while let Some(to) = waiting.pop() {
            let (from, turn) = known[to]?;
            for (one, &step) in self.moves.iter().zip(&self.chosen) {
                let (one, becomes) = (&one[at], &self.steps[step].parts[at]);
                let (next, from) = (usize::from(becomes.pieces[to]), usize::from(from));
                let sum = usize::from(one.turns[from])
                    + usize::from(turn)
                    + usize::from(opposite(becomes.turns[to], set));
                let wanted = (one.pieces[from], (sum % set.turns) as u8);
                match known[next] {
                    Some(there) if there != wanted => return None,
                    Some(_) => {}
                    None if taken(&known, wanted.0) => return None,
                    None => {
                        known[next] = Some(wanted);
                        waiting.push(next);
                    }
                }
            }
        }
        Some(known)
    }
}
