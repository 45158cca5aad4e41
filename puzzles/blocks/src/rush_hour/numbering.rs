//! Parts and ranks: within a part, the contents of the rows are numbered first. For each of them,
//! the placements are the product of the possible contents of every column.

use std::collections::BTreeMap;

use crate::rush_hour::instances::Instance;

/// The possible contents of an instance's lines, in the form for parts and ranks.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) numbered: bool,
    /// First part of each set of walls, then the number of parts.
    parts: Vec<u64>,
    /// For each row, by its walls: the choices of a part for the row.
    groups: Vec<BTreeMap<u8, Groups>>,
    /// For each column, by its blocked cells: the contents that fit.
    pub(crate) fitting: Vec<Vec<Vec<u8>>>,
}

/// The contents of a row, grouped by the moves between them.
#[derive(Debug)]
struct Groups {
    /// As [`Instance::groups`] lists them.
    each: Vec<(String, Vec<u8>)>,
    /// The group of each content; `None` if a wall blocks it.
    of: Vec<Option<u16>>,
}

impl Groups {
    fn new(instance: &Instance, row: usize, walls: u8) -> Self {
        let each = instance.groups(row, walls);
        let mut of = vec![None; instance.lines[row].contents.len()];
        for (number, (_, contents)) in (0..).zip(&each) {
            contents
                .iter()
                .for_each(|&content| of[usize::from(content)] = Some(number));
        }
        Self { each, of }
    }
}

/// The rows of a part: for each, the contents connected by moves.
#[derive(Debug, Clone)]
pub(crate) struct PartRows {
    pub walls: usize,
    pub sequences: Vec<String>,
    pub contents: Vec<Vec<u8>>,
}

impl PartRows {
    pub(crate) fn count(&self) -> usize {
        self.contents.iter().map(Vec::len).product()
    }

    /// The contents of the rows of one way, the last row's changing fastest, and the index of each
    /// among those possible in the part.
    pub(crate) fn choice(&self, mut number: usize) -> ([u8; 8], [u8; 8]) {
        let (mut contents, mut numbers) = ([0; 8], [0; 8]);
        for (row, own) in self.contents.iter().enumerate().rev() {
            numbers[row] = (number % own.len()) as u8;
            contents[row] = own[number % own.len()];
            number /= own.len();
        }
        (contents, numbers)
    }
}

impl Numbers {
    pub(crate) fn new(instance: &Instance) -> Self {
        let (mut parts, mut total) = (vec![0], 0_u64);
        let mut groups: Vec<_> = (0..instance.rows()).map(|_| BTreeMap::new()).collect();
        for &walls in &instance.walls {
            let sequences = groups.iter_mut().enumerate().map(|(row, by_walls)| {
                let walls = instance.cells_of(walls, row);
                let own = by_walls.entry(walls);
                own.or_insert_with(|| Groups::new(instance, row, walls))
                    .each
                    .len() as u64
            });
            total = total.saturating_add(sequences.product());
            parts.push(total);
        }
        Self {
            numbered: instance.numbered(),
            parts,
            groups,
            fitting: instance.fitting(),
        }
    }

    fn groups(&self, instance: &Instance, row: usize, walls: u64) -> &Groups {
        &self.groups[row][&instance.cells_of(walls, row)]
    }

    pub(crate) fn part_count(&self) -> u64 {
        self.parts[self.parts.len() - 1]
    }

    pub(crate) fn rows(&self, instance: &Instance, part: u64) -> Option<PartRows> {
        if part >= self.part_count() {
            return None;
        }
        let walls = self.parts.partition_point(|&first| first <= part) - 1;
        let mut rest = part - self.parts[walls];
        let (mut sequences, mut contents) = (Vec::new(), Vec::new());
        for row in (0..instance.rows()).rev() {
            let groups = &self.groups(instance, row, instance.walls[walls]).each;
            let count = groups.len() as u64;
            let (sequence, group) = &groups[(rest % count) as usize];
            sequences.push(sequence.clone());
            contents.push(group.clone());
            rest /= count;
        }
        sequences.reverse();
        contents.reverse();
        Some(PartRows {
            walls,
            sequences,
            contents,
        })
    }

    pub(crate) fn part_of(&self, instance: &Instance, key: u64) -> Option<u64> {
        let walls = (key / instance.wall_weight) as usize;
        let set = *instance.walls.get(walls)?;
        let mut part = 0;
        for row in 0..instance.rows() {
            let line = &instance.lines[row];
            let content = (key / line.weight) as usize % line.contents.len();
            let groups = self.groups(instance, row, set);
            let group = groups.of[content]?;
            part = part * groups.each.len() as u64 + u64::from(group);
        }
        Some(self.parts[walls] + part)
    }

    /// Cells of each column that a filling of the rows, or a wall, covers.
    pub(crate) fn blocked(&self, instance: &Instance, walls: usize, rows: &[u8; 8]) -> [u8; 8] {
        let mut blocked = [0; 8];
        for (column, own) in blocked.iter_mut().enumerate().take(instance.columns()) {
            *own = instance.cells_of(instance.walls[walls], instance.rows() + column);
        }
        let mut columns = 0;
        for (row, &content) in rows.iter().enumerate().take(instance.rows()) {
            let cells = instance.lines[row].contents[usize::from(content)].cells;
            columns |= by_column(cells) << row;
        }
        for (own, cells) in blocked.iter_mut().zip(columns.to_le_bytes()) {
            *own |= cells;
        }
        blocked
    }

    /// The keys of every solved state of a part.
    pub(crate) fn solved(&self, instance: &Instance, part: u64, emit: &mut dyn FnMut(u64)) {
        let Some(rows) = self.rows(instance, part) else {
            return;
        };
        let red_row = usize::from(instance.red_row);
        for number in 0..rows.count() {
            let (chosen, _) = rows.choice(number);
            let red = instance.lines[red_row].contents[usize::from(chosen[red_row])];
            if red.cells >> (instance.width - 1) & 1 == 0 {
                continue;
            }
            let blocked = self.blocked(instance, rows.walls, &chosen);
            let key = key_of_rows(instance, rows.walls, &chosen);
            self.products(instance, &blocked, 0, key, emit);
        }
    }

    fn products(
        &self,
        instance: &Instance,
        blocked: &[u8; 8],
        column: usize,
        key: u64,
        emit: &mut dyn FnMut(u64),
    ) {
        if column == instance.columns() {
            emit(key);
            return;
        }
        let weight = instance.lines[instance.rows() + column].weight;
        for &content in &self.fitting[column][usize::from(blocked[column])] {
            let key = key + u64::from(content) * weight;
            self.products(instance, blocked, column + 1, key, emit);
        }
    }
}

/// The digits of a key for the walls and the rows.
pub(crate) fn key_of_rows(instance: &Instance, walls: usize, rows: &[u8; 8]) -> u64 {
    let each = instance.lines.iter().take(instance.rows()).zip(rows);
    let rows: u64 = each
        .map(|(line, &content)| u64::from(content) * line.weight)
        .sum();
    walls as u64 * instance.wall_weight + rows
}

/// Ranks of one part: the first rank of the placements with each content of the rows.
#[derive(Debug)]
pub(crate) struct RankTable {
    rows: PartRows,
    /// Free cells of the columns for each way to fill the rows.
    blocked: Vec<[u8; 8]>,
    /// First rank of each way, then the number of states.
    first: Vec<u64>,
}

impl RankTable {
    /// Takes a millisecond; `None` if there is no such part.
    pub(crate) fn new(numbers: &Numbers, instance: &Instance, part: u64) -> Option<Self> {
        let rows = numbers.rows(instance, part)?;
        let (mut blocked, mut first, mut states) = (Vec::new(), vec![0], 0);
        for number in 0..rows.count() {
            let own = numbers.blocked(instance, rows.walls, &rows.choice(number).0);
            let fitting = numbers.fitting.iter().zip(&own);
            let counts = fitting.map(|(fitting, &own)| fitting[usize::from(own)].len() as u64);
            states += counts.product::<u64>();
            blocked.push(own);
            first.push(states);
        }
        Some(Self {
            rows,
            blocked,
            first,
        })
    }

    pub(crate) fn states(&self) -> u64 {
        self.first[self.first.len() - 1]
    }

    pub(crate) fn rank(&self, numbers: &Numbers, contents: &[u8]) -> Option<u64> {
        let mut number = 0;
        for (own, &content) in self.rows.contents.iter().zip(contents) {
            number = number * own.len() + own.binary_search(&content).ok()?;
        }
        let mut rank = 0;
        let columns = &contents[self.rows.contents.len()..];
        for ((fitting, &blocked), content) in numbers
            .fitting
            .iter()
            .zip(&self.blocked[number])
            .zip(columns)
        {
            let fitting = &fitting[usize::from(blocked)];
            rank = rank * fitting.len() as u64 + fitting.binary_search(content).ok()? as u64;
        }
        Some(self.first[number] + rank)
    }

    pub(crate) fn key(&self, numbers: &Numbers, instance: &Instance, rank: u64) -> Option<u64> {
        if rank >= self.states() {
            return None;
        }
        let number = self.first.partition_point(|&first| first <= rank) - 1;
        let mut key = key_of_rows(instance, self.rows.walls, &self.rows.choice(number).0);
        let mut rest = rank - self.first[number];
        for (column, fitting) in numbers.fitting.iter().enumerate().rev() {
            let fitting = &fitting[usize::from(self.blocked[number][column])];
            let content = fitting[(rest % fitting.len() as u64) as usize];
            key += u64::from(content) * instance.lines[instance.rows() + column].weight;
            rest /= fitting.len() as u64;
        }
        Some(key)
    }
}

/// The cells of a row, each in a byte of its column, as bit 0.
#[inline]
fn by_column(cells: u8) -> u64 {
    /// For each of seven bits a copy of the word, seven further up than the one before.
    const COPIES: u64 = 0x0408_1020_4081;
    let first = u64::from(cells & 0x7f).wrapping_mul(COPIES) & 0x0001_0101_0101_0101;
    first | u64::from(cells >> 7) << 56
}

#[cfg(test)]
mod tests {
    use super::by_column;

    #[test]
    fn cells_of_a_row_go_to_their_columns() {
        for cells in 0..=u8::MAX {
            let literal: [u8; 8] = std::array::from_fn(|column| cells >> column & 1);
            assert_eq!(by_column(cells).to_le_bytes(), literal);
        }
    }
}
