//! The literal rulebook, variant `reference`: a list of lights. Slow on purpose; the oracle
//! of every check, and of every weight that a proof rests on.

use puzzle_api::{
    BadInput, LowerBound, NEVER, Names, Numbering, Placement, Predecessors, Puzzle, RandomStates,
    Request, SolvedStates, Symmetry, Xorshift, cell_name, turned,
};

use super::algebra;

/// The state of every light, row by row; 0 is out.
pub type Lights = Vec<u8>;

/// Variant `reference`, opened on an instance.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// States of a light.
    pub states: u8,
    /// Whether the last row and column are next to the first.
    pub torus: bool,
    /// Rows of the press pattern, with odd numbers of rows and columns: by how many states each
    /// light around the pressed one is switched.
    pub pattern: Vec<Vec<u8>>,
}

/// By how many states a press switches the light and its neighbours.
const PLUS: [[u8; 3]; 3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];

impl Rules {
    /// A board with two states and the plus as its pattern.
    pub fn plain(height: usize, width: usize, torus: bool) -> Self {
        Self {
            height,
            width,
            states: 2,
            torus,
            pattern: PLUS.map(Vec::from).into(),
        }
    }

    /// Number of lights.
    pub fn lights(&self) -> usize {
        self.height * self.width
    }

    /// Presses a light `times` times.
    pub fn press(&self, lights: &mut Lights, pressed: usize, times: u8) {
        let (height, width) = (self.height as isize, self.width as isize);
        let middle = (
            self.pattern.len() as isize / 2,
            self.pattern[0].len() as isize / 2,
        );
        for (down, row) in (0..).zip(&self.pattern) {
            for (right, amount) in (0..).zip(row) {
                let mut row = pressed as isize / width + down - middle.0;
                let mut column = pressed as isize % width + right - middle.1;
                if self.torus {
                    (row, column) = (row.rem_euclid(height), column.rem_euclid(width));
                }
                if (0..height).contains(&row) && (0..width).contains(&column) {
                    let light = &mut lights[(row * width + column) as usize];
                    *light = (*light + amount % self.states * (times % self.states)) % self.states;
                }
            }
        }
    }

    /// The effect of every light's press on a dark board.
    pub fn presses(&self) -> Vec<Lights> {
        let press = |light| {
            let mut lights = vec![0; self.lights()];
            self.press(&mut lights, light, 1);
            lights
        };
        (0..self.lights()).map(press).collect()
    }

    /// Bits that a light has in a key.
    pub(super) fn bits(&self) -> usize {
        bits(self.states)
    }

    fn next(&self, state: &Lights, times: u8, emit: &mut dyn FnMut(Lights)) {
        for light in 0..state.len() {
            let mut next = state.clone();
            self.press(&mut next, light, times);
            emit(next);
        }
    }

    /// Whether a press of a switches b as one of b switches a.
    fn is_mutual(&self) -> bool {
        let all = self.pattern.concat();
        all.iter().eq(all.iter().rev())
    }

    /// The turns that keep the rectangle and the pattern, as [`turned`] numbers them.
    pub(super) fn turns(&self) -> Vec<usize> {
        let (rows, all) = (self.pattern.len(), self.pattern.concat());
        let size = (rows, all.len() / rows);
        let keeps = |&turn: &usize| {
            let square = self.height == self.width && size.0 == size.1;
            (turn < 4 || square) && (0..all.len()).all(|at| all[at] == all[turned(turn, size, at)])
        };
        (0..8).filter(keeps).collect()
    }
}

fn bits(states: u8) -> usize {
    (u8::BITS - (states - 1).leading_zeros()) as usize
}

/// The fewest presses that switch off a board of two states and the usual pattern, by light
/// chasing; `None` if there are none. Whatever is pressed in the first line, a light that is still
/// on in a line is put out by the press below it and by no other. So one line decides the next.
pub fn chased(rules: &Rules, lights: &Lights) -> Option<u32> {
    let (rows, columns) = (rules.height, rules.width);
    // The shorter side is the line, so that there are few first lines to try.
    let (lines, cells) = (rows.max(columns), rows.min(columns));
    let light = |line: usize, cell: usize| match rows >= columns {
        true => u64::from(lights[line * columns + cell]),
        false => u64::from(lights[cell * columns + line]),
    };
    let line = |at: usize| (0..cells).fold(0, |line, cell| line | light(at, cell) << cell);
    let board: Vec<u64> = (0..lines).map(line).collect();
    let chase = |first: u64| {
        let (mut above, mut pressed, mut count) = (0, first, 0);
        for on in &board {
            count += pressed.count_ones();
            let switched = pressed ^ pressed << 1 ^ pressed >> 1;
            let left = (on ^ above ^ switched) & ((1 << cells) - 1);
            (above, pressed) = (pressed, left);
        }
        (pressed == 0).then_some(count)
    };
    (0..1 << cells).filter_map(chase).min()
}

/// Reads the settings of an instance.
fn settings(request: &Request<'_>) -> Result<(u8, bool, Vec<Vec<u8>>), BadInput> {
    let (mut states, mut torus, mut pattern) = (2, false, PLUS.map(Vec::from).to_vec());
    let name = request.instance;
    for (key, value) in request.settings {
        let refuse = |form: &str| BadInput::new(format!("{key}={value}: write {key}={form}"));
        match key.as_str() {
            "states" => {
                let read = value.parse().ok().filter(|states| (2..=8).contains(states));
                states = read.ok_or_else(|| refuse("N, from 2 to 8"))?;
            }
            "torus" => torus = value.parse().map_err(|_| refuse("true or false"))?,
            "pattern" => {
                let digit = |cell| match cell {
                    '.' => Some(0),
                    'o' => Some(1),
                    cell => cell.to_digit(8).map(|digit| digit as u8),
                };
                let rows = value.split('/').map(|row| row.chars().map(digit).collect());
                let rows: Option<Vec<Vec<u8>>> = rows.collect();
                let odd = |rows: &Vec<Vec<u8>>| {
                    let width = rows[0].len();
                    rows.len() % 2 == 1
                        && width % 2 == 1
                        && rows.len() * width <= 225
                        && rows.iter().all(|row| row.len() == width)
                        && rows.concat().iter().any(|amount| *amount > 0)
                };
                pattern = rows.filter(odd).ok_or_else(|| {
                    refuse(".1./111/.1., with odd numbers of rows and columns, at most 225 cells, not all of them '.'")
                })?;
            }
            _ => {
                return Err(BadInput::new(format!(
                    "lights-out/{name} takes no setting '{key}': use states, torus or pattern"
                )));
            }
        }
    }
    if let Some(amount) = pattern
        .concat()
        .into_iter()
        .find(|amount| *amount >= states)
    {
        return Err(BadInput::new(format!(
            "pattern: {amount} is too much for lights of {states} states: write 1 to {}",
            states - 1
        )));
    }
    Ok((states, torus, pattern))
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Lights;

    const VARIANT: &'static str = "reference";

    /// `ROWSxCOLUMNS`.
    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (states, torus, pattern) = settings(request)?;
        let (name, most) = (request.instance, 64 / bits(states));
        let sides = name.split_once('x').and_then(|(height, width)| {
            let (height, width): (usize, usize) = (height.parse().ok()?, width.parse().ok()?);
            let fits = (1..=most).contains(&height.saturating_mul(width));
            (fits && format!("{height}x{width}") == name).then_some((height, width))
        });
        let (height, width) = sides.ok_or_else(|| {
            BadInput::new(format!(
                "no instance lights-out/{name}: use ROWSxCOLUMNS, such as 5x5, with at most {most} \
                 lights{}",
                if states > 2 {
                    format!(" of {states} states")
                } else {
                    String::new()
                }
            ))
        })?;
        Ok(Self {
            height,
            width,
            states,
            torus,
            pattern,
        })
    }

    fn successors(&self, state: &Lights, emit: &mut dyn FnMut(Lights)) {
        self.next(state, 1, emit);
    }

    fn is_solved(&self, state: &Lights) -> bool {
        state.iter().all(|light| *light == 0)
    }

    /// One to three bits per light, row by row, the first lowest.
    fn key(&self, state: &Lights) -> u64 {
        let lights = state.iter().rev();
        lights.fold(0, |key, &light| key << self.bits() | u64::from(light))
    }

    fn state(&self, key: u64) -> Lights {
        let bits = self.bits();
        let light = |at: usize| (key >> (at * bits)) as u8 & ((1 << bits) - 1);
        (0..self.lights()).map(light).collect()
    }

    /// `o` for a light that is on, `.` for one that is off, a digit for more states; or `on`, all
    /// of them.
    fn parse(&self, text: &str) -> Result<Lights, BadInput> {
        let text = text.trim();
        if text == "on" {
            return Ok(vec![1; self.lights()]);
        }
        let refuse = |why: String| {
            let (shown, on) = (puzzle_api::shown(text), self.draw(&vec![1; self.lights()]));
            BadInput::new(format!(
                "'{shown}' is no board: {why}; all lights on is {on}"
            ))
        };
        let rows: Vec<&str> = text.split('/').collect();
        let fits = |row: &&str| row.chars().count() == self.width;
        if rows.len() != self.height || !rows.iter().all(fits) {
            let Self { height, width, .. } = self;
            return Err(refuse(format!("it takes {height} rows of {width} lights")));
        }
        let light = |symbol: char| match symbol {
            '.' => Ok(0),
            'o' if self.states == 2 => Ok(1),
            '1'..='7' if self.states > 2 && symbol as u8 - b'0' < self.states => {
                Ok(symbol as u8 - b'0')
            }
            other => {
                let on = if self.states == 2 {
                    "'o'"
                } else {
                    "a state from 1"
                };
                Err(refuse(format!(
                    "'{}' is no light, {on} or '.'",
                    other.escape_debug()
                )))
            }
        };
        rows.into_iter().flat_map(str::chars).map(light).collect()
    }

    fn draw(&self, state: &Lights) -> String {
        let symbol = |&light: &u8| match light {
            0 => '.',
            _ if self.states == 2 => 'o',
            light => char::from(b'0' + light),
        };
        let rows = state.chunks(self.width);
        let rows = rows.map(|row| row.iter().map(symbol).collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    }

    /// Weights of the lights: no press changes the weighted sum, and the boards differ in it. For
    /// two states and a mutual pattern, they are a quiet pattern.
    fn refute(&self, from: &Lights, to: Option<&Lights>) -> Option<String> {
        let dark = vec![0; self.lights()];
        let pairs = from.iter().zip(to.unwrap_or(&dark));
        let switched: Lights = pairs
            .map(|(from, to)| (to + self.states - from) % self.states)
            .collect();
        let sum = |lights: &Lights, weights: &Lights| {
            let products = lights.iter().zip(weights);
            products
                .map(|(light, weight)| u32::from(light * weight))
                .sum::<u32>()
        };
        let states = u32::from(self.states);
        let invariants = algebra::invariants(self);
        let weights = invariants
            .iter()
            .find(|weights| sum(&switched, weights) % states != 0)?;
        // A proof rests on the rulebook, not on how the weights were found.
        if self
            .presses()
            .iter()
            .any(|press| sum(press, weights) % states != 0)
        {
            return None;
        }
        let (drawn, shown, found) = (
            self.draw(weights),
            self.draw(&switched),
            sum(&switched, weights),
        );
        if states > 2 {
            return Some(format!(
                "every press changes the sum of the lights, each times its weight, by a multiple of \
                 {states}; the lights to be switched sum up to {found}\nweights: {drawn}\nto be \
                 switched: {shown}"
            ));
        }
        let quiet = "pressing every light of the quiet pattern switches nothing, so ";
        Some(format!(
            "{}any press switches an even number of its lights; of the lights to be switched, {found} \
             {} on it, an odd number\npattern: {drawn}\nto be switched: {shown}",
            if self.is_mutual() {
                quiet
            } else {
                "of the pattern, "
            },
            if found == 1 { "lies" } else { "lie" },
        ))
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Lights)) {
        emit(vec![0; self.lights()]);
    }
}

/// A press is undone by as many more presses as complete the light's cycle.
impl Predecessors for Rules {
    fn predecessors(&self, state: &Lights, emit: &mut dyn FnMut(Lights)) {
        self.next(state, self.states - 1, emit);
    }
}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.turns().len() as u32
    }

    fn image(&self, state: &Lights, index: u32) -> Lights {
        let turn = self.turns()[index as usize];
        let mut image = state.clone();
        for (at, &light) in state.iter().enumerate() {
            image[turned(turn, (self.height, self.width), at)] = light;
        }
        image
    }
}

impl Numbering for Rules {
    /// Boards of 64 lights are more than ranks.
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| u64::from(self.states).checked_pow(self.lights() as u32))?
    }

    /// The lights as digits, the first lowest.
    fn place(&self, state: &Lights) -> Option<Placement> {
        let lights = state.iter().rev();
        let rank = lights.fold(0_u64, |rank, &light| {
            rank.wrapping_mul(self.states.into())
                .wrapping_add(light.into())
        });
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Lights> {
        let mut rest = placement.rank;
        let mut light = |_| {
            let light = (rest % u64::from(self.states)) as u8;
            rest /= u64::from(self.states);
            light
        };
        let lights = (0..self.lights()).map(&mut light).collect();
        (rest == 0 && placement.part == 0).then_some(lights)
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Lights> {
        if self.states == 2 {
            return Some(self.state(random.next_u64() & u64::MAX >> (64 - self.lights())));
        }
        let mut light = |_| random.below(self.states.into()) as u8;
        Some((0..self.lights()).map(&mut light).collect())
    }
}

impl Names for Rules {
    /// A player's name of the press between two boards, by row and column from 1.
    fn describe_move(&self, from: &Lights, to: &Lights) -> Option<String> {
        let leads = |light: &usize| {
            let mut next = from.clone();
            self.press(&mut next, *light, 1);
            next == *to
        };
        let cell = |light| cell_name(light / self.width, light % self.width);
        let pressed = (0..self.lights()).filter(leads);
        let names: Vec<String> = pressed
            .map(|light| format!("press {}", cell(light)))
            .collect();
        (!names.is_empty()).then(|| names.join("\n"))
    }

    fn names(&self) -> Vec<String> {
        vec!["on".to_owned()]
    }
}

/// The distance itself, by light chasing, if the board is the usual one; else as many presses as
/// the lights that are on need at least.
impl LowerBound for Rules {
    fn lower_bound(&self, state: &Lights) -> u64 {
        let usual = self.states == 2 && !self.torus && self.pattern == PLUS;
        if usual {
            return chased(self, state).map_or(NEVER, u64::from);
        }
        let on = state.iter().filter(|light| **light > 0).count();
        let cells = self.pattern.concat();
        let most = cells.iter().filter(|amount| **amount > 0).count();
        on.div_ceil(most) as u64
    }
}
