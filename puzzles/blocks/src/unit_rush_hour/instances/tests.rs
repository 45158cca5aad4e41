use super::*;
use crate::proving;
use crate::unit_rush_hour::boards::TROMP;

fn opened(instance: &str, settings: &[(&str, &str)]) -> Result<Instance, BadInput> {
    proving::opened((instance, settings), open)
}

#[test]
fn a_board_is_of_its_own_instance_and_of_the_census() {
    for (name, text, _) in TROMP {
        let own = opened(name, &[]).unwrap();
        assert_eq!(own.read(text), Ok(own.start.clone().unwrap()), "{name}");
        let census = opened(name.strip_prefix("tromp-").unwrap(), &[]).unwrap();
        assert_eq!(census.read(name).unwrap().draw(), text);
        assert!(census.has_mirror() && !own.has_mirror());
        let custom = opened("custom", &[("board", name)]).unwrap();
        assert_eq!(custom.start, own.start);
    }
    assert!(opened("9x4", &[("exit", "2")]).is_ok());
    assert_eq!(opened("3x3", &[("empty", "any")]).unwrap().empty, 0..=8);
}

#[test]
fn boards_of_other_instances_are_refused_by_what_differs() {
    let refused = |instance: &Instance, text: &str| instance.read(text).unwrap_err().0;
    let census = opened("2x2", &[("exit", "1")]).unwrap();
    for (text, part) in [
        ("A.|/|||", "2 rows of 3 cells"),
        ("|./A|", "lies in row 2"),
        ("A./.|", "2 empty cells, unit-rush-hour/2x2 1 to 1"),
    ] {
        assert!(refused(&census, text).contains(part), "{text}");
    }
    let board = opened("custom", &[("board", "A|./-||")]).unwrap();
    assert!(
        board
            .read("-|./A||")
            .is_err_and(|error| error.0.contains("with the exit"))
    );
    assert!(refused(&board, "A.|/-||").contains("stand in column 2"));
    assert!(refused(&board, "A-./-||").contains("lie in row 1"));
    assert!(refused(&board, "A|./|||").contains("lie in row 2"));
}

/// Claims can only be about listed instances.
#[test]
fn every_instance_of_a_claim_is_listed() {
    let listed: Vec<String> = about().instances.into_iter().map(|one| one.name).collect();
    let named = crate::unit_rush_hour::CLAIMS
        .lines()
        .filter_map(|line| line.strip_prefix("instance = "));
    let named: Vec<&str> = named.map(|name| name.trim_matches('"')).collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named {
        assert!(listed.iter().any(|known| known == name), "{name}");
    }
}
