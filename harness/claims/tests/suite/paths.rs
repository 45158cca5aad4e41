//! Claims about paths: a printed one that is invalid, and searches that end early.

use antipode_reports::model::{PictureKind, Verdict};

use crate::alone;

/// A shortest solution of Tilt's seventh card.
const SOLUTION: &str =
    "right, up, left, down, left, up, right, down, right, up, right, down, left, up, right";

/// Verdict, figure found and remarks of a claim about the seventh card.
fn card_7(lines: &str) -> (Verdict, String, String) {
    let lines = format!("instance = \"card-7\"\n{lines}");
    let result = alone("tilt", &lines).expect("a good claim").result;
    (result.verdict, result.found, result.notes.join(" "))
}

/// The claim that a path is a solution of at most 15 moves.
fn printed(path: &str) -> String {
    format!("kind = \"length\"\nclaimed = 15\ncompare = \"at-most\"\npath = \"{path}\"")
}

#[test]
fn a_published_path_that_solves_is_confirmed_and_one_that_does_not_refuted() {
    let (verdict, found, _) = card_7(&printed(SOLUTION));
    assert_eq!((verdict, found.as_str()), (Verdict::Confirmed, "15"));
    let (verdict, found, note) = card_7(&printed("right, up, left"));
    assert_eq!(
        (verdict, found.as_str()),
        (Verdict::Refuted, "a path that ends elsewhere")
    );
    let end = "The published path ends at #.##g/b..../..O../...../..... after 3 moves, which is not solved.";
    assert_eq!(note, end);
}

/// Other lines of templates are run where the command is tested.
#[test]
fn the_path_of_a_template_is_confirmed() {
    let template = antipode_claims::template("length").expect("a template");
    let path = template.lines().find_map(|line| line.strip_prefix("#path"));
    let lines = format!(
        "kind = \"length\"\ninstance = \"card-1\"\nclaimed = 9\ncompare = \"at-most\"\npath{}",
        path.expect("a path")
    );
    let result = alone("rush-hour", &lines).expect("a good claim").result;
    assert_eq!(result.verdict, Verdict::Confirmed, "{}", result.found);
}

#[test]
fn a_published_path_against_the_rules_is_refuted_where_it_breaks() {
    let (verdict, found, note) = card_7(&printed("right, up, up, left"));
    assert_eq!(
        (verdict, found.as_str()),
        (Verdict::Refuted, "a path that breaks at move 3")
    );
    let line = "The published path breaks at move 3: 'up' is no move at #.##g/....b/..O../...../....., where there are";
    assert!(note.starts_with(line), "{note}");
    let lines = format!("instance = \"card-7\"\n{}", printed("right, up, up, left"));
    let shown = alone("tilt", &lines).expect("a good claim").result;
    let PictureKind::Strip { states, labels } = &shown.witnesses[0].kind else {
        panic!("no path in {:?}", shown.witnesses);
    };
    assert_eq!((states.len(), labels.join(" ").as_str()), (3, "right up"));
}

/// Cells by row and column, or from the middle of the board, as other texts name them.
#[test]
fn cells_of_a_path_may_be_named_as_elsewhere() {
    for (puzzle, board, named) in [
        (
            "lights-out",
            "instance = \"3x3\"\nboard = \"oo./o.o/.oo\"",
            [
                "press a1, press c3",
                "press 1,1,press 3,3",
                "press r1c1\\npress 3,3",
            ],
        ),
        (
            "unit-rush-hour",
            "instance = \"custom\"\nsettings = { board = \"|-./.A./...\" }",
            [
                "b1 right 1, A left 1",
                "r1c2 right 1, A left 1",
                "r1c2 right 1\\nA left 1",
            ],
        ),
        (
            "peg-solitaire",
            "instance = \"english-33\"\nto = \"d2;d4;d5\"",
            [
                "d2  to d4, d5 to\\td3",
                "0:2 to 0:0, 0:-1 to 0:1",
                "r2c4 to r4c4, r5c4 to d3",
            ],
        ),
    ] {
        for path in named {
            let claim = format!("{board}\nkind = \"length\"\nclaimed = 2\npath = \"{path}\"");
            let result = alone(puzzle, &claim).expect(path).result;
            assert_eq!(result.found, "2", "{path}: {:?}", result.notes);
        }
        let claim = format!("{board}\nkind = \"length\"\nclaimed = 2\npath = \"9,9\"");
        alone(puzzle, &claim).expect_err("no such cell");
    }
}

/// A path is as published, whatever separates its moves.
#[test]
fn moves_are_separated_by_what_is_in_none_of_their_names() {
    let cube = |path: &str| {
        let claim = format!(
            "instance = \"pocket-cube\"\nboard = \"R U2 F' R\"\nkind = \"length\"\n\
             claimed = 4\ncompare = \"at-most\"\npath = \"{path}\""
        );
        alone("permutation", &claim).map(|judged| judged.result.verdict)
    };
    for path in [
        "R', F, U2, R'",
        "R' F U2 R'",
        "R'\\nF U2,R'",
        "R\u{2019} F U2 R\u{b4}",
        "  R' F\\tU2 R' ",
    ] {
        assert_eq!(cube(path), Ok(Verdict::Confirmed), "{path}");
    }
    assert_eq!(cube("R' F U2 R"), Ok(Verdict::Refuted));
    // An empty place between commas is no move.
    assert!(cube("R',, F").unwrap_err().contains("names no move"));
    let card = |path: &str| {
        let claim = format!(
            "instance = \"card-1\"\nkind = \"length\"\nclaimed = 9\ncompare = \"at-most\"\n\
             path = \"{path}\""
        );
        alone("rush-hour", &claim).map(|judged| judged.result.verdict)
    };
    let path =
        "C left 1, E up 3, D right 3, B down 3, A right 3, B up 3, D left 1, E down 3, A right 1";
    assert_eq!(card(path), Ok(Verdict::Confirmed));
    assert_eq!(card(&path.replace(", ", "\\n")), Ok(Verdict::Confirmed));
    let line = card(&path.replace(',', "")).unwrap_err();
    assert!(line.contains("separate moves by commas"), "{line}");
    let line = card("B left").unwrap_err();
    assert!(line.contains("names no move"), "{line}");
}

/// Where several moves lead to one state, each of their names is a move.
#[test]
fn a_move_has_all_names_that_lead_there() {
    for lights in ["press a1", "press 3,3", "press r2c2"] {
        let claim = format!(
            "instance = \"3x3\"\nsettings = {{ torus = \"true\", pattern = \"111/111/111\" }}\nboard = \"on\"\n\
             kind = \"length\"\nclaimed = 1\ncompare = \"at-most\"\npath = \"{lights}\""
        );
        let judged = alone("lights-out", &claim).map(|judged| judged.result.verdict);
        assert_eq!(judged, Ok(Verdict::Confirmed), "{lights}");
    }
}

/// Moves name pieces by the letters of the claim's own board, or the claim is not taken.
#[test]
fn pieces_have_the_letters_of_the_board_that_is_written() {
    let three = |board: &str, path: &str| {
        let claim = format!(
            "{board}\nkind = \"length\"\nclaimed = 3\ncompare = \"at-most\"\npath = \"{path}\""
        );
        alone("rush-hour", &claim).map(|judged| judged.result.verdict)
    };
    let own = "instance = \"custom\"\nsettings = { board = \"BB.C/AA.C/D.../D.EE\" }";
    let path = "E left 1, C down 2, A right 2";
    assert_eq!(three(own, path), Ok(Verdict::Confirmed));
    assert_eq!(three(own, "C left 1, E down 2"), Ok(Verdict::Refuted));
    let other = format!("{own}\nboard = \"BB.E/AA.E/D.../D.CC\"");
    assert_eq!(three(&other, path), Ok(Verdict::Confirmed));
    let line = three(&other, "C left 1, E down 2").unwrap_err();
    assert!(line.contains("read as 'BB.C/AA.C/D.../D.EE'"), "{line}");
}

#[test]
fn no_search_goes_deeper_than_max_depth() {
    use Verdict::{Confirmed, NotReached, Refuted};
    for (kind, compare, claimed, depth, verdict, found) in [
        ("length", "equal", 15, 5, NotReached, ""),
        ("length", "equal", 15, 14, NotReached, ""),
        ("length", "equal", 15, 15, Confirmed, "15"),
        ("length", "equal", 4, 5, Refuted, "more than 5"),
        ("length", "at-least", 15, 14, Confirmed, "more than 14"),
        ("length", "at-least", 16, 14, NotReached, ""),
        ("max_depth", "at-least", 5, 5, Confirmed, "at least 5"),
        ("max_depth", "at-least", 6, 5, NotReached, ""),
        ("max_depth", "at-most", 4, 5, Refuted, "at least 5"),
        ("max_depth", "at-most", 5, 5, NotReached, ""),
        ("antipodes_states", "at-least", 1, 5, NotReached, ""),
    ] {
        let kind = match kind {
            "length" => "'length'".to_owned(),
            count => format!("'count'\ncount = '{count}'"),
        };
        let lines = format!(
            "kind = {kind}\ncompare = '{compare}'\nclaimed = {claimed}\nmax_depth = {depth}"
        );
        let (other, figure, note) = card_7(&lines);
        assert_eq!((other, figure.as_str()), (verdict, found), "{lines}");
        if compare == "equal" && depth == 5 && found.is_empty() {
            assert!(note.starts_with("No solution within 5 moves"), "{note}");
        }
    }
    let of = |kind: &str, depth: u32| card_7(&format!("kind = \"{kind}\"\nmax_depth = {depth}")).0;
    assert_eq!(of("unreachable", 3), NotReached);
    assert_eq!(of("unreachable", 15), Refuted);
    assert_eq!(of("solvable", 3), NotReached);
    assert_eq!(of("solvable", 15), Confirmed);
}

/// Every solution of the English board takes 31 jumps.
#[test]
fn engines_that_dive_heed_max_depth_too() {
    let by = |engine: &str, depth: u32| {
        let lines = format!(
            "kind = \"solvable\"\ninstance = \"english-33\"\nengine = \"{engine}\"\nmax_depth = {depth}"
        );
        alone("peg-solitaire", &lines).expect("a good claim").result
    };
    for engine in ["dfs", "beam"] {
        assert_eq!(by(engine, 31).verdict, Verdict::Confirmed);
        let cut = by(engine, 30);
        assert_eq!(cut.verdict, Verdict::NotReached);
        assert!(cut.notes[0].contains("takes 31 moves"), "{:?}", cut.notes);
    }
    // That no path is shorter is not checked, unless all are equally long.
    let lines = "kind = \"length\"\nclaimed = 0x1f\ninstance = \"3x3\"\nboard = \"867/254/3.1\"\nengine = \"beam\"";
    let found = alone("sliding-tile", lines).expect("a good claim").result;
    assert_eq!((found.verdict, &*found.found), (Verdict::NotReached, "31"));
    let most = alone("sliding-tile", &format!("{lines}\ncompare = \"at-most\""));
    assert_eq!(
        most.expect("a good claim").result.verdict,
        Verdict::Confirmed
    );
}

/// A derivation that plays a game shows it move by move, and not as a figure.
#[test]
fn a_published_game_is_shown_move_by_move() {
    for (name, figure, instance, steps) in [
        ("thill", "jumps", "diamond-41", 39),
        ("bergholt", "moves", "english-33", 31),
    ] {
        let lines = format!(
            "kind = \"derived\"\nderive = \"solution\"\ninstance = \"{instance}\"\nclaimed = 1\n\
             parameters = {{ name = \"{name}\", figure = \"{figure}\" }}"
        );
        let shown = alone("peg-solitaire", &lines).expect("a good claim");
        let [picture] = &shown.result.witnesses[..] else {
            panic!("no game in {:?}", shown.result.witnesses);
        };
        let PictureKind::Strip { states, labels } = &picture.kind else {
            panic!("no strip in {picture:?}");
        };
        assert_eq!((states.len(), labels.len()), (steps + 1, steps));
        assert_eq!(states[steps].matches('o').count(), 1);
        assert!(labels.iter().all(|label| label.contains(" to ")));
        let case = &shown.cases[0];
        assert_eq!(case.witnesses, 1);
        assert!(case.figures.keys().all(|name| !name.starts_with("played")));
        assert!(!shown.result.notes.concat().contains("played"));
    }
}
