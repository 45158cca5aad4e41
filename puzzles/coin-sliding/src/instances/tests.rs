use super::*;

fn try_open(instance: &str, pairs: &[(&str, &str)]) -> Result<Instance, BadInput> {
    let settings = &puzzle_api::settings(pairs);
    open(&Request { instance, settings })
}

fn error(instance: &str, pairs: &[(&str, &str)]) -> String {
    try_open(instance, pairs).unwrap_err().0
}

#[test]
fn a_wrong_instance_or_setting_is_refused_by_name() {
    assert!(error("5x8", &[]).contains("use 5x7, 5x9 or custom"));
    assert!(error("5x7", &[("width", "4")]).contains("no setting 'width': coin-sliding/5x7 takes"));
    assert!(error("custom", &[("size", "4")]).contains("takes width, height, coins"));
    assert!(error("custom", &[("coins", "six")]).starts_with("coins=six is no number"));
    assert!(error("custom", &[("width", "9"), ("height", "8")]).contains("72 cells"));
    assert!(error("5x7", &[("to", "a")]).starts_with("to=a: 'a' is no glyph: did you mean A?"));
    assert!(error("custom", &[("to", "A")]).contains("names no boards"));
}

#[test]
fn boards_are_read_by_name_or_by_rows() {
    let small = try_open("5x7", &[]).unwrap();
    let slash = "....o/...oo/..oo./..o../.oo../oo.../oo...";
    assert_eq!(small.parse("slash"), small.parse(slash));
    assert_eq!(small.parse("/"), small.parse(slash));
    assert_eq!(small.names().len(), 37);
    let few = small
        .parse("ooooo/...../...../...../...../...../.....")
        .unwrap_err()
        .0;
    assert!(few.contains("has 5 coin(s), 12 are needed: add 7"));
    assert!(small.parse("  ").unwrap_err().0.contains("empty text"));
    let row = try_open("custom", &[("width", "5"), ("height", "1"), ("coins", "3")]).unwrap();
    assert_eq!(row.parse("oo.o."), Ok(0b01011));
}

#[test]
fn symmetries_keep_start_and_goal() {
    let kept = |pairs: &[(&str, &str)]| try_open("5x7", pairs).unwrap().symmetries;
    assert_eq!(kept(&[]), [0]);
    assert_eq!(kept(&[("from", "A")]), [0, 1]);
    assert_eq!(kept(&[("to", "B")]), [0, 2]);
    assert_eq!(kept(&[("from", "A"), ("to", "B")]), [0]);
    assert_eq!(kept(&[("from", "A"), ("to", "H")]), [0, 1]);
    assert_eq!(kept(&[("to", "O")]), [0, 1, 2, 3]);
    // M and W are each other upside down.
    assert_eq!(kept(&[("to", "M,W")]), [0, 1, 2, 3]);
    assert_eq!(kept(&[("to", "M")]), [0, 1]);
    let square = try_open("custom", &[("to", ".oo./...o/...o/.oo.")]).unwrap();
    assert_eq!(square.symmetries, [0, 2]);
    let ring = try_open("custom", &[("coins", "8"), ("to", ".oo./o..o/o..o/.oo.")]).unwrap();
    assert_eq!(ring.symmetries, [0, 1, 2, 3, 4, 5, 6, 7]);
    // On one row, top and bottom are the same.
    let pairs = [
        ("width", "4"),
        ("height", "1"),
        ("coins", "2"),
        ("to", "o..o"),
    ];
    assert_eq!(try_open("custom", &pairs).unwrap().symmetries, [0, 1]);
}

#[test]
fn several_goals_are_listed_once_each() {
    let goals = try_open("5x7", &[("to", "B,A,B")]).unwrap().goals;
    assert_eq!(goals.len(), 2);
    assert!(goals.is_sorted());
}
