//! Which starts and finishes are proven impossible, and which are solved.

use std::time::Instant;

use puzzle_api::{BadInput, Effort, Figure, Parameters};

use super::{explained, instance};
use crate::board::Board;
use crate::instances::{Finish, Instance};
use crate::proof::{Certificate, Goal, Rule, check::check, refute};
use crate::search::{Guide, Outcome, search};

type Figures = Result<Vec<Figure>, BadInput>;

/// Positions tried for each open pair, about 20 bytes each.
const QUICK_LIMIT: u64 = 100_000;
const FULL_LIMIT: u64 = 20_000_000;
const MOST_LIMIT: u64 = 200_000_000;

/// Whether a position class or a pagoda function proves a finish impossible, by a
/// certificate that the checker accepts.
pub(super) fn refuted(parameters: &Parameters<'_>) -> Figures {
    let instance = instance(parameters)?;
    let goal = match instance.finish() {
        Finish::Any => Goal::Any,
        Finish::At(hole) => Goal::Position(1 << hole),
    };
    let Some(certificate) = refute(instance.board(), instance.start(), goal) else {
        return Ok(explained(
            vec![Figure::new("value", "false")],
            "Neither a position class nor a pagoda function excludes every finish. That proves \
             nothing.",
        ));
    };
    checked(&certificate)?;
    let mut figures = vec![Figure::new("value", "true")];
    for proof in &certificate.proofs {
        let name = match proof.rule {
            Rule::Parity => "parity weights",
            Rule::Pagoda => "pagoda weights",
        };
        let weights: Vec<String> = proof.weights.iter().map(ToString::to_string).collect();
        figures.push(Figure::new(
            format!(
                "{name} excluding {}",
                count(proof.to.len(), "finish", "finishes")
            ),
            weights.join(" "),
        ));
    }
    let mut reason = certificate.reason();
    reason[..1].make_ascii_uppercase();
    Ok(explained(
        figures,
        format!("{reason}. Weights are by hole in scanning order; the checker accepted them."),
    ))
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A certificate that the checker rejects would be a fault of this crate.
fn checked(certificate: &Certificate) -> Result<(), BadInput> {
    check(&certificate.json())
        .map_err(|why| BadInput::new(format!("a certificate failed its own check: {why}")))
}

/// What is known of a start with one vacancy and a finish with one peg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Class,
    Pagoda,
    Solved,
    Impossible,
    Open,
}

/// All pairs of a start vacancy and a finish, counted up to symmetry and reversal (the
/// same game backward on the complement): how many are excluded by class, by a pagoda
/// function, solved by a bounded search, or open.
pub(super) fn pairs(parameters: &Parameters<'_>, effort: Effort) -> Figures {
    let words = ["open", "class", "pagoda", "solved", "impossible", "pairs"];
    let figure = parameters.one_of("figure", &words)?;
    let limit = match effort {
        Effort::Quick => QUICK_LIMIT,
        Effort::Full => FULL_LIMIT,
    };
    let limit = parameters.number("limit", limit, 1..=MOST_LIMIT)? as usize;
    let instance = instance(parameters)?;
    let board = instance.board();
    let mut table = Vec::new();
    for (from, to, ordered) in representatives(board) {
        table.push((from, to, ordered, known(board, from, to, limit)?));
    }
    let of = |known: Known| table.iter().filter(move |row| row.3 == known);
    let value = match figure {
        "pairs" => table.len(),
        "class" => of(Known::Class).count(),
        "pagoda" => of(Known::Pagoda).count(),
        "solved" => of(Known::Solved).count(),
        "impossible" => of(Known::Impossible).count(),
        _ => of(Known::Open).count(),
    };
    let mut figures = vec![Figure::new("value", value)];
    let all: usize = table.iter().map(|row| row.2).sum();
    figures.push(Figure::new("pairs", format!("{} of {all}", table.len())));
    for (name, known) in [
        ("excluded by class", Known::Class),
        ("excluded by a pagoda function", Known::Pagoda),
        ("solved", Known::Solved),
        ("impossible by search", Known::Impossible),
        ("open", Known::Open),
    ] {
        let ordered: usize = of(known).map(|row| row.2).sum();
        let mut text = format!("{} of {ordered}", of(known).count());
        if known != Known::Class && ordered > 0 {
            let rows =
                of(known).map(|row| format!("{} to {}", board.point(row.0), board.point(row.1)));
            text = format!("{text} ({})", rows.collect::<Vec<_>>().join(", "));
        }
        figures.push(Figure::new(name, text));
    }
    Ok(explained(
        figures,
        format!(
            "Counts are up to symmetry and reversal, then of all pairs of {}. A pair is searched \
             depth-first both ways and in two orders, each up to {limit} positions.",
            board.name()
        ),
    ))
}

/// One pair of holes for each class under symmetry and reversal, with its size.
fn representatives(board: &Board) -> Vec<(usize, usize, usize)> {
    let symmetries = board.symmetries();
    let least = |from: usize, to: usize| {
        let images = symmetries.iter().map(|image| (image[from], image[to]));
        images.flat_map(|(a, b)| [(a, b), (b, a)]).min()
    };
    let holes = 0..board.len();
    let all = holes.flat_map(|from| (0..board.len()).map(move |to| (from, to)));
    let mut classes = std::collections::BTreeMap::new();
    for (from, to) in all {
        if let Some(least) = least(from, to) {
            *classes.entry(least).or_insert(0) += 1;
        }
    }
    classes
        .into_iter()
        .map(|((from, to), size)| (from, to, size))
        .collect()
}

fn known(board: &Board, from: usize, to: usize, limit: usize) -> Result<Known, BadInput> {
    let start = board.full() & !(1 << from);
    if let Some(certificate) = refute(board, start, Goal::Position(1 << to)) {
        checked(&certificate)?;
        return Ok(match certificate.proofs.first().map(|proof| proof.rule) {
            Some(Rule::Pagoda) => Known::Pagoda,
            _ => Known::Class,
        });
    }
    // The way back, or another order, may be the easier one.
    for guide in [Guide::Order, Guide::OrderWithoutJumps] {
        for (from, to) in [(from, to), (to, from)] {
            let start = board.full() & !(1 << from);
            let instance = Instance::new(board.clone(), start, Finish::At(to));
            match search(&instance, guide, limit).0 {
                Outcome::Solved(_) => return Ok(Known::Solved),
                Outcome::Impossible => return Ok(Known::Impossible),
                Outcome::Limit => {}
            }
        }
    }
    Ok(Known::Open)
}

/// Seconds until a depth-first search finds a first solution.
pub(super) fn first_solution(parameters: &Parameters<'_>) -> Figures {
    let limit = parameters.number("limit", 10_000_000, 1..=MOST_LIMIT)? as usize;
    let instance = instance(parameters)?;
    let clock = Instant::now();
    let (outcome, tried) = search(&instance, Guide::Order, limit);
    let seconds = clock.elapsed().as_secs_f64();
    let tried = Figure::new("positions tried", tried);
    Ok(match outcome {
        Outcome::Solved(path) => explained(
            vec![
                Figure::new("value", format!("{seconds:.4}")),
                Figure::new("jumps", path.len() - 1),
                tried,
            ],
            "Seconds on one core, by depth-first search with this crate's move ordering and every \
             position tried kept, up to symmetry.",
        ),
        Outcome::Impossible => explained(vec![tried], "There is no solution."),
        Outcome::Limit => explained(vec![tried], "The limit came before a solution."),
    })
}
