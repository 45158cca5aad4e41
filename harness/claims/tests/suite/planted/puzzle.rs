//! The puzzle with a fault: each trait answers like the honest board, except at the fault. The
//! instance names the fault; `board` has none.

use std::sync::atomic::{AtomicBool, Ordering};

use antipode_graph::Library;
use puzzle_api::abi::{self, ANTIPODE_IS_UNDIRECTED, AntipodeVariant};
use puzzle_api::optional::*;
use puzzle_api::{About, BadInput, Direction, Family, InstanceInfo, Puzzle, Xorshift};

use super::board::{self, At, FAULTY, PARTS, SIDE};
#[path = "more.rs"]
mod more;
pub use more::{library, variants};

use super::fault::{Fault, Way, faults};

/// Whether a wrong answer was given: by boards, and by towers.
pub static ASKED: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

/// The variant next to an honest rulebook; the rulebook itself; an honest rulebook.
pub const FAST: u8 = 1;
pub const ALONE: u8 = 2;
pub const RULES: u8 = 3;

/// Its moves cannot be undone; it has parts.
const DIRECTED: u8 = 4;
const TOWER: u8 = 8;

/// A role, with [`DIRECTED`] or [`TOWER`] or both.
pub struct Planted<const KIND: u8>(Option<Fault>);

pub struct Boards;

impl Family for Boards {
    fn about() -> About {
        let names = faults().into_iter().map(|fault| fault.name());
        let instances = names.chain(["board".to_owned()]).map(|name| InstanceInfo {
            name,
            summary: String::new(),
        });
        About {
            name: "planted".into(),
            version: "1.0.0".into(),
            instances: instances.collect(),
            ..About::default()
        }
    }
}

impl<const KIND: u8> Planted<KIND> {
    const ROLE: u8 = KIND & 3;
    const DIRECTED: bool = KIND & DIRECTED != 0;
    const TOWER: bool = KIND & TOWER != 0;

    /// The kind of a member's fault, wherever it is called.
    fn everywhere(&self, member: &str) -> Option<Way> {
        let fault = self.0.filter(|fault| fault.member == member)?;
        ASKED[usize::from(Self::TOWER)].store(true, Ordering::Relaxed);
        assert!(fault.way != Way::Fail, "planted");
        Some(fault.way)
    }

    /// The kind of a member's fault on a state, and another state.
    fn wrong(&self, member: &str, at: &At) -> Option<(Way, At)> {
        let fault = self.0.filter(|fault| fault.member == member)?;
        let here = fault.way != Way::Lose && fault.place.holds(Self::TOWER, *at);
        let way = here.then(|| self.everywhere(member)).flatten()?;
        Some((way, fault.place.other(*at)))
    }

    /// The kind of a member's fault in a part.
    fn in_part(&self, member: &str, part: u64) -> Option<Way> {
        let here = !Self::TOWER || part == FAULTY;
        here.then(|| self.everywhere(member)).flatten()
    }

    fn list(&self, member: &str, at: &At, of: impl Fn(&At) -> Vec<At>) -> Vec<At> {
        let mut list = of(at);
        if let Some(fault) = self
            .0
            .filter(|fault| (fault.member, fault.way) == (member, Way::Lose))
        {
            let whole = list.len();
            list.retain(|to| !fault.place.holds(Self::TOWER, *to));
            if list.len() < whole {
                self.everywhere(member);
            }
        }
        match self.wrong(member, at) {
            Some((Way::Drop, _)) => drop(list.remove(0)),
            Some((Way::Add, other)) => list.push(other),
            Some((Way::Stray, other)) => list.push(strayed(other)),
            Some((Way::Turn, _)) => list[0] = list[0].images().pop().expect("an image"),
            Some((Way::Another, other)) => list = of(&other),
            Some((Way::Double, _)) => list.push(list[0]),
            _ => {}
        }
        list
    }

    fn value(&self, member: &str, at: &At) -> u64 {
        u64::from(self.wrong(member, at).is_some())
    }

    fn ahead(at: &At) -> Vec<At> {
        at.neighbours(Self::DIRECTED, false)
    }

    fn behind(at: &At) -> Vec<At> {
        at.neighbours(Self::DIRECTED, true)
    }
}

fn strayed(at: At) -> At {
    let part = (at.part + 1) % PARTS;
    At { part, ..at }
}

impl<const KIND: u8> Puzzle for Planted<KIND> {
    type Key = u64;
    type State = At;

    const VARIANT: &'static str = if Self::ROLE == FAST {
        "fast"
    } else {
        "reference"
    };

    fn open(request: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        let mut named = faults().into_iter();
        let fault = named.find(|fault| Self::ROLE != RULES && fault.name() == request.instance);
        let opened = Self(fault);
        match opened.everywhere("open") {
            Some(_) => Err(BadInput::new("planted")),
            None => Ok(opened),
        }
    }

    fn starts(&self, emit: &mut dyn FnMut(At)) {
        if self.everywhere("starts").is_some() {
            emit(At::of(0));
        }
    }

    fn successors(&self, at: &At, emit: &mut dyn FnMut(At)) {
        self.list("successors", at, Self::ahead)
            .into_iter()
            .for_each(emit);
    }

    fn is_solved(&self, at: &At) -> bool {
        at.is_solved() != self.wrong("is_solved", at).is_some()
    }

    fn key(&self, at: &At) -> u64 {
        at.key()
    }

    fn state(&self, key: u64) -> At {
        At::of(key)
    }

    fn parse(&self, text: &str) -> Result<At, BadInput> {
        let read = board::parse(text).ok_or_else(|| BadInput::new("write a part and 7 rows"))?;
        match self.wrong("parse", &read) {
            Some((Way::Another, other)) => Ok(other),
            Some(_) => Err(BadInput::new("planted")),
            None => Ok(read),
        }
    }

    fn draw(&self, at: &At) -> String {
        match self.wrong("draw", at) {
            Some((Way::Another, other)) => board::draw(&other),
            Some(_) => String::new(),
            None => board::draw(at),
        }
    }

    fn refute(&self, from: &At, _: Option<&At>) -> Option<String> {
        self.wrong("refute", from)
            .map(|_| "there is no path".to_owned())
    }
}

impl<const KIND: u8> SolvedStates for Planted<KIND> {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(At)) {
        let middle = At::new(part, board::MIDDLE, board::MIDDLE);
        let corner = At::new(part, 0, 0);
        let listed = match self.in_part("solved_states", part) {
            Some(Way::Drop) => vec![],
            Some(Way::Add) => vec![middle, corner],
            Some(Way::Another) => vec![corner],
            Some(Way::Stray) => vec![middle, strayed(corner)],
            Some(Way::Double) => vec![middle, middle],
            _ => vec![middle],
        };
        listed.into_iter().for_each(emit);
    }

    fn lists_solved_states(&self) -> bool {
        self.0
            .is_none_or(|fault| (fault.member, fault.way) != ("solved_states", Way::Refuse))
    }
}

impl<const KIND: u8> Predecessors for Planted<KIND> {
    fn predecessors(&self, at: &At, emit: &mut dyn FnMut(At)) {
        self.list("predecessors", at, Self::behind)
            .into_iter()
            .for_each(emit);
    }
}

impl<const KIND: u8> Symmetry for Planted<KIND> {
    fn symmetry_count(&self) -> u32 {
        match self.everywhere("symmetry_count") {
            Some(Way::Less) => 4,
            Some(Way::More) => 16,
            Some(_) => 0,
            None => 8,
        }
    }

    fn image(&self, at: &At, index: u32) -> At {
        match (index, self.wrong("images", at)) {
            (3, Some((Way::Another, other))) => other,
            (3, Some((Way::Double, _))) => at.image(2),
            _ => at.image(index),
        }
    }

    fn canonical(&self, at: &At) -> At {
        match self.wrong("canonical", at) {
            Some((Way::Another, other)) => other.canonical(),
            Some((Way::Drop, _)) if at.y > board::MIDDLE => *at,
            Some((Way::Drop, _)) => at.image(7).images()[1],
            Some((Way::Stray, _)) => strayed(at.canonical()),
            _ => at.canonical(),
        }
    }

    fn orbit_size(&self, at: &At) -> u32 {
        let size = at.images().len() as u32;
        match self.wrong("canonical", at) {
            Some((Way::Less, _)) => size / 2,
            Some((Way::More, _)) => size * 2,
            Some((Way::Zero, _)) => 0,
            _ => size,
        }
    }
}

impl<const KIND: u8> Numbering for Planted<KIND> {
    fn space(&self, part: u64) -> Option<u64> {
        match self.in_part("space", part) {
            Some(Way::Less) => Some(SIDE * SIDE - 1),
            Some(Way::More) => Some(SIDE * SIDE + 1),
            Some(Way::Zero) => Some(0),
            Some(_) => None,
            None => Some(SIDE * SIDE),
        }
    }

    fn place(&self, at: &At) -> Option<Placement> {
        let (part, rank) = (at.part, at.rank());
        match self.wrong("place", at) {
            Some((Way::Another, other)) => Some(Placement {
                part,
                rank: other.rank(),
            }),
            Some((Way::Stray, _)) => Some(Placement {
                part: strayed(*at).part,
                rank,
            }),
            Some((Way::More, _)) => Some(Placement {
                part,
                rank: rank + SIDE * SIDE,
            }),
            Some(_) => None,
            None => Some(Placement { part, rank }),
        }
    }

    fn unrank(&self, placement: Placement) -> Option<At> {
        let rank = placement.rank % (SIDE * SIDE);
        let at = At::of(placement.part * SIDE * SIDE + rank);
        match self.wrong("unrank", &at) {
            Some((Way::Another, other)) => Some(other),
            Some((Way::Stray, _)) => Some(strayed(at)),
            Some(_) => None,
            None => Some(at),
        }
    }

    fn neighbour_ranks(
        &self,
        way: Direction,
        part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
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
        if let Some(keys) = keys {
            let state = |&rank: &u64| self.unrank(Placement { part, rank });
            keys.extend(ranks.iter().filter_map(state).map(At::key));
        }
        true
    }

    fn part_count(&self) -> u64 {
        match self.everywhere("part_count") {
            Some(Way::Less) => PARTS - 1,
            Some(Way::More) => PARTS + 1,
            Some(_) => 0,
            None => PARTS,
        }
    }

    fn part_name(&self, part: u64) -> String {
        match self.in_part("part_name", part) {
            Some(Way::Another) => "0".to_owned(),
            Some(_) => String::new(),
            None => part.to_string(),
        }
    }
}
