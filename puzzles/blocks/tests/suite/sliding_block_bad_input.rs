//! Boards and settings that are refused: one line that names the place and the remedy.

use antipode_blocks::sliding_block::{Bits, Rules};
use puzzle_api::Puzzle;

use crate::twins;

/// Both variants' message about a board's file, after its name.
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder for the board");
    let file = folder.path().join("board.txt");
    std::fs::write(&file, text).expect("a file for the board");
    let file = file.to_str().expect("a plain name");
    let said = twins::refused::<Rules, Bits>("custom", &[("board", file)]);
    let rest = said.strip_prefix(file);
    rest.unwrap_or_else(|| panic!("names no file: {said}"))
        .to_owned()
}

#[test]
fn broken_files_name_their_line() {
    for (text, line, wanted) in [
        ("", ":", "no rows"),
        ("ab.\nab.\n", ":", "no goal"),
        ("ab.\nab\ngoal: a 0,1\n", ", line 2:", "2 cells"),
        ("// a remark\n\nab.\na?.\n", ", line 4:", "column 2"),
        ("ab.\nba.\ngoal: a 0,1\n", ", line 2:", "not connected"),
        ("a.b\na.a\ngoal: b 0,1\n", ", line 2:", "not connected"),
        ("a.\na.\ngoal: b 0,1\n", ", line 3:", "no piece 'b'"),
        ("a.\na.\ngoal: a 1,1\n", ", line 3:", "does not fit"),
        ("a.#\na..\ngoal: a 0,2\n", ", line 3:", "does not fit"),
        ("a.\na.\ngoal: a 9,9\n", ", line 3:", "does not fit"),
        ("a.\na.\ngoal: a\n", ", line 3:", "write 'goal:"),
        ("a.\na.\ngoal: a\u{1b} 0,1\n", ", line 3:", "write 'goal:"),
        ("a.\na.\ngoal: a -1,0\n", ", line 3:", "from 0"),
        ("a.\na.\ngoal: a 0,0,0\n", ", line 3:", "from 0"),
        ("\n\n// nothing\n", ":", "no rows"),
        ("goal: a 0,0\n", ":", "no rows"),
        ("a.\n\0.\n", ", line 2:", "column 1"),
        ("####\n####\ngoal: a 0,0\n", ", line 3:", "no piece 'a'"),
        ("a.\na.\ngoal: a 0,1\ngoal: a 0,0\n", ", line 4:", "second"),
        ("#**b#\n# -.#\n", ", line 1:", "fits nowhere on the cells"),
        (
            "\n#*b #\n# ..#\n",
            ", line 2:",
            "fits in 2 places on the cells drawn as '.', and a goal is one place: add one of the lines 'goal: * 1,2', 'goal: * 1,3' (the fewest",
        ),
        ("#* #\n#  #\ngoal: * 0,3\n", ", line 3:", "does not fit"),
        ("#* #\n#\t.#\n", ", line 2:", "column 2"),
        ("a- b\n....\ngoal: a 0,1\n", ", line 1:", "column 3"),
        (
            "ab.\nab.\ngoal: a 0,2\ngoal: b 0,2\n",
            ", line 4:",
            "overlap",
        ),
    ] {
        let error = refused(text);
        assert!(error.starts_with(line), "{text:?}: {error}");
        assert!(error.contains(wanted), "{text:?}: {error}");
    }
}

/// The signs of a level of GNOME Klotski become letters and digits, of which there are 62.
#[test]
fn more_signs_than_letters_and_digits_are_refused_for_that() {
    let letters: String = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let said = refused(&format!("{letters}{{\n*{}\n", " ".repeat(62)));
    assert!(
        said.contains(", line 1:") && said.contains("no letter or digit is left for '{'"),
        "{said}"
    );
}

/// Errors for a file that is not text, or not a file.
#[test]
fn what_is_no_text_file_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = folder.path().join("binary");
    std::fs::write(&binary, [0x7f, b'E', b'L', b'F', 0xff, 0xfe, 0]).expect("written");
    let long = folder.path().join("long");
    std::fs::write(&long, ".".repeat((1 << 20) + 1)).expect("written");
    for (path, wanted) in [
        (folder.path().to_path_buf(), "cannot be read"),
        (binary, "name a text file"),
        (long, "is longer than 1048576 bytes"),
        (folder.path().join("two\nlines"), "cannot be read"),
    ] {
        let error =
            twins::refused::<Rules, Bits>("custom", &[("board", &path.display().to_string())]);
        assert!(error.starts_with("board="), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn boards_beyond_masks_and_keys_are_refused() {
    let wide = format!(
        "{}\n{}\ngoal: a 0,1\n",
        "a".to_owned() + &".".repeat(79),
        ".".repeat(80)
    );
    assert!(refused(&wide).contains("160 cells"), "{}", refused(&wide));

    // Fifteen pieces each of one, two and three cells, and 30 empty cells: 2^138 strings.
    let mut letters = ('a'..='z').chain('A'..='Z');
    let mut rows = vec![String::new(); 3];
    for row in &mut rows {
        for length in [1, 2, 3].repeat(5) {
            let letter = letters.next().expect("45 letters");
            row.push_str(&letter.to_string().repeat(length));
        }
    }
    rows.push(".".repeat(30));
    let error = refused(&format!("{}\ngoal: a 0,0\n", rows.join("\n")));
    assert!(error.contains("too large for a key"), "{error}");
}

#[test]
fn positions_that_are_none_are_refused() {
    let (rules, bits): (Rules, Bits) = twins::both("donkey", &[]);
    for (text, wanted) in [
        ("baac/baac/dffe/dghe", "4 row(s)"),
        ("baac/baac/dffe/dghe/i..#", "row 5, column 4"),
        ("baac/baac/dffe/dghe/i...", "missing"),
        ("baac/baac/dffe/dghe/i.kj", "one too many"),
        ("baac/baac/dffe/dgge/i..j", "one too many"),
        // Two pieces cannot share a cell: one that lies on another leaves a broken shape.
        ("baac/bbac/dffe/dghe/i..j", "no piece of the shape"),
    ] {
        let slow = rules.parse(text).expect_err("no position").0;
        assert!(slow.contains(wanted), "{text}: {slow}");
        assert_eq!(bits.parse(text).expect_err("no position").0, slow);
    }
}
