//! Arithmetic on the numbers printed by the seed (Dogon, sections "Results" and "The method"):
//! whether they agree with each other.

use std::sync::LazyLock;

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

/// The table in section "Results" (Gil Dogon, April 2011).
static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let row = |row: &str| {
        let mut cells = row.split(' ');
        Some(Row {
            depth: cells.next()?.parse().ok()?,
            states: cells.next()?.parse().ok()?,
            ratio: cells.next()?.parse().ok()?,
            change: cells.next()?.parse().ok()?,
        })
    };
    PRINTED.lines().filter_map(row).collect()
});

const PRINTED: &str = "\
140 12276428414 1.13318769001 9.38329076356e-05
141 13912053649 1.13323298763 4.52976215415e-05
142 15766282793 1.13328220195 4.92143229229e-05
143 17867897511 1.13329804784 1.58458889221e-05
144 20248733406 1.13324656096 -5.14868758683e-05
145 22945264195 1.13317034379 -7.62171735744e-05
146 25998914195 1.13308410721 -8.6236584425e-05
147 29456044859 1.13297211715 -0.000111990060358
148 33366093846 1.1327418194 -0.000230297742758
149 37785919362 1.13246457726 -0.000277242146831
150 42779023472 1.13214192467 -0.000322652584053
151 48416247686 1.13177543002 -0.000366494648806
152 54775551124 1.13134647442 -0.000428955607472
";

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
