//! The place of each placement of a part in its table, by key.

use super::lines::{Beside, NONE};
use super::part::{MOST, ROOM};
use crate::rush_hour::instances::Instance;

const TABLE: usize = 1 << 16;
/// The value of a content that does not fit: more than the sum of all that fit.
const NOWHERE: u64 = 1 << 60;

/// The lowest digits of a key, those of the columns. Tables read several columns at once, because a
/// division for each would cost more than everything else.
#[derive(Debug)]
pub(super) struct Digits {
    weight: u64,
    /// From the last columns to the first.
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    /// Number of columns to the left of them.
    first: usize,
    columns: usize,
    numbers: u32,
    /// By their joint number: the content of each, one number after another.
    contents: Vec<u8>,
}

impl Digits {
    pub(super) fn new(instance: &Instance) -> Self {
        let lines = &instance.lines[instance.rows()..];
        let mut groups = Vec::new();
        let (mut columns, mut contents) = (0, vec![Vec::new()]);
        let group = |first, columns, contents: Vec<Vec<u8>>| Group {
            first,
            columns,
            numbers: contents.len() as u32,
            contents: contents.concat(),
        };
        for (column, line) in lines.iter().enumerate().rev() {
            let own = line.contents.len();
            if contents.len() * own > TABLE {
                let full = std::mem::replace(&mut contents, vec![Vec::new()]);
                groups.push(group(column + 1, std::mem::take(&mut columns), full));
            }
            let with = |own: usize| {
                let right = contents.iter();
                right.map(move |right| [&[own as u8], &right[..]].concat())
            };
            contents = (0..own).flat_map(with).collect();
            columns += 1;
        }
        groups.push(group(0, columns, contents));
        Self {
            weight: instance.lines[instance.rows() - 1].weight,
            groups,
        }
    }

    /// The key without its columns, and the digits of these.
    pub(super) fn split(&self, key: u64) -> (u64, u64) {
        (key / self.weight, key % self.weight)
    }

    /// The sum of the values of all columns' contents; `None` if one does not fit.
    #[inline]
    pub(super) fn sum(&self, mut columns: u64, adds: &Adds) -> Option<usize> {
        let mut sum = 0;
        for group in &self.groups {
            // Half as wide, a division takes half as long.
            let number = match u32::try_from(columns) {
                Ok(narrow) => {
                    columns = u64::from(narrow / group.numbers);
                    narrow % group.numbers
                }
                Err(_) => {
                    let number = columns % u64::from(group.numbers);
                    columns /= u64::from(group.numbers);
                    number as u32
                }
            };
            let own = number as usize * group.columns;
            let own = &group.contents[own..own + group.columns];
            for (add, &content) in adds.0[group.first..].iter().zip(own) {
                sum += add[usize::from(content) % ROOM];
            }
        }
        (sum < NOWHERE).then_some(sum as usize)
    }
}

/// The value of each content of each column within a place.
#[derive(Debug, Clone)]
pub(super) struct Adds([[u64; ROOM]; MOST]);

impl Adds {
    /// For placements with the same rows; the last column's content changes fastest.
    pub(super) fn new(columns: &[&Beside]) -> Self {
        let mut adds = [[0; ROOM]; MOST];
        let mut stride = 1;
        for (adds, column) in adds.iter_mut().zip(columns).rev() {
            for (add, &place) in adds.iter_mut().zip(&column.places) {
                *add = match place {
                    NONE => NOWHERE,
                    place => u64::from(place) * stride,
                };
            }
            stride *= column.contents.len() as u64;
        }
        Self(adds)
    }
}
