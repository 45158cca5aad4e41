//! Numbers of states without gaps: the order and the turns of each orbit of places. Pieces that
//! look alike share their orders: each kind chooses its places among the n places.

use crate::definition::Definition;
use crate::kept::{Kept, Orbit, is_odd, those};

/// Most states that a search is offered a numbering of. Beyond this, walking over unreachable
/// states takes longer than finding the reachable ones.
const MOST_NUMBERED: u64 = 1 << 33;

/// One in each group of five bits but the first.
const FIVES: u128 = 0x2108_4210_8421_0842_1084_2108_4210_8420;

/// How the turns of an orbit are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Twist {
    /// All are the same in every state.
    Fixed,
    /// The last one follows from the others.
    Sum,
    Free,
    /// The number of turns depends on the piece.
    Shown,
}

/// The states of an orbit.
#[derive(Debug)]
pub struct Group {
    /// The set.
    pub set: usize,
    /// Places, ascending.
    pub places: Vec<usize>,
    /// Pieces and the number of each; those with forbidden places come first.
    kinds: Vec<(u8, usize)>,
    /// By piece, its place among the kinds.
    kind_of: Vec<u8>,
    /// Whether all pieces differ.
    differ: bool,
    /// Allowed places of the first kind's pieces, by the number of the place.
    may: Vec<bool>,
    /// Pieces of the solved state, by the number of the place.
    solved: Vec<u8>,
    exchanged: bool,
    parity: bool,
    odd: bool,
    twist: Twist,
    /// The number of orientations of pieces.
    pub turns: u64,
    /// By piece: its number of orientations.
    periods: Vec<u8>,
    sum: u64,
    first_turn: u8,
    /// Number of orders and of turns.
    pub orders: u64,
    /// See `orders`.
    pub twists: u64,
}

/// The states of a puzzle.
#[derive(Debug)]
pub struct Numbers {
    /// Orbits with more than one state.
    pub groups: Vec<Group>,
    /// Binomials.
    choose: Vec<Vec<u64>>,
    /// Number of all states, or that it is beyond 64 bits.
    pub size: Option<u64>,
    /// Their approximate number, for messages.
    pub about: f64,
}

impl Numbers {
    pub(crate) fn new(definition: &Definition, kept: &[Kept]) -> Self {
        let most = definition
            .sets
            .iter()
            .map(|set| set.count)
            .max()
            .unwrap_or(0);
        let mut choose = vec![vec![1_u64]];
        for n in 1..=most {
            let above = &choose[n - 1];
            let at = |k: usize| above.get(k).copied().unwrap_or(0);
            let row = (0..=n).map(|k| {
                if k == 0 {
                    1
                } else {
                    at(k - 1).saturating_add(at(k))
                }
            });
            choose.push(row.collect());
        }
        let mut numbers = Self {
            groups: Vec::new(),
            choose,
            size: Some(1),
            about: 1.0,
        };
        for (set, kept) in kept.iter().enumerate() {
            for orbit in &kept.orbits {
                numbers.add(definition, set, orbit);
            }
        }
        numbers
    }

    fn add(&mut self, definition: &Definition, set: usize, orbit: &Orbit) {
        let solved = &definition.solved[set];
        let (turns, periods) = (definition.sets[set].turns, &definition.periods[set]);
        let pieces = those(&solved.pieces, &orbit.places);
        let own_turns = those(&solved.turns, &orbit.places);
        let may_not = |piece: u8, place: usize| {
            let mut illegal = definition.illegal.iter();
            illegal.any(|one| one.set == set && one.place == place && one.pieces.contains(&piece))
        };
        let mut kinds: Vec<(u8, usize)> = Vec::new();
        for &piece in &pieces {
            match kinds.iter_mut().find(|kind| kind.0 == piece) {
                Some(kind) => kind.1 += 1,
                None => kinds.push((piece, 1)),
            }
        }
        let bound = |piece: u8| {
            orbit
                .places
                .iter()
                .filter(|&&place| may_not(piece, place))
                .count()
        };
        // A kind with forbidden places, and one with many pieces, reduces the number most.
        kinds.sort_by_key(|&(piece, count)| {
            let gain = if count > 1 { bound(piece) * count } else { 0 };
            (std::cmp::Reverse(gain), piece)
        });
        let differ = kinds.len() == pieces.len();
        let first = kinds[0].0;
        let may = orbit
            .places
            .iter()
            .map(|&place| differ || !may_not(first, place));
        let shown = |&piece: &u8| usize::from(periods[usize::from(piece)]) == turns;
        let twist = match (orbit.turns, orbit.sum) {
            (true, _) => Twist::Fixed,
            (_, true) => Twist::Sum,
            _ if pieces.iter().all(shown) => Twist::Free,
            _ => Twist::Shown,
        };
        let mut kind_of = vec![0; 256];
        for (kind, &(piece, _)) in kinds.iter().enumerate() {
            kind_of[usize::from(piece)] = kind as u8;
        }
        let mut group = Group {
            set,
            kinds,
            kind_of,
            differ,
            may: may.collect(),
            parity: orbit.parity && orbit.exchanged,
            odd: is_odd(&pieces),
            exchanged: orbit.exchanged,
            solved: pieces.clone(),
            twist,
            turns: turns as u64,
            periods: periods.clone(),
            sum: own_turns.iter().map(|&turn| u64::from(turn)).sum(),
            first_turn: own_turns[0],
            orders: 1,
            twists: 1,
            places: orbit.places.clone(),
        };
        let (mut orders, mut twists) = (vec![], vec![]);
        let count = group.places.len();
        if orbit.exchanged {
            let mut left = count;
            for (at, &(_, many)) in group.kinds.iter().enumerate() {
                let places = match at {
                    0 => group.may.iter().filter(|may| **may).count(),
                    _ => left,
                };
                orders.push(self.choose[places].get(many).copied().unwrap_or(0));
                left -= many;
            }
        }
        match twist {
            Twist::Fixed => {}
            Twist::Sum => twists = vec![turns as u64; count - 1],
            Twist::Free => twists = vec![turns as u64; count],
            Twist::Shown => {
                let shows = pieces.iter().map(|&piece| periods[usize::from(piece)]);
                twists = shows.map(u64::from).collect();
            }
        }
        let half = if group.parity { 2.0 } else { 1.0 };
        self.about *= orders
            .iter()
            .chain(&twists)
            .map(|&n| n as f64)
            .product::<f64>()
            / half;
        let product = |all: &[u64]| {
            let product = all
                .iter()
                .try_fold(1_u128, |all, &one| all.checked_mul(one.into()));
            product.filter(|_| all.iter().all(|&one| one < u64::MAX))
        };
        let sizes = product(&orders)
            .zip(product(&twists))
            .and_then(|(orders, twists)| {
                let orders = if group.parity { orders / 2 } else { orders };
                u64::try_from(orders).ok().zip(u64::try_from(twists).ok())
            });
        self.size = sizes.and_then(|(orders, twists)| {
            (group.orders, group.twists) = (orders, twists);
            self.size?.checked_mul(orders)?.checked_mul(twists)
        });
        if group.orders > 1 || group.twists > 1 || sizes.is_none() {
            self.groups.push(group);
        }
    }

    /// Number of states, if a search may walk over all.
    pub(crate) fn offered(&self) -> Option<u64> {
        self.size.filter(|&size| size <= MOST_NUMBERED)
    }

    /// The number of a state, by the piece and turn of each place of a set.
    pub(crate) fn rank(&self, at: impl Fn(usize, usize) -> (u8, u8)) -> u64 {
        self.groups.iter().fold(0, |rank, group| {
            let (order, twist) = self.of_group(group, |place| at(group.set, place));
            (rank * group.orders + order) * group.twists + twist
        })
    }

    /// The state of a number: puts a piece and its turn on each place of all groups.
    pub(crate) fn unrank(&self, rank: u64, mut put: impl FnMut(usize, usize, u8, u8)) {
        let mut rest = rank;
        for group in self.groups.iter().rev() {
            let twist = rest % group.twists;
            rest /= group.twists;
            let order = rest % group.orders;
            rest /= group.orders;
            let set = group.set;
            self.put_group(group, order, twist, |place, piece, turn| {
                put(set, place, piece, turn)
            });
        }
    }

    /// Order and turns of a group, as numbers.
    pub(crate) fn of_group(&self, group: &Group, at: impl Fn(usize) -> (u8, u8)) -> (u64, u64) {
        if group.differ {
            return group.number(at);
        }
        let mut lies = [(0_u8, 0_u8); 256];
        let lies = &mut lies[..group.places.len()];
        for (own, &place) in lies.iter_mut().zip(&group.places) {
            *own = at(place);
        }
        let twist = lies.iter().zip(0..group.free());
        let twist = twist.fold(0, |twist, (&lies, _)| group.twisted(twist, lies));
        (self.order_of(group, lies), twist)
    }

    fn order_of(&self, group: &Group, lies: &[(u8, u8)]) -> u64 {
        if group.orders == 1 {
            return 0;
        }
        let (mut order, mut left) = (0, [0_u8; 256]);
        let mut count = lies.len();
        for (own, place) in left.iter_mut().zip(0..=255).take(count) {
            *own = place;
        }
        for (at, &(piece, many)) in group.kinds.iter().enumerate() {
            let (mut rank, mut met, mut seen, mut kept) = (0, 0, 0, 0);
            for i in 0..count {
                let place = left[i];
                let may = at > 0 || group.may[usize::from(place)];
                if may && lies[usize::from(place)].0 == piece {
                    met += 1;
                    rank += self.choose[seen].get(met).copied().unwrap_or(0);
                } else {
                    left[kept] = place;
                    kept += 1;
                }
                seen += usize::from(may);
            }
            order = order * self.choose[seen][many] + rank;
            count = kept;
        }
        order
    }

    /// Writes the pieces of an order and their turns to the places of a group.
    pub(crate) fn put_group(
        &self,
        group: &Group,
        order: u64,
        twist: u64,
        mut put: impl FnMut(usize, u8, u8),
    ) {
        let count = group.places.len();
        let mut pieces = [0_u8; 256];
        self.put_order(group, order, &mut pieces[..count]);
        let mut turns = [group.first_turn; 256];
        let (mut rest, mut sum) = (twist, 0);
        let free = group.free();
        for at in (0..free).rev() {
            let shows = match group.twist {
                Twist::Shown => u64::from(group.periods[usize::from(pieces[at])]),
                _ => group.turns,
            };
            (turns[at], rest) = ((rest % shows) as u8, rest / shows);
            sum += u64::from(turns[at]);
        }
        if group.twist == Twist::Sum {
            let whole = group.sum + group.turns * count as u64;
            turns[free] = ((whole - sum) % group.turns) as u8;
        }
        for (at, &place) in group.places.iter().enumerate() {
            put(place, pieces[at], turns[at]);
        }
    }

    fn put_order(&self, group: &Group, order: u64, pieces: &mut [u8]) {
        let count = pieces.len();
        let mut rest = order;
        if !group.exchanged {
            pieces.copy_from_slice(&group.solved);
            return;
        }
        if group.differ {
            let mut digits = [0_usize; 256];
            rest *= if group.parity { 2 } else { 1 };
            for (at, digit) in digits[..count].iter_mut().enumerate().rev() {
                let base = (count - at) as u64;
                (*digit, rest) = ((rest % base) as usize, rest / base);
            }
            let mut left: Vec<u8> = group.kinds.iter().map(|kind| kind.0).collect();
            for (piece, digit) in pieces.iter_mut().zip(digits) {
                *piece = left.remove(digit);
            }
            if group.parity && is_odd(pieces) != group.odd {
                pieces.swap(count - 2, count - 1);
            }
            return;
        }
        let mut sizes = [0_u64; 256];
        let mut places = count;
        for (at, &(_, many)) in group.kinds.iter().enumerate() {
            let may = match at {
                0 => group.may.iter().filter(|may| **may).count(),
                _ => places,
            };
            sizes[at] = self.choose[may][many];
            places -= many;
        }
        let mut ranks = [0_u64; 256];
        for at in (0..group.kinds.len()).rev() {
            (ranks[at], rest) = (rest % sizes[at], rest / sizes[at]);
        }
        let mut left: Vec<usize> = (0..count).collect();
        for (at, &(piece, many)) in group.kinds.iter().enumerate() {
            let may = |place: usize| at > 0 || group.may[place];
            let candidates = left.iter().copied().filter(|&place| may(place));
            let candidates: Vec<usize> = candidates.collect();
            let (mut rank, mut seen) = (ranks[at], candidates.len());
            for nth in (1..=many).rev() {
                // The greatest place that leaves at most a number of combinations below it.
                let ways = |seen: usize| self.choose[seen].get(nth).copied().unwrap_or(0);
                seen -= 1;
                while ways(seen) > rank {
                    seen -= 1;
                }
                rank -= ways(seen);
                pieces[candidates[seen]] = piece;
                left.retain(|&place| place != candidates[seen]);
            }
        }
    }
}

impl Group {
    /// Whether a move has the same effect on the turns in every order.
    pub(crate) fn is_apart(&self) -> bool {
        self.twist != Twist::Shown
    }

    /// How many turns are numbered.
    fn free(&self) -> usize {
        match self.twist {
            Twist::Fixed => 0,
            Twist::Sum => self.places.len() - 1,
            Twist::Free | Twist::Shown => self.places.len(),
        }
    }

    /// The number of turns with one more.
    #[inline]
    fn twisted(&self, twist: u64, (piece, turn): (u8, u8)) -> u64 {
        let shows = match self.twist {
            Twist::Shown => u64::from(self.periods[usize::from(piece)]),
            _ => self.turns,
        };
        twist * shows + u64::from(turn)
    }

    /// Order and turns of pieces that differ, of which 64 bits number at most 20.
    #[inline]
    fn number(&self, at: impl Fn(usize) -> (u8, u8)) -> (u64, u64) {
        // For each kind, five bits: how many before it were met.
        let (mut order, mut twist, mut met) = (0, 0, 0_u128);
        let (count, free) = (self.places.len(), self.free());
        for (i, &place) in self.places.iter().enumerate() {
            let lies = at(place);
            let kind = u32::from(self.kind_of[usize::from(lies.0)]);
            let index = u64::from(kind) - (met >> (5 * kind) & 31) as u64;
            order = order * (count - i) as u64 + index;
            met = met.wrapping_add(FIVES << (5 * kind));
            if i < free {
                twist = self.twisted(twist, lies);
            }
        }
        match (self.orders, self.parity) {
            (1, _) => (0, twist),
            (_, true) => (order / 2, twist),
            _ => (order, twist),
        }
    }
}
