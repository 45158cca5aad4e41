//! One part while its states come in.

use puzzle_api::proof::{MISSING, PartCheck, PartProven, UNSOLVED, judge, packed};

use super::CensusProof;
use super::lines::{Beside, NONE};

/// Most lines one way.
const MOST: usize = 8;
/// Room for the contents of a line of at most 6 cells.
const ROOM: usize = 32;

/// Placements by what their rows hold, and then by what their columns hold beside them.
pub(super) struct Part<'a> {
    proof: &'a CensusProof,
    walls: usize,
    /// What each row may hold.
    rows: Vec<Vec<u8>>,
    /// What each row holds, what of each column is blocked, and the first placement.
    fillings: Vec<Filling>,
    /// Distance of every placement.
    depths: Vec<u8>,
    proven: PartProven,
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

    /// What fits into each column.
    fn beside(&self, blocked: &[u8; MOST]) -> impl Iterator<Item = &'a Beside> {
        let columns = self.proof.columns.iter().zip(*blocked);
        columns.map(|(by_blocked, blocked)| &by_blocked[usize::from(blocked)])
    }

    /// Place of a key in the table; `None` for what is no placement of the part.
    fn place(&self, key: u64) -> Option<usize> {
        let instance = &self.proof.instance;
        if key / instance.wall_weight != self.walls as u64 {
            return None;
        }
        let content = |line: usize| {
            let line = &instance.lines[line];
            (key / line.weight % line.contents.len() as u64) as u8
        };
        let mut number = 0;
        for (row, contents) in self.rows.iter().enumerate() {
            number = number * contents.len() + contents.binary_search(&content(row)).ok()?;
        }
        let filling = &self.fillings[number];
        let mut place = 0;
        for (column, beside) in self.beside(&filling.blocked).enumerate() {
            let own = beside.places[usize::from(content(instance.rows() + column))];
            if own == NONE {
                return None;
            }
            place = place * beside.contents.len() + usize::from(own);
        }
        Some(filling.first + place)
    }

    /// Enters one delivered state; says what is wrong with it.
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

    /// Holds all placements beside the same rows against their successors.
    fn judge_filling(&self, number: usize, wrong: &mut Vec<(u64, &'static str)>) {
        let filling = &self.fillings[number];
        let instance = &self.proof.instance;
        let columns: Vec<&Beside> = self.beside(&filling.blocked).collect();
        let ways = self.ways(number, &columns);
        let red_row = usize::from(instance.red_row);
        let red = self.proof.rows[red_row].cells(filling.rows[red_row].into());
        let solved = red >> (instance.width - 1) & 1 == 1;
        let walls = instance.walls[self.walls];
        let mut strides = [1; MOST];
        for column in (1..columns.len()).rev() {
            strides[column - 1] = strides[column] * columns[column].contents.len();
        }
        let count = strides[0] * columns[0].contents.len();
        let mut own = [0_usize; MOST];
        for place in 0..count {
            let mut least = UNSOLVED;
            let mut covered = walls;
            for (column, beside) in columns.iter().enumerate() {
                let (at, stride) = (own[column], strides[column]);
                for &to in &beside.moves[at] {
                    let to = place - at * stride + usize::from(to) * stride;
                    least = least.min(self.depths[filling.first + to]);
                }
                covered |= ways.cells[column][at];
            }
            for (row, moves) in self.proof.row_moves.iter().enumerate() {
                let blocked = usize::from((covered >> (8 * row)) as u8);
                for &to in &moves[usize::from(filling.rows[row])][blocked] {
                    let way = &ways.to[usize::from(ways.places[row][usize::from(to)])];
                    let added = (0..columns.len()).map(|column| way.adds[column][own[column]]);
                    let to = way.first + added.sum::<u32>() as usize;
                    least = least.min(self.depths[to]);
                }
            }
            if let Some(rule) = judge(self.depths[filling.first + place], solved, least) {
                wrong.push((self.key(filling, &columns, &own), rule));
            }
            for column in (0..columns.len()).rev() {
                own[column] += 1;
                if own[column] < columns[column].contents.len() {
                    break;
                }
                own[column] = 0;
            }
        }
    }

    fn key(&self, filling: &Filling, columns: &[&Beside], own: &[usize; MOST]) -> u64 {
        let instance = &self.proof.instance;
        let mut key = self.walls as u64 * instance.wall_weight;
        for (number, line) in instance.lines.iter().enumerate() {
            let content = match number.checked_sub(instance.rows()) {
                None => filling.rows[number],
                Some(column) => columns[column].contents[own[column]],
            };
            key += u64::from(content) * line.weight;
        }
        key
    }

    /// Where the placements beside some rows are found again when one of the rows is changed.
    fn ways(&self, number: usize, columns: &[&Beside]) -> Ways {
        let instance = &self.proof.instance;
        let cells = |(column, beside): (usize, &&Beside)| {
            let line = instance.rows() + column;
            let each = beside.contents.iter().map(|&content| {
                let cells = instance.lines[line].contents[usize::from(content)].cells;
                instance.cells_on(line, cells)
            });
            each.collect()
        };
        let (mut to, mut places) = (Vec::new(), [[NONE; ROOM]; MOST]);
        let mut stride = self.fillings.len();
        for (row, contents) in self.rows.iter().enumerate() {
            stride /= contents.len();
            let own = number / stride % contents.len();
            for (other, &content) in contents.iter().enumerate().filter(|(o, _)| *o != own) {
                let filling = &self.fillings[number - own * stride + other * stride];
                places[row][usize::from(content)] = to.len() as u8;
                to.push(self.way(filling, columns));
            }
        }
        Ways {
            cells: columns.iter().enumerate().map(cells).collect(),
            places,
            to,
        }
    }

    fn way(&self, filling: &Filling, columns: &[&Beside]) -> Way {
        let others: Vec<&Beside> = self.beside(&filling.blocked).collect();
        let mut way = Way {
            first: filling.first,
            ..Way::default()
        };
        let mut stride = 1;
        for column in (0..columns.len()).rev() {
            for (at, &content) in columns[column].contents.iter().enumerate() {
                let place = others[column].places[usize::from(content)];
                // What does not fit there keeps the row from moving.
                way.adds[column][at] = if place == NONE {
                    0
                } else {
                    u32::from(place) * stride
                };
            }
            stride *= others[column].contents.len() as u32;
        }
        way
    }
}

/// Other ways to fill the rows, a row changed.
struct Ways {
    /// Cells of the board that each content of each column covers.
    cells: Vec<Vec<u64>>,
    /// By row and by what it then holds, the place in `to`.
    places: [[u8; ROOM]; MOST],
    to: Vec<Way>,
}

/// Where placements are found in another filling: at the sum of what their columns add.
#[derive(Default)]
struct Way {
    first: usize,
    adds: [[u32; ROOM]; MOST],
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
        let mut wrong = Vec::new();
        for number in 0..self.fillings.len() {
            self.judge_filling(number, &mut wrong);
        }
        self.proven.states = self.depths.len() as u64;
        for (key, rule) in wrong {
            self.proven.fault(key, rule);
        }
        self.proven
    }
}
