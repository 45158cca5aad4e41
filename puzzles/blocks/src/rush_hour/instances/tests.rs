use super::*;
use crate::proving;
use crate::rush_hour::boards::{CARDS, FOGLEMAN};

fn opened(instance: &str, settings: &[(&str, &str)]) -> Result<Instance, BadInput> {
    proving::opened((instance, settings), open)
}

#[test]
fn every_named_board_is_of_its_own_instance_and_reads_back_from_its_key() {
    for number in 0..CARDS.len() + FOGLEMAN.len() {
        let name = match number.checked_sub(CARDS.len()) {
            None => format!("card-{}", number + 1),
            Some(place) => format!("fogleman-{}", place + 1),
        };
        let instance = opened(&name, &[]).unwrap();
        let start = instance.start.clone().unwrap();
        assert_eq!(start.red().row, 2, "{name}");
        let key = instance.key_of(&start).unwrap();
        assert_eq!(instance.board_of(key), start, "{name}");
        assert_eq!(instance.read(&start.draw()), Ok(start), "{name}");
        assert!(instance.numbered(), "{name}");
    }
}

#[test]
fn a_census_takes_the_boards_that_have_its_walls_and_its_row() {
    let census = opened("6x6", &[]).unwrap();
    assert!(census.read("card-7").is_ok());
    let refused = |instance: &Instance, text: &str| instance.read(text).unwrap_err().0;
    let text = refused(&census, "fogleman-1");
    assert!(text.contains("has 1 walls, rush-hour/6x6 0"), "{text}");
    assert!(refused(&census, "AA../....").contains("2 rows of 4 cells"));
    assert!(refused(&census, "AA....").contains("6 cells are not"));
    let first = format!("AA....{}", ".".repeat(30));
    assert!(refused(&census, &first).contains("lies in row 1"));
    let walled = opened("6x6", &[("walls", "1")]).unwrap();
    assert!(walled.read("fogleman-1").is_ok());
    let card = opened("card-7", &[]).unwrap();
    assert!(refused(&card, "card-8").contains("pieces differ"));
    assert!(refused(&card, "fogleman-1").contains("walls stand elsewhere"));
}

#[test]
fn the_largest_boards_have_room_in_a_key() {
    // Two cars in each line allow the most arrangements.
    let rows = "BB....CC/DD....EE/FF....GG/AA....../HH....II/JJ....KK/LL....MM/NN....PP";
    let instance = opened("custom", &[("board", rows)]).unwrap();
    assert!(!instance.numbered());
    let start = instance.start.clone().unwrap();
    let key = instance.key_of(&start).unwrap();
    assert_eq!(instance.board_of(key), start);
}
