use puzzle_api::{BadInput, Puzzle, Request};

pub struct Jugs;

impl Puzzle for Jugs {
    type Key = u64;
    type State = [u64; 2];

    fn open(_: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Jugs)
    }

    fn starts(&self, emit: &mut dyn FnMut([u64; 2])) {
        emit([0, 0]);
    }

    fn successors(&self, &[a, b]: &[u64; 2], emit: &mut dyn FnMut([u64; 2])) {
        let (over, back) = (a.min(3 - b), b.min(5 - a));
        let all = [[5, b], [a, 3], [0, b], [a, 0], [a - over, b + over], [a + back, b - back]];
        all.into_iter().filter(|&to| to != [a, b]).for_each(emit);
    }

    fn is_solved(&self, &[a, _]: &[u64; 2]) -> bool {
        a == 4
    }

    fn key(&self, &[a, b]: &[u64; 2]) -> u64 {
        a * 4 + b
    }

    fn state(&self, key: u64) -> [u64; 2] {
        [key / 4, key % 4]
    }

    fn parse(&self, text: &str) -> Result<[u64; 2], BadInput> {
        let key = (0..24).find(|&key| self.draw(&self.state(key)) == text);
        key.map(|key| self.state(key)).ok_or_else(|| BadInput::new("write 0/0 to 5/3"))
    }

    fn draw(&self, [a, b]: &[u64; 2]) -> String {
        format!("{a}/{b}")
    }
}
