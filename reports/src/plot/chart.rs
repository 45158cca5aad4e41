//! Plots of measured figures: lines, points and bars on plain or logarithmic axes.

use super::ladder::{Axis, Ladder};
use super::{Area, FINENESS, LABEL_PX, PlotError, drawn, inked, px};
use crate::model::{LevelTable, Unit};
use crate::svg::standalone;
use crate::wording::escape;
use plotters::coord::CoordTranslate;
use plotters::prelude::*;

/// Shapes of marks, so that colour is never the only sign; the first series has the first shape.
pub const SERIES: usize = 4;
/// Stand for the page's own colours `--plot-1` and so on, and are replaced.
pub(super) const COLOURS: [(RGBColor, &str, &str); SERIES] = [
    (
        RGBColor(1, 9, 1),
        "\"#010901\"",
        "\"var(--plot-1,#3c7fb5)\"",
    ),
    (
        RGBColor(1, 9, 2),
        "\"#010902\"",
        "\"var(--plot-2,#b4540a)\"",
    ),
    (
        RGBColor(1, 9, 3),
        "\"#010903\"",
        "\"var(--plot-3,#2b8a57)\"",
    ),
    (
        RGBColor(1, 9, 4),
        "\"#010904\"",
        "\"var(--plot-4,#8a5bb5)\"",
    ),
];

/// An axis and its quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure<'a> {
    /// Its quantity, with the unit.
    pub name: &'a str,
    /// Whether equal steps are equal factors.
    pub logarithmic: bool,
}

impl<'a> Measure<'a> {
    /// A quantity whose equal steps are equal amounts.
    pub const fn plain(name: &'a str) -> Self {
        let logarithmic = false;
        Self { name, logarithmic }
    }

    /// A quantity whose equal steps are equal factors.
    pub const fn logarithmic(name: &'a str) -> Self {
        let logarithmic = true;
        Self { name, logarithmic }
    }
}

/// Figures that belong together and are drawn alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Their meaning, for the key next to the plot.
    pub name: String,
    /// The figures, across and up.
    pub points: Vec<(f64, f64)>,
    /// Their form.
    pub form: Form,
}

/// How figures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Marks, neighbours joined by a line.
    Line,
    /// Marks alone.
    Marks,
    /// Bars from the bottom, one for each whole number across.
    Bars,
}

impl Series {
    /// The states at each depth of a table.
    pub fn levels(name: &str, table: &LevelTable) -> Self {
        let levels = table.levels.iter().filter(|level| level.states > 0);
        let points = levels.map(|level| (f64::from(level.depth), level.states as f64));
        Self::line(name, points)
    }

    /// Figures joined by a line.
    pub fn line(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.to_owned(),
            points: points.into_iter().collect(),
            form: Form::Line,
        }
    }
}

/// A plot of series over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart<'a> {
    /// Name of the picture, for readers who cannot see it.
    pub title: &'a str,
    /// The axis across.
    pub across: Measure<'a>,
    /// The axis up.
    pub up: Measure<'a>,
    /// At most [`SERIES`] differ in shape and colour; further ones start again.
    pub series: Vec<Series>,
}

impl Chart<'_> {
    /// Draws the plot at a width and height in pixels.
    pub fn svg(&self, size: (u32, u32)) -> String {
        drawn(size, self.title, |root| self.draw(root, size))
    }

    fn draw(&self, root: &Area<'_>, size: (u32, u32)) -> Result<(), PlotError> {
        let figures = |side: fn(&(f64, f64)) -> f64| {
            let all = self.series.iter().flat_map(|series| &series.points);
            all.map(side).collect::<Vec<f64>>()
        };
        let (across, mut up) = (figures(|p| p.0), figures(|p| p.1));
        let are_bars = self.series.iter().any(|one| one.form == Form::Bars);
        if are_bars {
            // The height of a single state shows too.
            up.push(1.0);
        }
        let last = across.iter().copied().fold(0.0, f64::max);
        let mut across = Ladder::new(across.into_iter(), self.across.logarithmic);
        let up = Ladder::new(up.into_iter(), self.up.logarithmic);
        if are_bars {
            across.reach(-0.6, last + 0.6);
        }
        let mut chart = ChartBuilder::on(root)
            .margin(px(8))
            .x_label_area_size(px(46))
            .y_label_area_size(px(72))
            .build_cartesian_2d(
                axis(&across, size.0 as usize / 64),
                axis(&up, size.1 as usize / 40),
            )?;
        let mut mesh = chart.configure_mesh();
        if are_bars {
            mesh.disable_x_mesh();
        }
        inked(&mut mesh)
            .x_desc(self.across.name)
            .y_desc(self.up.name)
            .x_label_formatter(&|place| across.label(*place))
            .y_label_formatter(&|place| up.label(*place))
            .draw()?;
        for (index, series) in self.series.iter().enumerate() {
            let places = places(&series.points, &across, &up);
            let colour = COLOURS[index % SERIES].0;
            let is_line = series.form == Form::Line;
            if is_line {
                let style = colour.stroke_width(FINENESS * 2);
                chart.draw_series(LineSeries::new(places.iter().copied(), style))?;
            }
            // Dots on hundreds of levels would run into a band thicker than the line.
            let crowded = is_line && places.len() > 30;
            if series.form == Form::Bars {
                chart.draw_series(places.into_iter().map(|(x, y)| {
                    let corners = [(x - 0.4, up.range().start), (x + 0.4, y)];
                    Rectangle::new(corners, colour.filled())
                }))?;
            } else if !crowded {
                draw_marks(&mut chart, index, places, 4.0)?;
            }
        }
        root.present()
    }
}

const SIZE: (u32, u32) = (720, 400);
/// Where the key begins, from the right and from the top, and the height of its lines.
const KEY: (u32, u32, u32) = (250, 14, 20);

/// Bars of the number of states at each depth, at a width and height in pixels.
pub fn level_histogram_svg(
    table: &LevelTable,
    title: &str,
    unit: Unit,
    size: (u32, u32),
) -> String {
    let across = unit.distance();
    let chart = Chart {
        title,
        across: Measure::plain(&across),
        up: Measure {
            name: "positions",
            logarithmic: is_logarithmic(table),
        },
        series: vec![Series {
            form: Form::Bars,
            ..Series::levels("", table)
        }],
    };
    chart.svg(size)
}

/// Beyond this ratio of the smallest to the largest level, small ones would vanish on a plain axis.
const PLAIN_SPAN: f64 = 1000.0;

/// Whether the plot of a table has a logarithmic axis, for captions.
pub(crate) fn is_logarithmic(table: &LevelTable) -> bool {
    let counts = Series::levels("", table)
        .points
        .into_iter()
        .map(|point| point.1);
    let (least, most) = (counts.clone().reduce(f64::min), counts.reduce(f64::max));
    least
        .zip(most)
        .is_some_and(|(least, most)| most / least > PLAIN_SPAN)
}

/// A chart as a separate picture with its key inside.
pub fn keyed_svg(chart: &Chart<'_>) -> String {
    let drawn = chart.svg(SIZE);
    let key: String = (0..)
        .zip(&chart.series)
        .map(|(at, series)| key_line(at, &series.name))
        .collect();
    let body = drawn.strip_suffix("</svg>").unwrap_or(&drawn);
    standalone(&format!("{body}{key}</svg>"))
}

/// A line of the key: a stroke in the colour of the series, and its name.
fn key_line(at: u32, name: &str) -> String {
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

/// The mark of a series as a separate picture, for a key.
pub fn key_svg(series: usize) -> String {
    let size = (18, 18);
    let svg = drawn(size, "", |root| {
        let mut chart = ChartBuilder::on(root).build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
        draw_marks(&mut chart, series, vec![(0.5, 0.5)], 5.0)?;
        root.present()
    });
    svg.replace(" class=\"plot\"", "")
        .replace(" role=\"img\"", " aria-hidden=\"true\"")
}

fn axis(ladder: &Ladder, most: usize) -> Axis {
    Axis {
        range: ladder.range(),
        ticks: ladder.ticks(most.max(2)),
    }
}

fn places(points: &[(f64, f64)], across: &Ladder, up: &Ladder) -> Vec<(f64, f64)> {
    let place = |point: &(f64, f64)| Some((across.height(point.0)?, up.height(point.1)?));
    points.iter().filter_map(place).collect()
}

/// Draws discs, triangles, crosses or rings.
fn draw_marks<C: CoordTranslate<From = (f64, f64)>>(
    chart: &mut ChartContext<'_, SVGBackend<'_>, C>,
    series: usize,
    places: Vec<(f64, f64)>,
    radius: f64,
) -> Result<(), PlotError> {
    let size = radius * f64::from(FINENESS);
    let colour = COLOURS[series % SERIES].0;
    let (full, line) = (colour.filled(), colour.stroke_width(2 * FINENESS));
    let places = places.into_iter();
    match series % SERIES {
        0 => chart.draw_series(places.map(|place| Circle::new(place, size, full))),
        1 => chart.draw_series(places.map(|place| TriangleMarker::new(place, 1.4 * size, full))),
        2 => chart.draw_series(places.map(|place| Cross::new(place, size, line))),
        _ => chart.draw_series(places.map(|place| Circle::new(place, size, line))),
    }?;
    Ok(())
}
