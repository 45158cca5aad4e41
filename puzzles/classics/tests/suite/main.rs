//! Properties of each classic beyond the contract that the suite of `antipode-check` tests, in
//! which every fast variant agrees with its rulebook.

mod lights_out;
mod sliding_tile;

use antipode_classics::hanoi::derive::{derive, frame_stewart};
use antipode_classics::{hanoi, pancake};
use puzzle_api::{Effort, Numbering, Puzzle, RandomStates, Request, Settings, Xorshift, settings};

/// Lines `INPUT | WORD`.
fn rows(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let rows = table.lines().filter_map(|line| line.split_once('|'));
    rows.map(|(input, word)| (input.trim(), word.trim()))
}

/// Checks that each instance of a table, with its settings, is refused in one line with a word.
fn refuses_to_open<P: Puzzle>(table: &str) {
    for (input, word) in rows(table) {
        let mut words = input.split(' ');
        let instance = words.next().unwrap_or_default();
        let given: Vec<_> = words.filter_map(|pair| pair.split_once('=')).collect();
        let refused = P::opened(instance, &given).err().expect(input).0;
        assert!(
            refused.contains(word) && !refused.contains('\n'),
            "{refused}"
        );
    }
}

/// Checks that each board of a table is refused in one line with a word, and that it shows a right
/// board.
fn refuses<P: Puzzle>(instance: &str, right: &str, table: &str) {
    let puzzle = P::opened(instance, &[]).unwrap_or_else(|why| panic!("{why}"));
    for (text, word) in rows(table) {
        let refused = puzzle.parse(text).err().expect(text).0;
        let both = refused.contains(word) && refused.contains(right);
        assert!(both && !refused.contains('\n'), "{refused}");
    }
}

#[test]
fn bad_towers_and_stacks_are_refused_in_one_line() {
    refuses_to_open::<hanoi::Bits>(
        "2-3 | PEGS-DISCS\n7-3 | PEGS-DISCS\n4-0 | PEGS-DISCS\n4-21 | PEGS-DISCS\n4 | PEGS-DISCS
         04-3 | PEGS-DISCS",
    );
    refuses::<hanoi::Bits>(
        "3-3",
        "321/.../...",
        "321/... | 3 pegs
         321/../... | 3 places
         123/.../... | not larger
         32./3../1.. | twice
         32./.../... | missing
         32x/.../... | no disc
         3.1/2../... | no disc '.'",
    );
    refuses_to_open::<pancake::Bits>(
        "plain-0 | plain-N or burnt-N\nplain-13 | plain-N or burnt-N\nraw-3 | plain-N or burnt-N
         plain-03 | plain-N or burnt-N\nplain | plain-N or burnt-N",
    );
    let plain = "12 | 3 pancakes\n1-23 | '-'\n122 | twice\n124 | '4'";
    refuses::<pancake::Bits>("plain-3", "123", plain);
    let burnt = "12- | 3 pancakes\n1--23 | '-'\n123- | 3 pancakes";
    refuses::<pancake::Bits>("burnt-3", "123", burnt);
    let burnt = pancake::Bits::opened("burnt-3", &[]).expect("opens");
    assert!(burnt.parse("-3-12").is_ok());
}

/// Lists of numbers, as papers on burnt pancakes print signed permutations.
#[test]
fn a_sign_belongs_to_the_pancake_behind_it() {
    let settings = &Settings::new();
    let read = |instance, text| pancake::placed(&Request { instance, settings }, text);
    for (text, stack) in rows(
        "[-1, 2, 3] | -123\n3 -2 1 | 3-21\n[+2, -1] | 2-1\n-b 1 2 3 4 5 6 7 8 9 a | -b123456789a
         [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, -1] | cba98765432-1",
    ) {
        let placed = read("burnt-3", text).expect(text);
        assert_eq!(placed.from.as_deref(), Some(stack), "{text}");
    }
    for (text, cell) in rows(
        "[1-, 2, 3] | '1-'\n3 2- 1 | '2-'\n1- 2 3 | '1-'\n- 1 2 3 | '-'\n, 21 | ''\n1,23, | '23'
         --1 2 | '--1'\n[-, ab] | '-'\n0 1 | '0'\n1 é | 'é'",
    ) {
        for instance in ["burnt-3", "plain-3"] {
            let why = read(instance, text).expect_err(text).0;
            let both = why.contains(&format!("no pancake {cell}")) && why.contains("'-' before");
            assert!(both && !why.contains('\n'), "{why}");
        }
    }
}

#[test]
fn towers_of_four_pegs_have_the_numbers_of_the_rulebook() {
    for instance in ["4-1", "4-20"] {
        let rules = hanoi::Rules::opened(instance, &[]).expect("opens");
        let bits = hanoi::Bits::opened(instance, &[]).expect("opens");
        let mut random = Xorshift::for_draw(1, 0);
        for _ in 0..1000 {
            let state = rules.random(&mut random).expect("drawn");
            let (key, placed) = (rules.key(&state), rules.place(&state));
            assert_eq!(bits.place(&key), placed);
            assert_eq!(bits.unrank(placed.expect("numbered")), Some(key));
        }
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
fn a_list_of_moves_is_compared_number_by_number() {
    let derived = |moves: &str| {
        derive(
            "frame-stewart",
            &settings(&[("moves", moves)]),
            Effort::Quick,
        )
    };
    assert_eq!(derived("0,1,3,5,9").expect("reads")[0].value, "true");
    let wrong = derived("0,1,3,5,8").expect("reads");
    assert_eq!(wrong[0].value, "false");
    assert_eq!(wrong[1].value, "4 discs take 9 moves, not 8");
    assert!(derived("0,one").is_err() && derived(&["0"; 65].join(",")).is_err());
}
