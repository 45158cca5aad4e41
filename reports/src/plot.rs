//! Plots as inline SVG.

pub mod chart;
mod ladder;
mod scale;

use crate::model::LevelTable;
use crate::wording::escape;
use chart::COLOURS;
pub use chart::{compared_levels_svg, keyed_svg};
pub(crate) use ladder::figure;
use plotters::chart::MeshStyle;
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
/// Becomes a colour light enough for a dark page and dark enough for a light one.
const BAR_TEXT: &str = "\"#040506\"";

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
    drawn((width, height), title, |root| {
        draw_levels(root, table, (width, height))
    })
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// A drawing by the back end, in the page's own colours, named, and scaled to the given width.
fn drawn(
    (width, height): (u32, u32),
    title: &str,
    draw: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
) -> String {
    let mut text = String::new();
    let size = (px(width), px(height));
    // Writing into a string does not fail; a plot too small for its own labels can fail, and is
    // left out, as the table next to it has the data.
    let failed = draw(&SVGBackend::with_string(&mut text, size).into_drawing_area()).is_err();
    if failed {
        text.clear();
    }
    let own = [(INK_TEXT, "\"currentColor\""), (BAR_TEXT, "\"#4a86b8\"")];
    let series = COLOURS.map(|(_, placeholder, colour)| (placeholder, colour));
    for (placeholder, colour) in own.into_iter().chain(series) {
        text = text.replace(placeholder, colour);
    }
    let body = text.split_once('>').map_or("", |(_head, rest)| rest.trim());
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\"><title>{}</title>\n{body}</svg>",
        size.0,
        size.1,
        escape(title)
    )
}

fn px(pixels: u32) -> u32 {
    pixels * FINENESS
}

fn font(pixels: f64) -> TextStyle<'static> {
    let size = pixels * f64::from(FINENESS) * POINTS_A_PIXEL;
    TextStyle::from(("sans-serif", size).into_font()).color(&INK)
}

/// Axes, lines and labels in the ink of the page.
fn inked<'m, 'a, 'b, 's>(
    mesh: &'m mut MeshStyle<'a, 'b, Axis, Axis, SVGBackend<'s>>,
) -> &'m mut MeshStyle<'a, 'b, Axis, Axis, SVGBackend<'s>> {
    mesh.bold_line_style(INK.mix(0.14).stroke_width(FINENESS))
        .light_line_style(TRANSPARENT)
        .axis_style(INK.mix(0.55).stroke_width(FINENESS))
        .label_style(font(LABEL_PX))
        .axis_desc_style(font(LABEL_PX))
        .set_all_tick_mark_size(px(4))
}

/// Whether the plot of a table has a logarithmic axis, for captions.
pub(crate) fn is_logarithmic(table: &LevelTable) -> bool {
    counts_scale(table).logarithmic
}

fn counts_scale(table: &LevelTable) -> Scale {
    Scale::for_counts(table.levels.iter().map(|level| level.states))
}

fn draw_levels(root: &Area<'_>, table: &LevelTable, size: (u32, u32)) -> Result<(), PlotError> {
    let depths = || table.levels.iter().map(|level| level.depth);
    let (Some(first), Some(last)) = (depths().min(), depths().max()) else {
        return root.present();
    };
    let scale = counts_scale(table);
    let labels_across = usize::try_from(size.0 / 48).unwrap_or(2).max(2);
    let labels_up = usize::try_from(size.1 / 40).unwrap_or(2).max(2);
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
    let mut chart = ChartBuilder::on(root)
        .margin(px(8))
        .x_label_area_size(px(46))
        .y_label_area_size(px(66))
        .build_cartesian_2d(across, up)?;
    inked(chart.configure_mesh().disable_x_mesh())
        .x_desc("distance in moves")
        .y_desc("positions")
        .x_label_formatter(&|depth| format!("{depth:.0}"))
        .y_label_formatter(&|height| scale.label(*height))
        .draw()?;
    let levels = table.levels.iter().filter(|level| level.states > 0);
    chart.draw_series(levels.map(|level| {
        let depth = f64::from(level.depth);
        let low = (depth - 0.4, scale.floor());
        let high = (depth + 0.4, scale.height(level.states));
        Rectangle::new([low, high], BAR.filled())
    }))?;
    root.present()
}
