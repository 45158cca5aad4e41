use std::collections::BTreeSet;

use super::{Board, DRAWINGS, Jump, Point};

fn named(name: &str) -> Board {
    let drawing = super::drawing(name).unwrap();
    Board::read(name, drawing.rows, name).unwrap()
}

#[test]
fn boards_have_the_holes_of_their_names() {
    for drawing in DRAWINGS {
        let board = named(drawing.name);
        let digits = drawing.name.rsplit('-').next().unwrap();
        assert_eq!(board.len(), digits.parse::<usize>().unwrap());
    }
}

#[test]
fn the_diamond_is_a_ball_around_the_centre() {
    let board = named("diamond-41");
    for x in -5..=5_i32 {
        for y in -5..=5_i32 {
            let inside = x.abs() + y.abs() <= 4;
            assert_eq!(board.hole(Point::new(x, y)).is_some(), inside, "{x}:{y}");
        }
    }
}

#[test]
fn points_and_holes_are_inverse() {
    for drawing in DRAWINGS {
        let board = named(drawing.name);
        for hole in 0..board.len() {
            assert_eq!(board.hole(board.point(hole)), Some(hole));
        }
        assert!(board.hole(Point::new(0, 0)).is_some());
    }
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
            let name = format!("{} to {}", board.point(from), board.point(to));
            assert_eq!(board.jump_name(before, 1 << to), Some(name));
            assert_eq!(board.jump_name(1 << to, before), None);
        }
    }
}
