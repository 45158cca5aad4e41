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

#[test]
fn bad_settings_are_refused_by_name() {
    for (instance, settings, part) in [
        ("6x7", &[][..], "no instance unit-rush-hour/6x7"),
        ("04x4", &[], "no instance"),
        ("1x4", &[], "no instance"),
        ("tromp-3x3", &[], "tromp-4x4, tromp-5x5, tromp-6x6, custom"),
        ("9x4", &[], "take fewer rows"),
        (
            "4x4",
            &[("exit", "5")],
            "exit=5 is out of range: write any or a whole number from 1 to 4",
        ),
        ("4x4", &[("empty", "16")], "from 0 to 15"),
        ("4x4", &[("empty", "3..2")], "from 3 to 15"),
        ("4x4", &[("metric", "cell")], "use step"),
        ("4x4", &[("board", "A")], "takes no setting 'board'"),
        ("tromp-4x4", &[("empty", "1")], "takes no setting 'empty'"),
        ("custom", &[], "needs a board"),
    ] {
        let refused = opened(instance, settings).unwrap_err().0;
        assert!(refused.contains(part), "{instance}: {refused}");
    }
    assert!(opened("9x4", &[("exit", "2")]).is_ok());
    assert_eq!(opened("3x3", &[("empty", "any")]).unwrap().empty, 0..=8);
}

/// Claims can be about listed instances alone.
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
