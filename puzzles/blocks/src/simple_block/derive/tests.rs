use super::*;

fn figures(what: &str, pairs: &[(&str, &str)]) -> Result<Vec<Figure>, BadInput> {
    derive(what, &puzzle_api::settings(pairs), Effort::Quick)
}

fn value(what: &str, pairs: &[(&str, &str)]) -> String {
    figures(what, pairs).expect("derives")[0].value.clone()
}

/// On 2x2: 12 ways to join all four cells. With one to four cells left empty: 4 * 4, then 4 * 2 +
/// 2, then 4, then 1.
#[test]
fn small_boards_are_counted_by_hand() {
    let counted = value("placements", &[("board", "2x2")]);
    assert_eq!(counted, (12 + 16 + 10 + 4 + 1).to_string());
}

#[test]
fn the_published_figures_come_out() {
    assert_eq!(value("placements", &[]), "55807716");
    assert_eq!(value("just-solved", &[]), "12295564");
    assert_eq!(value("just-solved", &[("goal", "edges")]), "12612727");
}

#[test]
fn the_hardest_puzzles_wherever_they_begin() {
    let anywhere = [("pieces", "14"), ("begin", "anywhere")];
    assert_eq!(value("hardest", &anywhere), "27");
    let refused = figures("hardest", &[("board", "2x2"), ("pieces", "4")]);
    assert!(refused.is_err_and(|error| error.0.contains("fewer pieces than cells")));
}
