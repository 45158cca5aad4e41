//! Boards in the forms of other programs: scrambles of twsearch and ksolve, and the stickers of a
//! Pocket Cube.

use std::collections::BTreeSet;

use puzzle_api::{BadInput, Placed, Request, Settings, shown};

use crate::definition::Part;
use crate::instances::open;
use crate::text;
use crate::words::lines;

/// Stickers of each place of the Pocket Cube, clockwise from that of the upper or lower face. They
/// are numbered face by face (U, R, F, D, L, B), each face row by row.
const CORNERS: [[usize; 3]; 8] = [
    [3, 4, 9],
    [1, 20, 5],
    [2, 8, 17],
    [0, 16, 21],
    [13, 11, 6],
    [15, 7, 22],
    [12, 19, 10],
    [14, 23, 18],
];
/// Number of stickers.
const STICKERS: usize = 24;
/// Number of stickers of a cube of 3x3x3, in the same order, and those of each edge.
const ALL_STICKERS: usize = 54;
const EDGES: [[usize; 2]; 12] = [
    [5, 10],
    [7, 19],
    [3, 37],
    [1, 46],
    [32, 16],
    [28, 25],
    [30, 43],
    [34, 52],
    [23, 12],
    [21, 41],
    [50, 39],
    [48, 14],
];
/// Faces of the corner that no move takes from its place.
const FIXED: usize = 7;

/// Reads a state of an instance: moves or rows; a `Scramble`, `ScrambleState`, `StartState` or
/// `ScrambleAlg` of twsearch or ksolve, in lines or with `/` between them. For the Pocket Cube it
/// also reads its 24 stickers, in any colours.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let stickers: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let shown_stickers = match text.contains(['/', ',', '\'']) {
        true => 0,
        false => stickers.chars().count(),
    };
    if shown_stickers == ALL_STICKERS {
        return Err(too_large(&stickers));
    }
    // Even looking for them takes longer than everything else.
    let mut settings: Settings = request.settings.clone();
    settings.insert("symmetry".to_owned(), "off".to_owned());
    let opened = open(&Request {
        settings: &settings,
        ..*request
    })?;
    // A name may have '/'.
    let rows = match text.contains('\n') {
        true => text.to_owned(),
        false => text.replace('/', "\n"),
    };
    let lines = lines(&rows);
    let head = lines.first().map_or("", |line| line[0].text);
    let state = match head {
        "CPOS" => {
            return Err(BadInput::new(
                "CPOS of twsearch is not supported: write its state as ScrambleState or its moves as \
                 ScrambleAlg",
            ));
        }
        "Scramble" | "ScrambleState" | "StartState" | "ScrambleAlg" => {
            text::scramble(&opened, lines).map_err(|fault| {
                let (line, what) = (fault.line, fault.what);
                BadInput::new(format!("'{}', its line {line}: {what}", shown(text)))
            })?
        }
        _ if request.instance == "pocket-cube" && shown_stickers == STICKERS => {
            vec![corners(&stickers).map_err(|why| {
                BadInput::new(format!(
                    "'{}' reads as 24 stickers, but {why}; write four of each colour, face by face \
                     (U, R, F, D, L, B), each row by row, such as UUUURRRRFFFFDDDDLLLLBBBB",
                    shown(text)
                ))
            })?]
        }
        _ => opened.read(text)?,
    };
    let drawn = opened.draw(&state);
    Ok(Placed::state(request, request.instance.to_owned(), drawn))
}

/// The refusal of a 3x3x3 cube: its stickers are read, but its states do not fit a key.
fn too_large(stickers: &str) -> BadInput {
    let all: Vec<char> = stickers.chars().collect();
    let of_face = |face: usize| [0, 2, 6, 8].map(|at| all[9 * face + at]);
    let of_corners: String = (0..6).flat_map(of_face).collect();
    let each = all
        .iter()
        .all(|own| all.iter().filter(|other| *other == own).count() == 9);
    let centres = (0..6).map(|face| all[9 * face + 4]);
    let mut edges: Vec<[char; 2]> = EDGES
        .iter()
        .map(|edge| {
            let mut colours = edge.map(|at| all[at]);
            colours.sort_unstable();
            colours
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let centres: BTreeSet<char> = centres.collect();
    let whole = [
        (each, "it takes nine of each colour"),
        (centres.len() == 6, "two centres have the same colour"),
        (
            edges.len() == EDGES.len(),
            "two edges have the same colours",
        ),
    ];
    let fault = whole.iter().find(|(right, _)| !right);
    let read = match fault {
        Some((_, why)) => Err((*why).to_owned()),
        None => corners(&of_corners),
    };
    let part = match read {
        Ok(part) => part,
        Err(why) => {
            return BadInput::new(format!(
                "'{}' reads as 54 stickers of a cube of 3x3x3, but {why}; write nine of each colour, \
                 face by face (U, R, F, D, L, B), each row by row",
                shown(stickers)
            ));
        }
    };
    let row = |numbers: Vec<u8>, first: u8| -> String {
        let digits = numbers
            .into_iter()
            .map(|number| char::from(b'0' + first + number));
        digits.collect()
    };
    BadInput::new(format!(
        "'{}' is a cube of 3x3x3, whose 43,252,003,274,489,856,000 states are more than a key of 64 \
         bits can number; its corners alone are permutation/pocket-cube --board {}/{}",
        shown(stickers),
        row(part.pieces, 1),
        row(part.turns, 0)
    ))
}

/// The pieces that stickers show. The colours of the fixed corner identify the faces: no corner has
/// both of two opposite faces.
///
/// # Errors
/// Why no cube shows them.
fn corners(stickers: &str) -> Result<Part, String> {
    let seen: Vec<char> = stickers.chars().collect();
    let count = |colour: &char| seen.iter().filter(|other| *other == colour).count();
    if let Some(odd) = seen.iter().find(|colour| count(colour) != 4) {
        return Err(format!("the corners have '{odd}' {} times", count(odd)));
    }
    let of = |place: [usize; 3]| place.map(|sticker| seen[sticker]);
    let colour = |face: char| -> Option<char> {
        let (near, is_near) = match face {
            'D' | 'B' | 'L' => (face, true),
            'U' => ('D', false),
            'F' => ('B', false),
            _ => ('L', false),
        };
        let near = of(CORNERS[FIXED])["DBL".find(near)?];
        if is_near {
            return Some(near);
        }
        let mut beside: Vec<char> = CORNERS
            .map(of)
            .into_iter()
            .filter(|all| all.contains(&near))
            .flatten()
            .collect();
        beside.push(near);
        let mut others = seen
            .iter()
            .copied()
            .filter(|colour| !beside.contains(colour));
        let other = others.next()?;
        others.all(|colour| colour == other).then_some(other)
    };
    let faces = "URFDLB"
        .chars()
        .map(colour)
        .collect::<Option<Vec<char>>>()
        .ok_or("colours of opposite faces meet at a corner")?;
    // The colours of a place on the solved cube.
    let home = |place: [usize; 3]| place.map(|sticker| faces[sticker / 4]);
    let mut part = Part {
        pieces: Vec::new(),
        turns: Vec::new(),
    };
    for place in CORNERS {
        let shows = of(place);
        let found = (0..CORNERS.len()).find_map(|piece| {
            let colours = home(CORNERS[piece]);
            let turned = |turn: &usize| (0..3).all(|at| shows[(turn + at) % 3] == colours[at]);
            Some((piece as u8, (0..3).find(turned)?))
        });
        let (piece, turn) = found.ok_or_else(|| {
            let shows = String::from_iter(shows);
            format!("no corner has the colours {shows} clockwise")
        })?;
        if part.pieces.contains(&piece) {
            let shows = String::from_iter(shows);
            return Err(format!("two corners have the colours {shows}"));
        }
        part.pieces.push(piece);
        part.turns.push(turn as u8);
    }
    match part.turns.iter().sum::<u8>() % 3 {
        0 => Ok(part),
        _ => Err("a corner is twisted".to_owned()),
    }
}
