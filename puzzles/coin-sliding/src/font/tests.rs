use super::*;

const SHAPE: Shape = Shape {
    width: 3,
    height: 2,
    coins: 3,
};

fn read(text: &str) -> Result<Font, BadInput> {
    Font::read(text, "my.csv", "mine", &SHAPE)
}

fn error(text: &str) -> String {
    read(text).unwrap_err().0
}

#[test]
fn both_published_fonts_are_whole() {
    for (font, shape) in [("5x7", Shape::SMALL), ("5x9", Shape::LARGE)] {
        let font = Font::read(PUBLISHED, "fonts.csv", font, &shape).unwrap();
        assert_eq!(font.glyphs().len(), 37);
        assert_eq!(font.glyphs()[0].name, "slash");
        assert_eq!(font.glyphs()[36].name, "Z");
    }
    assert_eq!(Font::small().glyphs().len(), 37);
    assert_eq!(Font::large().glyphs().len(), 37);
}

#[test]
fn the_stroke_is_another_spelling_of_slash() {
    let font = Font::small();
    assert_eq!(font.find("/"), font.find("slash"));
    assert!(font.find("/").is_some());
    assert_eq!(read("glyph,rows\nA,ooo/...\n").unwrap().find("/"), None);
}

#[test]
fn a_file_of_one_font_or_of_several_is_read() {
    let one = read("# mine\nglyph,rows\nA,ooo/...\nB,.oo/o..\n").unwrap();
    let several = read("font,glyph,rows\nx,A,oooo\nmine,A,ooo/...\nmine,B,.oo/o..\n").unwrap();
    assert_eq!(one, several);
    assert_eq!(one.find("B").unwrap().coins, 0b001_110);
}

#[test]
fn a_fault_names_file_line_and_glyph() {
    assert_eq!(
        error("# mine\nglyph,rows\nA,ooo/...\nB,oo./...\n"),
        "font=my.csv: line 4, glyph 'B': the board has 2 coin(s), 3 are needed: add 1"
    );
    assert!(error("glyph,rows\nA,ooo\n").contains("line 2, glyph 'A': the board has 1 row(s)"));
    assert!(error("glyph,rows\nA,ooo/...\nA,ooo/...\n").contains("line 3, glyph 'A': line 2 has"));
    assert!(error("glyph,rows\n,ooo/...\n").contains("line 2, glyph '': the name is empty"));
    assert!(error("letter,rows\nA,ooo/...\n").contains("glyph,rows or font,glyph,rows"));
    assert!(error("font,glyph,rows\nyours,A,ooo/...\n").contains("no glyph of font 'mine'"));
    assert!(error("glyph,rows\n").contains("no glyph"));
    assert!(error("").contains("first line"));
    assert!(error("glyph,rows\nA\n").contains("line: 2"));
    let missing = Font::open("no/such/file.csv", "mine", &SHAPE)
        .unwrap_err()
        .0;
    assert!(missing.starts_with("font=no/such/file.csv: cannot be read"));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let font = read("glyph,rows\nalpha,ooo/...\nomega,.oo/o..\n").unwrap();
    assert!(font.suggest("alhpa").starts_with("did you mean alpha?"));
    assert_eq!(font.suggest("zzz"), "glyphs are alpha omega");
    assert!(Font::small().suggest("w").starts_with("did you mean W?"));
    assert!(Font::default().suggest("A").contains("names no boards"));
}

/// The published lengths of both fonts: every ordered pair of different glyphs has one.
#[test]
fn every_puzzle_has_one_published_length() {
    for (font, table) in [
        (Font::small(), include_str!("../../lengths-5x7.csv")),
        (Font::large(), include_str!("../../lengths-5x9.csv")),
    ] {
        let known = |name: &str| font.glyphs().iter().any(|glyph| glyph.name == name);
        let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
        let mut seen = std::collections::BTreeSet::new();
        for row in rows {
            let [from, to, moves] = row.split(',').collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            assert!(known(from) && known(to) && from != to && moves.parse::<u16>().unwrap() > 0);
            assert!(seen.insert((from, to)), "{from} to {to} twice");
        }
        assert_eq!(seen.len(), 37 * 36);
    }
}
