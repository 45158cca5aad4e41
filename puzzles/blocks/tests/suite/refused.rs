//! Instances, settings and boards that each puzzle refuses, by both variants in one line that names
//! the place and the remedy.

use antipode_blocks::{rush_hour, simple_block, sliding_block, unit_rush_hour};
use puzzle_api::Puzzle;

use crate::twins::both;

/// Both variants' message about a refused instance or refused settings.
pub fn refused<R: Puzzle, B: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> String {
    let said = R::opened(instance, settings).err().expect(instance).0;
    let fast = B::opened(instance, settings).err().expect(instance).0;
    assert_eq!(said, fast);
    assert!(!said.contains('\n'), "{said}");
    said
}

/// Instance, settings, and a part of the message.
type Refused = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

fn all_refused<R: Puzzle, B: Puzzle>(all: &[Refused]) {
    for &(instance, settings, part) in all {
        let said = refused::<R, B>(instance, settings);
        assert!(said.contains(part), "{instance} {settings:?}: {said}");
    }
}

/// Boards that `custom` refuses, also in a file below remarks.
fn customs_refused<R: Puzzle, B: Puzzle>(all: &[[&str; 2]]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("board");
    let path = file.display().to_string();
    for [board, part] in all {
        let said = refused::<R, B>("custom", &[("board", board)]);
        assert!(said.contains(part), "{board}: {said}");
        let rows = board.replace('/', "\n");
        std::fs::write(&file, format!("# mine\n\n// too\n{rows}")).expect("written");
        let told = refused::<R, B>("custom", &[("board", &path)]);
        let row = said
            .strip_prefix("row ")
            .and_then(|rest| rest[..1].parse().ok());
        let line = |row: usize| format!(", line {}", row.min(rows.lines().count()) + 3);
        let line = row.map_or_else(String::new, line);
        assert_eq!(told, format!("{path}{line}: {said}"));
    }
}

/// Boards that an instance refuses.
fn boards_refused<R: Puzzle, B: Puzzle>(
    instance: &str,
    settings: &[(&str, &str)],
    all: &[[&str; 2]],
) {
    let (rules, bits): (R, B) = both(instance, settings);
    for [board, part] in all {
        let said = rules.parse(board).err().expect(board).0;
        assert!(said.contains(part), "{instance}, {board}: {said}");
        assert_eq!(bits.parse(board).err().expect(board).0, said);
    }
}

#[test]
fn rush_hour_refuses_by_name() {
    all_refused::<rush_hour::Rules, rush_hour::Bits>(&[
        ("7x7", &[], "no instance rush-hour/7x7"),
        ("card-41", &[], "no instance rush-hour/card-41"),
        ("card-07", &[], "no instance rush-hour/card-07"),
        ("card-0", &[], "no instance rush-hour/card-0"),
        ("6x6", &[("walls", "4")], "walls=4 is out of range"),
        ("6x6", &[("walls", "3")], "take fewer walls"),
        ("6x6", &[("row", "7")], "from 1 to 6"),
        ("6x6", &[("metric", "cell")], "use move"),
        ("6x6", &[("board", "AA")], "takes no setting 'board'"),
        ("card-1", &[("walls", "1")], "use metric"),
        ("custom", &[], "needs a board"),
    ]);
    customs_refused::<rush_hour::Rules, rush_hour::Bits>(&[
        ["", "0 cells"],
        ["AA...", "5 cells"],
        ["AA./..", "row 2 has 2 cells"],
        [".../...", "no red car"],
        ["A../A..", "row 1, column 1: the red car"],
        ["AAA/...", "the red car A has two cells"],
        ["AA.BB/.....", "row 1, column 4: piece B lies in the row of"],
        ["AA./B../.B.", "row 2, column 1: piece B is neither"],
        ["AA./B..", "piece B is neither"],
        ["AA./BBB/?..", "row 3, column 1: '?'"],
        ["AA......./.........", "not 2 of 9"],
    ]);
    boards_refused::<rush_hour::Rules, rush_hour::Bits>(
        "6x6",
        &[],
        &[
            ["fogleman-1", "has 1 walls, rush-hour/6x6 0"],
            ["AA../....", "2 rows of 4 cells"],
            ["AA....", "6 cells are not"],
        ],
    );
    boards_refused::<rush_hour::Rules, rush_hour::Bits>(
        "card-7",
        &[],
        &[
            ["card-8", "pieces differ"],
            ["fogleman-1", "walls stand elsewhere"],
            ["AA..................................", "lies in row 1"],
        ],
    );
}

#[test]
fn unit_rush_hour_refuses_by_name() {
    let exits = "exit=5 is out of range: write any or a whole number from 1 to 4";
    all_refused::<unit_rush_hour::Rules, unit_rush_hour::Bits>(&[
        ("6x7", &[], "no instance unit-rush-hour/6x7"),
        ("04x4", &[], "no instance"),
        ("1x4", &[], "no instance"),
        ("tromp-3x3", &[], "tromp-4x4, tromp-5x5, tromp-6x6, custom"),
        ("9x4", &[], "take fewer rows"),
        ("4x4", &[("exit", "5")], exits),
        ("4x4", &[("empty", "16")], "from 0 to 15"),
        ("4x4", &[("empty", "3..2")], "from 3 to 15"),
        ("4x4", &[("metric", "cell")], "use step"),
        ("4x4", &[("board", "A")], "takes no setting 'board'"),
        ("tromp-4x4", &[("empty", "1")], "takes no setting 'empty'"),
        ("custom", &[], "needs a board"),
    ]);
    customs_refused::<unit_rush_hour::Rules, unit_rush_hour::Bits>(&[
        ["", "0 cells"],
        ["A.-", "3 cells"],
        ["A./.", "row 2 has 1 cells"],
        ["|./.|", "no target"],
        ["A./.A", "row 2, column 2: a second target"],
        ["-A/..", "row 1, column 2: a car that lies left"],
        ["A./x.", "row 2, column 1: 'x'"],
        ["A....../......./......./......./......./.......", "6 of 7"],
        ["A", "1 of 1"],
    ]);
    boards_refused::<unit_rush_hour::Rules, unit_rush_hour::Bits>(
        "2x2",
        &[("exit", "1")],
        &[
            ["A.|/|||", "2 rows of 3 cells"],
            ["|./A|", "lies in row 2"],
            ["A./.|", "2 empty cells, unit-rush-hour/2x2 1 to 1"],
        ],
    );
    let board = [("board", "A|./-||")];
    boards_refused::<unit_rush_hour::Rules, unit_rush_hour::Bits>(
        "custom",
        &board,
        &[
            ["-|./A||", "with the exit"],
            ["A.|/-||", "stand in column 2"],
            ["A-./-||", "lie in row 1"],
            ["A|./|||", "lie in row 2"],
        ],
    );
}

#[test]
fn simple_block_refuses_by_name() {
    all_refused::<simple_block::Rules, simple_block::Bits>(&[
        ("4x4", &[], "ROWSxCOLUMNS-nPIECES"),
        ("4x4-n16", &[], "fewer pieces"),
        ("4x4-n05", &[], "no instance"),
        ("4x5-n3", &[], "at most 16 cells"),
        ("4x4-n5", &[("board", "A")], "no setting 'board': use goal"),
        ("4x4-n5", &[("goal", "left")], "corner or edges"),
        ("custom", &[], "--set board="),
    ]);
    customs_refused::<simple_block::Rules, simple_block::Bits>(&[
        ["AA/A.", "goal=edges"],
        ["", "0 cells"],
        ["A./.", "row 2 has 1 cells"],
        ["A..../...../...../.....", "at most 16 cells"],
        ["A?/..", "row 1, column 2: '?'"],
        ["A..?", "row 2, column 2: '?'"],
        ["B./..", "no goal piece"],
        ["AB/AB", "no empty cell"],
        ["AB./..B", "row 2, column 3: this cell of piece B"],
    ]);
    boards_refused::<simple_block::Rules, simple_block::Bits>(
        "3x3-n2",
        &[],
        &[["A./B.", "2 rows of 2 cells"], ["A../.../...", "1 pieces"]],
    );
    let board = [("board", "A.B/...")];
    boards_refused::<simple_block::Rules, simple_block::Bits>(
        "custom",
        &board,
        &[["A.B/..B", "not those of A.B/..."]],
    );
}

#[test]
fn sliding_block_refuses_by_name() {
    all_refused::<sliding_block::Rules, sliding_block::Bits>(&[
        ("donkey", &[("metric", "knight")], "metric=knight"),
        ("donkey", &[("colour", "red")], "'colour'"),
        ("donkey", &[("board", "x")], "fixed"),
        ("monkey", &[], "sliding-block/monkey"),
        ("custom", &[], "board=FILE"),
        ("custom", &[("board", "/nowhere/at/all")], "cannot be read"),
    ]);
    boards_refused::<sliding_block::Rules, sliding_block::Bits>(
        "donkey",
        &[],
        &[
            ["baac/baac/dffe/dghe", "4 rows of 4 cells"],
            ["baac/baac/dffe/dghe/i..#", "row 5, column 4"],
            ["baac/baac/dffe/dghe/i...", "missing"],
            ["baac/baac/dffe/dghe/i.kj", "one too many"],
            ["baac/baac/dffe/dgge/i..j", "one too many"],
            // Two pieces cannot share a cell: one that lies on another leaves a broken shape.
            ["baac/bbac/dffe/dghe/i..j", "no piece of the shape"],
        ],
    );
}

/// Both variants' message about a board's file, after its name.
fn file_refused(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder for the board");
    let file = folder.path().join("board.txt");
    std::fs::write(&file, text).expect("a file for the board");
    let file = file.to_str().expect("a plain name");
    let said = refused::<sliding_block::Rules, sliding_block::Bits>("custom", &[("board", file)]);
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
        ("# a remark\n\nab.\na?.\n", ", line 4:", "column 2"),
        (
            "ab.\nba.\ngoal: a 0,1\n",
            ", line 2:",
            "another letter makes two pieces, which is another puzzle",
        ),
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
        let error = file_refused(text);
        assert!(error.starts_with(line), "{text:?}: {error}");
        assert!(error.contains(wanted), "{text:?}: {error}");
    }
}

/// The signs of a level of GNOME Klotski become letters and digits, of which there are 62.
#[test]
fn more_signs_than_letters_and_digits_are_refused_for_that() {
    let letters: String = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let said = file_refused(&format!("{letters}{{\n*{}\n", " ".repeat(62)));
    assert!(
        said.contains(", line 1:") && said.contains("no letter or digit is left for '{': a board has at most 62 pieces apart from '*', so leave some out"),
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
        let error = refused::<sliding_block::Rules, sliding_block::Bits>(
            "custom",
            &[("board", &path.display().to_string())],
        );
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
    assert!(file_refused(&wide).contains("160 cells"));

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
    let error = file_refused(&format!("{}\ngoal: a 0,0\n", rows.join("\n")));
    assert!(error.contains("too large for a key"), "{error}");
}
