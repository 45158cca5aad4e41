//! What else the puzzle with a fault offers, and its tables.

use super::*;

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> NeighbourRanks
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn neighbour_ranks(&self, way: Direction, part: u64, ranks: &[u64], out: &mut Vec<u64>) {
        for rank in ranks {
            let at = At::of(part * SIDE * SIDE + rank % (SIDE * SIDE));
            let near = match way {
                Direction::Forward => self.list("neighbour_ranks", &at, Self::ahead),
                Direction::Backward => self.list("neighbour_ranks", &at, Self::behind),
            };
            out.extend(near.into_iter().map(At::rank));
            if matches!(self.wrong("neighbour_ranks", &at), Some((Way::More, _))) {
                out.push(SIDE * SIDE);
            }
        }
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> NeighbourKeys
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn neighbour_keys(
        &self,
        way: Direction,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        for &key in keys {
            let emit = &mut |at: At| out.push(at.key());
            match way {
                Direction::Forward => self.successors(&At::of(key), emit),
                Direction::Backward => self.predecessors(&At::of(key), emit),
            }
            ends.push(out.len());
        }
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> NeighbourOrbits
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn neighbour_orbits(
        &self,
        way: Direction,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        let members = ["successor_orbits", "predecessor_orbits"];
        self.orbits(members, way, keys, (out, ends));
    }
}

/// The bound is 0 but for a fault, and excludes nothing.
impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> PrunedOrbits
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn pruned_orbits(
        &self,
        way: Direction,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        let members = ["pruned_successors", "pruned_predecessors"];
        self.orbits(members, way, keys, (out, ends));
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Planted<ROLE, DIRECTED, TOWER> {
    /// Representatives of neighbours, as one of two members tells them.
    fn orbits(
        &self,
        [ahead, behind]: [&str; 2],
        way: Direction,
        keys: &[u64],
        (out, ends): (&mut Vec<u64>, &mut Vec<usize>),
    ) {
        let least = |near: Vec<At>| near.into_iter().map(At::canonical).collect();
        for &key in keys {
            let at = At::of(key);
            let near = match way {
                Direction::Forward => self.list(ahead, &at, |at| least(Self::ahead(at))),
                Direction::Backward => self.list(behind, &at, |at| least(Self::behind(at))),
            };
            out.extend(near.into_iter().map(At::key));
            ends.push(out.len());
        }
    }
}

/// Each move is a group, numbered by where it leads.
impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> UsedMoves
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn move_groups(&self) -> Option<u32> {
        match self.everywhere("move_groups") {
            None => Some(4),
            Some(Way::More) => Some(99),
            Some(_) => None,
        }
    }

    fn unused_neighbour_keys(
        &self,
        keys: &[u64],
        used: &[u32],
        out: &mut Vec<u64>,
        marks: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) {
        let number = |from: &At, to: &At| {
            let ahead = Self::ahead(from);
            ahead.iter().position(|at| at == to).unwrap_or(0)
        };
        for (&key, used) in keys.iter().zip(used) {
            let at = At::of(key);
            for to in self.list("unused_neighbours", &at, Self::ahead) {
                if used >> number(&at, &to) & 1 == 0 {
                    out.push(to.key());
                    marks.push(1 << number(&to, &at));
                }
            }
            ends.push(out.len());
        }
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Buckets
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn bucket(&self, at: &At) -> u64 {
        self.value("bucket", at)
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> RandomStates
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn random(&self, random: &mut Xorshift) -> Option<At> {
        let parts = if TOWER { PARTS } else { 1 };
        let drawn = At::of(random.below(parts * SIDE * SIDE));
        match self.wrong("random", &drawn) {
            Some((Way::Another, other)) => Some(other),
            Some(_) => None,
            None => Some(drawn),
        }
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Sweep
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn sweep(&self, part: u64, emit: &mut dyn FnMut(Swept<'_, u64>) -> bool) {
        for (at, depth) in At::distances(part, DIRECTED) {
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

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> MoveNames
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn describe_move(&self, from: &At, to: &At) -> Option<String> {
        match self.wrong("describe_move", from) {
            Some((Way::Another, other)) => Some(format!("to {} {}", other.x, other.y)),
            Some(_) => None,
            None => Some(format!("to {} {}", to.x, to.y)),
        }
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> NamedStates
    for Planted<ROLE, DIRECTED, TOWER>
{
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

impl<const ROLE: u8, const TOWER: bool> TimeReversal for Planted<ROLE, false, TOWER> {
    fn time_reversal(&self, at: &At) -> At {
        match self.wrong("time_reversal", at) {
            Some((Way::Another, other)) => other,
            Some(_) => strayed(*at),
            None => *at,
        }
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> MoveOrder
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn move_order(&self, at: &At) -> u64 {
        self.value("move_order", at)
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Strata
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn stratum(&self, at: &At) -> u64 {
        self.value("stratum", at)
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Features
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn feature_space(&self) -> FeatureSpace {
        FeatureSpace {
            settings: 1,
            features: 2,
            each: 1,
        }
    }

    fn features(&self, at: &At, out: &mut Vec<u32>) {
        out.extend([0, self.value("features", at) as u32]);
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Objective
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn objective(&self, at: &At) -> u64 {
        self.value("objective", at)
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> LowerBound
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn lower_bound(&self, at: &At) -> u64 {
        self.wrong("lower_bound", at).map_or(0, |_| 1 << 20)
    }
}

impl<const ROLE: u8, const DIRECTED: bool, const TOWER: bool> Refute
    for Planted<ROLE, DIRECTED, TOWER>
{
    fn refute(&self, from: &At, _: Option<&At>) -> Option<String> {
        self.wrong("refute", from)
            .map(|_| "there is no path".to_owned())
    }
}

/// The table of a variant: what it implements, but for ranks where there is no tower.
macro_rules! variant {
    ($role:expr, $directed:expr, $tower:expr) => {{
        type Here = Planted<{ $role }, { $directed }, { $tower }>;
        let mut made = abi::variant::<u64, Here>();
        puzzle_api::detect!(Here, &mut made);
        finish(made, $directed, $tower)
    }};
}

fn finish(made: AntipodeVariant, directed: bool, tower: bool) -> AntipodeVariant {
    let facts = if directed { 0 } else { ANTIPODE_IS_UNDIRECTED };
    let made = AntipodeVariant { facts, ..made };
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

/// The variants of a puzzle: the planted one, and an honest rulebook beside it but `alone`.
pub fn variants(directed: bool, tower: bool, alone: bool) -> Vec<AntipodeVariant> {
    match (directed, tower, alone) {
        (false, false, false) => vec![variant!(FAST, false, false), variant!(RULES, false, false)],
        (false, true, false) => vec![variant!(FAST, false, true), variant!(RULES, false, true)],
        (true, false, false) => vec![variant!(FAST, true, false), variant!(RULES, true, false)],
        (true, true, false) => vec![variant!(FAST, true, true), variant!(RULES, true, true)],
        (false, false, true) => vec![variant!(ALONE, false, false)],
        (false, true, true) => vec![variant!(ALONE, false, true)],
        (true, false, true) => vec![variant!(ALONE, true, false)],
        (true, true, true) => vec![variant!(ALONE, true, true)],
    }
}

pub fn library(variants: Vec<AntipodeVariant>) -> Library {
    Library::built_in(abi::table::<u64, Boards>(variants))
}
