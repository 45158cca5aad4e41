//! Folders of results: all files or none, their manifest, and the report if they were edited.

use crate::sample::{self, has, refused};
use antipode_reports::csv_out::write_rows;
use antipode_reports::html::{ReportHead, report_html, write_report};
use antipode_reports::json_out::read_record;
use antipode_reports::model::{
    CaseRecord, Certificate, ClaimResult, Level, LevelCost, MANIFEST, Manifest, PermuteRow,
    PlanRow, Record, RefereeRow, Run, Verdict, columns,
};
use antipode_reports::report::{FoundFolders, FoundRun, MarkKind, gather, splice::splice_file};
use antipode_reports::results::{
    PAGE, Results, as_written, clear_way, may_replace, reopen, standing,
};
use std::fs;
use std::path::Path;

/// Claims with their certificates, and a run, each with its manifest.
fn results() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let page = sample::page();
    let rows = sample::claim_rows(&page.found.claims);
    fs::create_dir(folder.path().join("certificates")).unwrap();
    let mut certificates = Results::new(folder.path().join("certificates"), "certify");
    for claim in &page.found.claims {
        let name = format!("{}.json", claim.id.replace('/', "-"));
        certificates.record(&name, &certificate(claim)).unwrap();
    }
    let certificates = certificates.seal().unwrap();
    let mut root = Results::new(folder.path(), "certify");
    root.rows("claims.csv", &rows).unwrap();
    root.part("certificates", &certificates);
    certificates.appear().unwrap();
    root.finish().unwrap();
    let run = &page.found.runs[0];
    fs::create_dir(folder.path().join("run")).unwrap();
    let mut results = Results::new(folder.path().join("run"), "analyse");
    results.levels("levels.csv", &run.levels).unwrap();
    results.rows("antipodes.csv", &run.antipodes).unwrap();
    results.record("run.json", &sample::run()).unwrap();
    results.finish().unwrap();
    folder
}

/// A certificate of a claim that rests only on itself.
pub fn certificate(claim: &ClaimResult) -> Certificate {
    Certificate {
        schema: 1,
        claim: claim.clone(),
        claim_blake3: "0".repeat(64),
        host: sample::run().host,
        ..Certificate::default()
    }
}

/// A reading that rests on a run.
pub fn case(claim: &ClaimResult, run: &FoundRun) -> CaseRecord {
    CaseRecord {
        kind: claim.kind.clone(),
        instance: claim.instance.clone(),
        claimed: claim.claimed.clone(),
        compare: "equal".into(),
        within: Some(0.1),
        found: claim.found.clone(),
        verdict: claim.verdict,
        variant: claim.variant.clone(),
        engine: claim.engine.clone(),
        run: run.run.clone(),
        levels: Some(run.levels.clone()),
        antipodes: run.antipodes.clone(),
        checks: claim.evidence.clone(),
        ..CaseRecord::default()
    }
}

fn edit(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "{}", path.display());
    fs::write(path, changed).unwrap();
}

fn page(found: &FoundFolders) -> String {
    report_html(&ReportHead::default(), found).unwrap()
}

fn kinds(found: &FoundFolders) -> Vec<(&str, MarkKind)> {
    let marks = found.marks.iter();
    marks.map(|mark| (mark.name.as_str(), mark.kind)).collect()
}

#[test]
fn untouched_results_are_as_written() {
    let folder = results();
    let found = gather(&[folder.path()]).unwrap();
    assert!(found.is_as_written() && found.unsealed.is_empty());
    let text = page(&found);
    assert!(!text.contains("id=\"page-altered\"") && !text.contains("Without a manifest"));
    let manifest: Manifest = read_record(folder.path().join(MANIFEST)).unwrap();
    let paths = manifest.files.iter().map(|file| &*file.path);
    assert!(paths.eq(["certificates/manifest.json", "claims.csv"]));
    assert!(manifest.files.iter().all(|file| file.verb == "certify"));
    let text = fs::read(folder.path().join("claims.csv")).unwrap();
    assert_eq!(manifest.files[1].bytes, text.len() as u64);
    let digest = blake3::hash(&text).to_hex();
    assert_eq!(manifest.files[1].blake3, digest.as_str());
}

/// A figure of a row, even a plausible one, is detected only by the digest.
#[test]
fn an_edited_count_is_told_on_the_page() {
    let folder = results();
    edit(&folder.path().join("run/levels.csv"), |text| {
        text.replacen("\n1,", "\n1,1", 1)
    });
    let found = gather(&[folder.path()]).unwrap();
    assert_eq!(kinds(&found), [("levels.csv", MarkKind::Changed)]);
    let parts = [
        "A file is not as written",
        "Not as written: levels.csv: it was changed after it was written.",
    ];
    has(&page(&found), &parts);
}

#[test]
fn an_edited_verdict_in_the_table_is_no_verdict() {
    let folder = results();
    let is_refuted = |claim: &ClaimResult| claim.verdict == Verdict::Refuted;
    let id = &sample::claims().into_iter().find(is_refuted).unwrap().id;
    edit(&folder.path().join("claims.csv"), |text| {
        let line = text.lines().find(|line| line.starts_with(id));
        let line = line.unwrap();
        text.replace(line, &line.replace("refuted", "confirmed"))
    });
    let found = gather(&[folder.path()]).unwrap();
    assert_eq!(kinds(&found), [("claims.csv", MarkKind::Changed)]);
    // The other rows agree with their certificates.
    assert_eq!(found.doubted.keys().collect::<Vec<_>>(), [id]);
    let parts = ["badge not-as-written", "contradict each other"];
    has(&page(&found), &parts);
    let readme = folder.path().join("README.md");
    let marks = "<!-- antipode:table verdicts -->\n<!-- antipode:end -->\n";
    fs::write(&readme, marks).unwrap();
    let spliced = splice_file(&readme, &found);
    refused(spliced, &["claims.csv: it was changed"]);
}

#[test]
fn files_that_are_gone_or_came_are_told() {
    let folder = results();
    let id = sample::claims()[0].id.replace('/', "-");
    let name = format!("{id}.json");
    fs::remove_file(folder.path().join("certificates").join(&name)).unwrap();
    let manifest = folder.path().join("certificates/manifest.json");
    fs::copy(manifest, folder.path().join("notes.json")).unwrap();
    write_rows::<LevelCost>(folder.path().join("run/cost.csv"), &[]).unwrap();
    let found = gather(&[folder.path()]).unwrap();
    let missing = (name.as_str(), MarkKind::Missing);
    assert_eq!(kinds(&found), [missing, ("cost.csv", MarkKind::Unlisted)]);
    assert_eq!(found.doubted[&id], "its certificate is missing");
    assert!(page(&found).contains("2 files are not as written"));
}

#[test]
fn a_folder_without_a_manifest_is_told_and_read() {
    let folder = results();
    reopen(&folder.path().join("run")).unwrap();
    reopen(&folder.path().join("run")).unwrap();
    let found = gather(&[folder.path()]).unwrap();
    assert!(found.is_as_written());
    assert_eq!(found.unsealed.len(), 1);
    assert!(page(&found).contains("Without a manifest"));
    fs::write(folder.path().join("run/manifest.json"), "{}").unwrap();
    let found = gather(&[folder.path()]).unwrap();
    assert_eq!(kinds(&found), [(MANIFEST, MarkKind::Unreadable)]);
}

/// Moved out of its folder, a certificate still has its own digest.
#[test]
fn a_certificate_is_checked_alone() {
    let folder = results();
    let id = sample::claims()[0].id.replace('/', "-");
    let path = folder.path().join("alone.json");
    let from = folder.path().join(format!("certificates/{id}.json"));
    fs::rename(from, &path).unwrap();
    read_record::<Certificate>(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let rest = text
        .lines()
        .filter(|line| !line.starts_with("  \"blake3\""));
    let rest: String = rest.map(|line| format!("{line}\n")).collect();
    let digest = blake3::hash(rest.as_bytes()).to_hex();
    assert!(text.contains(&format!("  \"blake3\": \"{digest}\",\n")));
    edit(&path, |text| {
        text.replacen("\"found\": \"", "\"found\": \"1", 1)
    });
    let read = read_record::<Certificate>(&path);
    refused(read, &["line 3: it was changed after it was written"]);
    // Older certificates have no digest.
    fs::write(&path, rest).unwrap();
    read_record::<Certificate>(&path).unwrap();
}

#[test]
fn figures_that_cannot_be_are_refused() {
    let page = sample::page();
    let is_confirmed = |claim: &&ClaimResult| claim.verdict == Verdict::Confirmed;
    let claim = page.found.claims.iter().find(is_confirmed).unwrap();
    let fault = |change: fn(&mut ClaimResult)| {
        let mut claim = claim.clone();
        change(&mut claim);
        certificate(&claim).check().unwrap_err()
    };
    assert_eq!(fault(|claim| claim.found.clear()).0, "verdict");
    let fails = fault(|claim| (claim.claimed, claim.found) = (String::new(), "false".into()));
    has(&fails.1, &["confirmed, but found is false"]);
    let run = &page.found.runs[0];
    let with_levels = Certificate {
        cases: vec![case(claim, run)],
        ..certificate(claim)
    };
    with_levels.check().unwrap();
    fn level(case: &mut CaseRecord) -> &mut Level {
        &mut case.levels.as_mut().unwrap().levels[2]
    }
    fn run_of(case: &mut CaseRecord) -> &mut Run {
        case.run.as_mut().unwrap()
    }
    type Change = (fn(&mut CaseRecord), &'static str);
    let changes: [Change; 8] = [
        (|c| level(c).states = 0, "states"),
        (|c| level(c).depth = 3, "depth"),
        (|c| level(c).digest.truncate(31), "digest"),
        (|c| c.antipodes[0].depth -= 1, "depth"),
        (|c| c.antipodes[0].orbit_size = u32::MAX, "orbit_size"),
        (|c| run_of(c).parts_done = u64::MAX, "parts_done"),
        (|c| run_of(c).max_depth = Some(3), "depth"),
        (|c| run_of(c).direction = "up".into(), "direction"),
    ];
    for (change, column) in changes {
        let mut certificate = with_levels.clone();
        change(&mut certificate.cases[0]);
        assert_eq!(certificate.check().unwrap_err().0, column);
    }
    let symmetries = |count: u64| {
        let mut run = sample::run();
        run.extra.insert("symmetries".into(), count.into());
        run.check_levels(&page.found.runs[0].levels)
    };
    symmetries(8).unwrap();
    assert_eq!(symmetries(7).unwrap_err().0, "states");
}

#[test]
fn only_files_of_ours_are_written_over() {
    let folder = results();
    let run = folder.path().join("run");
    let names = ["levels.csv", "run.json", "absent.csv"];
    for verb in ["analyse", "verify", "merge"] {
        clear_way(&run, &names, verb, Some(false)).unwrap();
    }
    // Results of another command stay, whatever is forced.
    for force in [None, Some(false), Some(true)] {
        let parts = ["levels.csv", "antipode analyse", "another --out"];
        refused(clear_way(&run, &names, "solve", force), &parts);
    }
    // Older folders: the form is known.
    reopen(&run).unwrap();
    clear_way(&run, &names, "analyse", Some(false)).unwrap();
    // What a run leaves that is killed before its manifest is there.
    for (name, text) in [
        ("samples.json", "[]\n".to_owned()),
        ("permute.csv", columns::<PermuteRow>().join(",")),
        ("plan.csv", columns::<PlanRow>().join(",")),
        ("referee.csv", columns::<RefereeRow>().join(",")),
    ] {
        fs::write(run.join(name), text).unwrap();
        may_replace(&run.join(name), None).unwrap();
    }
    let taxes = run.join("levels.csv");
    fs::write(&taxes, "year,tax\n").unwrap();
    let parts = ["levels.csv", "--force"];
    refused(clear_way(&run, &names, "analyse", Some(false)), &parts);
    let error = may_replace(&taxes, None).unwrap_err().to_string();
    assert!(!error.contains("--force"), "{error}");
    clear_way(&run, &names, "analyse", Some(true)).unwrap();
}

/// Its pages have no manifest, only their form, and with them their style and script.
#[test]
fn a_report_of_many_claims_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = sample::page().found;
    let one = found.claims[0].clone();
    let numbered = (0..41).map(|number| ClaimResult {
        id: format!("c{number}"),
        ..one.clone()
    });
    found.claims = numbered.collect();
    let page = folder.path().join("report.html");
    for _ in 0..2 {
        write_report(&page, &ReportHead::default(), &found, Some(false)).unwrap();
    }
    assert!(folder.path().join("pages/style.css").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_written_through() {
    let folder = results();
    let run = folder.path().join("run");
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    let mut staged = Results::new(&run, "analyse");
    let levels = &sample::runs()[0].levels;
    staged.levels("levels.csv", levels).unwrap();
    fs::remove_file(run.join("levels.csv")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, run.join("levels.csv")).unwrap();
    let way = clear_way(&run, &["levels.csv"], "analyse", Some(true));
    refused(way, &["a link exists there"]);
    // A file that was put there during the work.
    staged.finish().unwrap();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
}

#[test]
fn nothing_appears_before_everything_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = Results::new(folder.path(), "analyse");
    let levels = &sample::runs()[0].levels;
    results.levels("levels.csv", levels).unwrap();
    fs::create_dir(folder.path().join("run.json")).unwrap();
    assert!(results.record("run.json", &sample::run()).is_err());
    drop(results);
    let names = fs::read_dir(folder.path()).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["run.json"]);
}

/// The files of another command in the folder stay in the manifest, unchanged.
#[test]
fn results_of_two_verbs_share_a_manifest() {
    let folder = results();
    let run = folder.path().join("run");
    let mut other = Results::new(&run, "solve");
    let levels = &sample::runs()[1].levels;
    other.levels("levels.csv", levels).unwrap();
    other.finish().unwrap();
    // Pages of two commands.
    for name in ["bench.html", "comparison.html"] {
        let mut page = Results::new(&run, PAGE);
        page.page(name, Ok(name.to_owned())).unwrap();
        page.finish().unwrap();
    }
    let manifest: Manifest = read_record(run.join(MANIFEST)).unwrap();
    let files = manifest.files.iter();
    let verbs = files.map(|file| format!("{} {}", file.path, file.verb));
    let expected = [
        "antipodes.csv analyse",
        "bench.html page",
        "comparison.html page",
        "levels.csv solve",
        "run.json analyse",
    ];
    assert!(verbs.eq(expected));
    assert!(standing(&run).marks.is_empty());
    as_written(&run, &["run.json", "levels.csv"]).unwrap();
    let change = |text: &str| text.replacen("tilt", "tilT", 1);
    edit(&run.join("run.json"), change);
    let read = as_written(&run, &["run.json"]);
    refused(read, &["run.json: it was changed"]);
}
