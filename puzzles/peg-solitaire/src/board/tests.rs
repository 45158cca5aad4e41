use std::collections::BTreeSet;

use super::{Board, DRAWINGS, Jump};

fn named(name: &str) -> Board {
    Board::of_name(name).unwrap()
}

/// Independent count: a jump along a row needs three holes side by side.
#[test]
fn jumps_and_symmetries_are_those_of_the_literature() {
    let figures = [
        ("diamond-41", 8),
        ("english-33", 8),
        ("french-37", 8),
        ("wiegleb-45", 8),
        ("diamond-32", 4),
    ];
    for (name, symmetries) in figures {
        let board = named(name);
        assert_eq!(board.symmetries().len(), symmetries, "{name}");
    }
    assert_eq!(named("english-33").jumps().len(), 76);
    let square = Board::read("square", "ooo\nooo\nooo", "here").unwrap();
    assert_eq!(square.jumps().len(), 12);
}

#[test]
fn drawings_read_back_with_and_without_margins() {
    let board = named("english-33");
    for pegs in [0, 1, board.full(), 0x1234_5678 & board.full()] {
        let drawn = board.draw(pegs);
        assert_eq!(board.parse(&drawn).unwrap(), pegs);
        let trimmed: Vec<&str> = drawn.split('/').map(str::trim).collect();
        assert_eq!(board.parse(&trimmed.join("/")).unwrap(), pegs);
    }
}

#[test]
fn bad_drawings_are_refused_with_their_place() {
    let cases = [
        ("", "here holds no hole"),
        ("  \n \n", "here holds no hole"),
        ("ooo\noxo", "here, line 2, column 2: 'x'"),
        ("ooo\n\no", "here, line 3, column 1: this hole is cut off"),
        ("# my board\nooo\n// x\noxo", "here, line 4, column 2: 'x'"),
        (
            " ooo\n o\n   o",
            "here, line 3, column 4: this hole is cut off",
        ),
        ("oo\noo", "here: nowhere are three holes"),
    ];
    for (text, start) in cases {
        let error = Board::read("custom", text, "here").unwrap_err().0;
        assert!(error.starts_with(start), "{error}");
        assert!(!error.contains('\n'));
    }
    let wide = "ooooooooo\n".repeat(8);
    let error = Board::read("custom", &wide, "here").unwrap_err().0;
    assert!(
        error.starts_with("here, line 8, column 2: hole number 65 of 72"),
        "{error}"
    );
}

#[test]
fn there_is_room_for_the_jumps_that_are_listed_and_no_others() {
    for drawing in DRAWINGS {
        let board = named(drawing.name);
        let jumps: BTreeSet<Jump> = board.jumps().into_iter().collect();
        let holes = 0..board.len();
        for from in holes.clone() {
            for over in holes.clone() {
                for to in holes.clone() {
                    let jump = Jump { from, over, to };
                    assert_eq!(board.has_room_for(&jump), jumps.contains(&jump));
                }
            }
        }
        for Jump { from, over, to } in jumps {
            let before = 1 << from | 1 << over;
            let name = format!("{} to {}", board.named(from), board.named(to));
            assert_eq!(board.jump_name(before, 1 << to), Some(name));
            assert_eq!(board.jump_name(1 << to, before), None);
        }
    }
}

#[test]
fn the_triangle_has_the_lines_and_symmetries_of_a_triangle() {
    let board = named("triangle-15");
    assert_eq!((board.len(), board.jumps().len()), (15, 36));
    let symmetries = board.symmetries();
    assert_eq!(symmetries.len(), 6);
    assert_eq!(symmetries[0], (0..15).collect::<Vec<_>>());
    // Corners go to corners.
    let corners = BTreeSet::from([0, 10, 14]);
    for image in &symmetries {
        assert_eq!(BTreeSet::from([0, 10, 14].map(|hole| image[hole])), corners);
    }
    let drawn = board.draw(board.full() & !1);
    assert_eq!(drawn, "    ./   o o/  o o o/ o o o o/o o o o o");
    for text in [
        &*drawn,
        "./oo/ooo/oooo/ooooo",
        ". / o o/o o o/oooo/o o o o o",
    ] {
        assert_eq!(board.parse(text), Ok(board.full() & !1), "{text}");
    }
    assert!(board.parse("./o/ooo/oooo/ooooo").is_err());
    assert_eq!(board.jump_name(0b1100, 1), None);
    assert_eq!(
        board.jump_name(1 << 3 | 1 << 1, 1).as_deref(),
        Some("4 to 1")
    );
}

/// A drawing, and the same board with a line for each row and column of it.
fn lined(drawn: &Board) -> Board {
    let mut text = String::new();
    for hole in 0..drawn.len() {
        text += &format!("hole h{hole} {}\n", drawn.point(hole));
    }
    for Jump { from, over, to } in drawn.jumps() {
        text += &format!("line h{from} h{over} h{to}\n");
    }
    Board::read_lines("custom", &text, "here").unwrap()
}

#[test]
fn a_drawn_board_by_its_lines_is_the_same_board() {
    for drawing in DRAWINGS {
        let drawn = named(drawing.name);
        let lined = lined(&drawn);
        let sorted = |board: &Board| board.jumps().into_iter().collect::<BTreeSet<_>>();
        assert_eq!(sorted(&lined), sorted(&drawn));
        let all = |board: &Board| board.symmetries().into_iter().collect::<BTreeSet<_>>();
        assert_eq!(all(&lined), all(&drawn), "{}", drawing.name);
        for hole in 0..drawn.len() {
            let near: BTreeSet<usize> = drawn.beside(hole).into_iter().collect();
            assert!(
                lined
                    .beside(hole)
                    .into_iter()
                    .collect::<BTreeSet<_>>()
                    .is_subset(&near)
            );
        }
    }
}

/// Twelve symmetries, of which eight do not form a group; six do.
#[test]
fn of_more_than_eight_symmetries_a_subgroup_is_used() {
    let inside = |x: i32, y: i32| x.abs() <= 2 && y.abs() <= 2 && (x + y).abs() <= 2;
    let mut text = String::new();
    let name = |x: i32, y: i32| format!("h{}_{}", x + 2, y + 2);
    for (x, y) in (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x, y))) {
        if inside(x, y) {
            text += &format!("hole {} {}:{y}\n", name(x, y), 2 * x + y);
        }
        for (dx, dy) in [(1, 0), (0, 1), (1, -1)] {
            if [-1, 0, 1]
                .iter()
                .all(|step| inside(x + step * dx, y + step * dy))
            {
                let [a, b, c] = [-1, 0, 1].map(|step| name(x + step * dx, y + step * dy));
                text += &format!("line {a} {b} {c}\n");
            }
        }
    }
    let board = Board::read_lines("custom", &text, "here").unwrap();
    assert_eq!((board.len(), board.jumps().len()), (19, 2 * 27));
    let symmetries = board.symmetries();
    assert_eq!(symmetries.len(), 6);
    let all: BTreeSet<Vec<usize>> = symmetries.iter().cloned().collect();
    for (one, other) in symmetries
        .iter()
        .flat_map(|one| symmetries.iter().map(move |o| (one, o)))
    {
        let both: Vec<usize> = one.iter().map(|&hole| other[hole]).collect();
        assert!(all.contains(&both));
    }
}

#[test]
fn bad_lines_are_refused_with_their_place() {
    let three = "hole a 0:0\nhole b 1:0\nhole c 2:0\n";
    let error = |text: &str| {
        let error = Board::read_lines("custom", text, "here").unwrap_err().0;
        assert!(!error.contains('\n'));
        error
    };
    for [text, start] in rows(
        "line 1: there is no hole 'a' | line a b c
         line 1: '\\u{1b}[0m' is no name | hole \u{1b}[0m 1:1
         line 1: 'line' begins no row | line",
    ) {
        assert!(error(text).starts_with(&format!("here, {start}")), "{text}");
    }
    for [text, start] in rows(
        "line 4: 'line' begins no row | line a b
         line 4: hole a comes twice | line a b a
         line 4: there is no hole 'd' | line a b d
         line 4: hole a has the name or the point of hole a | hole a 3:0
         line 4: hole d has the name or the point of hole a | hole d 0:0
         line 4: '0:x' is no point | hole d 0:x
         line 4: '1e9:1' is no point | hole d 1e9:1
         line 4: '1000:1' is no point | hole d 1000:1
         line 4: 'full' is no name | hole full 4:0
         line 4: 'd;e' is no name | hole d;e 4:0
         line 4: 'hole' begins no row | hole d
         line 4: 'hop' begins no row | hop a b",
    ) {
        assert!(
            error(&format!("{three}{text}")).starts_with(&format!("here, {start}")),
            "{text}"
        );
    }
    let many: String = (0..65).map(|x| format!("hole h{x} {x}:0\n")).collect();
    let far = format!("{three}hole d 99:0\nline a b c\nline b c d");
    let apart = format!("{three}hole d 9:0\nline a b c");
    for (text, start) in [
        (three, "here: no line has three holes"),
        ("hole a 0:0", "here: no line has three holes"),
        (&*apart, "here: hole d is cut off from hole a"),
        (&*many, "here, line 1, column 65: hole number 65 of 65"),
        (&*far, "here: the drawing is 100 columns wide"),
    ] {
        assert!(error(text).starts_with(start), "{text}");
    }
    let mut crowded: String = (0..10).map(|x| format!("hole h{x} {x}:0\n")).collect();
    for (a, b, c) in (0..720).map(|n| (n / 72, n / 8 % 9, n % 8)) {
        if a != b && b != c && a != c {
            crowded += &format!("line h{a} h{b} h{c}\n");
        }
    }
    assert!(error(&crowded).contains("lines of three holes, more than 255"));
}

/// Lines `RIGHT | LEFT`, each as left and right.
fn rows(table: &str) -> impl Iterator<Item = [&str; 2]> {
    let rows = table.lines().filter_map(|line| line.split_once(" | "));
    rows.map(|(right, left)| [left.trim(), right.trim()])
}
