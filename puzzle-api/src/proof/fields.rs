//! Maps of keys whose fields each go somewhere by themselves, by tables: symmetries, and moves
//! that carry every place at once.

use std::collections::BTreeSet;

/// A field of a key: what lies on one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// The lowest bit.
    pub shift: u32,
    /// How many bits it has.
    pub bits: u32,
    /// What it can hold: 0 to one less.
    pub contents: u64,
}

impl Field {
    /// One bit.
    #[must_use]
    pub const fn bit(shift: u32) -> Self {
        Self {
            shift,
            bits: 1,
            contents: 2,
        }
    }

    /// Its bits in a key.
    #[must_use]
    pub const fn mask(self) -> u64 {
        (u64::MAX >> (u64::BITS - self.bits)) << self.shift
    }
}

/// Fields that are looked up in one go have no more bits together than this, but for a field
/// that alone has more.
const CHUNK_BITS: u32 = 8;

#[derive(Debug)]
struct Chunk {
    shift: u32,
    mask: u64,
    /// Where its rows begin: one for each content, of a word for each symmetry.
    rows: usize,
}

/// The images of keys under every symmetry, or by every move, put together from those of their
/// fields.
#[derive(Debug)]
pub struct FieldImages {
    /// In order.
    fields: Vec<Field>,
    base: u64,
    /// Images of `base`.
    base_images: Vec<u64>,
    /// By field, content and symmetry: the bits that the content changes in the image of `base`.
    atoms: Vec<Vec<Vec<u64>>>,
    chunks: Vec<Chunk>,
    rows: Vec<u64>,
}

impl FieldImages {
    /// Fills the tables: `images` gives the images of a key by the rulebook, and is asked for
    /// `base` with every content of every field. Fields go up.
    #[must_use]
    pub fn by_the_rulebook(fields: &[Field], base: u64, images: impl Fn(u64) -> Vec<u64>) -> Self {
        let mut tables = Self::asked(fields, base, images);
        tables.fill();
        tables
    }

    /// The same of moves: those that do the same on every content of every field are one, however
    /// often the rulebook lists it.
    #[must_use]
    pub fn moves_by_the_rulebook(
        fields: &[Field],
        base: u64,
        moves: impl Fn(u64) -> Vec<u64>,
    ) -> Self {
        let mut tables = Self::asked(fields, base, moves);
        let does = |at: usize| -> Vec<u64> {
            let contents = tables.atoms.iter().flatten();
            let changes = contents.map(|changes| changes[at]);
            std::iter::once(tables.base_images[at])
                .chain(changes)
                .collect()
        };
        let mut met = BTreeSet::new();
        let is_new: Vec<bool> = (0..tables.count()).map(|at| met.insert(does(at))).collect();
        let keep = |all: &mut Vec<u64>| {
            let mut is_new = is_new.iter();
            all.retain(|_| is_new.next() == Some(&true));
        };
        keep(&mut tables.base_images);
        tables.atoms.iter_mut().flatten().for_each(keep);
        tables.fill();
        tables
    }

    /// What the rulebook says, not yet put together.
    fn asked(fields: &[Field], base: u64, images: impl Fn(u64) -> Vec<u64>) -> Self {
        let base_images = images(base);
        let atom = |field: Field, content: u64| -> Vec<u64> {
            let image = images(base & !field.mask() | content << field.shift);
            image.iter().zip(&base_images).map(|(a, b)| a ^ b).collect()
        };
        let of_field = |&field: &Field| (0..field.contents).map(|c| atom(field, c)).collect();
        let atoms = fields.iter().map(of_field).collect();
        Self {
            fields: fields.to_vec(),
            base,
            base_images,
            atoms,
            chunks: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Chunks of neighbouring fields, by the bits that each content changes.
    fn fill(&mut self) {
        let mut from = 0;
        while from < self.fields.len() {
            let shift = self.fields[from].shift;
            let end = |field: &Field| field.shift + field.bits - shift;
            let fit = self.fields[from..].iter();
            let fit = fit.take_while(|field| end(field) <= CHUNK_BITS).count();
            let until = from + fit.max(1);
            let bits = end(&self.fields[until - 1]);
            let mask = u64::MAX >> (u64::BITS - bits);
            self.chunks.push(Chunk {
                shift,
                mask,
                rows: self.rows.len(),
            });
            for content in 0..=mask {
                let mut row = vec![0; self.base_images.len()];
                for field in from..until {
                    let Field { shift, .. } = self.fields[field];
                    let held = (content << self.chunks[self.chunks.len() - 1].shift
                        & self.fields[field].mask())
                        >> shift;
                    // What no field can hold changes nothing: so the key is not its own image.
                    if let Some(atom) = self.atoms[field].get(held as usize) {
                        row.iter_mut().zip(atom).for_each(|(to, bits)| *to ^= bits);
                    }
                }
                self.rows.extend(row);
            }
            from = until;
        }
    }

    /// Number of symmetries or moves.
    #[must_use]
    pub fn count(&self) -> usize {
        self.base_images.len()
    }

    /// Appends the images of each key, symmetry by symmetry.
    pub fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        out.reserve(keys.len() * self.count());
        match self.count() {
            1 => self.side_by_side::<1>(keys, out),
            2 => self.side_by_side::<2>(keys, out),
            4 => self.side_by_side::<4>(keys, out),
            8 => self.side_by_side::<8>(keys, out),
            24 => self.side_by_side::<24>(keys, out),
            count => {
                for &key in keys {
                    let start = out.len();
                    out.extend_from_slice(&self.base_images);
                    for chunk in &self.chunks {
                        let row = chunk.row(key, count);
                        let row = &self.rows[row..row + count];
                        let image = out[start..].iter_mut().zip(row);
                        image.for_each(|(image, bits)| *image ^= bits);
                    }
                }
            }
        }
    }

    /// Of moves that carry every place at once: appends what those of each key lead to, as
    /// [`super::RuleTables::successors`] does.
    pub fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        let start = out.len();
        self.images(keys, out);
        ends.extend((1..=keys.len()).map(|state| start + state * self.count()));
    }

    fn side_by_side<const COUNT: usize>(&self, keys: &[u64], out: &mut Vec<u64>) {
        let base: [u64; COUNT] = std::array::from_fn(|at| self.base_images[at]);
        for &key in keys {
            let mut images = base;
            for chunk in &self.chunks {
                let row = chunk.row(key, COUNT);
                let row = &self.rows[row..row + COUNT];
                for at in 0..COUNT {
                    images[at] ^= row[at];
                }
            }
            out.extend_from_slice(&images);
        }
    }

    /// The image of one key under one symmetry.
    #[must_use]
    pub fn image(&self, key: u64, symmetry: usize) -> u64 {
        let chunks = self.chunks.iter();
        chunks.fold(self.base_images[symmetry], |image, chunk| {
            image ^ self.rows[chunk.row(key, self.count()) + symmetry]
        })
    }

    /// `base` with every content of every field: by what it makes of these, a map that takes
    /// fields to fields is known.
    fn contents(&self) -> Vec<u64> {
        let of_field = |field: &Field| {
            let (base, field) = (self.base & !field.mask(), *field);
            (0..field.contents).map(move |held| base | held << field.shift)
        };
        self.fields.iter().flat_map(of_field).collect()
    }

    /// What one of the maps makes of some keys.
    fn of_each(&self, keys: &[u64], at: usize) -> Vec<u64> {
        keys.iter().map(|&key| self.image(key, at)).collect()
    }

    /// Shows, on all contents of all fields, that each map takes fields to fields.
    ///
    /// # Errors
    /// One line that says which does not.
    pub fn take_places_to_places(&self) -> Result<(), String> {
        for at in 0..self.count() {
            let mut taken = vec![false; self.fields.len()];
            for atoms in &self.atoms {
                let all = atoms.iter().fold(0, |all, atom| all | atom[at]);
                let target = self.fields.iter().position(|f| all & !f.mask() == 0);
                let target = target.filter(|_| all != 0);
                let free = target.is_some_and(|to| !std::mem::replace(&mut taken[to], true));
                if !free {
                    return Err(format!("number {at} does not take places to places"));
                }
            }
        }
        Ok(())
    }

    /// Shows that each leaves a key of nothing as it is, so that the image of two keys without a
    /// common bit is that of the one and of the other together.
    ///
    /// # Errors
    /// One line that says which does not.
    pub fn leave_nothing_empty(&self) -> Result<(), String> {
        match (0..self.count()).find(|&at| self.image(0, at) != 0) {
            Some(at) => Err(format!("number {at} makes something of nothing")),
            None => Ok(()),
        }
    }

    /// Shows, on all contents of all fields, that each takes fields to fields, that the first
    /// is the identity, and that one after another is one of them, and undone by one.
    ///
    /// # Errors
    /// One line that says which is not so.
    pub fn are_a_group(&self) -> Result<(), String> {
        self.take_places_to_places()?;
        let contents = self.contents();
        let all: Vec<Vec<u64>> = (0..self.count())
            .map(|at| self.of_each(&contents, at))
            .collect();
        if all[0] != contents {
            return Err("symmetry 0 is not the identity".into());
        }
        for (first, table) in all.iter().enumerate() {
            let mut undone = false;
            for second in 0..self.count() {
                let both = self.of_each(table, second);
                undone |= both == contents;
                if !all.contains(&both) {
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

    /// Shows, of symmetries and on all contents of all fields, that each leads from moves of
    /// the whole key to moves: to move and then turn is to turn and then move in some way.
    ///
    /// # Errors
    /// One line that says which does not.
    pub fn lead_from_moves_to_moves(&self, moves: &Self) -> Result<(), String> {
        moves.take_places_to_places()?;
        let contents = self.contents();
        for symmetry in 0..self.count() {
            let turned = self.of_each(&contents, symmetry);
            let then: Vec<Vec<u64>> = (0..moves.count())
                .map(|at| moves.of_each(&turned, at))
                .collect();
            for at in 0..moves.count() {
                let both = self.of_each(&moves.of_each(&contents, at), symmetry);
                if !then.contains(&both) {
                    return Err(format!("symmetry {symmetry} leads from moves to others"));
                }
            }
        }
        Ok(())
    }

    /// Whether, of moves of the whole key and on all contents of all fields, each is undone by
    /// as many of them as are the same move.
    #[must_use]
    pub fn are_undone(&self) -> bool {
        let contents = self.contents();
        self.take_places_to_places().is_ok()
            && (0..self.count()).all(|at| {
                let moved = self.of_each(&contents, at);
                let many = |contents, to: &[u64]| {
                    let all = 0..self.count();
                    all.filter(|&other| self.of_each(contents, other) == to)
                        .count()
                };
                many(&moved, &contents) == many(&contents, &moved)
            })
    }
}

impl Chunk {
    #[inline]
    fn row(&self, key: u64, count: usize) -> usize {
        self.rows + (key >> self.shift & self.mask) as usize * count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Xorshift;

    /// Four places of five bits from bit 3, each holding 0 to 19, turned by one or more places.
    fn fields() -> Vec<Field> {
        let field = |at: u32| Field {
            shift: 3 + 5 * at,
            bits: 5,
            contents: 20,
        };
        (0..4).map(field).collect()
    }

    fn turned(key: u64, by: u32) -> u64 {
        let held = |at: u32| key >> (3 + 5 * at) & 31;
        // A content is renamed too.
        let renamed = |held: u64| (held + 5 * u64::from(by)) % 20;
        (0..4).fold(0, |to, at| {
            to | renamed(held((at + by) % 4)) << (3 + 5 * at)
        })
    }

    fn quarter_turns(key: u64) -> Vec<u64> {
        (0..4).map(|by| turned(key, by)).collect()
    }

    fn drawn(random: &mut Xorshift) -> u64 {
        (0..4).fold(0, |key, at| key | random.below(20) << (3 + 5 * at))
    }

    #[test]
    fn a_move_listed_again_is_one_move() {
        let often = |key| [0, 1, 2, 1, 3, 0, 1].map(|by| turned(key, by)).to_vec();
        let moves = FieldImages::moves_by_the_rulebook(&fields(), 0, often);
        let each = FieldImages::by_the_rulebook(&fields(), 0, quarter_turns);
        assert_eq!(FieldImages::by_the_rulebook(&fields(), 0, often).count(), 7);
        let key = drawn(&mut Xorshift::for_draw(4, 0));
        let [mut once, mut all] = [Vec::new(), Vec::new()];
        moves.images(&[key], &mut once);
        each.images(&[key], &mut all);
        assert_eq!(once, all);
        assert!(moves.are_undone());
        // Twice there and once back is no undoing.
        let twice = |key| [1, 1, 3].map(|by| turned(key, by)).to_vec();
        assert!(!FieldImages::by_the_rulebook(&fields(), 0, twice).are_undone());
    }

    #[test]
    fn images_are_put_together_from_fields() {
        let tables = FieldImages::by_the_rulebook(&fields(), 0, quarter_turns);
        assert_eq!(tables.are_a_group(), Ok(()));
        let mut random = Xorshift::for_draw(3, 0);
        let keys: Vec<u64> = (0..1000).map(|_| drawn(&mut random)).collect();
        let mut all = Vec::new();
        tables.images(&keys, &mut all);
        for (&key, images) in keys.iter().zip(all.chunks(4)) {
            assert_eq!(images, quarter_turns(key));
            assert!((0..4).all(|at| tables.image(key, at) == images[at]));
        }
        // What no field can hold, and bits of no field, are not their own image.
        for key in [31 << 3, 20 << 8, 1, 1 << 30] {
            assert_ne!(tables.image(key, 0), key);
        }
    }

    #[test]
    fn moves_are_held_against_symmetries_and_each_other() {
        let symmetries = FieldImages::by_the_rulebook(&fields(), 0, quarter_turns);
        let moves = |all: &[u32]| {
            let all = all.to_vec();
            FieldImages::by_the_rulebook(&fields(), 0, move |key| {
                all.iter().map(|&by| turned(key, by)).collect()
            })
        };
        assert!(moves(&[1, 3]).are_undone() && !moves(&[1, 2]).are_undone());
        assert_eq!(symmetries.lead_from_moves_to_moves(&moves(&[1, 2])), Ok(()));
        // Places 0 and 1 exchanged: turned, that is 1 and 2.
        let swap =
            |key: u64| vec![key & !(1023 << 3) | (key >> 3 & 31) << 8 | (key >> 8 & 31) << 3];
        let swap = FieldImages::by_the_rulebook(&fields(), 0, swap);
        assert!(swap.are_undone());
        assert!(symmetries.lead_from_moves_to_moves(&swap).is_err());
    }

    #[test]
    fn some_bits_go_the_general_way() {
        let three = |key: u64| (0..3).map(|by| turned(key, by)).collect();
        let tables = FieldImages::by_the_rulebook(&fields(), 0, three);
        assert!(tables.are_a_group().unwrap_err().contains("none of"));
        let mut all = Vec::new();
        tables.images(&[7 << 3], &mut all);
        assert_eq!(all, three(7 << 3));
    }

    #[test]
    fn what_mixes_places_is_told() {
        let mixed = |key: u64| vec![key, key ^ (key & 8) << 5];
        let tables = FieldImages::by_the_rulebook(&fields(), 0, mixed);
        assert!(tables.are_a_group().is_err());
        let lost = |key: u64| vec![key, key & !(31 << 3)];
        let tables = FieldImages::by_the_rulebook(&fields(), 0, lost);
        assert!(tables.are_a_group().is_err());
        let tables = FieldImages::by_the_rulebook(&fields(), 0, |key| vec![key]);
        assert_eq!(tables.leave_nothing_empty(), Ok(()));
        let tables = FieldImages::by_the_rulebook(&fields(), 0, |key| vec![key, key ^ 8]);
        assert!(tables.leave_nothing_empty().is_err());
        let shifted = |key: u64| vec![turned(key, 1)];
        let tables = FieldImages::by_the_rulebook(&fields(), 0, shifted);
        assert!(tables.are_a_group().unwrap_err().contains("identity"));
    }
}
