//! Small figures against what can be counted by hand, and bad parameters.

use super::*;

fn value(what: &str, parameters: &[(&str, &str)]) -> Option<String> {
    let pairs = parameters.iter();
    let settings = pairs
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let figures = derive(what, &settings, Effort::Quick).expect("known");
    let value = figures.into_iter().find(|figure| figure.name == "value");
    value.map(|figure| figure.value)
}

#[test]
fn the_donkey_by_hand() {
    let donkey = ("board", "donkey");
    for (what, expected) in [
        ("pieces", "10"),
        ("types", "4"),
        ("symbols", "5"),
        ("string-length", "12"),
        ("big-pieces", "1"),
        ("big-types", "1"),
        ("empty", "2"),
        ("placements", "65880"),
    ] {
        assert_eq!(value(what, &[donkey]).as_deref(), Some(expected), "{what}");
    }
    // Each of the four small squares has two moves: i right 1 or 2, g down 1 or round the
    // corner under h, and the mirror images of these.
    let first = [donkey, ("from", "0"), ("to", "1")];
    assert_eq!(value("levels", &first).as_deref(), Some("1, 8"));
    let all = [donkey, ("figure", "positions")];
    assert_eq!(value("complete", &all).as_deref(), Some("25955"));
}

/// Climb 12, of 7.7 million positions, takes minutes: `--example figures -- twins
/// board=climb-12 full`.
#[test]
fn variants_agree_on_all_of_two_boards() {
    for (board, metric) in [
        ("donkey", "piece"),
        ("donkey", "line"),
        ("donkey", "step"),
        ("block-10-v11", "piece"),
    ] {
        let given = [("board", board), ("metric", metric)];
        assert_eq!(
            value("twins", &given).as_deref(),
            Some("true"),
            "{board} {metric}"
        );
    }
    assert_eq!(value("twins", &[("board", "climb-12")]), None);
}

#[test]
fn a_bound_that_complete_levels_pass_is_refuted() {
    let of = |most: &str| {
        let settings = Settings::from([
            ("board".to_owned(), "donkey".to_owned()),
            ("at-most".to_owned(), most.to_owned()),
        ]);
        let figures = derive("length", &settings, Effort::Quick).expect("known");
        let figure = |name: &str| {
            let found = figures.iter().find(|figure| figure.name == name);
            found.map(|figure| figure.value.clone())
        };
        (figure("value"), figure("verdict"))
    };
    // Solved in 81: a bound of 80 is passed, and one of 81 is met before it is passed.
    let refuted = (Some("more than 80".to_owned()), Some("refuted".to_owned()));
    assert_eq!(of("80"), refuted);
    assert_eq!(of("81"), (Some("81".to_owned()), None));
    assert_eq!(of("300"), (Some("81".to_owned()), None));
}

#[test]
fn what_is_out_of_reach_has_no_value() {
    assert_eq!(value("length", &[("board", "climb-15")]), None);
    assert_eq!(value("placements", &[]), None);
    assert_eq!(value("levels", &[("from", "140"), ("to", "152")]), None);
}

#[test]
fn bad_parameters_are_named() {
    for (what, key, given, wanted) in [
        ("heights", "", "", "use one of pieces"),
        ("page", "board", "donkey", "takes no parameters"),
        ("pieces", "metric", "step", "use board"),
        ("pieces", "board", "climb-99", "climb-99"),
        ("length", "metric", "knight", "piece (one piece"),
        ("levels", "to", "far", "whole number"),
        ("length", "at-most", "-1", "whole number"),
        ("top-levels", "unit", "GB", "TB, TiB"),
        ("neighbours", "figure", "all", "kept"),
    ] {
        let mut settings = Settings::new();
        if !key.is_empty() {
            settings.insert(key.to_owned(), given.to_owned());
        }
        let error = derive(what, &settings, Effort::Quick).expect_err("bad input");
        assert!(error.0.contains(wanted), "{error}");
        assert!(!error.0.contains('\n'), "{error}");
    }
}
