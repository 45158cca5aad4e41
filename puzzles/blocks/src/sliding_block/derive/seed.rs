//! Arithmetic on the numbers printed by the seed (Dogon, sections "Results" and "The method"):
//! whether they agree with each other.

use puzzle_api::{BadInput, Figure, Parameters, decimal};

use super::explained;

/// Ratio of the sizes of the unsorted buckets to those of the sorted ones, as printed.
const UNSORTED: f64 = 5.0;
/// Share of the unsorted positions that leave their bucket, as printed.
const LEAVING: f64 = 1.0 / 20.0;

/// One row of the table of level sizes.
struct Row {
    depth: u32,
    states: u64,
    /// Printed quotient of this level and the one before.
    ratio: f64,
    /// Printed difference of this quotient and the one before.
    change: f64,
}

const fn row(depth: u32, states: u64, ratio: f64, change: f64) -> Row {
    Row {
        depth,
        states,
        ratio,
        change,
    }
}

/// The table in section "Results" (Gil Dogon, April 2011).
const TABLE: [Row; 13] = [
    row(140, 12_276_428_414, 1.133_187_690_01, 9.383_290_763_56e-05),
    row(141, 13_912_053_649, 1.133_232_987_63, 4.529_762_154_15e-05),
    row(142, 15_766_282_793, 1.133_282_201_95, 4.921_432_292_29e-05),
    row(143, 17_867_897_511, 1.133_298_047_84, 1.584_588_892_21e-05),
    row(144, 20_248_733_406, 1.133_246_560_96, -5.148_687_586_83e-05),
    row(145, 22_945_264_195, 1.133_170_343_79, -7.621_717_357_44e-05),
    row(146, 25_998_914_195, 1.133_084_107_21, -8.623_658_442_5e-05),
    row(
        147,
        29_456_044_859,
        1.132_972_117_15,
        -0.000_111_990_060_358,
    ),
    row(148, 33_366_093_846, 1.132_741_819_4, -0.000_230_297_742_758),
    row(
        149,
        37_785_919_362,
        1.132_464_577_26,
        -0.000_277_242_146_831,
    ),
    row(
        150,
        42_779_023_472,
        1.132_141_924_67,
        -0.000_322_652_584_053,
    ),
    row(
        151,
        48_416_247_686,
        1.131_775_430_02,
        -0.000_366_494_648_806,
    ),
    row(
        152,
        54_775_551_124,
        1.131_346_474_42,
        -0.000_428_955_607_472,
    ),
];

/// Half a unit in the last place of the printed quotients, and as much for our own rounding.
const LAST_PLACE: f64 = 1e-11;

/// The quotient of a row from the sizes; for the first as printed, since level 139 is not printed.
fn ratio(index: usize) -> f64 {
    match index.checked_sub(1) {
        Some(before) => TABLE[index].states as f64 / TABLE[before].states as f64,
        None => TABLE[0].ratio,
    }
}

/// Whether quotients and differences follow from the sizes. The size of level 139 is not printed:
/// there, the quotient has to give a whole number.
pub(super) fn growth_table() -> Vec<Figure> {
    let before = TABLE[0].states as f64 / TABLE[0].ratio;
    // The printed quotient leaves a tolerance of about a twentieth of a position.
    let mut wrong: Vec<String> = Vec::new();
    if (before - before.round()).abs() > before * LAST_PLACE {
        wrong.push("140 (no whole level 139)".to_owned());
    }
    for (index, row) in TABLE.iter().enumerate().skip(1) {
        let change = ratio(index) - ratio(index - 1);
        if (ratio(index) - row.ratio).abs() > LAST_PLACE || (change - row.change).abs() > LAST_PLACE
        {
            wrong.push(row.depth.to_string());
        }
    }
    let mut figures = explained(
        wrong.is_empty(),
        "Quotients and differences of rows 141 to 152 computed from the sizes; of row 140 only \
         whether its quotient leads to a whole number of positions on level 139.",
    );
    figures.push(Figure::new("all", TABLE.len()));
    figures.push(Figure::new("level_139", before.round()));
    if !wrong.is_empty() {
        figures.push(Figure::new("wrong_rows", wrong.join(", ")));
    }
    figures
}

/// Growth by one level, averaged over the table.
fn mean_ratio() -> f64 {
    let (first, last) = (&TABLE[0], &TABLE[TABLE.len() - 1]);
    let levels = f64::from(last.depth - first.depth);
    (last.states as f64 / first.states as f64).powf(levels.recip())
}

/// Number of levels in which the size doubles.
pub(super) fn doubling() -> Vec<Figure> {
    explained(
        decimal(2_f64.ln() / mean_ratio().ln()),
        "Logarithm of 2 over that of the mean growth from level 140 to 152.",
    )
}

/// Bytes of the last three levels at twelve bytes per position.
pub(super) fn top_levels(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let unit = parameters.one_of("unit")?;
    let states: u64 = TABLE[TABLE.len() - 3..].iter().map(|row| row.states).sum();
    let bytes = 12 * states;
    let size = if unit == "TiB" {
        (1_u64 << 40) as f64
    } else {
        1e12
    };
    let mut figures = explained(
        decimal(bytes as f64 / size),
        format!("Levels 150, 151 and 152 at 12 bytes a position, in {unit}."),
    );
    figures.push(Figure::new("bytes", bytes));
    Ok(figures)
}

/// Ratio of records written and read for each new position, with uniform buckets to those with the
/// order of the big pieces. Unsorted ones are written and read once, the two earlier levels are
/// read, and the new one is written; levels grow as printed.
pub(super) fn io_factor() -> Vec<Figure> {
    let growth = mean_ratio();
    let sorted = 1.0 + growth.recip() + growth.powi(-2);
    let transferred = |unsorted: f64| 2.0 * unsorted + sorted;
    let (uniform, ordered) = (transferred(UNSORTED), transferred(UNSORTED * LEAVING));
    let mut figures = explained(
        decimal(uniform / ordered),
        "Unsorted positions, 5 for each new one, are written and read once, or a twentieth of \
         them; the two levels before are read and the new one is written either way.",
    );
    figures.push(Figure::new("records, uniform", format!("{uniform:.2}")));
    figures.push(Figure::new(
        "records, by big pieces",
        format!("{ordered:.2}"),
    ));
    figures
}
