use puzzle_api::{Effort, settings};

use super::{NAMES, derive};

fn figure(what: &str, pairs: &[(&str, &str)], name: &str) -> String {
    let figures = derive(what, &settings(pairs), Effort::Quick).unwrap();
    let found = figures.iter().find(|figure| figure.name == name);
    found.unwrap().value.clone()
}

fn value(what: &str, pairs: &[(&str, &str)]) -> String {
    figure(what, pairs, "value")
}

#[test]
fn every_name_has_a_value_by_default() {
    for (name, _) in NAMES {
        assert!(!value(name, &[]).is_empty(), "{name}");
    }
}

#[test]
fn a_layout_has_rows_and_columns() {
    for what in ["layout", "move-formula", "undo"] {
        let pairs = settings(&[("board", "triangle-15")]);
        let error = derive(what, &pairs, Effort::Quick).unwrap_err().0;
        let start = "triangle-15: a layout has rows and columns";
        assert!(error.starts_with(start) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn neighbours_are_those_on_a_line_of_the_board() {
    for board in ["diamond-41", "triangle-15"] {
        let over = |figure| value("game-over", &[("board", board), ("figure", figure)]);
        assert_eq!(
            (over("if"), over("only-if")),
            ("true".into(), "false".into()),
            "{board}"
        );
    }
}

#[test]
fn a_layout_that_does_not_keep_jumps_is_found_out() {
    assert_eq!(value("layout", &[]), "true");
    // Wide enough for different bits, too narrow for a boundary.
    assert_eq!(value("layout", &[("right", "12")]), "false");
    assert_ne!(figure("layout", &[("right", "12")], "false jumps"), "0");
    assert_eq!(value("layout", &[("right", "1")]), "false");
}

#[test]
fn methods_gain_what_they_are_said_to() {
    let gain = |method: &str, most: &str| {
        let pairs = [("method", method), ("most", most)];
        value("search-gain", &pairs).parse::<f64>().unwrap()
    };
    for method in ["order", "five-left"] {
        assert!(gain(method, "20000") > 2.0, "{method}");
    }
    assert_eq!(
        figure("search-gain", &[("most", "20000")], "bound"),
        "below"
    );
    assert_eq!(value("undo", &[]), "true");
    assert_eq!(value("two-boards", &[]), "true");
    assert_eq!(value("two-boards", &[("board", "english-33")]), "true");
}

#[test]
fn without_a_solution_nothing_is_gained() {
    // The centre of the French board has no solution, so no order helps.
    let pairs = [("board", "french-37"), ("from", "0:0"), ("most", "500")];
    let figures = derive("search-gain", &settings(&pairs), Effort::Quick).unwrap();
    assert!(figures.iter().all(|figure| figure.name != "value"));
}
