//! Parts and ranks, row by row. The ways to fill the rows of a part from the top are the paths of a
//! small graph. Its nodes are the data of the rows above that affect the rows below; each edge has
//! the number of paths that come before it.

use std::collections::BTreeMap;

use crate::unit_rush_hour::board::{Board, Cell, MOST_SIDE};
use crate::unit_rush_hour::instances::Instance;

/// Bits for the number of cars along one line.
const COUNT_BITS: usize = 4;

/// A placement: cell c is bit c, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) exit: u8,
    pub(super) lying: u64,
    pub(super) standing: u64,
}

impl Contents {
    pub(super) fn of(board: &Board) -> Self {
        let set = |kind: Cell| {
            let cells = board.cells.iter().enumerate();
            cells.fold(0, |set, (cell, &own)| set | u64::from(own == kind) << cell)
        };
        Self {
            exit: board.exit as u8,
            lying: set(Cell::Lying),
            standing: set(Cell::Standing),
        }
    }
}

/// The possible contents of a row.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// Digits of base three, the first cell highest: rows are in this order.
    order: u32,
    lying: u16,
    standing: u16,
}

#[derive(Debug)]
pub(super) struct Numbers {
    rows: usize,
    columns: usize,
    empty: (u32, u32),
    /// Codes of the parts, ascending.
    parts: Vec<u64>,
    /// The number of cars standing in each column, four bits each, if the instance fixes it.
    standing: Option<u64>,
    /// By the number of lying cars: the possible contents of a row, in order.
    fillings: Vec<Vec<Row>>,
    /// By the set of its cells: the value that a row with a digit of 1 on them adds to its order.
    orders: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(instance: &Instance) -> Self {
        let (rows, columns) = (instance.rows, instance.columns);
        let weight = |cell: usize| 3_u32.pow((columns - 1 - cell) as u32);
        let order = |set: u16| -> u32 {
            let own = (0..columns).filter(|&cell| set >> cell & 1 == 1);
            own.map(weight).sum()
        };
        let all = 1_u16 << columns;
        let orders: Vec<u32> = (0..all).map(order).collect();
        let mut fillings = vec![Vec::new(); columns + 1];
        for lying in 0..all {
            for standing in (0..all).filter(|standing| standing & lying == 0) {
                fillings[lying.count_ones() as usize].push(Row {
                    order: orders[usize::from(lying)] + 2 * orders[usize::from(standing)],
                    lying,
                    standing,
                });
            }
        }
        for fillings in &mut fillings {
            fillings.sort_unstable_by_key(|row| row.order);
        }
        let mut numbers = Self {
            rows,
            columns,
            empty: (*instance.empty.start() as u32, *instance.empty.end() as u32),
            parts: Vec::new(),
            standing: None,
            fillings,
            orders,
        };
        numbers.list(instance);
        numbers
    }

    fn list(&mut self, instance: &Instance) {
        if let Some(start) = &instance.start {
            let contents = Contents::of(start);
            self.parts = vec![self.code(&contents)];
            self.standing = Some(self.by_column(contents.standing));
            return;
        }
        let most = (self.rows * self.columns) as u32 - self.empty.0;
        let mirror = instance.has_mirror();
        let base = self.columns as u32 + 1;
        for &exit in &instance.exits {
            let other = self.rows - 1 - exit;
            if mirror && other < exit {
                continue;
            }
            for number in 0..base.pow(self.rows as u32) {
                let mut counts = [0; MOST_SIDE];
                let mut rest = number;
                for count in &mut counts[..self.rows] {
                    *count = rest % base;
                    rest /= base;
                }
                if counts[exit] == 0 || counts.iter().sum::<u32>() > most {
                    continue;
                }
                let own = code(exit, counts[..self.rows].iter().copied());
                let image = code(other, counts[..self.rows].iter().rev().copied());
                if !mirror || own <= image {
                    self.parts.push(own);
                }
            }
        }
        self.parts.sort_unstable();
    }

    /// The code of the part of a placement.
    pub(super) fn code(&self, contents: &Contents) -> u64 {
        let row = (1_u64 << self.columns) - 1;
        let counts =
            (0..self.rows).map(|at| (contents.lying >> (self.columns * at) & row).count_ones());
        code(contents.exit.into(), counts)
    }

    /// The number of members of a set in each column, four bits each.
    fn by_column(&self, set: u64) -> u64 {
        let row = (1_u64 << self.columns) - 1;
        let rows = (0..self.rows).map(|at| set >> (self.columns * at) & row);
        rows.map(|row| spread(row as u16)).sum()
    }

    pub(super) fn part_count(&self) -> u64 {
        self.parts.len() as u64
    }

    pub(super) fn part_of(&self, contents: &Contents) -> Option<u64> {
        let part = self.parts.binary_search(&self.code(contents)).ok()?;
        Some(part as u64)
    }

    pub(super) fn part_name(&self, part: u64) -> String {
        let Some(&code) = self.parts.get(part as usize) else {
            return part.to_string();
        };
        let counts = (0..self.rows).map(|row| count(code, row).to_string());
        let counts: Vec<String> = counts.collect();
        format!("exit {}, lying {}", exit(code) + 1, counts.join("/"))
    }
}

/// Number of bits of all counts together.
const ALL_COUNTS: usize = COUNT_BITS * MOST_SIDE;

/// The row of the exit and the number of cars that lie in each row, as a number. Parts are in the
/// order of this number, those with many cars in the upper rows first.
fn code(exit: usize, counts: impl Iterator<Item = u32>) -> u64 {
    let shifts = (1..=MOST_SIDE).map(|row| ALL_COUNTS - COUNT_BITS * row);
    let counts = counts.zip(shifts);
    let lying = counts.fold(0, |code, (count, shift)| code | u64::from(count) << shift);
    ((exit as u64) << ALL_COUNTS) | (((1 << ALL_COUNTS) - 1) ^ lying)
}

fn exit(code: u64) -> usize {
    (code >> ALL_COUNTS) as usize
}

/// The number of cars that lie in a row, from the code of the part.
fn count(code: u64, row: usize) -> usize {
    (!code >> (ALL_COUNTS - COUNT_BITS * (row + 1))) as usize & ((1 << COUNT_BITS) - 1)
}

/// A set of columns with four bits per column.
fn spread(set: u16) -> u64 {
    let own = (0..MOST_SIDE).filter(|column| set >> column & 1 == 1);
    own.map(|column| 1 << (COUNT_BITS * column)).sum()
}

/// What the rows below depend on: the number of empty cells and, if the instance fixes it, the
/// number of cars standing in each column.
type Above = (u32, u64);

/// A possible next row.
#[derive(Debug, Clone, Copy)]
struct Edge {
    row: Row,
    /// Number of the node to which it leads.
    next: usize,
    /// Ranks before those of this row, of those that begin at the node.
    before: u64,
}

/// A node: its edges, and the number of ways from it.
#[derive(Debug, Clone, Default)]
struct Node {
    edges: Vec<Edge>,
    ways: u64,
}

#[derive(Debug)]
pub(super) struct RankTable {
    exit: usize,
    columns: usize,
    /// By row. The first has one node, and after the last row there is one with no edges.
    nodes: Vec<Vec<Node>>,
    orders: Vec<u32>,
}

impl RankTable {
    pub(super) fn new(numbers: &Numbers, part: u64) -> Option<Self> {
        let &code = numbers.parts.get(part as usize)?;
        let mut above = vec![BTreeMap::<Above, usize>::from([((0, 0), 0)])];
        let mut nodes: Vec<Vec<Node>> = Vec::new();
        for row in 0..numbers.rows {
            let last = row + 1 == numbers.rows;
            let mut below = BTreeMap::new();
            let mut own = vec![Node::default(); above[row].len()];
            for (&(empty, standing), &node) in &above[row] {
                for &filling in &numbers.fillings[count(code, row)] {
                    let cells = (filling.lying | filling.standing).count_ones();
                    let empty = empty + numbers.columns as u32 - cells;
                    let standing = match numbers.standing {
                        None => 0,
                        Some(_) => standing + spread(filling.standing),
                    };
                    let fits = !last
                        || (numbers.empty.0..=numbers.empty.1).contains(&empty)
                            && numbers.standing.is_none_or(|all| all == standing);
                    if !fits || empty > numbers.empty.1 || numbers.crowded(standing) {
                        continue;
                    }
                    // All ways end in one node.
                    let to = if last { (0, 0) } else { (empty, standing) };
                    let number = below.len();
                    let next = *below.entry(to).or_insert(number);
                    own[node].edges.push(Edge {
                        row: filling,
                        next,
                        before: 0,
                    });
                }
            }
            above.push(below);
            nodes.push(own);
        }
        nodes.push(vec![Node {
            edges: Vec::new(),
            ways: 1,
        }]);
        for row in (0..numbers.rows).rev() {
            let (upper, lower) = nodes.split_at_mut(row + 1);
            for node in &mut upper[row] {
                node.edges.retain(|edge| lower[0][edge.next].ways > 0);
                for edge in &mut node.edges {
                    edge.before = node.ways;
                    node.ways += lower[0][edge.next].ways;
                }
            }
        }
        Some(Self {
            exit: exit(code),
            columns: numbers.columns,
            nodes,
            orders: numbers.orders.clone(),
        })
    }

    pub(super) fn space(&self) -> u64 {
        self.nodes[0][0].ways
    }

    #[inline]
    pub(super) fn rank(&self, contents: &Contents) -> Option<u64> {
        let (mut node, mut rank) = (&self.nodes[0][0], 0);
        let (mut lying, mut standing) = (contents.lying as usize, contents.standing as usize);
        let row = (1 << self.columns) - 1;
        for below in &self.nodes[1..] {
            let order = self.orders[lying & row] + 2 * self.orders[standing & row];
            let edge = node
                .edges
                .binary_search_by_key(&order, |edge| edge.row.order);
            let edge = &node.edges[edge.ok()?];
            rank += edge.before;
            node = &below[edge.next];
            lying >>= self.columns;
            standing >>= self.columns;
        }
        Some(rank)
    }

    #[inline]
    pub(super) fn contents(&self, rank: u64) -> Option<Contents> {
        if rank >= self.space() {
            return None;
        }
        let (mut node, mut rest) = (&self.nodes[0][0], rank);
        let (mut lying, mut standing) = (0, 0);
        for (row, below) in self.nodes[1..].iter().enumerate() {
            let at = node.edges.partition_point(|edge| edge.before <= rest) - 1;
            let edge = &node.edges[at];
            rest -= edge.before;
            lying |= u64::from(edge.row.lying) << (row * self.columns);
            standing |= u64::from(edge.row.standing) << (row * self.columns);
            node = &below[edge.next];
        }
        Some(Contents {
            exit: self.exit as u8,
            lying,
            standing,
        })
    }

    /// The placements with a car that lies at the exit.
    pub(super) fn solved(&self, emit: &mut dyn FnMut(&Contents)) {
        let mut contents = Contents {
            exit: self.exit as u8,
            lying: 0,
            standing: 0,
        };
        self.solved_from(0, 0, &mut contents, emit);
    }

    fn solved_from(
        &self,
        row: usize,
        node: usize,
        contents: &mut Contents,
        emit: &mut dyn FnMut(&Contents),
    ) {
        if row + 1 == self.nodes.len() {
            return emit(contents);
        }
        let own = *contents;
        for edge in &self.nodes[row][node].edges {
            if row == self.exit && edge.row.lying & 1 == 0 {
                continue;
            }
            contents.lying = own.lying | u64::from(edge.row.lying) << (row * self.columns);
            contents.standing = own.standing | u64::from(edge.row.standing) << (row * self.columns);
            self.solved_from(row + 1, edge.next, contents, emit);
        }
        *contents = own;
    }
}

impl Numbers {
    /// Whether more cars stand in a column than the instance allows.
    fn crowded(&self, standing: u64) -> bool {
        let Some(most) = self.standing else {
            return false;
        };
        let each = (0..MOST_SIDE).map(|column| COUNT_BITS * column);
        each.into_iter()
            .any(|shift| standing >> shift & 15 > most >> shift & 15)
    }
}
