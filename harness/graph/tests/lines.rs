//! A library's name of a move stays on one line, whatever characters it has.

use std::sync::Arc;

use antipode_graph::{Graph, Library, move_names};
use puzzle_api::optional::*;
use puzzle_api::{About, BadInput, Family, InstanceInfo, Puzzle, Request, Settings, puzzle_table};

/// One move, from 0 to 1.
struct Talker;

impl Family for Talker {
    fn about() -> About {
        About {
            name: "talker".into(),
            version: "1.0.0".into(),
            instances: vec![InstanceInfo {
                name: "one".into(),
                summary: String::new(),
            }],
            ..About::default()
        }
    }
}

impl Puzzle for Talker {
    type Key = u64;
    type State = u64;

    fn open(_: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn successors(&self, at: &u64, emit: &mut dyn FnMut(u64)) {
        if *at == 0 {
            emit(1);
        }
    }

    fn is_solved(&self, at: &u64) -> bool {
        *at == 1
    }

    fn key(&self, at: &u64) -> u64 {
        *at
    }

    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        text.parse().map_err(|_| BadInput::new("write a number"))
    }

    fn draw(&self, at: &u64) -> String {
        at.to_string()
    }
}

impl Names for Talker {
    fn describe_move(&self, _: &u64, _: &u64) -> Option<String> {
        Some("up\r\u{1b}[2J\nnorth".into())
    }
}

#[test]
fn a_name_is_one_line() {
    let library = Arc::new(Library::built_in(puzzle_table!(Talker: Talker)));
    let opened = library.open("one", "reference", &Settings::new());
    let graph = Graph::<u64>::new(opened.expect("an instance")).expect("keys of one word");
    assert_eq!(move_names(&graph, &[0, 1]), ["up\u{fffd}\u{fffd}[2J"]);
}
