//! Levels of several searches over each other.

use super::chart::{COLOURS, Chart, Measure, SERIES, Series};
use super::{FINENESS, LABEL_PX};
use crate::model::LevelTable;
use crate::svg::standalone;
use crate::wording::escape;

/// Size in pixels.
const SIZE: (u32, u32) = (720, 400);
/// Where the key begins, from the right and from the top, and the height of its lines.
const KEY: (u32, u32, u32) = (250, 14, 20);

/// The states at each depth of several tables, as a separate picture with its key inside. The
/// vertical axis is logarithmic; `depth` names the horizontal axis.
pub fn compared_levels_svg(title: &str, depth: &str, tables: &[(String, LevelTable)]) -> String {
    let series = tables.iter().map(|(name, table)| Series {
        name: name.clone(),
        points: table
            .levels
            .iter()
            .map(|level| (f64::from(level.depth), level.states as f64))
            .collect(),
        joined: true,
    });
    let measure = |name, logarithmic| Measure { name, logarithmic };
    let chart = Chart {
        title,
        across: measure(depth, false),
        up: measure("positions", true),
        series: series.collect(),
        diagonal: false,
    };
    keyed_svg(&chart)
}

/// A chart as a separate picture with its key inside.
pub fn keyed_svg(chart: &Chart<'_>) -> String {
    let drawn = chart.svg(SIZE);
    let key: String = (0..)
        .zip(&chart.series)
        .map(|(at, series)| line(at, &series.name))
        .collect();
    let body = drawn.strip_suffix("</svg>").unwrap_or(&drawn);
    standalone(&format!("{body}{key}</svg>"))
}

/// A line of the key: a stroke in the colour of the series, and its name.
fn line(at: u32, name: &str) -> String {
    let (left, y) = (SIZE.0 - KEY.0, KEY.1 + KEY.2 * at);
    let [left, right, text, y] = [left, left + 24, left + 32, y].map(|pixels| pixels * FINENESS);
    let colour = COLOURS[at as usize % SERIES].2.trim_matches('"');
    format!(
        "<path d=\"M{left} {y}H{right}\" stroke=\"{colour}\" stroke-width=\"{}\"/>\
         <text x=\"{text}\" y=\"{y}\" dy=\"0.35em\" font-family=\"sans-serif\" font-size=\"{}\" fill=\"currentColor\">{}</text>\n",
        2 * FINENESS,
        LABEL_PX * f64::from(FINENESS),
        escape(name)
    )
}
