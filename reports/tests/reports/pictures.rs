//! Boards and plots as SVG.

use crate::sample::{self, has, table};
use antipode_reports::csv_in::read_levels;
use antipode_reports::html::{ExplorePage, explore_html};
use antipode_reports::model::{Legend, LegendEntry, LevelTable, Shape, Unit};
use antipode_reports::plot::chart::{Chart, Measure, Series};
use antipode_reports::plot::{keyed_svg, level_histogram_svg};
use antipode_reports::svg::{
    BitGrid, FirstBit, Style, bits_svg, board_svg, standalone, step_svg, strip_svg, weighed_svg,
};
use proptest::prelude::*;
use std::path::Path;
use std::{env, fs};

fn style(title: &str) -> Style {
    Style::new(20, title)
}

fn entry(symbol: char, shape: Shape, colour: &str) -> LegendEntry {
    LegendEntry {
        symbol,
        name: String::new(),
        shape,
        colour: colour.to_owned(),
    }
}

/// A legend of some symbols, and `.` as floor.
fn legend<const N: usize>(entries: [LegendEntry; N]) -> Legend {
    let mut entries = entries.to_vec();
    entries.push(entry('.', Shape::Empty, ""));
    Legend { entries, net: None }
}

fn readable(svg: &str) -> String {
    svg.replace("><", ">\n<")
}

#[test]
fn a_tilt_board() {
    let svg = board_svg("#.g/.O./b..", &sample::tilt(), style("A board"));
    insta::assert_snapshot!(readable(&svg));
}

#[test]
fn a_board_of_pieces_that_cover_several_cells() {
    let legend = legend([
        entry('#', Shape::Outside, ""),
        entry('a', Shape::Merge, "#c9a66b"),
        entry('w', Shape::Wall, "#444444"),
        entry('o', Shape::Disc, "#884422"),
    ]);
    let svg = board_svg("#.#/aaw/a.o", &legend, style("Pieces"));
    insta::assert_snapshot!(readable(&svg));
}

#[test]
fn pieces_of_one_symbol_that_do_not_touch_are_two() {
    let legend = legend([entry('a', Shape::Merge, "#c9a66b")]);
    let svg = board_svg("a.a", &legend, style(""));
    assert_eq!(svg.matches(">a</text>").count(), 2);
}

/// Number of shapes of a picture with a colour.
fn coloured(svg: &str, variable: &str) -> usize {
    svg.matches(variable).count()
}

#[test]
fn what_moved_is_outlined_and_where_it_was_is_dotted() {
    let tilt = sample::tilt();
    let step = |before, after| step_svg(before, after, &tilt, style("Step"));
    let svg = step("#.g/.O./b..", "#g./.O./b..");
    assert_eq!(svg.matches("class=\"moved\"").count(), 1);
    assert_eq!(svg.matches("<circle").count(), 2, "the hole, and a dot");
    assert_eq!(coloured(&step("#.g/.O.", "#.g/.O."), "--board-moved"), 0);
    // A piece of several cells is one piece, outlined whole, with a dot in its former place.
    let legend = legend([entry('A', Shape::Merge, "#c9a66b")]);
    let svg = step_svg("AA..", ".AA.", &legend, style(""));
    let count = |part| svg.matches(part).count();
    assert_eq!([count("class=\"moved\""), count("<circle")], [1, 1]);
}

#[test]
fn weights_shade_their_cells_and_other_than_one_are_written() {
    let svg = weighed_svg("#.g", &[0, 1, -2], &sample::tilt(), style("Weighed"));
    assert_eq!(coloured(&svg, "--board-tint"), 1);
    assert!(svg.contains(">-2</text>") && !svg.contains(">1</text>"));
}

#[test]
fn bits_that_differ_are_told_apart() {
    let grid = BitGrid {
        columns: 4,
        rows: 2,
        first: FirstBit::TopRight,
    };
    let squares = |svg: &str| -> Vec<usize> {
        svg.split(" d=\"")
            .skip(1)
            .map(|path| path.split('"').next().unwrap().matches('z').count())
            .collect()
    };
    // Of eight bits: off, right, too many, missing.
    let svg = bits_svg(0b0011, 0b0110, grid, &style("Bits"));
    assert_eq!(squares(&svg), [5, 1, 1, 1]);
    let all = bits_svg(0xff, 0xff, grid, &style("All"));
    assert_eq!(squares(&all), [0, 8, 0, 0]);
}

#[test]
fn a_picture_of_its_own_has_colours_for_light_and_dark() {
    let svg = standalone(&board_svg("#.g", &sample::tilt(), style("Alone")));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("--board-floor:") && svg.contains("prefers-color-scheme:dark"));
}

#[test]
fn a_strip_names_each_board_by_its_move() {
    let states = ["g.O", "..O"].map(str::to_owned);
    let strip = strip_svg(&states, &sample::tilt(), &style("Solution"));
    has(&strip[0], &["<title>Solution: start</title>"]);
    has(&strip[1], &["<title>after move 1</title>"]);
}

#[test]
fn titles_and_colours_cannot_break_out() {
    let legend = legend([entry('x', Shape::Block, "\"/><script>")]);
    let svg = board_svg("x<", &legend, style("</title><script>"));
    assert!(!svg.contains("<script"), "{svg}");
    let plot = level_histogram_svg(
        &LevelTable::default(),
        "</title><script>",
        Unit::Moves,
        SIZE,
    );
    assert!(!plot.contains("<script"), "{plot}");
}

const SIZE: (u32, u32) = (560, 340);

#[test]
fn a_small_plot() {
    let levels = table(&[1, 4, 9, 2]);
    let svg = level_histogram_svg(&levels, "Four levels", Unit::Moves, (300, 200));
    insta::assert_snapshot!(svg);
}

#[test]
fn a_wide_span_gets_a_logarithmic_axis() {
    let labels = |counts: &[u128]| {
        let svg = level_histogram_svg(&table(counts), "", Unit::Moves, SIZE);
        let texts = svg.lines().filter(|line| !line.starts_with('<'));
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(labels(&[1, 5_000_000]).contains(&"10⁶".to_owned()));
    let is_raised = |label: &String| label.starts_with("10") && label.contains('⁶');
    assert!(!labels(&[1, 500]).iter().any(is_raised));
}

#[test]
fn every_level_has_a_bar_of_its_own() {
    let svg = level_histogram_svg(&table(&[1, 20, 300, 4_000, 50, 1]), "", Unit::Moves, SIZE);
    assert_eq!(svg.matches("--plot-1").count(), 6);
    let is_flat = svg.contains("height=\"0\"");
    assert!(!is_flat, "a level of one state must show");
}

#[test]
fn plots_take_their_ink_from_the_page() {
    let svg = level_histogram_svg(&table(&[1, 2]), "", Unit::Moves, SIZE);
    assert!(svg.contains("currentColor"));
    for fixed in ["#000000", "#010203", "#010901", "#FFFFFF"] {
        assert!(!svg.contains(fixed), "{fixed}");
    }
}

proptest! {
    #[test]
    fn any_board_is_drawn(state in "[a-z#./ ]{0,60}", cell_px in 0..60u32) {
        let svg = board_svg(&state, &sample::tilt(), Style::new(cell_px, "any"));
        prop_assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        prop_assert!(!svg.contains("NaN"));
    }

    #[test]
    fn any_table_is_plotted(counts in prop::collection::vec(any::<u128>(), 0..300), width in 0..900u32) {
        let svg = level_histogram_svg(&table(&counts), "any", Unit::Moves, (width, 200));
        prop_assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    }
}

#[test]
fn an_exit_is_marked_beside_its_piece_and_named() {
    let mut car = entry('A', Shape::Merge, "#d0342c");
    car.name = "red car".to_owned();
    let mut exit = entry('A', Shape::Exit, "#d0342c");
    exit.name = "exit".to_owned();
    let mut other = entry('B', Shape::Merge, "#3b82c4");
    other.name = "piece B".to_owned();
    let legend = legend([car, exit, other]);
    let board = "B.../B.AA/....";
    let svg = board_svg(board, &legend, style("A board"));
    // Four cells of width 20: the gate is at the right edge of the second row.
    assert!(svg.contains("<path d=\"M80 21.6v16.8\" fill=\"none\" stroke=\"#d0342c\""));
    let without = board_svg("B.../B.../....", &legend, style("A board"));
    assert!(!without.contains("#d0342c"), "{without}");
    let page = ExplorePage {
        instance: Some("cars/one".to_owned()),
        legend,
        ..ExplorePage::default()
    };
    let page = explore_html(&page).unwrap();
    let key = &page[page.find("<ul class=\"key\"").unwrap()..];
    let key = &key[..key.find("</ul>").unwrap()];
    assert!(key.contains("</svg> red car</li>") && key.contains("</svg> exit</li>"));
    assert!(!key.contains("piece B"));
    let painted = page.matches("data-symbol=\"A\"").count();
    assert_eq!(painted, 1, "an exit is nothing to paint");
}

/// The plot in the README of Rush Hour is that of the tables next to it.
#[test]
fn the_plot_of_the_censuses_is_that_of_their_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../puzzles/blocks/measured/rush-hour");
    let line = |(name, run): (&str, &str)| {
        let table = read_levels(folder.join(run).join("levels.csv")).unwrap();
        Series::levels(name, &table)
    };
    let series = [
        ("no walls, in moves", "6x6-move"),
        ("no walls, in steps", "6x6-step"),
        ("one wall, in moves", "6x6-wall-move"),
        ("one wall, in steps", "6x6-wall-step"),
    ]
    .map(line);
    let drawn = keyed_svg(&Chart {
        title: "Rush Hour on 6x6: positions at each distance",
        across: Measure::plain("moves or steps"),
        up: Measure::logarithmic("positions"),
        series: series.to_vec(),
    });
    let file = folder.join("levels.svg");
    if env::var_os("ANTIPODE_RENEW_PLOT").is_some() {
        fs::write(&file, &drawn).unwrap();
    }
    assert!(
        drawn == fs::read_to_string(&file).unwrap(),
        "{} is stale: ANTIPODE_RENEW_PLOT=1 draws it anew",
        file.display()
    );
}
