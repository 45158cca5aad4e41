//! The literal rulebook, variant `reference`: a list of lights. Slow on purpose; the oracle
//! of every check, and of every quiet pattern that a proof rests on.

use puzzle_api::{
    BadInput, LowerBound, NEVER, Names, Numbering, Placement, Puzzle, RandomStates, Request,
    SolvedStates, Symmetry, Undirected, Xorshift,
};

use crate::lights_out::algebra;
use crate::lights_out::panel::{self, Panel};

/// For every light, row by row, whether it is on.
pub type Lights = Vec<bool>;

/// Variant `reference`, opened on an instance.
pub struct Rules {
    panel: Panel,
}

/// Presses a light: it and those beside it are switched.
pub fn press(panel: &Panel, lights: &mut Lights, pressed: usize) {
    let (row, column) = (pressed / panel.width, pressed % panel.width);
    let mut switch = |row: usize, column: usize| {
        let light = row * panel.width + column;
        lights[light] = !lights[light];
    };
    switch(row, column);
    if row > 0 {
        switch(row - 1, column);
    }
    if row + 1 < panel.height {
        switch(row + 1, column);
    }
    if column > 0 {
        switch(row, column - 1);
    }
    if column + 1 < panel.width {
        switch(row, column + 1);
    }
}

/// The lights that are on after some presses, given as bits, on a dark board.
#[must_use]
pub fn press_all(panel: &Panel, presses: u64) -> u64 {
    let mut lights = vec![false; panel.lights()];
    for light in (0..panel.lights()).filter(|&light| presses >> light & 1 == 1) {
        press(panel, &mut lights, light);
    }
    pack(&lights)
}

fn pack(lights: &[bool]) -> u64 {
    let lights = lights.iter().enumerate();
    lights.fold(0, |lit, (light, &on)| lit | u64::from(on) << light)
}

fn unpack(panel: &Panel, lit: u64) -> Lights {
    (0..panel.lights())
        .map(|light| lit >> light & 1 == 1)
        .collect()
}

/// Why no presses lead from a board to another: a quiet pattern that has an odd number of
/// lights in common with what is to be switched.
pub(crate) fn refute(panel: &Panel, from: u64, to: u64) -> Option<String> {
    let switched = from ^ to;
    let quiet = algebra::quiet_patterns(panel.height, panel.width);
    let pattern = quiet
        .iter()
        .map(|pattern| pattern[0])
        .find(|pattern| (pattern & switched).count_ones() % 2 == 1)?;
    // A proof rests on the rulebook, not on how the pattern was found.
    if press_all(panel, pattern) != 0 {
        return None;
    }
    let odd = (pattern & switched).count_ones();
    Some(format!(
        "pressing every light of the quiet pattern switches nothing, so any press switches an even \
         number of its lights; of the lights to be switched, {odd} {} on it, an odd number\npattern: \
         {}\nto be switched: {}",
        if odd == 1 { "lies" } else { "lie" },
        panel.draw(pattern),
        panel.draw(switched)
    ))
}

/// The fewest presses that put a board out, by chasing the lights; `None` where none do. Whatever
/// is pressed in the first line, a light that is still on in a line is put out by the press below
/// it and by no other, so that one line decides the next.
#[must_use]
pub fn chased(panel: &Panel, lit: u64) -> Option<u32> {
    let (rows, columns) = (panel.height, panel.width);
    // The shorter side is the line, so that few first lines are to be tried.
    let (lines, cells) = (rows.max(columns), rows.min(columns));
    let light = |line: usize, cell: usize| match rows >= columns {
        true => lit >> (line * columns + cell) & 1,
        false => lit >> (cell * columns + line) & 1,
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

/// What a player calls the press between two boards, by row and column from 1; `None` for
/// what is none.
pub(crate) fn describe_move(panel: &Panel, from: u64, to: u64) -> Option<String> {
    let pressed = (0..panel.lights()).find(|&light| press_all(panel, 1 << light) == from ^ to)?;
    let (row, column) = (pressed / panel.width + 1, pressed % panel.width + 1);
    Some(format!("press {row},{column}"))
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Lights;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let panel = panel::open(request)?;
        Ok(Self { panel })
    }

    fn successors(&self, state: &Lights, emit: &mut dyn FnMut(Lights)) {
        for light in 0..state.len() {
            let mut next = state.clone();
            press(&self.panel, &mut next, light);
            emit(next);
        }
    }

    fn is_solved(&self, state: &Lights) -> bool {
        state.iter().all(|on| !on)
    }

    /// A bit a light, row by row, the first lowest.
    fn key(&self, state: &Lights) -> u64 {
        pack(state)
    }

    fn state(&self, key: u64) -> Lights {
        unpack(&self.panel, key)
    }

    fn parse(&self, text: &str) -> Result<Lights, BadInput> {
        Ok(unpack(&self.panel, self.panel.parse(text)?))
    }

    fn draw(&self, state: &Lights) -> String {
        self.panel.draw(pack(state))
    }

    fn refute(&self, from: &Lights, to: Option<&Lights>) -> Option<String> {
        refute(&self.panel, pack(from), to.map_or(0, |to| pack(to)))
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Lights)) {
        emit(vec![false; self.panel.lights()]);
    }
}

/// Pressed again, a light is as it was.
impl Undirected for Rules {}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        if self.panel.height == self.panel.width {
            8
        } else {
            4
        }
    }

    /// Bit 0 of the index mirrors left and right, bit 1 top and bottom, bit 2 then swaps
    /// rows and columns.
    fn image(&self, state: &Lights, index: u32) -> Lights {
        let Panel { height, width } = self.panel;
        let mut image = state.clone();
        for (light, &on) in state.iter().enumerate() {
            let (mut row, mut column) = (light / width, light % width);
            if index & 1 != 0 {
                column = width - 1 - column;
            }
            if index & 2 != 0 {
                row = height - 1 - row;
            }
            if index & 4 != 0 {
                (row, column) = (column, row);
            }
            image[row * width + column] = on;
        }
        image
    }
}

impl Numbering for Rules {
    /// Boards of 64 lights are more than ranks.
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| 1_u64.checked_shl(self.panel.lights() as u32))?
    }

    fn place(&self, state: &Lights) -> Option<Placement> {
        let rank = pack(state);
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Lights> {
        let known = placement.part == 0 && placement.rank <= self.panel.all_on();
        known.then(|| unpack(&self.panel, placement.rank))
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Lights> {
        let mut light = |_| random.below(2) == 1;
        Some((0..self.panel.lights()).map(&mut light).collect())
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Lights, to: &Lights) -> Option<String> {
        describe_move(&self.panel, pack(from), pack(to))
    }

    fn names(&self) -> Vec<String> {
        vec!["on".to_owned()]
    }
}

/// The distance itself, by chasing the lights.
impl LowerBound for Rules {
    fn lower_bound(&self, state: &Lights) -> u64 {
        chased(&self.panel, pack(state)).map_or(NEVER, u64::from)
    }
}
