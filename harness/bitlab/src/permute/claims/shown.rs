//! What claims about permutations show: distances on the board, and bits that meet.

use super::Permutation;

/// The board of 5x5 cells of two bits with the distance that the bits of each cell are moved.
pub(super) fn distances(turn: &Permutation) -> String {
    let distances = (0..turn.len()).step_by(2).map(|bit| turn.distance(bit));
    let distances: Vec<String> = distances.map(|by| by.to_string()).collect();
    format!("{} | {}", ["....."; 5].join("/"), distances.join(" "))
}

/// Two bits that lie on one place after some shifts.
#[derive(Default)]
pub(super) struct Meeting {
    bits: u64,
    place: u64,
}

impl Meeting {
    pub(super) fn bits(&self) -> String {
        format!("{:#x}", self.bits)
    }

    pub(super) fn place(&self) -> String {
        format!("{:#x}", self.place)
    }
}

/// The first two bits that meet when each takes the fewest of the shifts that add up to its
/// distance, in their order.
pub(super) fn meeting(turn: &Permutation, shifts: &[i32]) -> Meeting {
    let taken = |subset: u32| {
        let all = shifts.iter().enumerate();
        all.filter(move |(nth, _)| subset >> nth & 1 == 1)
    };
    let sum = |subset: u32| taken(subset).map(|(_, by)| by).sum::<i32>();
    let subset_of = |bit: usize| {
        let distance = turn.to(bit) as i32 - bit as i32;
        let fitting = (0..1_u32 << shifts.len()).filter(|&subset| sum(subset) == distance);
        fitting
            .min_by_key(|subset| subset.count_ones())
            .unwrap_or(0)
    };
    let subsets: Vec<u32> = (0..turn.len()).map(subset_of).collect();
    for stages in 1..=shifts.len() {
        let so_far = (1_u32 << stages) - 1;
        let place = |bit: usize| bit as i32 + sum(subsets[bit] & so_far);
        for bit in 0..turn.len() {
            let other = (0..bit).find(|&other| place(other) == place(bit));
            if let (Some(other), Ok(at @ 0..64)) = (other, u32::try_from(place(bit))) {
                return Meeting {
                    bits: 1 << other | 1 << bit,
                    place: 1 << at,
                };
            }
        }
    }
    Meeting::default()
}
