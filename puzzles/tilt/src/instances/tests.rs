use super::*;

fn open_with(instance: &str, pairs: &[(&str, &str)]) -> Result<Instance, BadInput> {
    let settings = &puzzle_api::settings(pairs);
    open(&Request { instance, settings })
}

#[test]
fn the_box_holds_every_card_and_one_reading_of_the_thesis() {
    let whole = open_with("box", &[]).unwrap();
    for number in 1..=40 {
        whole.parse(&format!("card-{number}")).unwrap();
    }
    assert!(whole.parse("thesis-b").is_ok());
}

#[test]
fn the_two_readings_differ_in_one_square() {
    let (a, b) = (
        named_board("thesis-a").unwrap(),
        named_board("thesis-b").unwrap(),
    );
    let different: Vec<_> = (0..SQUARES).filter(|&s| a[s] != b[s]).collect();
    assert_eq!(different, [22]);
    // The encoding printed after the rotation (0 empty, 1 green, 2 blue, 3 grey), read literally,
    // is b turned clockwise: mirror top and bottom, then swap.
    let printed = "....#/###../bgO#./..#bg/b.b..";
    assert_eq!(board::draw(&board::image(&b, 2 | 4)), printed);
}

#[test]
fn names_settings_and_ranges_are_checked() {
    for (instance, pairs, said) in [
        ("crate", &[][..], "no instance tilt/crate: use box"),
        ("card-41", &[], "no instance tilt/card-41"),
        ("card-07", &[], "no instance"),
        ("card-7", &[("grey", "1")], "tilt/card-7 takes no settings"),
        ("box", &[("red", "1")], "no setting 'red'"),
        (
            "box",
            &[("grey", "7..9")],
            "grey=7..9 is out of range: the box holds 0 to 6 grey blocks, so write grey=A..B within 0..6",
        ),
        ("box", &[("grey", "0..7")], "out of range"),
        (
            "box",
            &[("blue", "3..1")],
            "write the smaller number first, blue=1..3",
        ),
        ("box", &[("blue", "some")], "is no range"),
        ("box", &[("blue", "-1")], "is no range"),
        ("box", &[("blue", "1..2..3")], "is no range"),
        ("box", &[("green", "1..2")], "must start at 0, since"),
    ] {
        let refused = open_with(instance, pairs).unwrap_err().0;
        assert!(refused.contains(said), "{instance} {pairs:?}: {refused}");
    }
    let narrow = [("grey", "2"), ("blue", " 1..3 "), ("green", "0..1")];
    let limits = open_with("box", &narrow).unwrap().limits();
    let spans = [limits.grey, limits.blue, limits.green];
    assert_eq!(spans, [Span::new(2, 2), Span::new(1, 3), Span::new(0, 1)]);
}

#[test]
fn boards_outside_an_instance_are_refused_by_place() {
    let card = open_with("card-2", &[]).unwrap();
    assert!(card.parse("#..../...../..O../b..../.....").is_ok());
    assert!(card.parse("....#/...../..O../b..../.....").is_ok());
    for (instance, board, said) in [
        (
            "box",
            "ggg../...../..O../...../.....",
            "row 1, column 3: green",
        ),
        (
            "box",
            "#####/##.../..O../...../.....",
            "row 2, column 2: grey",
        ),
        (
            "box",
            "bbbb./...../..O../...../....b",
            "row 5, column 5: blue",
        ),
        ("box", "", "empty text"),
        ("box", "nowhere", "neither a board nor the name of one"),
        (
            "box",
            "thesis-a",
            "row 5, column 3: green block number 3, but tilt/box holds 0 to 2: remove 1",
        ),
        (
            "card-2",
            ".#.../...../..O../b..../.....",
            "the grey blocks stand elsewhere",
        ),
        (
            "card-2",
            "#..../...../..O../...../.....",
            "needs 1 to 1: add 1",
        ),
        (
            "card-2",
            "#gg../...../..O../b..../.....",
            "holds 0 to 1: remove 1",
        ),
    ] {
        let refused = open_with(instance, &[]).unwrap().parse(board);
        let refused = refused.unwrap_err().0;
        assert!(refused.contains(said), "{instance} {board}: {refused}");
    }
}
