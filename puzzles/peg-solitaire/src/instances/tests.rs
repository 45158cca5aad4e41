use std::io::Write as _;

use puzzle_api::{Request, settings};

use super::{Finish, Instance, open};

fn with(instance: &str, pairs: &[(&str, &str)]) -> Result<Instance, String> {
    let settings = &settings(pairs);
    open(&Request { instance, settings }).map_err(|error| error.0)
}

/// Lines `INPUT | BEGINNING` of what is refused.
fn refused(table: &str, read: impl Fn(&str) -> Option<String>) {
    for (input, start) in table.lines().filter_map(|line| line.split_once('|')) {
        let error = read(input.trim()).unwrap();
        assert!(
            error.starts_with(start.trim()) && !error.contains('\n'),
            "{error}"
        );
    }
}

#[test]
fn start_and_finish_are_set_by_coordinates() {
    let instance = with("diamond-41", &[("from", "0:0;1:0"), ("to", "-1:3")]).unwrap();
    assert_eq!(instance.start.count_ones(), 39);
    assert_eq!(instance.symmetries.len(), 1);
    assert_eq!(instance.solved().count(), 1);
    let centre = with("diamond-41", &[("from", "0:0"), ("to", "0:0")]).unwrap();
    assert_eq!(centre.symmetries.len(), 8);
    assert_eq!(centre.start, centre.parse("centre").unwrap());
    assert_eq!(centre.solved().next(), centre.parse("=0:0").ok());
    let axis = with("diamond-41", &[("to", "0:2")]).unwrap();
    assert_eq!(axis.symmetries.len(), 2);
    assert!(matches!(axis.finish, Finish::At(_)));
}

#[test]
fn names_of_states_are_read() {
    let instance = with("english-33", &[]).unwrap();
    let full = instance.board.full();
    assert_eq!(instance.parse("full"), Ok(full));
    assert_eq!(instance.parse("empty"), Ok(0));
    assert_eq!(instance.parse("start"), instance.parse("0:0"));
    let two = instance.parse("=1:0;-1:0").unwrap();
    assert_eq!(instance.parse("1:0; -1:0"), Ok(full & !two));
    assert_eq!(
        instance.board.draw(two),
        "  .../  .../......./..o.o../......./  .../  ..."
    );
}

#[test]
fn bad_settings_and_states_are_refused_in_one_line() {
    refused(
        "hexagon | peg-solitaire has no instance 'hexagon'
         english-33 size=3 | no setting 'size'
         english-33 from=2:2 | from: 2:2 is off the board
         english-33 to=4:0 | to: 4:0 is off the board
         english-33 to=centre | to: 'centre' is no hole
         english-33 from=0:0;0:0 | from 0:0;0:0 names 0:0 twice
         english-33 board=x | board=FILE goes with
         custom | custom needs its board
         custom board=/no/such | board=/no/such: cannot be read",
        |input| {
            let (instance, given) = input.split_once(' ').unwrap_or((input, ""));
            with(
                instance,
                &given.split_once('=').map_or(vec![], |pair| vec![pair]),
            )
            .err()
        },
    );
    let instance = with("english-33", &[]).unwrap();
    refused(
        "| '' is no state
         middle | 'middle' is no state
         5:5 | state: 5:5 is off the board
         99999999999:1 | state: '99999999999:1' is no hole
         ooo/ooo | 2 rows are drawn
         oo/ooo/ooooooo/ooooooo/ooooooo/ooo/ooo | row 1 is 2 holes wide
         oxo/ooo/ooooooo/ooooooo/ooooooo/ooo/ooo | row 1, column 2: 'x'",
        |input| instance.parse(input).err().map(|error| error.0),
    );
}

#[test]
fn a_board_is_read_from_a_file() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    writeln!(file, "\n   oooo\r\n   o..o").unwrap();
    let path = file.path().to_str().unwrap();
    let instance = with("custom", &[("board", path), ("from", "1:0")]).unwrap();
    assert_eq!(instance.board.len(), 8);
    assert_eq!(instance.board.draw(instance.start), "oooo/oo.o");
    let error = with("custom", &[("board", path), ("from", "9:9")]).unwrap_err();
    assert!(
        error.starts_with("from: 9:9 is off the board: custom has x from -1 to 2"),
        "{error}"
    );
}

/// An English board with dots outside, as many solvers print it.
#[test]
fn a_proof_says_how_a_drawing_was_read() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let rows = "..ooo..\n..ooo..\nooooooo\nooo.ooo\nooooooo\n..ooo..\n..ooo..\n";
    file.write_all(rows.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap();
    let instance = with("custom", &[("board", path)]).unwrap();
    let proof = instance
        .refute(instance.start, instance.goal(None))
        .unwrap();
    let reason = proof.lines().next().unwrap();
    assert!(
        reason.contains("read as 49 holes: a dot is a hole"),
        "{reason}"
    );
}
