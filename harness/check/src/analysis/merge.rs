//! Merges the shards of an analysis: every block once, from one program and one question; repeats
//! some of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puzzle_api::{Key, Xorshift};

use antipode_search::blocks::{FinishedBlock, Journal, Merged, merged};
use antipode_search::engines::EngineError;
use antipode_search::open::{AnyWidth, with_keys_of};
use antipode_search::progress::Stop;
use antipode_search::work::{FolderPlace, WorkFolder};

use super::plan::AnalysisPlan;
use super::{Analysis, Blocks, Request, Which, analyse};

/// Number of blocks that are repeated before the shards are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Redo {
    /// Number of blocks; all of them if there are fewer.
    pub blocks: u64,
    /// Seed of the draw.
    pub seed: u64,
}

/// Merges shards into one analysis, which equals that of a single run, byte for byte except for its
/// cost. `request.journal` names the folder of the result.
///
/// # Errors
/// [`EngineError`]: then nothing is merged.
pub fn merge(
    request: &Request,
    out: &Path,
    shards: &[PathBuf],
    redo: Redo,
    stop: &Stop,
) -> Result<Analysis, EngineError> {
    let gather = Gather {
        request,
        out,
        shards,
        redo,
        stop,
    };
    with_keys_of(&request.library, gather)?;
    let all = with_blocks(request, out, true, Which::All);
    analyse(&all, stop)
}

/// The request, with its blocks in `out`.
fn with_blocks(request: &Request, out: &Path, resume: bool, which: Which) -> Request {
    Request {
        journal: Some(Blocks {
            folder: out.to_owned(),
            resume,
            which,
        }),
        ..request.clone()
    }
}

/// Writes a journal of all blocks to `out`, as a run stopped at its very end would.
struct Gather<'a> {
    request: &'a Request,
    out: &'a Path,
    shards: &'a [PathBuf],
    redo: Redo,
    stop: &'a Stop,
}

impl AnyWidth for Gather<'_> {
    type Output = Result<(), EngineError>;

    fn with<K: Key>(self) -> Self::Output {
        let (request, out) = (self.request, self.out);
        let plan = AnalysisPlan::<K>::make(request)?;
        let identity = plan.identity(request);
        let mut found = Vec::with_capacity(self.shards.len());
        for folder in self.shards {
            found.push((folder.clone(), Journal::blocks_in(folder, &identity)?));
        }
        let merged = merged(&plan.search, found)?;
        let Redo { blocks, seed } = self.redo;
        let drawn = Xorshift::drawn(seed, blocks, merged.len() as u64);
        if !drawn.is_empty() {
            let again = with_blocks(request, out, false, Which::These(drawn.clone()));
            let again = Request {
                show_progress: false,
                ..again
            };
            if !analyse(&again, self.stop)?.finished {
                let why = "stopped before the drawn blocks were walked again; nothing was merged";
                return Err(EngineError::CannotHold(why.to_owned()));
            }
            same(&merged, &Journal::blocks_in(out, &identity)?)?;
        }
        let (folder, _) = WorkFolder::open(&FolderPlace::out(out, false), &identity)?;
        let mut journal = Journal::new(Arc::new(folder), &[]);
        for (_, block) in merged.into_values() {
            journal.take_over(block)?;
        }
        Ok(())
    }
}

fn same(merged: &Merged, again: &[FinishedBlock]) -> Result<(), EngineError> {
    for block in again {
        if let Some((folder, given)) = merged.get(&block.number())
            && given != block
        {
            return Err(EngineError::CannotHold(format!(
                "{}: block {} is not what it is when walked again here; the shard was edited, or made by another program: run it anew",
                folder.display(),
                block.number()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Shard;
    use super::*;
    use antipode_graph::builtin;

    use puzzle_api::{Direction, settings};

    fn request() -> Request {
        let tilt = builtin::named("tilt");
        Request {
            settings: settings(&[("grey", "1"), ("blue", "0..1")]),
            direction: Some(Direction::Backward),
            ..Request::new(Arc::new(tilt.expect("built in")), "box".to_owned())
        }
    }

    /// Writes a folder as a run of the same question would.
    fn write(request: &Request, folder: &Path, blocks: Vec<FinishedBlock>) {
        let plan = AnalysisPlan::<u64>::make(request).expect("plan");
        let opened = WorkFolder::open(&FolderPlace::out(folder, false), &plan.identity(request));
        let mut journal = Journal::new(Arc::new(opened.expect("folder").0), &[]);
        for block in blocks {
            journal.take_over(block).expect("journal");
        }
    }

    /// One more state in a level, with valid checksums: only a second walk detects it.
    fn forged(block: &FinishedBlock) -> FinishedBlock {
        let mut value = serde_json::to_value(block).expect("value");
        let states = &mut value["seen"]["levels"][0][1];
        *states = (states.as_u64().expect("count") + 1).into();
        serde_json::from_value(value).expect("block")
    }

    #[test]
    fn a_forged_block_is_told_where_it_is_walked_again() {
        let folder = tempfile::tempdir().expect("folder");
        let (shard, out) = (folder.path().join("shard"), folder.path().join("out"));
        std::fs::create_dir(&out).expect("folder");
        let request = request();
        let stop = Stop::default();
        let which = Which::Shard("1/1".parse::<Shard>().expect("shard"));
        analyse(&with_blocks(&request, &shard, false, which), &stop).expect("analysis");
        let plan = AnalysisPlan::<u64>::make(&request).expect("plan");
        let sound = Journal::blocks_in(&shard, &plan.identity(&request)).expect("blocks");
        let all = Redo {
            blocks: u64::MAX,
            seed: 1,
        };
        let shards = [shard.clone()];
        let merged = merge(&request, &out, &shards, all, &stop).expect("sound");
        let whole = analyse(&request, &stop).expect("analysis");
        assert_eq!(merged.levels, whole.levels);
        assert_eq!(merged.antipodes, whole.antipodes);
        for at in 0..sound.len() {
            let mut blocks = sound.clone();
            blocks[at] = forged(&blocks[at]);
            let number = blocks[at].number();
            write(&request, &shard, blocks);
            let error = merge(&request, &out, &shards, all, &stop).expect_err("forged");
            let text = format!("shard: block {number} is not what it is when walked again");
            assert!(error.to_string().contains(&text), "{error}");
        }
    }

    #[test]
    fn a_run_does_not_go_on_with_forged_blocks() {
        let folder = tempfile::tempdir().expect("folder");
        let request = request();
        let stop = Stop::default();
        let run = |resume| {
            analyse(
                &with_blocks(&request, folder.path(), resume, Which::All),
                &stop,
            )
        };
        let whole = run(false).expect("analysis");
        let plan = AnalysisPlan::<u64>::make(&request).expect("plan");
        let sound = Journal::blocks_in(folder.path(), &plan.identity(&request)).expect("blocks");
        assert_eq!(run(true).expect("sound").levels, whole.levels);
        write(&request, folder.path(), sound.iter().map(forged).collect());
        let error = run(true).expect_err("forged").to_string();
        assert!(error.contains("when walked again"), "{error}");
    }
}
