//! Plots as inline SVG.

pub mod chart;
mod ladder;

use crate::wording::escape;
use chart::COLOURS;
pub(crate) use chart::is_logarithmic;
pub use chart::{keyed_svg, level_histogram_svg};
use ladder::Axis;
pub(crate) use ladder::figure;
use plotters::chart::MeshStyle;
use plotters::prelude::*;

type PlotError = DrawingAreaErrorKind<std::io::Error>;

/// The back end rounds to whole pixels; drawing this many times larger keeps hundreds of bars even.
const FINENESS: u32 = 10;
/// The back end divides font sizes by this to turn them from points into pixels.
const POINTS_A_PIXEL: f64 = 1.24;
const LABEL_PX: f64 = 13.0;

// The back end only has fixed colours; this one represents the page's own and is replaced.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_TEXT: &str = "\"#010203\"";

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
    text = text.replace(INK_TEXT, "\"currentColor\"");
    for (_, placeholder, colour) in COLOURS {
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
