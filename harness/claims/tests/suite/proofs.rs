//! Results labelled "confirmed" of the planted puzzle, sound or with one fault that samples hardly
//! meet, and what the check of every state by the rules says of them.

use std::sync::Arc;

use antipode_check::analysis::{Analysis, Checks, Request, analyse};
use antipode_check::verify::{ConsistencyScope, Proof};
use antipode_claims::{Context, Effort, Judged};
use antipode_graph::Library;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;
use puzzle_api::Direction;

use crate::planted::board::{At, draw};
use crate::planted::puzzle;

/// The puzzle without orbits of neighbours: alone, as the rulebook, or next to an honest one.
fn library(directed: bool, tower: bool, alone: bool) -> Arc<Library> {
    let mut variants = puzzle::variants(directed, tower, alone);
    variants
        .iter_mut()
        .for_each(|variant| variant.expand = None);
    Arc::new(puzzle::library(variants))
}

/// The board alone, and next to an honest rulebook.
fn boards() -> [Arc<Library>; 2] {
    [true, false].map(|alone| library(false, false, alone))
}

fn checked(library: &Arc<Library>, instance: &str, consistency: ConsistencyScope) -> Analysis {
    let request = Request {
        engine: Some("hash".parse().unwrap()),
        direction: Some(Direction::Backward),
        threads: 2,
        checks: Checks::only(consistency),
        ..Request::new(Arc::clone(library), instance.to_owned())
    };
    analyse(&request, &Stop::default()).unwrap()
}

/// A claim about an instance, decided at quick effort.
fn judged(library: &Arc<Library>, instance: &str, lines: &str) -> Result<Judged, String> {
    let mut one = Library::clone(library);
    one.instances
        .retain(|known| [instance, "board"].contains(&known.name.as_str()));
    let mut context = Context::new(Effort::Quick, 1, 1, Stop::default());
    let lines = format!("instance = \"{instance}\"\n{lines}");
    crate::judged(&Arc::new(one), &lines, &mut context)
}

fn counted(library: &Arc<Library>, instance: &str, claimed: u64) -> Judged {
    let lines = format!("kind = \"count\"\ncount = \"solvable_states\"\nclaimed = {claimed}");
    judged(library, instance, &lines).unwrap()
}

fn verdict(library: &Arc<Library>, instance: &str, claimed: u64) -> Verdict {
    counted(library, instance, claimed).result.verdict
}

#[test]
fn an_honest_board_is_proven_and_its_claims_confirmed() {
    for library in boards() {
        let analysis = checked(&library, "board", ConsistencyScope::All);
        assert_eq!(analysis.proof, Proof::Complete, "{:?}", analysis.evidence);
        let text = &analysis.evidence[0].text;
        assert!(text.contains("All 49 states of 10 orbits"), "{text}");
        assert!(text.contains("can be undone"), "{text}");
        assert_eq!(verdict(&library, "board", 49), Verdict::Confirmed);
        assert_eq!(verdict(&library, "board", 45), Verdict::Refuted);
    }
    let tower = library(false, true, false);
    let analysis = checked(&tower, "board", ConsistencyScope::All);
    assert_eq!(analysis.proof, Proof::Complete, "{:?}", analysis.evidence);
    assert!(analysis.evidence[0].text.contains("The ranks are counted"));
}

/// The check of all states finds each fault, whether the rulebook is honest or has the fault too.
/// No claim about it is confirmed, with the true figure or the false one.
#[test]
fn every_fault_is_found_and_named() {
    let tower = || vec![library(false, true, true)];
    for (fault, libraries, rule, figures) in [
        // Antipodes that no predecessors lead to.
        (
            "predecessors-lose-state",
            boards().to_vec(),
            "leads to a state delivered, and the run did not deliver it",
            &[45, 49][..],
        ),
        // One orbit with two representatives.
        (
            "canonical-drop-orbit",
            boards().to_vec(),
            "an image of it has another canonical form",
            &[49],
        ),
        (
            "canonical-less-orbit",
            boards().to_vec(),
            "counts as another number of states than its orbit has",
            &[45, 49],
        ),
        (
            "place-another-state",
            tower(),
            "its rank is that of another state",
            &[],
        ),
    ] {
        for library in libraries {
            let analysis = checked(&library, fault, ConsistencyScope::All);
            assert_eq!(analysis.proof, Proof::None, "{fault}");
            let faults = analysis.faults.join("\n");
            assert!(faults.contains(rule), "{fault}: {faults}");
            for &figure in figures {
                let verdict = verdict(&library, fault, figure);
                assert_eq!(verdict, Verdict::NotReached, "{fault}: {figure}");
            }
        }
    }
    let [alone, _] = boards();
    let image = checked(&alone, "images-another-state", ConsistencyScope::All);
    assert_eq!(image.proof, Proof::None);
    assert_eq!(
        verdict(&alone, "images-another-state", 49),
        Verdict::NotReached
    );
    // A solved state that is not listed.
    let unlisted = checked(&alone, "solved-states-drop-state", ConsistencyScope::All);
    assert_ne!(unlisted.proof, Proof::Complete);
    let none = verdict(&alone, "solved-states-drop-state", 0);
    assert_ne!(none, Verdict::Confirmed);
}

/// Of 30 parts, one lacks a state: checking some of them proves nothing, and finds nothing.
#[test]
fn a_state_lost_in_one_part_of_many() {
    let library = library(false, true, false);
    let lost = "predecessors-lose-state";
    let scope = ConsistencyScope::Parts { count: 4, seed: 1 };
    let sampled = checked(&library, lost, scope);
    assert!(!sampled.failed());
    assert_eq!(sampled.proof, Proof::None);
    let text = &sampled.evidence[0].text;
    assert!(text.contains("the bound is one on parts"), "{text}");
    // If there are few states, all are checked at any effort.
    let analysis = checked(&library, lost, ConsistencyScope::All);
    let faults = analysis.faults.join("\n");
    let rule = "counts as unsolvable, but has a solvable successor";
    assert!(faults.contains(rule), "{faults}");
}

/// If a move cannot be undone and nothing counts the states, some states may be missing although
/// all others are right; the verdict says so.
#[test]
fn what_stays_open_is_said() {
    let library = library(true, false, true);
    let analysis = checked(&library, "board", ConsistencyScope::All);
    assert!(!analysis.failed(), "{:?}", analysis.faults);
    let evidence = &analysis.evidence;
    assert!(matches!(analysis.proof, Proof::Open(_)), "{evidence:?}");
    let why = "Left open, because some moves cannot be undone and the puzzle has no numbering";
    assert!(evidence[0].text.starts_with(why), "{evidence:?}");
    let found = counted(&library, "board", 49).result;
    assert_ne!(found.verdict, Verdict::Confirmed);
    let evidence = &found.evidence;
    assert!(evidence[0].text.starts_with(why), "{evidence:?}");
}

#[test]
fn a_board_that_is_read_as_another() {
    let hardest = |at: At| format!("kind = \"hardest\"\nboard = \"{}\"\n", draw(&at));
    for library in boards() {
        let judged = |at| judged(&library, "parse-another-state", &hardest(at));
        let error = judged(At::new(0, 0, 0)).unwrap_err();
        assert!(error.contains("parse reads"), "{error}");
        assert!(!error.contains('\n'), "{error}");
        let honest = judged(At::new(0, 6, 0)).unwrap();
        assert_eq!(honest.result.verdict, Verdict::Confirmed);
    }
}

#[test]
fn a_derivation_is_asked_for_what_it_speaks_of() {
    let [_, library] = boards();
    let derived = |instance: &str, more: &str| {
        let lines = format!("kind = \"derived\"\nderive = \"squares\"\nclaimed = 49\n{more}");
        judged(&library, instance, &lines)
    };
    let judged = derived("board", "parameters = { side = \"7\" }").unwrap();
    assert_eq!(judged.result.verdict, Verdict::Confirmed);
    // Parameters that were not given are reported with the others.
    let asked = "of = one (not given), side = 7";
    assert_eq!(judged.cases[0].figures["parameters"], asked);
    assert!(judged.result.notes[0].contains(&format!("parameters: {asked}")));
    let other = "draw-zero-state";
    for (instance, more, why) in [
        (other, "", "speaks of board, not of 'draw-zero-state'"),
        ("none", "", "no instance of planted 'none'"),
        ("board", "board = \"o\"", "takes no 'board'"),
    ] {
        let error = derived(instance, more).unwrap_err();
        assert!(error.contains(why), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let several = format!(
        "kind = \"derived\"\nderive = \"squares\"\nclaimed = 49\ninstances = [\"board\", \"{other}\"]"
    );
    let mut context = Context::new(Effort::Quick, 1, 1, Stop::default());
    let error = crate::judged(&library, &several, &mut context).unwrap_err();
    assert!(error.contains(&format!("not of '{other}'")), "{error}");
}
