//! The last answer to whether a goal can be shown to be unreachable.
//!
//! A request for a path asks this before its search, and a search asks it again for each of its
//! goals. On a board with one finish that is the same question, and its linear program would be
//! solved twice.

use std::sync::{Mutex, PoisonError};

use crate::instances::Instance;
use crate::proof::Goal;

/// A question, and its answer.
type Asked = ((u64, Goal), Option<String>);

/// The last question.
#[derive(Debug, Default)]
pub struct Refuted(Mutex<Option<Asked>>);

impl Refuted {
    /// [`Instance::refute`], computed once if it is called again.
    #[must_use]
    pub fn refute(&self, instance: &Instance, from: u64, to: Option<u64>) -> Option<String> {
        let question = (from, instance.goal(to));
        // Even a thread that panicked left a question with its answer.
        let last = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, answer)) = &*last()
            && *asked == question
        {
            return answer.clone();
        }
        let answer = instance.refute_goal(from, question.1);
        *last() = Some((question, answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use puzzle_api::{Request, Settings};

    use super::Refuted;
    use crate::instances;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_answer_is_that_of_the_instance_however_often_it_is_asked(
            asked in prop::collection::vec((0_usize..3, prop::option::of(0_usize..3)), 1..12),
            boards in prop::array::uniform3(0_u64..1 << 33),
        ) {
            for finish in ["any", "0:0"] {
                let settings = Settings::from([("to".to_owned(), finish.to_owned())]);
                let request = Request { instance: "english-33", settings: &settings };
                let instance = instances::open(&request).expect("opens");
                let refuted = Refuted::default();
                // A lone peg, the start, and random positions.
                let states = [1 << 16, instance.start(), boards[0] & boards[1] & boards[2]];
                for &(from, to) in &asked {
                    let (from, to) = (states[from], to.map(|to| states[to]));
                    prop_assert_eq!(refuted.refute(&instance, from, to), instance.refute(from, to));
                }
            }
        }
    }
}
