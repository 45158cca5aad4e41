//! Four classics, a module each: sliding tiles, pancakes, the Towers of Hanoi, Lights Out.
//!
//! In each, `Rules` (variant `reference`) is the rulebook and `Bits` (variant `bitboard`, the
//! default) the fast variant.

/// A fast variant whose states are keys: its moves are `each_neighbour`, its own. Texts, names,
/// random and solved states are those of the rulebook in its field `rules`.
macro_rules! fast_variant {
    ($bits:ty, $key:ty) => {
        impl puzzle_api::Puzzle for $bits {
            type Key = $key;
            type State = $key;

            const VARIANT: &'static str = "bitboard";

            fn open(request: &puzzle_api::Request<'_>) -> Result<Self, puzzle_api::BadInput> {
                Ok(Self::new(Rules::open(request)?))
            }

            fn starts(&self, emit: &mut dyn FnMut($key)) {
                self.rules.starts(&mut |state| emit(self.rules.key(&state)));
            }

            #[inline]
            fn successors(&self, state: &$key, emit: &mut dyn FnMut($key)) {
                self.each_neighbour(puzzle_api::Direction::Forward, *state, emit);
            }

            fn is_solved(&self, state: &$key) -> bool {
                *state == self.goal
            }

            #[inline]
            fn key(&self, state: &$key) -> $key {
                *state
            }

            #[inline]
            fn state(&self, key: $key) -> $key {
                key
            }

            fn parse(&self, text: &str) -> Result<$key, puzzle_api::BadInput> {
                Ok(self.rules.key(&self.rules.parse(text)?))
            }

            fn draw(&self, state: &$key) -> String {
                self.rules.draw(&self.rules.state(*state))
            }

            fn refute(&self, from: &$key, to: Option<&$key>) -> Option<String> {
                let to = to.map(|&to| self.rules.state(to));
                self.rules.refute(&self.rules.state(*from), to.as_ref())
            }
        }

        impl puzzle_api::Expand for $bits {
            fn expand(
                &self,
                want: puzzle_api::Want,
                keys: &[$key],
                _: &[u32],
                out: &mut puzzle_api::Neighbours<$key>,
            ) {
                for &key in keys {
                    self.each_neighbour(want.direction, key, |next| out.keys.push(next));
                    out.end();
                }
            }
        }

        impl puzzle_api::SolvedStates for $bits {
            fn solved_states(&self, part: u64, emit: &mut dyn FnMut($key)) {
                self.rules
                    .solved_states(part, &mut |state| emit(self.rules.key(&state)));
            }
        }

        impl puzzle_api::RandomStates for $bits {
            fn random(&self, random: &mut puzzle_api::Xorshift) -> Option<$key> {
                Some(self.rules.key(&self.rules.random(random)?))
            }
        }

        impl puzzle_api::Names for $bits {
            fn describe_move(&self, from: &$key, to: &$key) -> Option<String> {
                let [from, to] = [from, to].map(|&key| self.rules.state(key));
                self.rules.describe_move(&from, &to)
            }

            fn names(&self) -> Vec<String> {
                self.rules.names()
            }
        }
    };
}

pub mod hanoi;
pub mod lights_out;
pub mod pancake;
pub mod sliding_tile;
