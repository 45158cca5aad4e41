//! Boards and plots as SVG.

use crate::sample;
use antipode_reports::model::{Legend, LegendEntry, Level, LevelTable, Shape};
use antipode_reports::plot::{level_histogram_svg, level_histogram_svg_sized};
use antipode_reports::svg::{Style, board_svg, strip_svg};
use proptest::prelude::*;

fn style(title: &str) -> Style {
    Style {
        cell_px: 20,
        title: title.to_owned(),
    }
}

fn entry(symbol: char, shape: Shape, colour: &str) -> LegendEntry {
    LegendEntry {
        symbol,
        name: String::new(),
        shape,
        colour: colour.to_owned(),
    }
}

fn readable(svg: &str) -> String {
    svg.replace("><", ">\n<")
}

#[test]
fn a_tilt_board() {
    insta::assert_snapshot!(readable(&board_svg(
        "#.g/.O./b..",
        &sample::tilt(),
        style("A board")
    )));
}

#[test]
fn a_board_of_pieces_that_cover_several_cells() {
    let legend = Legend {
        entries: vec![
            entry('#', Shape::Outside, ""),
            entry('a', Shape::Merge, "#c9a66b"),
            entry('w', Shape::Wall, "#444444"),
            entry('o', Shape::Disc, "#884422"),
            entry('.', Shape::Empty, ""),
        ],
    };
    insta::assert_snapshot!(readable(&board_svg(
        "#.#/aaw/a.o",
        &legend,
        style("Pieces")
    )));
}

#[test]
fn pieces_of_one_symbol_that_do_not_touch_are_two() {
    let legend = Legend {
        entries: vec![
            entry('a', Shape::Merge, "#c9a66b"),
            entry('.', Shape::Empty, ""),
        ],
    };
    let svg = board_svg("a.a", &legend, style(""));
    assert_eq!(svg.matches(">a</text>").count(), 2);
}

#[test]
fn a_strip_puts_each_move_before_the_board_it_leads_to() {
    let states = ["g.O", "..O"].map(str::to_owned);
    let strip = strip_svg(
        &states,
        &["right".to_owned()],
        &sample::tilt(),
        style("Solution"),
    );
    let labels: Vec<_> = strip.iter().map(|step| step.label.as_deref()).collect();
    assert_eq!(labels, [None, Some("right")]);
    assert!(
        strip[1]
            .svg
            .contains("<title>Solution: after move 1, right</title>")
    );
}

#[test]
fn a_strip_with_too_few_labels_still_shows_every_board() {
    let states = ["g.O", "..O", "..O"].map(str::to_owned);
    assert_eq!(strip_svg(&states, &[], &sample::tilt(), style("")).len(), 3);
}

#[test]
fn titles_and_colours_cannot_break_out() {
    let legend = Legend {
        entries: vec![entry('x', Shape::Block, "\"/><script>")],
    };
    let svg = board_svg("x<", &legend, style("</title><script>"));
    assert!(!svg.contains("<script"), "{svg}");
    let plot = level_histogram_svg(&LevelTable::default(), "</title><script>");
    assert!(!plot.contains("<script"), "{plot}");
}

fn table(counts: &[u128]) -> LevelTable {
    let level = |(depth, &states): (u32, &u128)| Level {
        depth,
        states,
        orbits: states,
        digest: "0".repeat(32),
    };
    LevelTable {
        levels: (0..).zip(counts).map(level).collect(),
        unsolvable: None,
    }
}

#[test]
fn a_small_plot() {
    insta::assert_snapshot!(level_histogram_svg_sized(
        &table(&[1, 4, 9, 2]),
        "Four levels",
        (300, 200)
    ));
}

#[test]
fn a_wide_span_gets_a_logarithmic_axis() {
    let labels = |counts: &[u128]| {
        let svg = level_histogram_svg(&table(counts), "");
        let texts = svg
            .lines()
            .filter(|line| !line.starts_with('<'))
            .map(str::to_owned);
        texts.collect::<Vec<_>>()
    };
    assert!(labels(&[1, 5_000_000]).contains(&"10⁴".to_owned()));
    assert!(
        !labels(&[1, 500])
            .iter()
            .any(|label| label.starts_with("10") && label.contains('⁴'))
    );
}

#[test]
fn every_level_has_a_bar_of_its_own() {
    let svg = level_histogram_svg(&table(&[1, 20, 300, 4_000, 50, 1]), "");
    assert_eq!(svg.matches("#4a86b8").count(), 6);
    assert!(
        !svg.contains("height=\"0\""),
        "a level of one state must show"
    );
}

#[test]
fn plots_take_their_ink_from_the_page() {
    let svg = level_histogram_svg(&table(&[1, 2]), "");
    assert!(svg.contains("currentColor"));
    for fixed in ["#000000", "#010203", "#040506", "#FFFFFF"] {
        assert!(!svg.contains(fixed), "{fixed}");
    }
}

proptest! {
    #[test]
    fn any_board_is_drawn(state in "[a-z#./ ]{0,60}", cell_px in 0..60u32) {
        let svg = board_svg(&state, &sample::tilt(), Style { cell_px, title: "any".into() });
        prop_assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
        prop_assert!(!svg.contains("NaN"));
    }

    #[test]
    fn any_table_is_plotted(counts in prop::collection::vec(any::<u128>(), 0..300), width in 0..900u32) {
        let svg = level_histogram_svg_sized(&table(&counts), "any", (width, 200));
        prop_assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
    }
}
