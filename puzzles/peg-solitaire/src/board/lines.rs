//! Boards by their lines: holes at points, and rows of them along which pegs jump.
//!
//! ```text
//! # A triangle of six holes.
//! hole 1 0:2
//! hole 2 -1:1
//! hole 3 1:1
//! hole 4 -2:0
//! hole 5 0:0
//! hole 6 2:0
//! line 1 2 4        # along every three in a row, both ways
//! line 1 3 6
//! line 4 5 6
//! ```

use std::collections::{BTreeMap, HashSet};

use puzzle_api::{BadInput, cell_name, shown};

use super::{Board, Point};

const MOST_LINES: usize = 255;
const MOST_NAME: usize = 12;
/// Names of states, which no hole may have.
const TAKEN: [&str; 5] = ["start", "full", "empty", "centre", "any"];
/// Most symmetries that are used, as many as a square has.
const MOST_SYMMETRIES: usize = 8;
/// Limit on symmetries listed, and on holes tried during the search for them.
const MOST_LISTED: usize = 64;
const MOST_TRIED: usize = 100_000;

/// The data of a board by its lines in addition to its holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) names: Vec<String>,
    /// Every three holes in a row, once each.
    pub(super) threes: Vec<[usize; 3]>,
}

/// Whether a text is a board by its lines, and not a drawing.
pub fn is_lines(text: &str) -> bool {
    let words = text.lines().map(|line| line.split('#').next());
    let first = words.filter_map(|line| line?.split_whitespace().next());
    first.take(1).any(|word| word == "hole" || word == "line")
}

impl Board {
    /// Reads a board by its lines. `place` begins error texts: the name of the file.
    ///
    /// # Errors
    /// One line that names the place and the remedy.
    pub fn read_lines(name: &str, text: &str, place: &str) -> Result<Self, BadInput> {
        let mut holes: Vec<(String, Point)> = Vec::new();
        let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
        let at = |line: usize, what: String| BadInput::new(format!("{place}, line {line}: {what}"));
        for (line, full) in (1..).zip(text.lines()) {
            let code = full.split('#').next().unwrap_or_default();
            let words: Vec<&str> = code.split_whitespace().collect();
            match words[..] {
                [] => {}
                ["hole", own, point] => {
                    let point = Point::read(point).filter(Point::is_near).ok_or_else(|| {
                        let point = shown(point);
                        at(
                            line,
                            format!("'{point}' is no point: write X:Y, from -999 to 999"),
                        )
                    })?;
                    check_name(own).map_err(|why| at(line, why))?;
                    if let Some((other, _)) =
                        holes.iter().find(|one| one.0 == own || one.1 == point)
                    {
                        let (own, other) = (shown(own), shown(other));
                        let what = format!("hole {own} has the name or the point of hole {other}");
                        return Err(at(line, what));
                    }
                    holes.push((own.to_owned(), point));
                }
                ["line", ref of @ ..] if of.len() >= 3 => {
                    rows.push((line, of.iter().map(|&own| own.to_owned()).collect()));
                }
                [odd, ..] => {
                    let odd = shown(odd);
                    return Err(at(
                        line,
                        format!(
                            "'{odd}' begins no row of a board by lines: write hole NAME X:Y, or \
                             line and three or more names"
                        ),
                    ));
                }
            }
        }
        // Holes are numbered as they are read from the page.
        holes.sort_by_key(|(_, point)| (-point.y, point.x));
        let numbers: BTreeMap<&str, usize> =
            (0..).zip(&holes).map(|(n, one)| (&*one.0, n)).collect();
        let mut threes: Vec<[usize; 3]> = Vec::new();
        for (line, row) in &rows {
            let mut numbered = Vec::new();
            for own in row {
                let number = numbers.get(&**own).copied().ok_or_else(|| {
                    let own = shown(own);
                    at(
                        *line,
                        format!("there is no hole '{own}': write hole {own} X:Y"),
                    )
                })?;
                if numbered.contains(&number) {
                    return Err(at(*line, format!("hole {} comes twice", shown(own))));
                }
                numbered.push(number);
            }
            for three in numbered.windows(3) {
                let (a, over, b) = (three[0], three[1], three[2]);
                let three = [a.min(b), over, a.max(b)];
                if !threes.contains(&three) {
                    threes.push(three);
                }
            }
        }
        if threes.len() > MOST_LINES {
            let found = threes.len();
            return Err(BadInput::new(format!(
                "{place} has {found} lines of three holes, more than {MOST_LINES}: leave some out"
            )));
        }
        let Some(top) = holes.first().map(|(_, point)| point.y) else {
            return Err(BadInput::new(format!(
                "{place} has no hole: write hole NAME X:Y, a line each"
            )));
        };
        let left = holes.iter().map(|(_, point)| point.x).min().unwrap_or(0);
        let marks = holes.iter().map(|(_, point)| {
            let (row, column) = (top - point.y, point.x - left);
            (row as usize, column as usize)
        });
        let mut board = Self::of_marks(name, &marks.collect::<Vec<_>>(), place)?;
        board.zero = (top, -left);
        board.lines = Some(Lines {
            names: holes.into_iter().map(|(own, _)| own).collect(),
            threes,
        });
        board.check_lines(place)?;
        Ok(board)
    }

    fn check_lines(&self, place: &str) -> Result<(), BadInput> {
        if self.jumps().is_empty() {
            return Err(BadInput::new(format!(
                "{place}: no line has three holes, so no jump is possible: write line NAME NAME \
                 NAME"
            )));
        }
        match self.cut_off() {
            Some(hole) => Err(BadInput::new(format!(
                "{place}: hole {} is cut off from hole {}: join the parts by a line, or leave one \
                 out",
                self.named(hole),
                self.named(0)
            ))),
            None => Ok(()),
        }
    }

    /// The hole with a name.
    pub fn by_name(&self, name: &str) -> Option<usize> {
        (0..self.len()).find(|&hole| self.named(hole) == name)
    }

    /// The name of a hole: its cell in a drawing, or its name in the file.
    pub fn named(&self, hole: usize) -> String {
        let (row, column) = self.holes[hole];
        match &self.lines {
            Some(lines) => lines.names[hole].clone(),
            None => cell_name(row, column),
        }
    }

    /// Every three holes in a row, of a board by its lines.
    pub fn threes(&self) -> Option<&[[usize; 3]]> {
        Some(&self.lines.as_ref()?.threes)
    }

    /// The symmetries of a board by its lines, the identity first: maps of holes to holes that map
    /// lines to lines. If there are more than eight, a subgroup.
    pub(super) fn line_symmetries(&self, threes: &[[usize; 3]]) -> Vec<Vec<usize>> {
        let mut search = Search {
            holes: self.len(),
            threes,
            all: threes.iter().copied().collect(),
            order: self.outwards(),
            tried: 0,
            found: Vec::new(),
        };
        search.extend(&mut vec![None; self.len()], &mut vec![false; self.len()], 0);
        subgroup(search.found, self.len())
    }

    /// All holes, each next to an earlier one.
    fn outwards(&self) -> Vec<usize> {
        let (mut order, mut at) = (vec![0], 0);
        while let Some(&hole) = order.get(at) {
            for next in self.beside(hole) {
                if !order.contains(&next) {
                    order.push(next);
                }
            }
            at += 1;
        }
        order
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_alphanumeric() || "_-'".contains(c);
    if name.chars().count() > MOST_NAME || !name.chars().all(plain) || TAKEN.contains(&name) {
        return Err(format!(
            "'{}' is no name of a hole: use up to {MOST_NAME} letters and digits, and none of {}",
            shown(name),
            TAKEN.join(", ")
        ));
    }
    Ok(())
}

/// Looks for maps of holes that map lines to lines.
struct Search<'a> {
    holes: usize,
    threes: &'a [[usize; 3]],
    all: HashSet<[usize; 3]>,
    order: Vec<usize>,
    tried: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn extend(&mut self, image: &mut Vec<Option<usize>>, taken: &mut Vec<bool>, at: usize) {
        let Some(&hole) = self.order.get(at) else {
            self.found
                .push(image.iter().map(|to| to.unwrap_or(0)).collect());
            return;
        };
        for to in 0..self.holes {
            self.tried += 1;
            if self.tried > MOST_TRIED || self.found.len() == MOST_LISTED {
                return;
            }
            if taken[to] || self.roles(hole) != self.roles(to) {
                continue;
            }
            image[hole] = Some(to);
            if self
                .threes
                .iter()
                .all(|&three| self.keeps(image, three, hole))
            {
                taken[to] = true;
                self.extend(image, taken, at + 1);
                taken[to] = false;
            }
            image[hole] = None;
        }
    }

    /// The number of lines with a hole as an end, and as the middle.
    fn roles(&self, hole: usize) -> (usize, usize) {
        let middles = self.threes.iter().filter(|three| three[1] == hole).count();
        let all = self
            .threes
            .iter()
            .filter(|three| three.contains(&hole))
            .count();
        (all - middles, middles)
    }

    /// Whether a line with a hole is a line again, if all of it is mapped.
    fn keeps(&self, image: &[Option<usize>], three: [usize; 3], hole: usize) -> bool {
        let [Some(a), Some(over), Some(b)] = three.map(|one| image[one]) else {
            return true;
        };
        !three.contains(&hole) || self.all.contains(&[a.min(b), over, a.max(b)])
    }
}

/// The largest subgroup of at most eight generated by two of some symmetries, the identity first.
fn subgroup(found: Vec<Vec<usize>>, holes: usize) -> Vec<Vec<usize>> {
    let made = |generators: [&Vec<usize>; 2]| {
        let mut group: Vec<Vec<usize>> = vec![(0..holes).collect()];
        let mut at = 0;
        while at < group.len() && group.len() <= MOST_SYMMETRIES {
            for generator in generators {
                let next: Vec<usize> = group[at].iter().map(|&hole| generator[hole]).collect();
                if !group.contains(&next) {
                    group.push(next);
                }
            }
            at += 1;
        }
        group
    };
    let mut best: Vec<Vec<usize>> = vec![(0..holes).collect()];
    for (at, one) in found.iter().enumerate() {
        for other in &found[at..] {
            let group = made([one, other]);
            if (best.len() + 1..=MOST_SYMMETRIES).contains(&group.len()) {
                best = group;
            }
        }
    }
    best
}
