//! Properties beyond the contract of `test-plugin`: refused texts, and Frame and Stewart's numbers.

use antipode_classics::hanoi::Bits;
use antipode_classics::hanoi::derive::{derive, frame_stewart};
use puzzle_api::{BadInput, Effort, Puzzle, Request, Settings};

fn try_open(instance: &str) -> Result<Bits, BadInput> {
    let settings = &Settings::new();
    Bits::open(&Request { instance, settings })
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for instance in ["2-3", "7-3", "4-0", "4-21", "4", "04-3"] {
        let refused = try_open(instance).err().expect(instance);
        assert!(refused.0.contains("PEGS-DISCS"), "{refused}");
    }
    let bits = try_open("3-3").expect("opens");
    for (text, word) in [
        ("321/...", "3 pegs"),
        ("321/../...", "3 places"),
        ("123/.../...", "not larger"),
        ("32./3../1..", "twice"),
        ("32./.../...", "missing"),
        ("32x/.../...", "no disc"),
        ("3.1/2../...", "no disc '.'"),
    ] {
        let refused = bits.parse(text).expect_err(text);
        assert!(
            refused.0.contains(word) && refused.0.contains("321/.../..."),
            "{refused}"
        );
    }
}

#[test]
fn three_pegs_double_and_four_grow_by_powers_of_two() {
    assert_eq!(frame_stewart(3, 5), [0, 1, 3, 7, 15, 31]);
    // One more for the first disc, then twice 2, three times 4, four times 8, and so on.
    let mut moves = vec![0];
    for (power, times) in (0..5).zip(1..) {
        for _ in 0..times {
            moves.push(moves[moves.len() - 1] + (1 << power));
        }
    }
    assert_eq!(frame_stewart(4, moves.len() - 1), moves);
    assert_eq!(frame_stewart(5, 8)[8], 23);
}

#[test]
fn a_list_is_compared_number_by_number() {
    let derived = |moves: &str| {
        let settings = Settings::from([("moves".to_owned(), moves.to_owned())]);
        derive("frame-stewart", &settings, Effort::Quick)
    };
    assert_eq!(derived("0,1,3,5,9").expect("reads")[0].value, "true");
    let wrong = derived("0,1,3,5,8").expect("reads");
    assert_eq!(wrong[0].value, "false");
    assert_eq!(wrong[1].value, "4 discs take 9 moves, not 8");
    assert!(derived("0,one").is_err() && derived(&["0"; 65].join(",")).is_err());
}
