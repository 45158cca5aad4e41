use std::time::Duration;

use antipode_graph::{Graph, builtin};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use puzzle_api::Direction;

use super::base::{Base, Grown, Until};
use super::choose::Chooser;
use super::keep::{BASE, PassLevels};
use super::pass::{End, Guide, Pass};
use crate::breadth_first::BreadthFirst;
use crate::engines::beam::{BeamOptions, BeamResult, reach};
use crate::engines::find::{Watch, check_path};
use crate::error::Result;
use crate::options::SearchLimits;
use crate::outcome::Outcome;
use crate::progress::{Progress, Stop};
use crate::question::Goal;
use crate::reconstruct_path::rising;
use crate::steps::DirectionSteps;
use crate::work::clear;

fn graph(instance: &str) -> Graph<u128> {
    builtin::graph(&format!("sliding-block/{instance}"), None, &[]).expect("ships")
}

fn options(width: usize) -> BeamOptions {
    BeamOptions {
        first_width: 100.min(width),
        most_width: width,
        memory: 64 << 20,
        windows: std::env::temp_dir().join("antipode-beam-tests"),
        ..BeamOptions::default()
    }
}

fn solve(graph: &Graph<u128>, options: &BeamOptions) -> Result<BeamResult<u128>> {
    let start = graph.roots(Direction::Forward, 0)?[0];
    reach(graph, start, &Goal::Solved, options, &Stop::default())
}

/// A pass from all levels around the start begins with the states that it would choose from the
/// whole level. No state of those levels comes again, and its path leads from the start to the
/// goal. The same if it is interrupted.
#[test]
fn a_pass_goes_on_from_all_levels_that_the_disk_holds() {
    let graph = graph("donkey");
    let start = graph.roots(Direction::Forward, 0).expect("a root")[0];
    let (width, folder) = (50, tempfile::tempdir().expect("a folder"));
    let options = BeamOptions {
        disk: Some(4 << 10),
        work: Some(folder.path().join("work")),
        levels: folder.path().join("levels"),
        ..options(width)
    };
    let stop = Stop::default();
    let goal = Goal::Solved;
    let base = deep(grown(&graph, &options, Until::Full).expect("levels"));
    let again = grown(&graph, &options, Until::Full)
        .err()
        .expect("is locked");
    assert!(
        again.to_string().contains("another run is at work"),
        "{again}"
    );
    let mut levels = BreadthFirst::new(&graph, &[DirectionSteps::FORWARD], &[start]);
    let mut known = vec![levels.level().to_vec()];
    for _ in 0..base.depth() {
        levels.advance().expect("a level");
        known.push(levels.level().to_vec());
    }
    let last = known.last().expect("a level").clone();
    assert!(base.depth() > 20 && last.len() > width, "{}", base.depth());
    levels.advance().expect("a level");
    let around = [known[base.depth() - 1].clone(), levels.level().to_vec()].concat();
    let next = rising(levels.level());
    assert_eq!(base.without_known(&rising(&around)).expect("read"), next);
    let mut shown = Vec::new();
    let samples = base.samples(30, |depth, some| {
        let level = &known[usize::from(depth)];
        assert!(!some.is_empty() && some.len() <= 30);
        assert!(some.iter().all(|state| level.contains(state)));
        shown.push(usize::from(depth));
        Ok(())
    });
    samples.expect("read");
    assert!(
        shown.contains(&16) && shown.contains(&base.depth()),
        "{shown:?}"
    );

    let pass = || {
        let guide = Guide {
            let_in: &[],
            pace: None,
            learned: None,
        };
        Pass::new(&graph, &goal, &options, (1, width), guide).behind(Some(&base))
    };
    let roots = base.choose(pass().chooser()).expect("chosen");
    let none = HashSet::with_hasher(FixedState::default());
    let mut chooser = Chooser::new(&graph, (width, options.seed ^ 1 << 32), None);
    let chosen = chooser.choose(&graph, rising(&last), (false, None), &none);
    assert_eq!(roots, chosen.expect("chosen"));

    let run = |kept: &mut PassLevels<u128>, bound: usize| {
        let mut pass = pass();
        pass.restore(kept, &[start]).expect("roots");
        let watch = Watch::start(SearchLimits::default(), &stop);
        let end = pass.run(kept, bound, &watch, &Progress::silent(&stop));
        match end.expect("walked") {
            End::Met(goal, depth) => {
                let way = kept.way_to(&graph, goal, depth).expect("a way");
                Some([base.way_to(way[0]).expect("a way"), way[1..].to_vec()].concat())
            }
            _ => None,
        }
    };
    let mut kept = PassLevels::in_memory();
    let path = run(&mut kept, usize::MAX).expect("a path");
    assert_eq!(path[0], start);
    check_path(&graph, &path, Some(&Goal::Solved)).expect("a path");

    let kept = |resume: bool| {
        let options = BeamOptions {
            resume,
            ..options.clone()
        };
        PassLevels::open(&graph, start, &Goal::Solved, &options).expect("opened")
    };
    let (mut begun, _) = kept(false);
    begun.finish(BASE, &base.depth()).expect("written");
    assert_eq!(run(&mut begun, base.depth() + 5), None);
    drop(begun);
    let (mut begun, finished) = kept(true);
    assert_eq!(finished.base, Some(base.depth() as u16));
    assert_eq!(begun.depths(), base.depth()..base.depth() + 5);
    assert_eq!(run(&mut begun, usize::MAX).as_ref(), Some(&path));
    drop(begun);

    // Damaged levels are remade, and those after them.
    for depth in [base.depth() + 3, base.depth()] {
        let file = folder.path().join(format!("work/forward-{depth}.level"));
        let mut bytes = std::fs::read(&file).expect("a level");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).expect("written");
        let (mut begun, _) = kept(true);
        assert_eq!(run(&mut begun, usize::MAX).as_ref(), Some(&path), "{depth}");
        drop(begun);
        let (mut begun, _) = kept(true);
        assert!(begun.depths().len() > 5, "{:?}", begun.depths());
        assert_eq!(run(&mut begun, usize::MAX).as_ref(), Some(&path), "{depth}");
    }
    // So is a sound level of the same length with other states.
    let depth = base.depth() + 4;
    let (begun, _) = kept(true);
    let keys = begun.read(depth).expect("sound");
    drop(begun);
    let file = folder.path().join(format!("work/forward-{depth}.level"));
    let length = std::fs::metadata(&file).expect("a level").len();
    let other = (0..keys.len()).find(|&at| {
        let mut other = keys.clone();
        other[at] ^= 1;
        let mut writer = crate::level::Writer::to_file(&file).expect("a file");
        writer.add(other).expect("written");
        writer.finish(0).expect("written").bytes == length
    });
    assert!(other.is_some(), "no other level of {length} bytes");
    let (begun, _) = kept(true);
    let error = begun.read(depth).expect_err("another level").to_string();
    assert!(error.contains("not those written"), "{error}");
    drop(begun);
    let (mut begun, _) = kept(true);
    assert_eq!(run(&mut begun, usize::MAX).as_ref(), Some(&path));
    drop(begun);

    let (mut begun, _) = kept(true);
    let file = folder
        .path()
        .join(format!("work/forward-{}.level", base.depth() + 6));
    std::fs::remove_file(file).expect("a level");
    assert_eq!(run(&mut begun, usize::MAX), Some(path));

    // Removed levels are not mistaken for others, and are remade only to their former depth.
    let depth = base.depth();
    clear(&options.levels, false).expect("removed");
    std::fs::remove_dir_all(&options.levels).expect("removed");
    let gone = base.way_to(roots[0]).expect_err("gone");
    assert!(!gone.to_string().contains("puzzle"), "{gone}");
    drop(base);
    let less = BeamOptions {
        disk: Some(2 << 10),
        ..options.clone()
    };
    let shallow = grown(&graph, &less, Until::Depth(depth as u16));
    let shallow = shallow.err().expect("too little disk").to_string();
    assert!(shallow.contains("--disk"), "{shallow}");
    let more = BeamOptions {
        disk: Some(1 << 30),
        ..options.clone()
    };
    let base = deep(grown(&graph, &more, Until::Depth(depth as u16)).expect("levels"));
    assert_eq!(base.depth(), depth);
    base.remove().expect("removed");
    assert!(!options.levels.exists());
}

fn grown(graph: &Graph<u128>, options: &BeamOptions, until: Until) -> Result<Grown<u128>> {
    let start = graph.roots(Direction::Forward, 0)?[0];
    let mut base = Base::new(graph, start, &Goal::Solved, options, &Stop::default())?;
    base.claim()?;
    base.grow(until, None)
}

fn deep(grown: Grown<u128>) -> Base<u128> {
    match grown {
        Grown::Deep(base) => base,
        _ => panic!("of no use"),
    }
}

/// Small levels are of no use to a pass, and are removed. If they hold a goal, the path is the
/// shortest; after a time-out nothing is said about them.
#[test]
fn levels_end_where_they_are_of_no_more_use() {
    let graph = graph("block-10-v11");
    let folder = tempfile::tempdir().expect("a folder");
    let with = |disk: u64| BeamOptions {
        disk: Some(disk),
        levels: folder.path().join("levels"),
        ..options(200)
    };
    let small = grown(&graph, &with(1 << 10), Until::Full).expect("levels");
    assert!(matches!(small, Grown::Small));
    assert!(!with(0).levels.exists());
    let Grown::Met(path, base) = grown(&graph, &with(1 << 30), Until::Full).expect("levels") else {
        panic!("no goal");
    };
    assert_eq!(path.len() - 1, 42);
    base.remove().expect("removed");
    let start = graph.roots(Direction::Forward, 0).expect("a root")[0];
    let mut base = Base::new(
        &graph,
        start,
        &Goal::Solved,
        &with(1 << 30),
        &Stop::default(),
    );
    base.as_mut().expect("begun").claim().expect("claimed");
    let in_no_time = base.expect("begun").grow(Until::Full, Some(Duration::ZERO));
    assert!(matches!(in_no_time.expect("levels"), Grown::NotYet(_)));
}

/// All levels around the start hold a goal, if no narrow pass comes first. Nothing is left on disk,
/// with a work folder or without.
#[test]
fn a_goal_in_the_levels_is_proven_and_they_are_gone() {
    let graph = graph("block-10-v11");
    let folder = tempfile::tempdir().expect("a folder");
    for work in [None, Some(folder.path().join("work"))] {
        let options = BeamOptions {
            disk: Some(1 << 30),
            levels: folder.path().join("work-levels"),
            work,
            ..options(2)
        };
        let done = solve(&graph, &options).expect("searched");
        let Outcome::Path(path) = &done.outcome else {
            panic!("{:?}", done.outcome);
        };
        assert!(path.shortest && path.states.len() == 43);
        assert_eq!(done.kept, options.work);
        assert!(!options.levels.exists());
    }
}

#[test]
fn levels_on_disk_that_memory_is_too_small_for_are_refused_at_once() {
    let graph = graph("donkey");
    let folder = tempfile::tempdir().expect("a folder");
    let options = BeamOptions {
        memory: 1 << 20,
        disk: Some(1 << 20),
        work: Some(folder.path().join("work")),
        ..options(400)
    };
    let refused = solve(&graph, &options).expect_err("too little memory");
    assert!(refused.to_string().contains("--memory"), "{refused}");
    assert!(!folder.path().join("work").exists());
}

/// The positions n moves from the start, sorted.
fn level(graph: &Graph<u128>, depth: usize) -> Vec<u128> {
    let roots = graph.roots(Direction::Forward, 0).expect("a start");
    let mut search = BreadthFirst::new(graph, &[DirectionSteps::FORWARD], &roots);
    for _ in 0..depth {
        search.advance().expect("expanded");
    }
    rising(search.level())
}

#[test]
fn what_is_kept_fills_the_width_and_no_stratum_more_than_its_share() {
    let graph = graph("climb-12");
    let level = level(&graph, 24);
    let order = graph.move_order(&level).expect("an order");
    let diversity_classes = graph.diversity_class(&level).expect("diversity_classes");
    let let_in: HashSet<u128, FixedState> = level.iter().copied().step_by(97).collect();
    let width = level.len() / 2;
    let mut farthest: Vec<u64> = order.clone();
    farthest.sort_unstable();
    for farthest in [None, Some(farthest[level.len() * 3 / 4])] {
        let mut chooser = Chooser::new(&graph, (width, 1), None);
        let kept = chooser.choose(&graph, level.clone(), (false, farthest), &let_in);
        let kept = kept.expect("chosen");
        assert!(kept.is_sorted() && kept.len() <= width + let_in.len());
        assert!(let_in.iter().all(|key| kept.contains(key)));
        let (mut by_class, mut there) = (HashMap::new(), HashMap::new());
        let mut late = 0;
        let share = 16;
        for ((key, order), diversity_class) in level.iter().zip(&order).zip(&diversity_classes) {
            let in_time = farthest.is_none_or(|farthest| *order <= farthest);
            let (here, in_all): &mut (usize, usize) = there.entry(diversity_class).or_default();
            (*here, *in_all) = (*here + usize::from(in_time), *in_all + 1);
            if kept.contains(key) && !let_in.contains(key) {
                *by_class.entry(diversity_class).or_insert(0) += 1;
                late += usize::from(!in_time);
            }
        }
        assert!(by_class.values().all(|&kept| kept <= share));
        // As many as fit, and late ones only if the others leave room.
        let room = |of: fn(&(usize, usize)) -> usize| -> usize {
            there.values().map(|there| of(there).min(share)).sum()
        };
        assert!(kept.len() >= room(|there| there.1).min(width));
        let turned_away = room(|there| there.0).saturating_sub(width);
        assert!(late == 0 || turned_away == 0, "{late} {turned_away}");
        // A diversity class with any state in time keeps its first one.
        let dealt_to = there.values().filter(|(in_time, _)| *in_time > 0).count();
        if dealt_to <= width * 3 / 10 {
            assert!(by_class.len() + let_in.len() >= dealt_to);
        }
    }
}
