use puzzle_api::{Effort, Settings};

use super::{NAMES, derive};

fn figure(what: &str, pairs: &[(&str, &str)], name: &str) -> String {
    let parameters: Settings = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    let figures = derive(what, &parameters, Effort::Quick).unwrap();
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
fn unknown_names_and_parameters_are_refused() {
    let refused = |what: &str, pairs: &[(&str, &str)]| {
        let parameters: Settings = pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        let error = derive(what, &parameters, Effort::Quick).unwrap_err().0;
        assert!(!error.contains('\n'));
        error
    };
    assert!(refused("size", &[]).starts_with("peg-solitaire derives no 'size'"));
    assert!(refused("holes", &[("to", "0:0")]).starts_with("holes takes no parameter 'to'"));
    assert!(refused("hash", &[("count", "0")]).starts_with("hash: count=0 is out of range"));
    assert!(refused("solution", &[("name", "x")]).starts_with("solution: name=x is unknown"));
    assert!(refused("game-over", &[("from", "9:9")]).starts_with("from: 9:9 is off the board"));
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
fn a_finish_leaves_the_symmetries_that_keep_it() {
    assert_eq!(value("symmetries", &[]), "8");
    assert_eq!(value("symmetries", &[("to", "0:1")]), "2");
}

#[test]
fn methods_are_told_on_from_off() {
    let tried = |pairs: &[(&str, &str)]| value("search", pairs);
    let small = [("most", "20000")];
    let number: u64 = tried(&small).parse().unwrap();
    assert!((39..20_000).contains(&number));
    let unordered = tried(&[("most", "20000"), ("order", "off")]);
    assert_eq!(unordered, "more than 20000");
    assert_eq!(value("two-boards", &[]), "true");
    assert_eq!(value("two-boards", &[("board", "english-33")]), "true");
    // The centre of the French board has no solution, so that no order helps.
    assert_eq!(
        tried(&[("board", "french-37"), ("from", "0:0"), ("most", "500")]),
        "more than 500"
    );
}
