//! Moving bits in stages without collisions.
//!
//! A *lane* is a word in which a set of bits travels from start to destination. In each stage a
//! chosen part of them moves by the stage's shift and the rest stays. A bit's path is a subset of
//! the stages whose shifts add up to its distance. Two bits may never be in one place, and no bit
//! may leave the word (a rotating lane has no edge). Which paths to take is a constraint problem,
//! solved by backtracking over the bit with the fewest paths left. Bits whose places differ modulo
//! the greatest common divisor of the shifts never meet, so each residue class is solved alone.
//!
//! In a full word no shifting stage can move anything. Of the bits that move, the furthest in the
//! direction of the shift would have to land outside the word or on one that stays.

use super::permutation::SplitMix64;
use super::program::{Program, Value};

/// A bit on its way: where it starts and where it must end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its place in the input.
    pub from: u8,
    /// Its place in the result.
    pub to: u8,
}

/// One stage of a lane: the bits at these places move by this distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// The shift, positive towards the more significant end.
    pub shift: i32,
    /// Where the bits that move are before the stage.
    pub movers: u64,
}

/// How a lane moves its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// Shifts: a bit that leaves the word is lost.
    Shift,
    /// Rotations of the 64-bit word.
    Rotate,
}

impl Motion {
    /// The place reached from `at`, if it is in the word.
    fn place(self, at: i32, by: i32) -> Option<i32> {
        match self {
            Motion::Shift => Some(at + by).filter(|p| (0..64).contains(p)),
            Motion::Rotate => Some((at + by) & 63),
        }
    }

    /// All places of a word moved.
    pub fn word(self, word: u64, by: i32) -> u64 {
        match (self, by) {
            (Motion::Rotate, _) => word.rotate_left(by.rem_euclid(64) as u32),
            (Motion::Shift, 0..) => word << by,
            (Motion::Shift, _) => word >> -by,
        }
    }

    pub(super) fn emit(self, program: &mut Program, a: Value, by: i32) -> Value {
        match self {
            Motion::Shift => program.shift(a, by),
            Motion::Rotate => program.rotate(a, by),
        }
    }
}

/// Bits that travel together, and the stages that move them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The bits of the input that travel in this lane.
    pub starts: u64,
    /// The stages in order, those that move nothing left out.
    pub stages: Vec<Stage>,
    /// Shifts or rotations.
    pub motion: Motion,
}

/// The result of the search for collision-free paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Routing {
    /// Paths without a collision.
    Found(Lane),
    /// Every choice of paths collides: all were tried.
    Impossible,
    /// The budget ran out first.
    Unknown,
}

/// The bits of one lane and the shifts of its stages; the order of the stages is chosen later.
pub struct Router<'t> {
    tokens: &'t [Token],
    shifts: &'t [i32],
    motion: Motion,
    divisor: i32,
    /// For every bit the subsets of the shifts that add up to its distance, small ones first.
    subsets: Vec<Vec<u32>>,
}

/// The most stages of a lane.
pub const MAX_STAGES: usize = 8;

/// One path of a bit: the stages in which it moves, and its place after each stage.
#[derive(Clone, Copy)]
struct Path {
    subset: u32,
    places: [u8; MAX_STAGES],
}

type Used = [u64; MAX_STAGES];

impl Path {
    fn is_free(&self, used: &Used) -> bool {
        let mut stages = self.places.iter().zip(used);
        stages.all(|(&place, taken)| taken >> place & 1 == 0)
    }

    fn toggle(&self, used: &mut Used) {
        for (&place, taken) in self.places.iter().zip(used) {
            *taken ^= 1 << place;
        }
    }
}

impl<'t> Router<'t> {
    /// A router for at most [`MAX_STAGES`] shifts (any more are ignored).
    pub fn new(tokens: &'t [Token], shifts: &'t [i32], motion: Motion) -> Self {
        let shifts = &shifts[..shifts.len().min(MAX_STAGES)];
        let subsets = tokens.iter().map(|t| subsets_of(t, shifts, motion));
        Self {
            tokens,
            shifts,
            motion,
            divisor: common_divisor(shifts, motion),
            subsets: subsets.collect(),
        }
    }

    /// Whether every bit has a subset of the shifts for its distance.
    pub fn covers(&self) -> bool {
        self.subsets.iter().all(|subsets| !subsets.is_empty())
    }

    /// Looks for paths through the stages in this order (indices into the shifts). `budget` counts
    /// search nodes, and holds the rest afterwards.
    pub fn route(&self, order: &[usize], budget: &mut u64) -> Routing {
        let mut chosen = vec![0u32; self.tokens.len()];
        for class in 0..self.divisor {
            let in_class = |t: &usize| i32::from(self.tokens[*t].from) % self.divisor == class;
            let mut open: Vec<(usize, Vec<Path>)> = (0..self.tokens.len())
                .filter(in_class)
                .map(|t| (t, self.paths(t, order)))
                .collect();
            let mut used = [0u64; MAX_STAGES];
            match assign(&mut open, &mut used, &mut chosen, budget) {
                Some(true) => {}
                Some(false) => return Routing::Impossible,
                None => return Routing::Unknown,
            }
        }
        let all: Vec<usize> = (0..self.tokens.len()).collect();
        Routing::Found(self.lane(order, &all, &chosen))
    }

    /// Places as many bits as it can, one after another, those with the fewest paths first and ties
    /// in an order drawn from `seed`. Returns the lane and the placed bits.
    pub fn route_some(&self, order: &[usize], seed: u64) -> (Lane, Vec<usize>) {
        let mut words = SplitMix64::new(seed);
        let mut queue: Vec<(usize, u64, usize, Vec<Path>)> = (0..self.tokens.len())
            .map(|t| (t, self.paths(t, order)))
            .map(|(t, paths)| (paths.len(), words.next_word(), t, paths))
            .collect();
        queue.sort_unstable_by_key(|&(paths, word, ..)| (paths, word));
        let mut used = [0u64; MAX_STAGES];
        let mut chosen = vec![0u32; self.tokens.len()];
        let mut placed = Vec::new();
        for (_, _, t, paths) in queue {
            if let Some(path) = paths.iter().find(|p| p.is_free(&used)) {
                path.toggle(&mut used);
                chosen[t] = path.subset;
                placed.push(t);
            }
        }
        (self.lane(order, &placed, &chosen), placed)
    }

    /// The paths of a bit that stay inside the word.
    fn paths(&self, token: usize, order: &[usize]) -> Vec<Path> {
        let path = |&subset: &u32| {
            let mut at = i32::from(self.tokens[token].from);
            let mut places = [0; MAX_STAGES];
            for (place, &stage) in places.iter_mut().zip(order) {
                if subset >> stage & 1 == 1 {
                    at = self.motion.place(at, self.shifts[stage])?;
                }
                *place = at as u8;
            }
            // Missing stages keep the bit at its destination, where no other bit may be.
            places[order.len()..].fill(at as u8);
            Some(Path { subset, places })
        };
        self.subsets[token].iter().filter_map(path).collect()
    }

    fn lane(&self, order: &[usize], placed: &[usize], chosen: &[u32]) -> Lane {
        let mut at: Vec<i32> = self.tokens.iter().map(|t| i32::from(t.from)).collect();
        let starts = placed.iter().fold(0, |mask, &t| mask | 1u64 << at[t]);
        let mut stages = Vec::new();
        for &stage in order {
            let shift = self.shifts[stage];
            let mut movers = 0u64;
            for &t in placed.iter().filter(|&&t| chosen[t] >> stage & 1 == 1) {
                movers |= 1 << at[t];
                at[t] = self.motion.place(at[t], shift).unwrap_or(at[t]);
            }
            if movers != 0 {
                stages.push(Stage { shift, movers });
            }
        }
        Lane {
            starts,
            stages,
            motion: self.motion,
        }
    }
}

/// Chooses a path for every open bit: yes, proven no, or out of budget.
fn assign(
    open: &mut Vec<(usize, Vec<Path>)>,
    used: &mut Used,
    chosen: &mut [u32],
    budget: &mut u64,
) -> Option<bool> {
    let free = |paths: &[Path]| paths.iter().filter(|p| p.is_free(used)).count();
    let counts = open
        .iter()
        .enumerate()
        .map(|(i, (_, paths))| (i, free(paths)));
    let Some((index, count)) = counts.min_by_key(|&(_, count)| count) else {
        return Some(true);
    };
    if count == 0 {
        return Some(false);
    }
    *budget = budget.checked_sub(1)?;
    let (token, paths) = open.swap_remove(index);
    for path in &paths {
        if !path.is_free(used) {
            continue;
        }
        path.toggle(used);
        chosen[token] = path.subset;
        let outcome = assign(open, used, chosen, budget);
        if outcome != Some(false) {
            return outcome;
        }
        path.toggle(used);
    }
    open.push((token, paths));
    Some(false)
}

fn common_divisor(shifts: &[i32], motion: Motion) -> i32 {
    let mut divisor = match motion {
        Motion::Shift => 0,
        Motion::Rotate => 64,
    };
    for c in shifts {
        let mut rest = c.abs();
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
    }
    divisor.max(1)
}

fn subsets_of(token: &Token, shifts: &[i32], motion: Motion) -> Vec<u32> {
    let distance = i32::from(token.to) - i32::from(token.from);
    let fits = |subset: &u32| {
        let chosen = shifts.iter().enumerate();
        let chosen = chosen.filter(|(i, _)| subset >> i & 1 == 1);
        let excess = chosen.map(|(_, c)| c).sum::<i32>() - distance;
        match motion {
            Motion::Shift => excess == 0,
            Motion::Rotate => excess % 64 == 0,
        }
    };
    let mut subsets: Vec<u32> = (0..1 << shifts.len()).filter(fits).collect();
    subsets.sort_by_key(|s| s.count_ones());
    subsets
}

/// Calls `visit` with every order of `count` things until it returns false.
pub fn for_each_order(count: usize, visit: &mut dyn FnMut(&[usize]) -> bool) {
    fn extend(order: &mut [usize], at: usize, visit: &mut dyn FnMut(&[usize]) -> bool) -> bool {
        if at == order.len() {
            return visit(order);
        }
        for i in at..order.len() {
            order.swap(at, i);
            let more = extend(order, at + 1, visit);
            order.swap(at, i);
            if !more {
                return false;
            }
        }
        true
    }
    extend(&mut (0..count).collect::<Vec<_>>(), 0, visit);
}

/// How one stage is written. Bits that moved may leave a stale copy, and a whole-word shift may
/// carry bits along that should have stayed. Such garbage is harmless while no bit lands on it, and
/// a later mask removes it at no cost. The cheapest choice over all stages is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// `x | x << c`: both the movers' old copies and the stayers' moved copies are garbage.
    Plain,
    /// `x | (x & movers) << c`: the movers' old copies are garbage.
    MaskMovers,
    /// `(x & stayers) | x << c`: the stayers' moved copies are garbage.
    MaskStayers,
    /// `(x & stayers) | (x & movers) << c`: clean.
    MaskBoth,
}

/// The places of a word that hold the lane's bits, and those that may hold garbage.
#[derive(Clone, Copy)]
struct Places {
    clean: u64,
    garbage: u64,
}

impl Places {
    /// The result of a stage in this form, and its operations; `None` if it would damage bits.
    fn after(self, stage: Stage, motion: Motion, form: Form) -> Option<(Places, usize)> {
        let Stage { shift, movers } = stage;
        let stayers = self.clean & !movers;
        let landing = motion.word(movers, shift);
        let copies_free = landing & (self.clean | self.garbage) == 0;
        let carried = motion.word(stayers | self.garbage, shift);
        let carried_free = carried & stayers == 0;
        let nobody_stays = stayers == 0;
        let (allowed, garbage, cost) = match form {
            Form::Plain => (
                copies_free && carried_free,
                self.garbage | movers | carried,
                2,
            ),
            Form::MaskMovers => (copies_free, self.garbage | movers, 3),
            Form::MaskStayers if nobody_stays => (true, carried, 1),
            Form::MaskStayers => (carried_free, carried, 3),
            Form::MaskBoth if nobody_stays => (true, 0, 2),
            Form::MaskBoth => (true, 0, 4),
        };
        let clean = stayers | landing;
        allowed.then_some((Places { clean, garbage }, cost))
    }
}

impl Lane {
    /// Where the lane's bits end.
    pub fn ends(&self) -> u64 {
        self.stages.iter().fold(self.starts, |at, stage| {
            at & !stage.movers | self.motion.word(stage.movers, stage.shift)
        })
    }

    /// The operations that [`emit`](Self::emit) needs.
    pub fn cost(&self, occupied: u64) -> usize {
        self.plan(self.places(occupied), 0).0
    }

    /// Adds the lane to a program. `occupied` says which bits of `input` may be set; those that
    /// are not the lane's own are masked away.
    pub fn emit(&self, program: &mut Program, input: Value, occupied: u64) -> Value {
        let mut places = self.places(occupied);
        let (_, forms) = self.plan(places, 0);
        let mut word = input;
        for (stage, form) in self.stages.iter().zip(forms) {
            let stayers = places.clean & !stage.movers;
            word = emit_stage(program, word, *stage, stayers, self.motion, form);
            if let Some((next, _)) = places.after(*stage, self.motion, form) {
                places = next;
            }
        }
        if places.garbage != 0 {
            word = program.and(word, places.clean);
        }
        word
    }

    fn places(&self, occupied: u64) -> Places {
        Places {
            clean: self.starts,
            garbage: occupied & !self.starts,
        }
    }

    /// The cheapest forms for the stages from `from` on, by trying all.
    fn plan(&self, places: Places, from: usize) -> (usize, Vec<Form>) {
        let Some(&stage) = self.stages.get(from) else {
            return (usize::from(places.garbage != 0), Vec::new());
        };
        let mut best: Option<(usize, Vec<Form>)> = None;
        for form in [
            Form::Plain,
            Form::MaskMovers,
            Form::MaskStayers,
            Form::MaskBoth,
        ] {
            let Some((next, cost)) = places.after(stage, self.motion, form) else {
                continue;
            };
            let (rest, forms) = self.plan(next, from + 1);
            if best.as_ref().is_none_or(|(least, _)| cost + rest < *least) {
                let forms = std::iter::once(form).chain(forms).collect();
                best = Some((cost + rest, forms));
            }
        }
        best.unwrap_or_default()
    }
}

fn emit_stage(
    program: &mut Program,
    word: Value,
    stage: Stage,
    stayers: u64,
    motion: Motion,
    form: Form,
) -> Value {
    let moving = match form {
        Form::MaskMovers | Form::MaskBoth => program.and(word, stage.movers),
        Form::Plain | Form::MaskStayers => word,
    };
    let moved = motion.emit(program, moving, stage.shift);
    let staying = match form {
        Form::MaskStayers | Form::MaskBoth if stayers == 0 => return moved,
        Form::MaskStayers | Form::MaskBoth => program.and(word, stayers),
        Form::Plain | Form::MaskMovers => word,
    };
    program.or(staying, moved)
}
