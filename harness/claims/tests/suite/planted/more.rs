//! The further offers of the puzzle with a fault, and its tables.

use super::*;

/// The bound is 0 except for a fault, and excludes nothing. Each move is a group, numbered by where
/// it leads.
impl<const KIND: u8> Expand for Planted<KIND> {
    fn expands(&self, want: Want) -> bool {
        let refused = self.everywhere("expand") == Some(Way::Refuse);
        want.form == Form::All || !refused && (want.form != Form::Unused || !Self::DIRECTED)
    }

    fn expand(&self, want: Want, keys: &[u64], used: &[u32], out: &mut Neighbours<u64>) {
        let near = |at: &At| match want.direction {
            Direction::Forward => Self::ahead(at),
            Direction::Backward => Self::behind(at),
        };
        let number = |from: &At, to: &At| near(from).iter().position(|at| at == to).unwrap_or(0);
        for (i, &key) in keys.iter().enumerate() {
            let at = At::of(key);
            match (want.form, want.direction) {
                (Form::All, Direction::Forward) => {
                    self.successors(&at, &mut |to| out.keys.push(to.key()));
                }
                (Form::All, Direction::Backward) => {
                    self.predecessors(&at, &mut |to| out.keys.push(to.key()));
                }
                (Form::Orbits | Form::Pruned, _) => {
                    let least = |at: &At| near(at).into_iter().map(At::canonical).collect();
                    let listed = self.list("expand", &at, least);
                    out.keys.extend(listed.into_iter().map(At::key));
                }
                (Form::Unused, _) => {
                    for to in self.list("expand", &at, near) {
                        if used[i] >> number(&at, &to) & 1 == 0 {
                            out.keys.push(to.key());
                            out.marks.push(1 << number(&to, &at));
                        }
                    }
                }
            }
            out.end();
        }
    }
}

impl<const KIND: u8> Hints for Planted<KIND> {
    fn has_hint(&self, _: Hint) -> bool {
        true
    }

    fn hint(&self, hint: Hint, states: &[At], out: &mut Vec<u64>) {
        let member = match hint {
            Hint::Bucket => "bucket",
            Hint::MoveOrder => "move_order",
            Hint::DiversityClass => "diversity_class",
        };
        out.extend(states.iter().map(|at| self.value(member, at)));
    }

    fn feature_space(&self) -> Option<FeatureSpace> {
        Some(FeatureSpace {
            settings: 1,
            features: 2,
            each: 1,
        })
    }

    fn features(&self, states: &[At], out: &mut Vec<u32>) {
        for at in states {
            out.extend([0, self.value("features", at) as u32]);
        }
    }
}

impl<const KIND: u8> Names for Planted<KIND> {
    fn describe_move(&self, from: &At, to: &At) -> Option<String> {
        match self.wrong("describe_move", from) {
            Some((Way::Another, other)) => Some(format!("to {} {}", other.x, other.y)),
            Some(_) => None,
            None => Some(format!("to {} {}", to.x, to.y)),
        }
    }

    fn names(&self) -> Vec<String> {
        let name = board::draw(&At::of(0));
        match self.everywhere("names") {
            Some(Way::Drop) => vec![],
            Some(Way::Double) => vec![name.clone(), name],
            Some(_) => vec![String::new()],
            None => vec![name],
        }
    }
}

impl<const KIND: u8> RandomStates for Planted<KIND> {
    fn random(&self, random: &mut Xorshift) -> Option<At> {
        let parts = if Self::TOWER { PARTS } else { 1 };
        let drawn = At::of(random.below(parts * SIDE * SIDE));
        match self.wrong("random", &drawn) {
            Some((Way::Another, other)) => Some(other),
            Some(_) => None,
            None => Some(drawn),
        }
    }
}

impl<const KIND: u8> Sweep for Planted<KIND> {
    fn sweep(
        &self,
        _: Direction,
        _: Option<&At>,
        part: u64,
        _: &[At],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        for (at, depth) in At::distances(part, Self::DIRECTED) {
            let (mut keys, mut depths) = (vec![at.key()], vec![depth]);
            let mut orbit_size = at.images().len() as u32;
            match self.wrong("sweep", &at) {
                Some((Way::Drop, _)) => continue,
                Some((Way::Stray, _)) => keys[0] = strayed(at).key(),
                Some((Way::Another, other)) => keys[0] = other.key(),
                Some((Way::Double, _)) => (keys, depths) = (vec![keys[0]; 2], vec![depth; 2]),
                Some((Way::Less, _)) => depths[0] -= 1,
                Some((Way::More, _)) => depths[0] += 1,
                Some(_) => orbit_size = 0,
                None => {}
            }
            let swept = Swept {
                keys: &keys,
                depths: &depths,
                orbit_size,
            };
            if !emit(swept) {
                return;
            }
        }
    }
}

impl<const KIND: u8> Objective for Planted<KIND> {
    fn objective(&self, at: &At) -> u64 {
        self.value("objective", at)
    }
}

/// Its fact is set as the graph is ([`finish`]).
impl<const KIND: u8> Layered for Planted<KIND> {
    fn time_reversal(&self) -> Option<fn(&Self, &At) -> At> {
        Some(|planted, at| match planted.wrong("time_reversal", at) {
            Some((Way::Another, other)) => other,
            Some(_) => strayed(*at),
            None => *at,
        })
    }
}

impl<const KIND: u8> LowerBound for Planted<KIND> {
    fn lower_bound(&self, at: &At) -> u64 {
        self.wrong("lower_bound", at).map_or(0, |_| 1 << 20)
    }
}

/// The table of a variant: the traits that it implements, except for ranks if there is no tower.
macro_rules! variant {
    ($kind:expr) => {{
        type Here = Planted<{ $kind }>;
        let mut made = abi::variant::<u64, Here>();
        puzzle_api::detect!(Here, &mut made);
        finish(made, $kind & DIRECTED != 0, $kind & TOWER != 0)
    }};
}

fn finish(made: AntipodeVariant, directed: bool, tower: bool) -> AntipodeVariant {
    let facts = if directed { 0 } else { ANTIPODE_IS_UNDIRECTED };
    let time_reversal = made.time_reversal.filter(|_| !directed);
    let made = AntipodeVariant {
        facts,
        time_reversal,
        ..made
    };
    match tower {
        true => made,
        false => AntipodeVariant {
            space: None,
            place: None,
            unrank: None,
            part_count: None,
            part_name: None,
            neighbour_ranks: None,
            sweep: None,
            ..made
        },
    }
}

/// The variants of a puzzle: the planted one, and an honest rulebook with it unless `alone`.
pub fn variants(directed: bool, tower: bool, alone: bool) -> Vec<AntipodeVariant> {
    const BOTH: u8 = DIRECTED | TOWER;
    match (directed, tower, alone) {
        (false, false, false) => vec![variant!(FAST), variant!(RULES)],
        (false, true, false) => vec![variant!(FAST | TOWER), variant!(RULES | TOWER)],
        (true, false, false) => vec![variant!(FAST | DIRECTED), variant!(RULES | DIRECTED)],
        (true, true, false) => vec![variant!(FAST | BOTH), variant!(RULES | BOTH)],
        (false, false, true) => vec![variant!(ALONE)],
        (false, true, true) => vec![variant!(ALONE | TOWER)],
        (true, false, true) => vec![variant!(ALONE | DIRECTED)],
        (true, true, true) => vec![variant!(ALONE | BOTH)],
    }
}

pub fn library(variants: Vec<AntipodeVariant>) -> Library {
    Library::built_in(abi::table::<u64, Boards>(variants))
}
