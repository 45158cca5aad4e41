use super::*;
use puzzle_api::Settings;

fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn open_with(instance: &str, pairs: &[(&str, &str)]) -> Result<Instance, BadInput> {
    open(&Request {
        instance,
        settings: &settings(pairs),
    })
}

fn refused(instance: &str, pairs: &[(&str, &str)]) -> String {
    open_with(instance, pairs).unwrap_err().0
}

fn box_refuses(text: &str) -> String {
    open_with("box", &[]).unwrap().parse(text).unwrap_err().0
}

#[test]
fn every_instance_of_the_list_opens_and_its_start_parses_by_name() {
    for info in about().instances {
        let instance = open_with(&info.name, &[]).unwrap();
        if let Some(start) = instance.start() {
            assert_eq!(instance.parse(&info.name).unwrap(), start);
        }
    }
    assert_eq!(about().instances.len(), 44);
}

#[test]
fn the_box_holds_every_card_and_one_reading_of_the_thesis() {
    let whole = open_with("box", &[]).unwrap();
    for number in 1..=40 {
        whole.parse(&format!("card-{number}")).unwrap();
    }
    assert!(whole.parse("thesis-b").is_ok());
    let error = whole.parse("thesis-a").unwrap_err().0;
    assert_eq!(
        error,
        "row 5, column 3: green block number 3, but tilt/box holds 0 to 2: remove 1"
    );
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
fn unknown_names_and_settings_are_refused() {
    assert!(refused("crate", &[]).starts_with("no instance tilt/crate: use box"));
    assert!(refused("card-41", &[]).starts_with("no instance tilt/card-41"));
    assert!(refused("card-07", &[]).starts_with("no instance"));
    assert!(refused("card-7", &[("grey", "1")]).starts_with("tilt/card-7 takes no settings"));
    assert!(refused("box", &[("red", "1")]).starts_with("no setting 'red'"));
}

#[test]
fn ranges_are_checked() {
    assert_eq!(
        refused("box", &[("grey", "7..9")]),
        "grey=7..9 is out of range: the box holds 0 to 6 grey blocks, so write grey=A..B within 0..6"
    );
    assert!(refused("box", &[("grey", "0..7")]).contains("out of range"));
    assert!(refused("box", &[("blue", "3..1")]).ends_with("blue=1..3"));
    assert!(refused("box", &[("blue", "some")]).contains("is no range"));
    assert!(refused("box", &[("blue", "-1")]).contains("is no range"));
    assert!(refused("box", &[("blue", "1..2..3")]).contains("is no range"));
    assert!(refused("box", &[("green", "1..2")]).contains("must start at 0, since"));
    let narrow = open_with(
        "box",
        &[("grey", "2"), ("blue", " 1..3 "), ("green", "0..1")],
    );
    let limits = narrow.unwrap().limits();
    assert_eq!(limits.grey, Span::new(2, 2));
    assert_eq!(limits.blue, Span::new(1, 3));
    assert_eq!(limits.green, Span::new(0, 1));
}

#[test]
fn too_many_blocks_are_named_by_square() {
    assert!(box_refuses("ggg../...../..O../...../.....").starts_with("row 1, column 3: green"));
    assert!(box_refuses("#####/##.../..O../...../.....").starts_with("row 2, column 2: grey"));
    assert!(box_refuses("bbbb./...../..O../...../....b").starts_with("row 5, column 5: blue"));
    assert!(box_refuses("").contains("empty text"));
    assert!(box_refuses("nowhere").contains("neither a board nor the name of one"));
}

#[test]
fn a_card_takes_boards_of_its_own_graph_only() {
    let card = open_with("card-2", &[]).unwrap();
    assert!(card.parse("#..../...../..O../b..../.....").is_ok());
    assert!(card.parse("....#/...../..O../b..../.....").is_ok());
    let error = |text: &str| card.parse(text).unwrap_err().0;
    assert!(error(".#.../...../..O../b..../.....").starts_with("the grey blocks stand elsewhere"));
    assert!(error("#..../...../..O../...../.....").contains("needs 1 to 1: add 1"));
    assert!(error("#gg../...../..O../b..../.....").contains("holds 0 to 1: remove 1"));
}

#[test]
fn the_box_has_as_many_placements_as_the_printed_sum_says() {
    let mut sum = 0_u64;
    for a in 0..=6 {
        for b in 0..=4 {
            for c in 0..=2 {
                sum += binomial(24, a) * binomial(24 - a, b) * binomial(24 - a - b, c);
            }
        }
    }
    assert_eq!(open_with("box", &[]).unwrap().placements(), sum);
}
