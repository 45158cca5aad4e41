use super::*;

#[test]
fn a_name_is_no_board() {
    for name in ["goal", "thesis-b", "sorted", "J"] {
        assert!(is_name(name), "{name}");
    }
    for board in ["#..g./..#b.", "4567321", "..BBx.", "abc/d.f"] {
        assert!(!is_name(board), "{board}");
    }
}

#[test]
fn masks_are_read_out_of_terms() {
    assert_eq!(mask("(b << 32) & 0x300"), Some(0x300));
    assert_eq!(
        mask("0x808080808080808080"),
        Some(0x80 << 64 | 0x8080_8080_8080_8080)
    );
    assert_eq!(mask(&format!("0x{}", "8".repeat(33))), None);
    assert_eq!(mask("no mask"), None);
}

#[test]
fn cells_are_drawn_without_a_legend_too() {
    let mut view = CaseView::default();
    view.add("glider", ".#./..#/###", None);
    view.add("not-a-board", "1/2/3", None);
    assert_eq!(view.states().collect::<Vec<_>>(), [".#./..#/###"]);
    assert_eq!(view.named.len(), 1);
}

#[test]
fn cells_are_drawn_with_their_numbers() {
    let mut view = CaseView::default();
    view.add("bits", " ./.#/. | 0 2 1 3", None);
    view.add("too few", " ./.#/. | 0 2 1", None);
    view.add("no numbers", " ./.#/. | a b c d", None);
    assert_eq!((view.figures.len(), view.named.len()), (1, 2));
    let svg = view.figures[0].svg().unwrap();
    for number in ["0", "2", "1", "3"] {
        assert_eq!(svg.matches(&format!(">{number}</text>")).count(), 1);
    }
}

#[test]
fn claims_of_levels_show_a_farthest_board() {
    let case = |kind: &str, antipodes: &str| -> CaseRecord {
        let text = format!(
            r#"{{"reading": "", "kind": "{kind}", "instance": null, "settings": {{}},
                "board": null, "own": {{}}, "claimed": "", "within": null, "compare": "equal",
            "found": "", "verdict": "confirmed", "variant": "", "engine": "", "witnesses": 0,
            "levels": {{"levels": [{{"depth": 0, "states": "1", "orbits": "1", "digest": ""}},
            {{"depth": 1, "states": "2", "orbits": "1", "digest": ""}}], "unsolvable": null}},
            "antipodes": [{antipodes}], "checks": []}}"#
        );
        serde_json::from_str(&text).unwrap()
    };
    let plain = Legend::plain();
    let farthest = r##"{"depth": 1, "state": "#./.#", "orbit_size": 2}"##;
    for (kind, antipodes, captions) in [
        (
            "count",
            farthest,
            &["one of the 2 farthest, at distance 1"][..],
        ),
        (
            "levels",
            farthest,
            &["one of the 2 farthest, at distance 1"],
        ),
        ("hardest", farthest, &[]),
        ("count", "", &[]),
    ] {
        let view = CaseView::new(&case(kind, antipodes), Some(&plain), "tilt", &[]);
        let found: Vec<&str> = view.figures.iter().map(|one| &*one.caption).collect();
        assert_eq!(found, captions, "{kind}");
    }
}

#[test]
fn a_board_has_blanks_beside_it() {
    let plain = Legend::plain();
    for (text, is) in [
        ("  o/ .o./..o", true),
        ("  / /", false),
        ("o / o", false),
        ("a/b/c", false),
    ] {
        assert_eq!(is_board(text, Some(&plain)), is, "{text}");
    }
}
