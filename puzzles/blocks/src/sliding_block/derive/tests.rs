//! Small figures compared with counts by hand, and bad parameters.

use super::*;

fn value(what: &str, parameters: &[(&str, &str)]) -> Option<String> {
    let settings = puzzle_api::settings(parameters);
    let figures = derive(what, &settings, Effort::Quick).expect("known");
    let value = figures.into_iter().find(|figure| figure.name == "value");
    value.map(|figure| figure.value)
}

/// Statements about most puzzles are counted on every board that ships, except for those with more
/// positions.
#[test]
fn most_puzzles_are_counted_on_every_board() {
    let file: toml::Table = include_str!("../../../claims/sliding-block.toml")
        .parse()
        .expect("TOML");
    let claims = file["claim"].as_array().expect("claims");
    let boards = |id: &str| {
        let claim = claims.iter().find(|claim| claim["id"].as_str() == Some(id));
        let list = claim.expect(id)["instances"].as_array().expect(id);
        list.iter().map(|name| name.as_str().expect("a name"))
    };
    let larger = [
        "climb-12",
        "climb-12-two",
        "climb-12-b",
        "climb-12-c",
        "climb-12-d",
        "climb-15",
        "climb-pro-24",
        "climb-pro-24-gnome",
        "mini-climb-pro",
    ];
    let mut said: Vec<&str> = boards("sliding-most-puzzles").chain(larger).collect();
    said.sort_unstable();
    let mut shipped: Vec<&str> = instances::shipped().map(|named| named.name).collect();
    shipped.sort_unstable();
    assert_eq!(said, shipped);
}

#[test]
fn the_donkey_by_hand() {
    let donkey = ("board", "donkey");
    for (what, expected) in [("types", "4"), ("big-types", "1"), ("placements", "65880")] {
        assert_eq!(value(what, &[donkey]).as_deref(), Some(expected), "{what}");
    }
}

#[test]
fn what_is_out_of_reach_has_no_value() {
    assert_eq!(value("placements", &[]), None);
}

#[test]
fn printed_figures_that_agree() {
    assert_eq!(value("io-factor", &[]).as_deref(), Some("4.00423736306"));
}
