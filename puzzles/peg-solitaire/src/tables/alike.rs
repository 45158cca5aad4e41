//! Jumps of one shape together: where on the board they can be made, and where all images of a
//! position go by them.

use puzzle_api::proof::FieldImages;

use super::Change;

/// Jumps that are the same but for the hole where they begin.
#[derive(Debug)]
pub(super) struct Alike {
    /// The lowest of the three holes of each.
    lowest: u64,
    /// How far each of the three holes is from the lowest, and all bits where it has to be empty.
    holes: [(u32, u64); 3],
    /// What changes, from the lowest.
    change: u64,
    /// By lowest hole and symmetry, what changes in the image.
    turned: Vec<u64>,
}

impl Alike {
    /// Jumps by their shapes, in the order in which the shapes are met.
    pub(super) fn of(changes: &[Change], images: &FieldImages) -> Vec<Self> {
        let shape = |change: &Change| {
            let low = change.holes.trailing_zeros();
            [change.holes, change.before, change.after].map(|mask| mask >> low)
        };
        let (mut shapes, mut all) = (Vec::new(), Vec::<Self>::new());
        for change in changes {
            let own = shape(change);
            let at = shapes.iter().position(|other| *other == own);
            let at = at.unwrap_or_else(|| {
                shapes.push(own);
                all.push(Self::new(own, images));
                all.len() - 1
            });
            all[at].lowest |= 1 << change.holes.trailing_zeros();
        }
        all
    }

    fn new([holes, before, after]: [u64; 3], images: &FieldImages) -> Self {
        let change = before ^ after;
        let (mut left, mut own) = (holes, [(0, 0); 3]);
        for hole in &mut own {
            let shift = left.trailing_zeros();
            *hole = (
                shift,
                if before >> shift & 1 == 1 {
                    0
                } else {
                    u64::MAX
                },
            );
            left &= left - 1;
        }
        // A hole changes the image of a board by the same bits whatever else is on it.
        let of = |low: u32, at: usize| images.image(change << low, at) ^ images.image(0, at);
        let turned = (0..u64::BITS).flat_map(|low| (0..images.count()).map(move |at| (low, at)));
        Self {
            lowest: 0,
            holes: own,
            change,
            turned: turned.map(|(low, at)| of(low, at)).collect(),
        }
    }

    /// The lowest holes of those that can be made.
    #[inline]
    fn possible(&self, key: u64) -> u64 {
        let [first, second, third] = self.holes.map(|(shift, empty)| key >> shift ^ empty);
        self.lowest & first & second & third
    }

    /// Appends where these jumps lead.
    #[inline]
    pub(super) fn successors(&self, key: u64, out: &mut Vec<u64>) {
        let mut left = self.possible(key);
        while left != 0 {
            out.push(key ^ self.change << left.trailing_zeros());
            left &= left - 1;
        }
    }

    /// Appends the least image of where each of these jumps leads, given all images of the
    /// position.
    #[inline]
    pub(super) fn least<const COUNT: usize>(
        &self,
        key: u64,
        images: &[u64; COUNT],
        out: &mut Vec<u64>,
    ) {
        let mut left = self.possible(key);
        while left != 0 {
            let row = left.trailing_zeros() as usize * COUNT;
            let turned = &self.turned[row..row + COUNT];
            let mut least = images[0] ^ turned[0];
            for (image, bits) in images[1..].iter().zip(&turned[1..]) {
                least = least.min(image ^ bits);
            }
            out.push(least);
            left &= left - 1;
        }
    }
}
