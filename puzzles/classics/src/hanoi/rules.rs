//! The literal rulebook, variant `reference`: the peg of each disc. Slow on purpose; the
//! oracle of every check.

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Symmetry,
    Undirected, Xorshift,
};

/// The symbols of discs from the smallest.
pub(super) const SYMBOLS: &str = "123456789abcdefghijk";

/// The peg of each disc, the smallest first.
pub type Discs = Vec<u8>;

/// Variant `reference`, opened on an instance.
pub struct Rules {
    /// Number of pegs: 3 to 6.
    pub pegs: usize,
    /// Number of discs: 1 to 20.
    pub discs: usize,
    /// Ways to exchange all pegs except the last, the identity first: by peg, its image.
    symmetries: Vec<Vec<u8>>,
}

impl Rules {
    /// Whether a disc may go to a peg: no smaller one is on it, nor on the peg.
    fn may_move(&self, discs: &Discs, size: usize, to: u8) -> bool {
        let free = |peg: u8| discs[..size].iter().all(|&other| other != peg);
        discs[size] != to && free(discs[size]) && free(to)
    }

    /// All discs on one peg.
    fn whole(&self, peg: usize) -> Discs {
        vec![peg as u8; self.discs]
    }
}

/// All orders of some pegs, the given one first.
fn orders(pegs: &[u8]) -> Vec<Vec<u8>> {
    if pegs.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in pegs.iter().enumerate() {
        let others = [&pegs[..at], &pegs[at + 1..]].concat();
        let behind = orders(&others).into_iter();
        all.extend(behind.map(|order| [&[first][..], &order].concat()));
    }
    all
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Discs;

    const VARIANT: &'static str = "reference";

    /// `PEGS-DISCS`.
    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let name = request.instance;
        if let Some(key) = request.settings.keys().next() {
            return Err(BadInput::new(format!(
                "hanoi/{name} takes no setting '{key}': there are none"
            )));
        }
        let numbers = name.split_once('-').and_then(|(pegs, discs)| {
            let (pegs, discs): (usize, usize) = (pegs.parse().ok()?, discs.parse().ok()?);
            let fits = (3..=6).contains(&pegs) && (1..=20).contains(&discs);
            (fits && format!("{pegs}-{discs}") == name).then_some((pegs, discs))
        });
        let (pegs, discs) = numbers.ok_or_else(|| {
            BadInput::new(format!(
                "no instance hanoi/{name}: use PEGS-DISCS, such as 4-8, with 3 to 6 pegs and 1 to \
                 20 discs"
            ))
        })?;
        let last = pegs as u8 - 1;
        let mut symmetries = orders(&(0..last).collect::<Vec<_>>());
        symmetries.iter_mut().for_each(|order| order.push(last));
        Ok(Self {
            pegs,
            discs,
            symmetries,
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(Discs)) {
        emit(self.whole(0));
    }

    fn successors(&self, state: &Discs, emit: &mut dyn FnMut(Discs)) {
        for size in 0..state.len() {
            for to in (0..self.pegs as u8).filter(|&to| self.may_move(state, size, to)) {
                let mut next = state.clone();
                next[size] = to;
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &Discs) -> bool {
        *state == self.whole(self.pegs - 1)
    }

    /// Three bits per disc, the smallest lowest.
    fn key(&self, state: &Discs) -> u64 {
        let discs = state.iter().rev();
        discs.fold(0, |key, &peg| key * 8 + u64::from(peg))
    }

    fn state(&self, key: u64) -> Discs {
        let peg = |size: usize| (key >> (3 * size) & 7) as u8;
        (0..self.discs).map(peg).collect()
    }

    /// A row per peg, its discs from the bottom, then `.` up to the number of discs; or `start` or
    /// `goal`.
    fn parse(&self, text: &str) -> Result<Discs, BadInput> {
        let text = text.trim();
        match text {
            "start" => return Ok(self.whole(0)),
            "goal" => return Ok(self.whole(self.pegs - 1)),
            _ => {}
        }
        let refuse = |why: String| {
            let (shown, start) = (puzzle_api::shown(text), self.draw(&self.whole(0)));
            BadInput::new(format!(
                "'{shown}' is no position: {why}; write a row per peg, the start is {start}"
            ))
        };
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.pegs {
            return Err(refuse(format!("it takes {} pegs", self.pegs)));
        }
        let mut discs: Vec<Option<u8>> = vec![None; self.discs];
        for (peg, row) in rows.into_iter().enumerate() {
            if row.chars().count() != self.discs {
                return Err(refuse(format!("a row has {} places", self.discs)));
            }
            let mut below = self.discs;
            for symbol in row.trim_end_matches('.').chars() {
                let size = SYMBOLS.find(symbol).filter(|&size| size < self.discs);
                let shown = symbol.escape_debug();
                let size = size.ok_or_else(|| refuse(format!("there is no disc '{shown}'")))?;
                if size >= below {
                    return Err(refuse(format!(
                        "'{shown}' lies on a disc that is not larger"
                    )));
                }
                if discs[size].replace(peg as u8).is_some() {
                    return Err(refuse(format!("'{shown}' is there twice")));
                }
                below = size;
            }
        }
        let all: Option<Discs> = discs.into_iter().collect();
        all.ok_or_else(|| refuse("a disc is missing".to_owned()))
    }

    fn draw(&self, discs: &Discs) -> String {
        let row = |peg: usize| {
            let sizes = (0..self.discs).rev();
            let on = sizes.filter(|&size| usize::from(discs[size]) == peg);
            let standing: String = on.map(|size| &SYMBOLS[size..=size]).collect();
            format!("{standing:.<width$}", width = self.discs)
        };
        (0..self.pegs).map(row).collect::<Vec<_>>().join("/")
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Discs)) {
        emit(self.whole(self.pegs - 1));
    }
}

/// A disc can go back to where it came from.
impl Undirected for Rules {}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.len() as u32
    }

    /// Pegs exchanged, except for the last.
    fn image(&self, state: &Discs, index: u32) -> Discs {
        let image = &self.symmetries[index as usize];
        state.iter().map(|&peg| image[usize::from(peg)]).collect()
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| (self.pegs as u64).pow(self.discs as u32))
    }

    /// The pegs as digits, that of the largest disc first.
    fn place(&self, state: &Discs) -> Option<Placement> {
        let discs = state.iter().rev();
        let rank = discs.fold(0, |rank, &peg| rank * self.pegs as u64 + u64::from(peg));
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Discs> {
        let mut rest = placement.rank;
        let mut digit = |_| {
            let peg = (rest % self.pegs as u64) as u8;
            rest /= self.pegs as u64;
            peg
        };
        let discs = (0..self.discs).map(&mut digit).collect();
        (rest == 0 && placement.part == 0).then_some(discs)
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Discs> {
        let mut peg = |_| random.below(self.pegs as u64) as u8;
        Some((0..self.discs).map(&mut peg).collect())
    }
}

impl Names for Rules {
    /// A player's name of a move ("disc 3 to peg 2"); `None` if not exactly one disc differs.
    fn describe_move(&self, from: &Discs, to: &Discs) -> Option<String> {
        let mut moved = (0..self.discs).filter(|&size| from[size] != to[size]);
        let (size, None) = (moved.next()?, moved.next()) else {
            return None;
        };
        Some(format!(
            "disc {} to peg {}",
            &SYMBOLS[size..=size],
            to[size] + 1
        ))
    }

    fn names(&self) -> Vec<String> {
        vec!["start".to_owned(), "goal".to_owned()]
    }
}
