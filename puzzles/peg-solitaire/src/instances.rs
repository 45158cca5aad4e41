//! The state graphs that peg solitaire offers by name, their settings and their states.

mod settings;

use puzzle_api::{About, BadInput, InstanceInfo, Request, Xorshift};

use crate::board::{Board, DRAWINGS, Drawing, LINED, Point};
use crate::proof::{self, Goal};

/// The condition for a solved state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finish {
    Any,
    /// One peg is left, in the hole of this number.
    At(usize),
}

/// An opened instance: a board, the start of its game and its solved positions. Every set of pegs
/// is a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub board: Board,
    pub start: u64,
    pub finish: Finish,
    /// The board's symmetries that map solved states to solved states, as [`Board::symmetries`]:
    /// all for any finish, else those that fix the finish.
    pub symmetries: Vec<Vec<usize>>,
}

/// The instance whose board is in a file.
pub const CUSTOM: &str = "custom";

/// Opens an instance by name.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let known = DRAWINGS.iter().chain(&LINED).map(|drawing| drawing.name);
    if request.instance != CUSTOM && !known.clone().any(|name| name == request.instance) {
        let names: Vec<&str> = known.collect();
        return Err(BadInput::new(format!(
            "peg-solitaire has no instance '{}': use one of {}, {CUSTOM}",
            request.instance,
            names.join(", ")
        )));
    }
    settings::open(request)
}

impl Instance {
    pub fn new(board: Board, start: u64, finish: Finish) -> Self {
        let mut symmetries = board.symmetries();
        if let Finish::At(hole) = finish {
            symmetries.retain(|image| image[hole] == hole);
        }
        Self {
            board,
            start,
            finish,
            symmetries,
        }
    }

    pub fn solved(&self) -> impl Iterator<Item = u64> + '_ {
        let counts = |hole: &usize| match self.finish {
            Finish::Any => true,
            Finish::At(finish) => *hole == finish,
        };
        (0..self.board.len()).filter(counts).map(|hole| 1 << hole)
    }

    #[inline]
    pub fn is_solved(&self, pegs: u64) -> bool {
        match self.finish {
            Finish::Any => pegs.is_power_of_two(),
            Finish::At(hole) => pegs == 1 << hole,
        }
    }

    /// Reads a state: rows joined by `/`; `start`; `e7`, all pegs except the one there (several
    /// joined by `;`); `=e7`, a peg only there (likewise); `centre`, the same as the hole 0:0;
    /// `full` and `empty`.
    pub fn parse(&self, text: &str) -> Result<u64, BadInput> {
        let word = text.trim();
        if self.board.by_name(word).is_some() {
            return self.named(word);
        }
        if word.contains('/') || (word.contains(['o', '.']) && self.board.height == 1) {
            return self.board.parse(text);
        }
        match word {
            "start" => return Ok(self.start),
            "centre" => return self.named("0:0"),
            "full" => return Ok(self.board.full()),
            "empty" => return Ok(0),
            _ => {}
        }
        self.named(word)
    }

    /// `e7` or `=e7`, several joined by `;`.
    fn named(&self, word: &str) -> Result<u64, BadInput> {
        let (points, alone) = match word.strip_prefix('=') {
            Some(points) => (points, true),
            None => (word, false),
        };
        let first = points.split(';').next().unwrap_or_default().trim();
        if !points.contains(':') && self.board.by_name(first).is_none() {
            return Err(BadInput::new(format!(
                "'{}' is no state of {}: write rows joined by /, {hole} for all pegs but the \
                 one there, ={hole} for a lone peg, or start, centre, full, empty",
                puzzle_api::shown(word),
                self.board.name,
                hole = self.board.named(0)
            )));
        }
        let pegs = holes(&self.board, "state", points)?;
        Ok(if alone {
            pegs
        } else {
            self.board.full() & !pegs
        })
    }

    /// Key of a state drawn uniformly from all: every hole has a peg with probability 1/2.
    pub fn random(&self, random: &mut Xorshift) -> u64 {
        // The high bits of this generator are its best.
        random.next_u64() >> (64 - self.board.len())
    }

    /// Names of states that [`Instance::parse`] accepts: the start, every vacancy, every lone peg.
    pub fn names(&self) -> Vec<String> {
        let points = || (0..self.board.len()).map(|hole| self.board.named(hole));
        let vacancies = points();
        let pegs = points().map(|point| format!("={point}"));
        let start = std::iter::once("start".to_owned());
        start.chain(vacancies).chain(pegs).collect()
    }

    /// The goal: a state, or (`None`) any solved one.
    pub fn goal(&self, to: Option<u64>) -> Goal {
        match (to, self.finish) {
            (Some(to), _) => Goal::Position(to),
            (None, Finish::Any) => Goal::Any,
            (None, Finish::At(hole)) => Goal::Position(1 << hole),
        }
    }

    /// A proof without a search that no path leads from a state to a goal. It is the reason, and on
    /// the next line the certificate.
    pub fn refute(&self, from: u64, goal: Goal) -> Option<String> {
        let certificate = proof::refute(&self.board, from, goal)?;
        let text = certificate.json();
        // A proof that its own checker rejects proves nothing, and a search decides.
        proof::check::check(&text).ok()?;
        let read = match self.board.name == CUSTOM {
            true => format!("; {}", self.reading()),
            false => String::new(),
        };
        Some(format!("{}{read}\n{text}", certificate.reason()))
    }

    /// How the drawing was read: a dot meant as outside is a hole.
    fn reading(&self) -> String {
        if let Some(threes) = self.board.threes() {
            return format!(
                "the board was read as {} holes and {} lines of three; from=NAME names the vacancy",
                self.board.len(),
                threes.len(),
            );
        }
        format!(
            "the drawing was read as {} holes: a dot is a hole, a blank is outside, and from={} \
             names the vacancy",
            self.board.len(),
            self.board.named(0)
        )
    }
}

/// The holes at points joined by `;`, as a mask. `what` begins error texts.
fn holes(board: &Board, what: &str, text: &str) -> Result<u64, BadInput> {
    let mut mask = 0;
    for word in text.split(';') {
        let hole = hole(board, what, word)?;
        if mask >> hole & 1 == 1 {
            return Err(BadInput::new(format!(
                "{what} {text} names {} twice: leave one out",
                word.trim()
            )));
        }
        mask |= 1 << hole;
    }
    Ok(mask)
}

fn hole(board: &Board, what: &str, text: &str) -> Result<usize, BadInput> {
    if let Some(hole) = board.by_name(text.trim()) {
        return Ok(hole);
    }
    let Some(point) = Point::read(text) else {
        if board.threes().is_some() {
            let names: Vec<String> = (0..board.len().min(16)).map(|at| board.named(at)).collect();
            return Err(BadInput::new(format!(
                "{what}: '{}' is no hole: use one of {}{}",
                puzzle_api::shown(text.trim()),
                names.join(" "),
                if board.len() > names.len() {
                    " …"
                } else {
                    ""
                }
            )));
        }
        return Err(BadInput::new(format!(
            "{what}: '{}' is no hole of {}: write the letter of its column and the number of its \
             row, as in {}",
            puzzle_api::shown(text.trim()),
            board.name,
            board.named(0)
        )));
    };
    board.hole(point).ok_or_else(|| {
        let points = (0..board.len()).map(|hole| board.point(hole));
        let (xs, ys) = (points.clone().map(|p| p.x), points.map(|p| p.y));
        BadInput::new(format!(
            "{what}: {point} is off the board: {} has x from {} to {} and y from {} to {}, the \
             nearest hole is {}",
            board.name,
            xs.clone().min().unwrap_or(0),
            xs.max().unwrap_or(0),
            ys.clone().min().unwrap_or(0),
            ys.max().unwrap_or(0),
            nearest(board, point).unwrap_or_else(|| point.to_string())
        ))
    })
}

/// The name of the hole nearest to a point.
fn nearest(board: &Board, point: Point) -> Option<String> {
    let away = |hole: &usize| {
        let p = board.point(*hole);
        let (dx, dy) = (
            i64::from(p.x) - i64::from(point.x),
            i64::from(p.y) - i64::from(point.y),
        );
        dx.abs() + dy.abs()
    };
    let hole = (0..board.len()).min_by_key(away)?;
    Some(board.named(hole))
}

pub fn about() -> About {
    let named = DRAWINGS.iter().chain(&LINED);
    let mut instances: Vec<InstanceInfo> = named
        .map(
            |Drawing {
                 name,
                 summary,
                 from,
                 to,
                 ..
             }| { InstanceInfo::new(*name, format!("{summary}; from {from} to {to}")) },
        )
        .collect();
    instances.push(InstanceInfo::new(
        CUSTOM,
        "a board drawn in a file, or its holes and lines, with --set board=FILE",
    ));
    About {
        name: "peg-solitaire".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "peg solitaire: jump over pegs and take them off, until one is left".to_owned(),
        instances,
        settings: settings::infos(),
        legend: LEGEND.to_owned(),
        claims: include_str!("../claims.toml").to_owned(),
    }
}

const LEGEND: &str = "\
o disc #b5651d peg
. hole #3a2a1a empty hole
";

#[cfg(test)]
mod tests;
