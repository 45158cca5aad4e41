//! Folders of finished runs, sound and edited.

use std::fs;
use std::path::Path;

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_explore::{AnswerLimits, ExploreError, Explorer, FinishedRun, Go};
use antipode_reports::model::{Antipode, LevelTable};
use antipode_reports::results::Results;
use antipode_search::progress::Stop;
use puzzle_api::{Direction, Settings};

use crate::support::{asked, coins, limits, shown};

fn explorer(run: Option<FinishedRun>, limits: AnswerLimits) -> Explorer {
    Explorer::open(coins(), run, limits).expect("opens")
}

/// Leaves a run in a folder, after `edit` changed its tables.
fn run_in(folder: &Path, edit: impl FnOnce(&mut LevelTable, &mut Vec<Antipode>)) {
    let asked = coins();
    let request = Request {
        settings: asked.settings,
        direction: Some(Direction::Backward),
        ..Request::new(asked.library, asked.instance)
    };
    let mut found = analyse(&request, &Stop::default()).expect("analyses");
    edit(&mut found.levels, &mut found.antipodes);
    leave(folder, &found);
}

/// Leaves a run in a folder.
fn leave(folder: &Path, found: &Analysis) {
    let mut results = Results::new(folder, "analyse");
    results.record("run.json", &found.run).expect("writes");
    results.levels("levels.csv", &found.levels).expect("writes");
    let rows = results.rows("antipodes.csv", &found.antipodes);
    rows.expect("writes");
    results.finish().expect("appears");
}

#[test]
fn a_finished_run_leads_to_its_antipodes() {
    let folder = tempfile::tempdir().expect("a folder");
    run_in(folder.path(), |_, _| {});
    let run = FinishedRun::read(folder.path()).expect("reads");
    let antipodes = run.antipodes.clone();
    // Without memory for a table, only the run knows them.
    for orbits in [0, 1 << 20] {
        let explorer = explorer(Some(run.clone()), limits(orbits));
        for (nth, antipode) in antipodes.iter().enumerate() {
            let go = Go::Antipode(nth as u64);
            let position = shown(&explorer, None, go);
            assert_eq!(position.board, antipode.state);
            assert_eq!(position.remaining.distance, Some(antipode.depth));
        }
    }
}

/// A run forward: its depths are distances from the start, and are called so.
#[test]
fn a_forward_run_says_what_its_depths_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let donkey = antipode_blocks::sliding_block::table();
    let asked = asked(donkey, "donkey", Settings::new());
    let request = Request {
        direction: Some(Direction::Forward),
        ..Request::new(asked.library.clone(), asked.instance.clone())
    };
    let found = analyse(&request, &Stop::default()).expect("analyses");
    leave(folder.path(), &found);
    let run = FinishedRun::read(folder.path()).expect("reads");
    let explorer = Explorer::open(asked, Some(run), limits(0)).expect("opens");
    let position = shown(&explorer, None, Go::Antipode(0));
    let told = position.notes.iter();
    let mut told = told.filter(|note| note.contains("124 moves from the start"));
    assert!(told.next().is_some(), "{:?}", position.notes);
}

#[test]
fn a_folder_that_was_changed_or_is_none_is_refused() {
    let refused = |folder: &Path| FinishedRun::read(folder).expect_err("refused").to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let empty = refused(folder.path());
    assert!(empty.contains("holds no finished run"), "{empty}");
    assert!(refused(&folder.path().join("nowhere")).contains("holds no finished run"));
    run_in(folder.path(), |_, _| {});
    let levels = folder.path().join("levels.csv");
    let text = fs::read_to_string(&levels).expect("reads");
    fs::write(&levels, text.replace("\n1,", "\n1,1")).expect("writes");
    let changed = refused(folder.path());
    assert!(
        changed.contains("changed after it was written"),
        "{changed}"
    );
}

#[test]
fn a_run_of_another_instance_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    run_in(folder.path(), |_, _| {});
    let run = FinishedRun::read(folder.path()).expect("reads");
    let mut other = coins();
    other.settings.insert("to".into(), "oo./oo./...".into());
    let error = Explorer::open(other, Some(run), limits(0));
    let error = error.err().expect("another goal");
    assert!(error.to_string().contains("holds a run of"), "{error}");
}

/// An edited folder with a matching manifest is detected by what is derived here.
#[test]
fn a_run_that_says_something_else_is_told() {
    let disagrees = |edit: fn(&mut LevelTable, &mut Vec<Antipode>), orbits, go| {
        let folder = tempfile::tempdir().expect("a folder");
        run_in(folder.path(), edit);
        let run = FinishedRun::read(folder.path()).expect("reads");
        let explorer = explorer(Some(run), limits(orbits));
        let error = explorer.position(Some("ooo/o../..."), go, &Stop::default());
        let error = error.expect_err("disagrees");
        assert!(matches!(error, ExploreError::Disagree(_)), "{error}");
    };
    // Another digest of a level, if there is a table to compare it with.
    disagrees(
        |levels, _| levels.levels[1].digest = levels.levels[0].digest.clone(),
        1 << 20,
        Go::Stay,
    );
    // A solved board among the antipodes.
    disagrees(
        |_, antipodes| antipodes[0].state = "ooo/o../...".into(),
        0,
        Go::Antipode(0),
    );
}
