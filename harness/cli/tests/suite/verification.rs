//! The statements of `verify`, and the draws and playouts that it rests on. Planted faults are in
//! `faults.rs`.

use std::collections::HashMap;
use std::sync::Arc;

use antipode_check::verify::{Drawer, playouts_met};
use antipode_search::observers::{InclusionList, Observers, OrbitSizes, Sampling};

use crate::support::{fresh, graph, plays, run};

#[test]
fn a_share_too_small_for_the_instance_is_said_and_never_ok() {
    plays(
        ".",
        "0 verify tilt/card-7 --exclusion 1000000 | \\n-      exclusiveness: not done, because none of the | ~ok     exclusiveness",
    );
    // Without a share given, a small instance is measured whole.
    let value = run(&["verify", "tilt/card-7", "--format", "json"]).json();
    for check in value["checks"].as_array().unwrap() {
        assert_eq!(check["outcome"], "ok", "{check}");
        assert_ne!(check["sampled"], "0", "{check}");
    }
}

#[test]
fn verify_goes_forward_from_a_state_given() {
    plays(
        ".",
        "0 verify tilt/box --from card-7 | ok     inclusiveness | ok     playouts | ok     exclusiveness | ok     consistency | forward,",
    );
}

/// If every path to a state has the same length, a playout's length is its distance.
#[test]
fn playouts_on_layers_are_held_to_their_exact_length() {
    let list = InclusionList::with_walks([], [(0, 5_u64, 3), (0, 6, 3), (0, 7, 3)], []);
    let mut seen = Observers::new(Arc::new(list), Sampling::OFF);
    seen.observe(0, &[5, 6], &[3, 2], OrbitSizes::Uniform(1));
    let wrong = |exact| {
        let (found, _) = playouts_met(&seen.strikes, exact, "", &|key| key.to_string());
        (found.sampled, found.wrong)
    };
    assert_eq!((wrong(false), wrong(true)), ((3, 1), (3, 2)));
}

/// Tilt numbers between one and all states of an orbit; still, a draw by rank meets an orbit in
/// proportion to its states.
#[test]
fn draws_by_rank_are_uniform_over_states() {
    const DRAWS: u64 = 20_000;
    let graph = graph::<u64>("tilt/box grey=0..1 blue=0 green=0..1", "bitboard");
    let size_of = |keys: &mut Vec<u64>| {
        let mut sizes = Vec::new();
        graph.canonical(keys, Some(&mut sizes)).unwrap();
        sizes
    };
    let (mut ends, mut orbits, mut total) = (Vec::new(), HashMap::new(), 0);
    for part in 0..graph.opened.part_count {
        let size = graph.space(part).unwrap().unwrap();
        let ranks: Vec<u64> = (0..size).collect();
        let mut keys = Vec::new();
        graph.unrank(part, &ranks, &mut keys).unwrap();
        let sizes = size_of(&mut keys);
        orbits.extend(keys.into_iter().zip(sizes));
        total += size;
        ends.push(total);
    }
    let states: u32 = orbits.values().sum();
    assert!(total < states.into() && orbits.len() < total as usize);
    let drawer = Drawer::ByRank {
        graph: &graph,
        ends,
    };
    let mut drawn = drawer.draw(7, 0, DRAWS as usize).unwrap();
    assert_eq!(drawer.draw(7, 100, 50).unwrap(), drawn[100..150]);
    let sizes = size_of(&mut drawn);
    for size in [1, 4, 8] {
        let share = orbits.values().filter(|&&s| s == size).sum::<u32>();
        let share = f64::from(share) / f64::from(states);
        let found = sizes.iter().filter(|&&s| s == size).count() as f64;
        let expected = share * DRAWS as f64;
        let deviation = (expected * (1.0 - share)).sqrt();
        assert!(
            (found - expected).abs() < 5.0 * deviation + 1.0,
            "{size}: {found}, {expected}"
        );
    }
}

/// Moves of pegs cannot be undone and nothing counts the boards: backward, something stays open.
#[test]
fn what_a_proof_leaves_open_is_not_reached() {
    plays(
        fresh(),
        r"board.txt = | .ooo\noooo\noooo\n
          4 verify peg-solitaire/custom --set board=board.txt | consistency: Left open, because
          0 verify peg-solitaire/custom --set board=board.txt --direction forward",
    );
}
