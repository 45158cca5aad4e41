//! The rulebook as tables: by which other discs, and on which pegs, each disc is kept from going
//! from each peg to each other, asked for every pair of discs, and where each peg goes under
//! each symmetry.
//!
//! A disc may go where each other disc by itself lets it; nothing of the fast variant is used.
//! It is for checking every position that a search found (`puzzle_api::proof`).

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Puzzle, RandomStates, Request, Symmetry, Xorshift};

use crate::rules::{Rules, may_move};
use crate::tower::{self, Discs, Tower};

/// Positions on which the tables are held against the rulebook.
const TRIED: u64 = 1000;
/// Bits of a disc's peg in a key.
const BITS: u32 = 3;

/// Where discs lie: a bit for each disc on each peg.
type Lying = u128;

/// A disc that goes from one peg to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    disc: usize,
    from: u8,
    to: u8,
    /// What keeps it from going there.
    stopped: Lying,
}

/// The rulebook of an instance as tables.
pub struct DiscTables {
    tower: Tower,
    rules: Rules,
    /// By disc and the peg that it lies on.
    steps: Vec<Vec<Vec<Step>>>,
    /// By two neighbouring discs and what the key has for them: where they lie. Nowhere, where
    /// there is no such peg.
    lying: Vec<[Lying; 64]>,
    images: FieldImages,
    solved: u64,
}

impl std::fmt::Debug for DiscTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiscTables")
            .field("tower", &self.tower)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

impl DiscTables {
    /// The tables of an instance, some milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (tower, rules) = (tower::open(request)?, Rules::open(request)?);
        let field = |disc: usize| Field {
            shift: BITS * disc as u32,
            bits: BITS,
            contents: tower.pegs as u64,
        };
        let fields: Vec<Field> = (0..tower.discs).map(field).collect();
        let images = FieldImages::by_the_rulebook(&fields, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        let pegs = 0..tower.pegs as u8;
        let of_disc = |disc| pegs.clone().map(|from| steps(&tower, disc, from)).collect();
        Ok(Self {
            steps: (0..tower.discs).map(of_disc).collect(),
            lying: (0..tower.discs.div_ceil(2))
                .map(|pair| lying_of_two(&tower, pair))
                .collect(),
            images,
            solved: rules.key(&tower.goal()),
            tower,
            rules,
        })
    }

    /// Where the discs of a key lie.
    #[inline]
    fn lying(&self, key: u64) -> Lying {
        let pairs = self.lying.iter().enumerate();
        pairs.fold(0, |all, (pair, lying)| {
            all | lying[(key >> (2 * BITS as usize * pair)) as usize & 63]
        })
    }

    /// Whether each disc of a key lies on a peg, and there is nothing else in it.
    fn is_position(&self, key: u64) -> bool {
        let discs = self.tower.discs;
        key >> (BITS as usize * discs) == 0 && self.lying(key).count_ones() as usize == discs
    }

    fn all_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().flatten().flatten()
    }

    /// The entry of a disc that goes from one peg to another.
    fn step(&self, disc: usize, from: u8, to: u8) -> Option<&Step> {
        let steps = self.steps.get(disc)?.get(usize::from(from))?;
        steps.iter().find(|step| step.to == to)
    }

    /// The peg of a disc in the image of a key with this disc on this peg, by the tables.
    fn turned(&self, symmetry: usize, disc: usize, peg: u8) -> u8 {
        let key = u64::from(peg) << (BITS as usize * disc);
        (self.images.image(key, symmetry) >> (BITS as usize * disc) & 7) as u8
    }

    /// That each symmetry takes every disc to itself and leads from steps to steps, which the
    /// same is in the way of: shown on all of them.
    fn are_symmetric(&self) -> Result<(), String> {
        for symmetry in 0..self.images.count() {
            let turned = |(disc, peg)| (disc, self.turned(symmetry, disc, peg));
            let same = self.all_steps().all(|step| {
                let (disc, from) = turned((step.disc, step.from));
                let (_, to) = turned((step.disc, step.to));
                let stopped = self.lying_in(step.stopped);
                let stopped = stopped.into_iter().map(turned);
                let stopped = stopped.fold(0, |all, (disc, peg)| all | bit(&self.tower, disc, peg));
                let other = self.step(disc, from, to);
                other.is_some_and(|other| other.stopped == stopped)
            });
            if !same {
                return Err(format!("symmetry {symmetry} leads from moves to others"));
            }
        }
        Ok(())
    }

    /// Discs and pegs of a set.
    fn lying_in(&self, set: Lying) -> Vec<(usize, u8)> {
        let all = all_lying(&self.tower).into_iter();
        all.filter(|&(disc, peg)| set & bit(&self.tower, disc, peg) != 0)
            .collect()
    }

    /// A position drawn for a number: of drawn ones only the smallest discs can move, so some of
    /// the smallest, another number of them each time, lie on one peg.
    fn drawn(&self, draw: u64) -> Option<Discs> {
        let mut random = Xorshift::for_draw(1, draw);
        let mut discs = self.rules.random(&mut random)?;
        let piled = draw as usize % (self.tower.discs + 1);
        let peg = random.below(self.tower.pegs as u64) as u8;
        discs[..piled].fill(peg);
        Some(discs)
    }
}

/// The bit of a disc on a peg.
fn bit(tower: &Tower, disc: usize, peg: u8) -> Lying {
    1 << (disc * tower.pegs + usize::from(peg))
}

/// Every disc on every peg.
fn all_lying(tower: &Tower) -> Vec<(usize, u8)> {
    let pegs = 0..tower.pegs as u8;
    let of_disc = |disc| pegs.clone().map(move |peg| (disc, peg));
    (0..tower.discs).flat_map(of_disc).collect()
}

/// Where a disc goes from a peg, by what the rulebook says with each other disc on each peg and
/// all the rest on a peg that the step has nothing to do with.
fn steps(tower: &Tower, disc: usize, from: u8) -> Vec<Step> {
    let pegs = 0..tower.pegs as u8;
    let targets = pegs.clone().filter(|&to| to != from);
    let step = |to: u8| {
        let aside = pegs.clone().find(|&peg| peg != from && peg != to)?;
        let is_stopped = |&(other, peg): &(usize, u8)| {
            let mut discs = tower.whole(usize::from(aside));
            discs[disc] = from;
            discs[other] = peg;
            discs[disc] == from && !may_move(&discs, disc, to)
        };
        let all = all_lying(tower).into_iter();
        let stopped = all.filter(is_stopped);
        let stopped = stopped.fold(0, |all, (other, peg)| all | bit(tower, other, peg));
        Some(Step {
            disc,
            from,
            to,
            stopped,
        })
    };
    targets.filter_map(step).collect()
}

/// Where two neighbouring discs lie, by what a key has for them.
fn lying_of_two(tower: &Tower, pair: usize) -> [Lying; 64] {
    std::array::from_fn(|held| {
        let pegs = [held & 7, held >> BITS].into_iter().enumerate();
        let discs = pegs.map(|(nth, peg)| (2 * pair + nth, peg));
        let lying = discs.filter(|&(disc, peg)| disc < tower.discs && peg < tower.pegs);
        lying.fold(0, |all, (disc, peg)| all | bit(tower, disc, peg as u8))
    })
}

impl RuleTables<u64> for DiscTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.are_symmetric()?;
        for whole in 0..self.tower.pegs {
            agrees(self, &self.rules, self.rules.key(&self.tower.whole(whole)))?;
        }
        for draw in 0..TRIED {
            let drawn = self.drawn(draw).ok_or("no position was drawn")?;
            agrees(self, &self.rules, self.rules.key(&drawn))?;
        }
        Ok(format!(
            "what keeps a disc from going from peg to peg was taken from the rulebook for all \
             pairs of discs and all pegs, each symmetry found to lead from moves to moves, and \
             moves and images of a position to be those of its discs on {TRIED} positions"
        ))
    }

    /// What keeps a disc from going keeps it from coming back.
    fn undirected(&self) -> bool {
        self.all_steps().all(|step| {
            let back = self.step(step.disc, step.to, step.from);
            let both =
                bit(&self.tower, step.disc, step.from) | bit(&self.tower, step.disc, step.to);
            back.is_some_and(|back| (back.stopped ^ step.stopped) & !both == 0)
        })
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    fn first_images(&self, keys: &[u64], out: &mut Vec<u64>) {
        let image = |&key: &u64| if self.is_position(key) { key } else { !key };
        out.extend(keys.iter().map(image));
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            let lying = self.lying(key);
            for (disc, steps) in self.steps.iter().enumerate() {
                let shift = BITS as usize * disc;
                let steps = steps.get((key >> shift & 7) as usize);
                for step in steps.into_iter().flatten() {
                    if step.stopped & lying == 0 {
                        out.push(key ^ u64::from(step.from ^ step.to) << shift);
                    }
                }
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        key == self.solved
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        part == 0 && self.is_position(key)
    }
}

#[cfg(test)]
mod tests;
