//! One part while its states arrive.

use puzzle_api::proof::{MISSING, PartCheck, PartProven, UNSOLVED, judge, packed, right};

use super::CensusProof;
use super::lines::{Beside, NONE};
use super::place::Adds;

pub(super) const MOST: usize = 8;
/// Capacity for the contents of a line of at most 6 cells.
pub(super) const ROOM: usize = 32;

/// Placements by the contents of their rows, and then by those of their columns.
pub(super) struct Part<'a> {
    proof: &'a CensusProof,
    walls: usize,
    rows: Vec<Vec<u8>>,
    /// The content of each row, the blocked cells of each column, and the first placement.
    fillings: Vec<Filling>,
    depths: Vec<u8>,
    last: Option<Last>,
    proven: PartProven,
}

/// The placements with the same rows, which arrive one after another.
struct Last {
    /// Key without its columns.
    rows: u64,
    first: usize,
    adds: Adds,
}

/// One way to fill the rows.
#[derive(Debug, Clone, Copy)]
struct Filling {
    rows: [u8; MOST],
    blocked: [u8; MOST],
    first: usize,
}

impl<'a> Part<'a> {
    pub(super) fn new(proof: &'a CensusProof, part: u64) -> Option<Self> {
        let instance = &proof.instance;
        let (walls, kinds) = proof.numbers.kinds_of(instance, part)?;
        let mut rows = Vec::new();
        for (row, kind) in kinds.iter().enumerate() {
            let blocked = instance.cells_of(walls, row);
            let contents = instance.lines[row].contents.iter().enumerate();
            let own = contents.filter(|(_, content)| {
                content.cells & blocked == 0 && content.sequence(blocked) == *kind
            });
            rows.push(own.map(|(content, _)| content as u8).collect::<Vec<u8>>());
        }
        let mut part = Self {
            proof,
            walls: instance.walls.binary_search(&walls).ok()?,
            rows,
            fillings: Vec::new(),
            depths: Vec::new(),
            last: None,
            proven: PartProven::default(),
        };
        part.fill(walls);
        Some(part)
    }

    fn fill(&mut self, walls: u64) {
        let instance = &self.proof.instance;
        let mut count = 0;
        for number in 0..self.rows.iter().map(Vec::len).product() {
            let (mut rest, mut rows, mut blocked) = (number, [0; MOST], [0; MOST]);
            for (row, contents) in self.rows.iter().enumerate().rev() {
                rows[row] = contents[rest % contents.len()];
                rest /= contents.len();
            }
            for (column, own) in blocked.iter_mut().enumerate().take(instance.columns()) {
                *own = instance.cells_of(walls, instance.rows() + column);
                for (row, line) in self.proof.rows.iter().enumerate() {
                    *own |= (line.cells(rows[row].into()) >> column & 1) << row;
                }
            }
            self.fillings.push(Filling {
                rows,
                blocked,
                first: count,
            });
            count += self
                .beside(&blocked)
                .map(|beside| beside.contents.len())
                .product::<usize>();
        }
        self.depths = vec![MISSING; count];
    }

    fn beside(&self, blocked: &[u8; MOST]) -> impl Iterator<Item = &'a Beside> {
        let columns = self.proof.columns.iter().zip(*blocked);
        columns.map(|(by_blocked, blocked)| &by_blocked[usize::from(blocked)])
    }

    fn place(&mut self, key: u64) -> Option<usize> {
        let (rows, columns) = self.proof.digits.split(key);
        if self.last.as_ref().is_none_or(|last| last.rows != rows) {
            self.last = self.rows_of(key, rows);
        }
        let last = self.last.as_ref()?;
        Some(last.first + self.proof.digits.sum(columns, &last.adds)?)
    }

    /// The range of the placements with the rows of a key.
    fn rows_of(&self, key: u64, rows: u64) -> Option<Last> {
        let instance = &self.proof.instance;
        if key / instance.wall_weight != self.walls as u64 {
            return None;
        }
        let mut number = 0;
        for (row, contents) in self.rows.iter().enumerate() {
            let line = &instance.lines[row];
            let content = (key / line.weight % line.contents.len() as u64) as u8;
            number = number * contents.len() + contents.binary_search(&content).ok()?;
        }
        let filling = &self.fillings[number];
        let columns: Vec<&Beside> = self.beside(&filling.blocked).collect();
        Some(Last {
            rows,
            first: filling.first,
            adds: Adds::new(&columns),
        })
    }

    /// Enters one delivered state; returns its fault, if any.
    fn enter(&mut self, key: u64, depth: u16, orbit_size: u32) -> Result<(), &'static str> {
        let place = self.place(key);
        let place = place.ok_or("is no placement of the part that it was delivered in")?;
        let near = packed(depth)?;
        if std::mem::replace(&mut self.depths[place], near) != MISSING {
            return Err("was delivered more than once");
        }
        match orbit_size {
            1 => Ok(()),
            _ => Err("counts as another number of states than its orbit has"),
        }
    }

    /// Compares all placements with the same rows with their successors. `least` is a buffer for
    /// their least distances.
    fn judge_filling(
        &self,
        number: usize,
        least: &mut Vec<u8>,
        wrong: &mut Vec<(u64, &'static str)>,
    ) {
        let filling = &self.fillings[number];
        let columns: Vec<&Beside> = self.beside(&filling.blocked).collect();
        let red_row = usize::from(self.proof.instance.red_row);
        let red = self.proof.rows[red_row].cells(filling.rows[red_row].into());
        let solved = red >> (self.proof.instance.width - 1) & 1 == 1;
        let count = columns.iter().map(|column| column.contents.len()).product();
        let depths = &self.depths[filling.first..filling.first + count];
        least.clear();
        least.resize(count, UNSOLVED);
        if !solved {
            slide_columns(&columns, depths, least);
            self.slide_rows(number, &columns, least, wrong);
        }
        // All at once first: a fault is very rare.
        let faults = depths.iter().zip(least.iter());
        if faults.clone().fold(false, |any, (&depth, &least)| {
            any | !right(depth, solved, least)
        }) {
            for (place, (&depth, &least)) in faults.enumerate() {
                if let Some(rule) = judge(depth, solved, least) {
                    wrong.push((self.key(filling, &columns, place), rule));
                }
            }
        }
    }

    /// Lowers the least distances by the results of one move of a row.
    fn slide_rows(
        &self,
        number: usize,
        columns: &[&Beside],
        least: &mut [u8],
        wrong: &mut Vec<(u64, &'static str)>,
    ) {
        let instance = &self.proof.instance;
        let walls = instance.walls[self.walls];
        let own = &self.fillings[number];
        let mut stride = self.fillings.len();
        for (row, contents) in self.rows.iter().enumerate() {
            stride /= contents.len();
            let at = number / stride % contents.len();
            for slide in self.proof.rows[row].of(own.rows[row].into()) {
                if slide.needs & instance.cells_of(walls, row) != 0 {
                    continue;
                }
                let Ok(other) = contents.binary_search(&slide.to) else {
                    wrong.push((self.key(own, columns, 0), "has a row that leaves the part"));
                    continue;
                };
                let other = &self.fillings[number - at * stride + other * stride];
                let free = |column: usize| {
                    let line = &instance.lines[instance.rows() + column];
                    let needed = slide.needs >> column & 1 == 1;
                    move |content: u8| {
                        !(needed && line.contents[usize::from(content)].cells >> row & 1 == 1)
                    }
                };
                let others: Vec<&Beside> = self.beside(&other.blocked).collect();
                let steps: Vec<Steps> = (0..columns.len())
                    .map(|column| Steps::new(columns, &others, column, free(column)))
                    .collect();
                lower(&steps, least, &self.depths[other.first..]);
            }
        }
    }

    /// Key of a placement, given its place among those with the same rows.
    fn key(&self, filling: &Filling, columns: &[&Beside], mut place: usize) -> u64 {
        let instance = &self.proof.instance;
        let mut key = self.walls as u64 * instance.wall_weight;
        for (number, line) in instance.lines.iter().enumerate().rev() {
            let content = match number.checked_sub(instance.rows()) {
                None => filling.rows[number],
                Some(column) => {
                    let contents = &columns[column].contents;
                    let own = place % contents.len();
                    place /= contents.len();
                    contents[own]
                }
            };
            key += u64::from(content) * line.weight;
        }
        key
    }
}

/// Lowers the least distances by the results of one move of a column. The other columns do not
/// change, so runs of placements move together.
fn slide_columns(columns: &[&Beside], depths: &[u8], least: &mut [u8]) {
    let mut stride = depths.len();
    let mut outer = 1;
    for column in columns {
        let block = stride;
        stride /= column.contents.len().max(1);
        for number in 0..outer {
            let (depths, least) = (
                &depths[number * block..][..block],
                &mut least[number * block..][..block],
            );
            for (from, moves) in column.moves.iter().enumerate() {
                let least = &mut least[from * stride..][..stride];
                for &to in moves {
                    lower_run(least, &depths[usize::from(to) * stride..][..stride]);
                }
            }
        }
        outer *= column.contents.len();
    }
}

/// Lowers each distance of a run by its counterpart.
#[inline]
fn lower_run(least: &mut [u8], by: &[u8]) {
    for (least, &by) in least.iter_mut().zip(by) {
        *least = (*least).min(by);
    }
}

/// Contents of a column that let a row's move pass, and the value of each in the place before and
/// after the move.
struct Steps {
    adds: Vec<(usize, usize)>,
    /// Nothing in the column depends on the move, and its stride is the same before and after.
    same: bool,
}

impl Steps {
    fn new(
        columns: &[&Beside],
        others: &[&Beside],
        column: usize,
        free: impl Fn(u8) -> bool,
    ) -> Self {
        let stride = |of: &[&Beside]| -> usize {
            of[column + 1..]
                .iter()
                .map(|beside| beside.contents.len())
                .product()
        };
        let (from, to) = (stride(columns), stride(others));
        let mut adds = Vec::new();
        for (own, &content) in columns[column].contents.iter().enumerate() {
            let place = others[column].places[usize::from(content)];
            if free(content) && place != NONE {
                adds.push((own * from, usize::from(place) * to));
            }
        }
        Self {
            same: from == to
                && columns[column].contents == others[column].contents
                && adds.len() == columns[column].contents.len(),
            adds,
        }
    }
}

/// Lowers the least distances of placements by those of the placements after a row's move.
fn lower(steps: &[Steps], least: &mut [u8], by: &[u8]) {
    let Some(last) = steps.iter().rposition(|steps| !steps.same) else {
        return lower_run(least, &by[..least.len()]);
    };
    // Right of the last column on which the move depends, placements move together.
    let run: usize = steps[last + 1..]
        .iter()
        .map(|steps| steps.adds.len())
        .product();
    let last_adds = &steps[last].adds;
    walk(&steps[..last], (0, 0), &mut |(from, to)| {
        let (least, by) = (&mut least[from..], &by[to..]);
        for &(from, to) in last_adds {
            match run {
                1 => least[from] = least[from].min(by[to]),
                _ => lower_run(&mut least[from..from + run], &by[to..to + run]),
            }
        }
    });
}

/// Iterates over all sums of some columns' values.
fn walk(steps: &[Steps], at: (usize, usize), each: &mut impl FnMut((usize, usize))) {
    match steps.split_first() {
        None => each(at),
        Some((first, rest)) => {
            for &(from, to) in &first.adds {
                walk(rest, (at.0 + from, at.1 + to), each);
            }
        }
    }
}

impl PartCheck for Part<'_> {
    fn take(&mut self, keys: &[u64], depths: &[u16], orbit_sizes: &[u32]) {
        for ((&key, &depth), &orbit_size) in keys.iter().zip(depths).zip(orbit_sizes) {
            self.proven.orbits += 1;
            if let Err(fault) = self.enter(key, depth, orbit_size) {
                self.proven.fault(key, fault);
            }
        }
    }

    fn finish(mut self: Box<Self>) -> PartProven {
        let (mut least, mut wrong) = (Vec::new(), Vec::new());
        for number in 0..self.fillings.len() {
            self.judge_filling(number, &mut least, &mut wrong);
        }
        self.proven.states = self.depths.len() as u64;
        for (key, rule) in wrong {
            self.proven.fault(key, rule);
        }
        self.proven
    }
}
