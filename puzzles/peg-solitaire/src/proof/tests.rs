use serde_json::{Value, json};

use super::check::check;
use super::{Certificate, Goal, Proof, Rule, class, pagoda, refute};
use crate::board::{Board, DRAWINGS, Point};
use crate::printed::{BERGHOLT, THILL, play};
use crate::rules::Position;

fn named(name: &str) -> Board {
    Board::of_name(name).unwrap()
}

fn peg(board: &Board, x: i32, y: i32) -> u64 {
    1 << board.hole(Point::new(x, y)).unwrap()
}

/// All vacancies with all finishes.
fn pairs(board: &Board) -> impl Iterator<Item = (u64, u64)> {
    let (full, holes) = (board.full(), board.len());
    (0..holes * holes).map(move |at| (full & !(1 << (at / holes)), 1 << (at % holes)))
}

#[test]
fn every_proof_of_a_pair_is_accepted() {
    for drawing in DRAWINGS {
        let board = named(drawing.name);
        let mut proven = 0;
        for (from, to) in pairs(&board) {
            if let Some(certificate) = refute(&board, from, Goal::Position(to)) {
                assert_eq!(check(&certificate.json()), Ok(()), "{}", drawing.name);
                proven += 1;
            }
        }
        assert!(proven > 0);
    }
}

#[test]
fn the_centre_of_the_diamond_is_proven_impossible_by_class_alone() {
    let board = named("diamond-41");
    let from = board.full() & !peg(&board, 0, 0);
    let certificate = refute(&board, from, Goal::Any).unwrap();
    assert!(certificate.proofs.iter().all(|p| p.rule == Rule::Parity));
    assert!(certificate.reason().contains("none of the 41 single pegs"));
    assert_eq!(check(&certificate.json()), Ok(()));
}

/// Every position on the path to a solution reaches all later ones.
#[test]
fn what_can_be_reached_is_never_refuted() {
    for solution in [THILL, BERGHOLT] {
        let board = named(solution.board);
        let way = play(&board, &solution).unwrap().positions;
        for (at, &from) in way.iter().enumerate() {
            assert_eq!(refute(&board, from, Goal::Any), None);
            for &to in way[at..].iter().step_by(5) {
                assert_eq!(refute(&board, from, Goal::Position(to)), None);
            }
        }
    }
}

/// More pegs cannot result from fewer.
#[test]
fn there_is_no_way_back() {
    let board = named(THILL.board);
    let way = play(&board, &THILL).unwrap().positions;
    for pair in way.windows(2) {
        let certificate = refute(&board, pair[1], Goal::Position(pair[0])).unwrap();
        assert_eq!(check(&certificate.json()), Ok(()));
    }
}

#[test]
fn a_pagoda_function_excludes_a_finish_of_the_right_class() {
    let board = named("diamond-41");
    let of_class = pairs(&board).filter(|&(from, to)| class::separate(&board, from, to).is_none());
    let kept: Vec<_> = of_class
        .filter(|&(from, to)| pagoda::separate(&board, from, to).is_some())
        .collect();
    assert!(!kept.is_empty());
    for (from, to) in kept {
        let certificate = refute(&board, from, Goal::Position(to)).unwrap();
        assert_eq!(certificate.proofs[0].rule, Rule::Pagoda);
        // Played backward on the complement it is the same game.
        let (back, end) = (board.full() & !to, board.full() & !from);
        assert!(refute(&board, back, Goal::Position(end)).is_some());
    }
}

#[test]
fn classes_never_change() {
    for drawing in DRAWINGS {
        let board = named(drawing.name);
        for from in [board.full() & !1, board.full() & 0x5a5a_3c3c_9669_f00f] {
            let position = Position::of_key(&board, from);
            for next in position.successors() {
                assert_eq!(class::separate(&board, from, next.key()), None);
            }
        }
    }
}

#[test]
fn the_elimination_finds_more_than_the_diagonals_on_odd_boards() {
    // No jump touches the three holes below, so their contents never change.
    let board = Board::read("custom", "oooooo\no o o", "here").unwrap();
    let (from, mut more) = (0, 0);
    for to in 0..=board.full() {
        let Some(weights) = class::separate(&board, from, to) else {
            continue;
        };
        let differs = |mask: u64| ((from ^ to) & mask).count_ones() % 2 == 1;
        more += u32::from(!class::diagonals(&board).into_iter().any(differs));
        let proof = Proof {
            rule: Rule::Parity,
            weights,
            to: vec![board.draw(to)],
        };
        let certificate = Certificate {
            from: board.draw(from),
            lines: Vec::new(),
            goal: board.draw(to),
            proofs: vec![proof],
        };
        assert_eq!(check(&certificate.json()), Ok(()));
    }
    assert!(more > 0);
}

fn some_certificates() -> [Certificate; 2] {
    let board = named("diamond-41");
    let of_class = pairs(&board).filter(|&(from, to)| class::separate(&board, from, to).is_none());
    let mut refuted = of_class.filter_map(|(from, to)| refute(&board, from, Goal::Position(to)));
    let pagoda = refuted.next().unwrap();
    let centre = board.full() & !peg(&board, 0, 0);
    [pagoda, refute(&board, centre, Goal::Any).unwrap()]
}

#[test]
fn tampered_certificates_are_rejected() {
    for certificate in some_certificates() {
        let good: Value = serde_json::from_str(&certificate.json()).unwrap();
        assert_eq!(check(&good.to_string()), Ok(()));
        let reject = |change: &dyn Fn(&mut Value)| {
            let mut bad = good.clone();
            change(&mut bad);
            assert!(check(&bad.to_string()).is_err(), "{bad}");
        };
        let step = if certificate.proofs[0].rule == Rule::Parity {
            1
        } else {
            9
        };
        for hole in 0..41 {
            reject(&|bad| {
                let weight = &mut bad["proofs"][0]["weights"][hole];
                *weight = json!(weight.as_i64().unwrap() + step);
            });
        }
        reject(&|bad| bad["proofs"][0]["weights"][3] = json!(0.5));
        reject(&|bad| drop(bad["proofs"][0]["weights"].as_array_mut().unwrap().pop()));
        reject(&|bad| bad["proofs"][0]["rule"] = json!("faith"));
        reject(&|bad| bad["proofs"][0]["to"] = json!([]));
        reject(&|bad| drop(bad["proofs"].as_array_mut().unwrap().pop()));
        reject(&|bad| bad["from"] = json!("ooo"));
        reject(&|bad| bad["goal"] = bad["from"].clone());
    }
    assert!(check("no JSON").is_err());
    assert!(check("{}").is_err());
}
