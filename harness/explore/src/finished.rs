//! The data in the folder of a finished run: its antipodes and its level table. The folder is not
//! trusted. Its manifest must list the files as they are, their figures must be possible, and they
//! are compared with every table and search made here.

use std::path::{Path, PathBuf};

use antipode_reports::json_out::read_record;
use antipode_reports::model::{Antipode, LevelTable, MANIFEST, Run, StopKind};
use antipode_reports::report::{levels_of, read_antipodes};
use antipode_reports::results::{as_written, standing};
use puzzle_api::Settings;

use crate::error::ExploreError;

/// Files of a run that are read.
const FILES: [&str; 3] = ["run.json", "levels.csv", "antipodes.csv"];

/// A finished run, read from its folder.
#[derive(Debug, Clone)]
pub struct FinishedRun {
    /// The folder.
    pub folder: PathBuf,
    /// The run's record.
    pub run: Run,
    /// Its levels.
    pub levels: LevelTable,
    /// The positions of the deepest level.
    pub antipodes: Vec<Antipode>,
}

impl FinishedRun {
    /// Reads a folder that `analyse --out` or `verify --out` has left.
    ///
    /// # Errors
    /// No manifest, a file that was changed or that no run can have written, or a run that did not
    /// finish.
    pub fn read(folder: &Path) -> Result<Self, ExploreError> {
        let refuse = |why: String| {
            let folder = folder.display();
            Err(ExploreError::Refused(format!("--from-run {folder}: {why}")))
        };
        let listed = standing(folder);
        if listed.is_unsealed() || !FILES.iter().all(|name| listed.lists(name)) {
            return refuse(format!(
                "holds no finished run, with {} listed in {MANIFEST}; give the folder of `antipode analyse --out DIR`",
                FILES.join(", ")
            ));
        }
        as_written(folder, &FILES)?;
        let run: Run = read_record(folder.join(FILES[0]))?;
        if !run.complete {
            return refuse(unfinished(&run));
        }
        let levels = levels_of(&folder.join(FILES[1]), Some(&run))?;
        let antipodes = read_antipodes(&folder.join(FILES[2]), Some(&levels))?;
        Ok(Self {
            folder: folder.to_owned(),
            run,
            levels,
            antipodes,
        })
    }

    /// `PUZZLE/INSTANCE`.
    #[must_use]
    pub fn instance(&self) -> String {
        format!("{}/{}", self.run.puzzle, self.run.instance)
    }

    /// Refuses an instance that is not the run's.
    ///
    /// # Errors
    /// The difference.
    pub fn check(&self, instance: &str, settings: &Settings) -> Result<(), ExploreError> {
        let shown = |settings: &Settings| {
            let all = settings
                .iter()
                .map(|(key, value)| format!(" {key}={value}"));
            all.collect::<String>()
        };
        let (own, own_settings) = (self.instance(), &self.run.settings);
        let (ours, theirs) = match own == instance {
            true if own_settings == settings => return Ok(()),
            true => (shown(own_settings), shown(settings)),
            false => Default::default(),
        };
        Err(ExploreError::Refused(format!(
            "--from-run {}: holds a run of {own}{ours}, not of {instance}{theirs}",
            self.folder.display(),
        )))
    }

    /// The remark on one of its deepest positions, if its depths are no distances to the nearest
    /// solved state.
    pub(crate) fn says_of_farthest(&self, depth: u32) -> String {
        let end = match &self.run.from {
            Some(board) => format!("the board {board}"),
            None => "the start".to_owned(),
        };
        let moves = antipode_reports::count(u64::from(depth), self.run.unit.name());
        let way = match self.run.direction.as_str() {
            "backward" => format!("{moves} to {end}"),
            _ => format!("{moves} from {end}"),
        };
        format!(
            "A farthest position of the run in {}: {way}. Distances shown here are to the nearest solved position, which is another measure.",
            self.folder.display()
        )
    }

    /// Whether its depths are distances to the nearest solved state.
    #[must_use]
    pub fn is_to_solved(&self) -> bool {
        self.run.direction == "backward" && self.run.from.is_none()
    }
}

/// Why a run that did not finish has no farthest positions, and the remedy.
fn unfinished(run: &Run) -> String {
    let reason = run.stop.map(|stop| stop.reason);
    match (reason, run.max_depth) {
        (Some(StopKind::Depth), Some(depth)) => format!(
            "its run ended at level {depth}, as --max-depth asked, so that its farthest positions are not known; give a run without --max-depth"
        ),
        (Some(StopKind::Shard), _) => {
            "it holds one share of the parts; put all of them together with `antipode merge`".into()
        }
        _ => "its run did not finish; continue it with --resume".into(),
    }
}
