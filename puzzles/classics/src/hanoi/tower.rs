//! Positions as text, instances.

use puzzle_api::{About, BadInput, InstanceInfo, Placed, Request};

/// Most pegs and most discs: a key has three bits a disc.
pub const MOST_PEGS: usize = 6;
/// See [`MOST_PEGS`].
pub const MOST_DISCS: usize = 20;

/// The symbols of discs from the smallest.
const SYMBOLS: &str = "123456789abcdefghijk";

/// The peg of each disc, the smallest first.
pub type Discs = Vec<u8>;

/// What an instance is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tower {
    /// Number of pegs.
    pub pegs: usize,
    /// Number of discs.
    pub discs: usize,
}

impl Tower {
    /// All discs on one peg.
    #[must_use]
    pub fn whole(&self, peg: usize) -> Discs {
        vec![peg as u8; self.discs]
    }

    /// The goal: all on the last peg.
    #[must_use]
    pub fn goal(&self) -> Discs {
        self.whole(self.pegs - 1)
    }

    /// Reads a position: a row a peg, its discs from the bottom, then `.` up to the number
    /// of discs; or `start` or `goal`.
    ///
    /// # Errors
    /// Anything that is not each disc once, or a disc on a smaller one.
    pub fn parse(&self, text: &str) -> Result<Discs, BadInput> {
        let text = text.trim();
        match text {
            "start" => return Ok(self.whole(0)),
            "goal" => return Ok(self.goal()),
            _ => {}
        }
        let refuse = |why: String| {
            let (shown, start) = (puzzle_api::shown(text), self.draw(&self.whole(0)));
            BadInput::new(format!(
                "'{shown}' is no position: {why}; write a row a peg, the start is {start}"
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
            let standing = row.trim_end_matches('.');
            let mut below = self.discs;
            for symbol in standing.chars() {
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

    /// Writes a position.
    #[must_use]
    pub fn draw(&self, discs: &[u8]) -> String {
        let row = |peg: usize| {
            let on = |size: &usize| usize::from(discs[*size]) == peg;
            let sizes = (0..self.discs).rev().filter(on);
            let standing: String = sizes
                .map(|size| char::from(SYMBOLS.as_bytes()[size]))
                .collect();
            format!("{standing:.<width$}", width = self.discs)
        };
        (0..self.pegs).map(row).collect::<Vec<_>>().join("/")
    }

    /// What a player calls the move between two positions ("disc 3 to peg 2"); `None` where
    /// not exactly one disc differs.
    #[must_use]
    pub fn describe_move(&self, from: &[u8], to: &[u8]) -> Option<String> {
        let mut moved = (0..self.discs).filter(|&size| from[size] != to[size]);
        let (size, None) = (moved.next()?, moved.next()) else {
            return None;
        };
        let symbol = SYMBOLS.chars().nth(size)?;
        Some(format!("disc {symbol} to peg {}", to[size] + 1))
    }
}

/// Opens an instance: `PEGS-DISCS`.
///
/// # Errors
/// An unknown instance, or any setting.
pub fn open(request: &Request<'_>) -> Result<Tower, BadInput> {
    let name = request.instance;
    let tower = name.split_once('-').and_then(|(pegs, discs)| {
        let pegs: usize = pegs.parse().ok().filter(|n| (3..=MOST_PEGS).contains(n))?;
        let discs: usize = discs
            .parse()
            .ok()
            .filter(|n| (1..=MOST_DISCS).contains(n))?;
        (format!("{pegs}-{discs}") == name).then_some(Tower { pegs, discs })
    });
    if let Some(key) = request.settings.keys().next() {
        return Err(BadInput::new(format!(
            "hanoi/{name} takes no setting '{key}': there are none"
        )));
    }
    tower.ok_or_else(|| {
        BadInput::new(format!(
            "no instance hanoi/{name}: use PEGS-DISCS, such as 4-8, with 3 to {MOST_PEGS} pegs \
             and 1 to {MOST_DISCS} discs"
        ))
    })
}

/// Reads a position of any number of pegs and discs.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let pegs: Vec<&str> = text.trim().split('/').collect();
    let instance = format!("{}-{}", pegs.len(), pegs[0].chars().count());
    open(&Request {
        instance: &instance,
        ..*request
    })?
    .parse(text)?;
    Ok(Placed::state(request, instance, text.trim().to_owned()))
}

/// What the puzzle says of itself.
#[must_use]
pub fn about() -> About {
    let instance = |pegs: usize, discs: usize| InstanceInfo {
        name: format!("{pegs}-{discs}"),
        summary: format!("{pegs} pegs, {discs} discs"),
    };
    let mut instances: Vec<InstanceInfo> = (3..=8).map(|discs| instance(3, discs)).collect();
    instances.extend((3..=12).map(|discs| instance(4, discs)));
    instances.extend((3..=8).map(|discs| instance(5, discs)));
    let mut legend = String::from(". empty #f3efe6 no disc\n");
    for symbol in SYMBOLS.chars() {
        legend.push_str(&format!("{symbol} block #8b6fc0 disc {symbol}\n"));
    }
    About {
        name: "hanoi".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "The Towers of Hanoi with three to six pegs and up to 20 discs".to_owned(),
        instances,
        settings: Vec::new(),
        legend,
        claims: crate::hanoi::CLAIMS.to_owned(),
    }
}
