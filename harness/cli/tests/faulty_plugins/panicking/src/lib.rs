//! A row of ten places whose moves panic at the seventh.

use puzzle_api::{About, BadInput, Family, InstanceInfo, Puzzle, Request, export_puzzle};

export_puzzle!(Panicking: Panicking);

struct Panicking;

impl Family for Panicking {
    fn about() -> About {
        About {
            name: "panicking".into(),
            version: "1.0.0".into(),
            instances: vec![InstanceInfo {
                name: "ten".into(),
                summary: String::new(),
            }],
            ..About::default()
        }
    }
}

impl Puzzle for Panicking {
    type Key = u64;
    type State = u64;

    fn open(_: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        emit(0);
    }

    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        assert!(*state != 7, "place {state} has no neighbours");
        emit((state + 1) % 10);
    }

    fn is_solved(&self, state: &u64) -> bool {
        *state == 9
    }

    fn key(&self, state: &u64) -> u64 {
        *state
    }

    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        text.parse().map_err(|_| BadInput::new("write a digit"))
    }

    fn draw(&self, state: &u64) -> String {
        state.to_string()
    }
}
