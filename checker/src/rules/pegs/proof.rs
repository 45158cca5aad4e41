//! Proofs by weights that no path leads to a goal.

use serde_json::Value;

use super::Pegs;
use crate::json;
use crate::rules::board::members;
use crate::rules::{Ends, Rules};
use crate::shown::{OrWrong, Stop, list};

/// Whole numbers by hole. Rule `parity`: a jump changes the sum over all pegs by an even number,
/// and start and goal differ by an odd one. Rule `pagoda`: no jump increases the sum, and the
/// goal's sum is greater.
pub(super) fn by_weights(pegs: &Pegs, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let proof = json::read(text)?;
    (proof["from"] == pegs.draw(start)).or_wrong("the proof begins elsewhere")?;
    let told = goal.map_or("any".to_owned(), |goal| pegs.draw(goal));
    let finish = pegs.solved_states();
    let single = finish.len() == 1 && proof["goal"] == pegs.draw(finish[0]);
    (proof["goal"] == told || goal.is_none() && single).or_wrong("the proof is of another goal")?;
    let mut excluded = Vec::new();
    for one in list(&proof["proofs"]) {
        let weights = list(&one["weights"]).iter().filter_map(Value::as_i64);
        let weights: Vec<i128> = weights.map(i128::from).collect();
        (weights.len() == pegs.holes.len()).or_wrong("not one weight per hole")?;
        let parity = one["rule"] == "parity";
        (parity || one["rule"] == "pagoda").or_wrong("no such rule")?;
        let sum = |state| members(state).map(|hole| weights[hole]).sum::<i128>();
        for &[from, over, to] in &pegs.jumps {
            let gain = weights[to] - weights[over] - weights[from];
            let keeps = if parity { gain % 2 == 0 } else { gain <= 0 };
            keeps.or_wrong("a jump breaks the rule")?;
        }
        for to in list(&one["to"]) {
            let text = to.as_str().unwrap_or_default();
            let to = pegs.state(text)?;
            let gain = sum(to) - sum(start);
            let excludes = if parity { gain % 2 != 0 } else { gain > 0 };
            let drawn = text == pegs.draw(to);
            (drawn && excludes).or_wrong("a goal is not excluded")?;
            (!excluded.contains(&to)).or_wrong("a goal is excluded twice")?;
            excluded.push(to);
        }
    }
    let goals = goal.map_or(finish, |goal| vec![goal]);
    let all = goals.iter().all(|goal| excluded.contains(goal));
    (all && excluded.len() == goals.len()).or_wrong("the goals excluded are others")
}
