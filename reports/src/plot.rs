//! Plots as inline SVG.

pub mod chart;
mod compared;
mod ladder;
mod scale;

use crate::model::LevelTable;
use crate::wording::escape;
pub use compared::{compared_levels_svg, keyed_svg};
pub(crate) use ladder::figure;
use plotters::prelude::*;
use scale::{Axis, Scale};

type PlotError = DrawingAreaErrorKind<std::io::Error>;

/// The back end rounds to whole pixels; drawing this many times larger keeps hundreds of bars even.
const FINENESS: u32 = 10;
/// The back end divides font sizes by this to turn them from points into pixels.
const POINTS_A_PIXEL: f64 = 1.24;
const LABEL_PX: f64 = 13.0;

// The back end only has fixed colours; these two represent the page's own and are replaced.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_TEXT: &str = "\"#010203\"";
const BAR: RGBColor = RGBColor(4, 5, 6);
const BAR_TEXT: &str = "\"#040506\"";
/// Light enough for a dark page and dark enough for a light one.
const BAR_COLOUR: &str = "\"#4a86b8\"";

/// Bars of the number of states at each depth, for the width of a page. The vertical axis is
/// logarithmic if the levels span more than three decades.
pub fn level_histogram_svg(table: &LevelTable, title: &str) -> String {
    level_histogram_svg_sized(table, title, (560, 340))
}

/// The same plot at a given width and height in pixels.
pub fn level_histogram_svg_sized(
    table: &LevelTable,
    title: &str,
    (width, height): (u32, u32),
) -> String {
    let mut drawn = String::new();
    let size = (width * FINENESS, height * FINENESS);
    // Writing into a string does not fail; a plot too small for its own labels can fail, and is
    // left out.
    if draw_levels(&mut drawn, table, size).is_err() {
        drawn.clear();
    }
    dressed(&drawn, (width, height), title)
}

/// The back end's drawing, in the page's own colours, named, and scaled to the given width.
fn dressed(drawn: &str, (width, height): (u32, u32), title: &str) -> String {
    let body = drawn
        .split_once('>')
        .map_or("", |(_head, rest)| rest.trim_start().trim_end());
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    let body = body
        .replace(INK_TEXT, "\"currentColor\"")
        .replace(BAR_TEXT, BAR_COLOUR);
    format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\"><title>{}</title>\n{body}</svg>",
        width * FINENESS,
        height * FINENESS,
        escape(title)
    )
}

/// Whether the plot of a table has a logarithmic axis, for captions.
pub(crate) fn is_logarithmic(table: &LevelTable) -> bool {
    counts_scale(table).logarithmic
}

fn counts_scale(table: &LevelTable) -> Scale {
    Scale::for_counts(table.levels.iter().map(|level| level.states))
}

fn draw_levels(out: &mut String, table: &LevelTable, size: (u32, u32)) -> Result<(), PlotError> {
    let root = SVGBackend::with_string(out, size).into_drawing_area();
    let depths = || table.levels.iter().map(|level| level.depth);
    let (Some(first), Some(last)) = (depths().min(), depths().max()) else {
        return root.present();
    };
    let scale = counts_scale(table);
    let labels_across = usize::try_from(size.0 / FINENESS / 48).unwrap_or(2).max(2);
    let labels_up = usize::try_from(size.1 / FINENESS / 40).unwrap_or(2).max(2);
    let across = Axis {
        range: f64::from(first) - 0.6..f64::from(last) + 0.6,
        ticks: scale::whole_ticks(first, last, labels_across)
            .into_iter()
            .map(f64::from)
            .collect(),
    };
    let up = Axis {
        range: scale.floor()..scale.top(),
        ticks: scale.ticks(labels_up),
    };
    let mut chart = ChartBuilder::on(&root)
        .margin(8 * FINENESS)
        .x_label_area_size(46 * FINENESS)
        .y_label_area_size(66 * FINENESS)
        .build_cartesian_2d(across, up)?;
    let text = (
        "sans-serif",
        LABEL_PX * f64::from(FINENESS) * POINTS_A_PIXEL,
    )
        .into_font()
        .color(&INK);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(INK.mix(0.14).stroke_width(FINENESS))
        .light_line_style(TRANSPARENT)
        .axis_style(INK.mix(0.55).stroke_width(FINENESS))
        .label_style(text.clone())
        .axis_desc_style(text)
        .set_all_tick_mark_size(4 * FINENESS)
        .x_desc("distance in moves")
        .y_desc("positions")
        .x_label_formatter(&|depth| format!("{depth:.0}"))
        .y_label_formatter(&|height| scale.label(*height))
        .draw()?;
    chart.draw_series(
        table
            .levels
            .iter()
            .filter(|level| level.states > 0)
            .map(|level| {
                let depth = f64::from(level.depth);
                Rectangle::new(
                    [
                        (depth - 0.4, scale.floor()),
                        (depth + 0.4, scale.height(level.states)),
                    ],
                    BAR.filled(),
                )
            }),
    )?;
    root.present()
}
