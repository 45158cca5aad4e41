//! Rush Hour: random boards, walks, whole small censuses.

use antipode_blocks::rush_hour::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

use crate::twins::{agree, both, censuses_agree, start, successors, walk};

/// The checks of every puzzle; also, a state has one part, and its rank leads back to it.
fn all_agree(rules: &Rules, bits: &Bits, key: u64) {
    agree(rules, bits, key);
    let (slow, fast) = (rules.state(key), bits.state(key));
    let (a, b) = (rules.place(&slow), bits.place(&fast));
    assert_eq!(a.map(|place| place.part), b.map(|place| place.part));
    if let (Some(a), Some(b)) = (a, b) {
        assert_eq!(rules.unrank(a), Some(slow));
        assert_eq!(bits.unrank(b), Some(fast));
    }
}

const SETTINGS: [(&str, &[(&str, &str)]); 7] = [
    ("4x4", &[]),
    ("4x4", &[("walls", "2"), ("row", "4")]),
    ("5x5", &[("metric", "step")]),
    ("5x5", &[("walls", "1")]),
    ("6x6", &[]),
    ("6x6", &[("metric", "step"), ("row", "1")]),
    ("card-33", &[]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn variants_agree_on_drawn_boards(which in 0..SETTINGS.len(), seed: u64) {
        let (instance, settings) = SETTINGS[which];
        let (rules, bits): (Rules, Bits) = both(instance, settings);
        let state = bits.random(&mut Xorshift::for_draw(seed, 0));
        all_agree(&rules, &bits, bits.key(&state.expect("small enough to be drawn")));
    }

    #[test]
    fn variants_agree_on_walks(
        board in prop_oneof![Just("card-40"), Just("fogleman-1"), Just("fogleman-21")],
        metric in prop_oneof![Just("step"), Just("move")],
        choices in prop::collection::vec(any::<u16>(), 0..40),
    ) {
        let (rules, bits): (Rules, Bits) = both(board, &[("metric", metric)]);
        all_agree(&rules, &bits, walk(&rules, &choices));
    }
}

/// Boards that no census has: wide, high, walled in, and too large to be numbered.
#[test]
fn boards_of_other_sizes_agree() {
    for (board, numbered) in [
        ("BBCDD/..C../AA#E./...E.", true),
        ("AA.B..../...B..CC", true),
        ("BB./AA./..C/..C/D../D../DEE/...", true),
        (
            "BB....CC/DD....EE/FF....GG/AA....../HH....II/JJ....KK/LL....MM/NN....PP",
            false,
        ),
    ] {
        let (rules, bits): (Rules, Bits) = both("custom", &[("board", board)]);
        all_agree(&rules, &bits, start(&bits));
        for key in successors(&rules, start(&bits)) {
            all_agree(&rules, &bits, key);
        }
        assert_eq!(bits.space(0).is_some(), numbered);
        assert_eq!(rules.space(0), bits.space(0));
        assert_eq!(bits.lists_solved_states(), numbered);
        assert_eq!(rules.lists_solved_states(), numbered);
    }
}

/// Cells in one line with and without the figures of the database, rows, names; in a file or not.
#[test]
fn boards_are_read_in_every_form() {
    let (named, _): (Rules, Bits) = both("fogleman-1", &[]);
    let cells = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM";
    let rows: Vec<&str> = (0..6).map(|row| &cells[6 * row..6 * row + 6]).collect();
    let line = format!("60 {cells} 2332");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("board.txt");
    let path = file.display().to_string();
    for text in [cells, &line, &line[..39], "fogleman-1", &rows.join("/")] {
        assert_eq!(named.parse(text).map(|s| named.key(&s)), Ok(start(&named)));
        for remark in ["", "// the hardest\n\n"] {
            std::fs::write(&file, remark.to_owned() + text + "\n").expect("written");
            let (rules, bits): (Rules, Bits) = both("custom", &[("board", &path)]);
            let (inline, _): (Rules, Bits) = both("custom", &[("board", text)]);
            let drawn = named.draw(&named.state(start(&named)));
            for rules in [&rules, &inline] {
                assert_eq!(rules.draw(&rules.state(start(rules))), drawn, "{text}");
            }
            assert_eq!(bits.draw(&bits.state(start(&bits))), drawn, "{text}");
        }
    }
    std::fs::write(&file, rows.join("\n")).expect("written");
    let (rules, _): (Rules, Bits) = both("custom", &[("board", &path)]);
    assert_eq!(
        rules.draw(&rules.state(start(&rules))),
        named.draw(&named.state(start(&named)))
    );
    std::fs::write(&file, [0xff, 0xfe, 0]).expect("written");
    let refused = crate::twins::refused::<Rules, Bits>("custom", &[("board", &path)]);
    assert!(refused.contains("cannot be read"), "{refused}");
}

#[test]
fn small_censuses_are_numbered_alike() {
    for settings in [&[][..], &[("walls", "1"), ("row", "1")]] {
        let (rules, bits): (Rules, Bits) = both("4x4", settings);
        censuses_agree(&rules, &bits, false);
    }
}
