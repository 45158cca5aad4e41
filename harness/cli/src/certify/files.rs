//! The files of a run of claims: a certificate for each at its verdict, and at the end the tables
//! of analyses, `claims.csv` and the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};

use antipode_claims::{Context, Judged, certificate};
use antipode_graph::Library;
use antipode_reports::count;
use antipode_reports::html::{PAGES, ReportHead, claim_page, is_index, pages_html};
use antipode_reports::json_out::read_record;
use antipode_reports::model::{
    CaseRecord, ClaimResult, ClaimRow, MANIFEST, Manifest, NotTaken, VERDICTS, level_table_name,
    unix_seconds,
};
use antipode_reports::report::{Behind, FoundFolders, FoundRun, repeat};
use antipode_reports::results::{Results, Sealed, each_way, reopen};
use antipode_search::progress::note;
use antipode_search::record::legends;

use super::Args;
use super::choose::Chosen;
use crate::{opening, output};

/// The command, as manifests name it.
const VERB: &str = "certify";
/// The claims without a verdict, a row each.
pub(super) const NOT_TAKEN: &str = "not-taken.csv";
/// The page.
pub(super) const PAGE: &str = "report.html";
/// The level table of each part of an instance that has several, in the instance's folder.
const PARTS: &str = "parts.csv";
/// Folder of the certificates.
const CERTIFICATES: &str = "certificates";

/// The files of one run.
pub(super) struct Files<'a> {
    out: PathBuf,
    folder: PathBuf,
    libraries: &'a [Arc<Library>],
    certificates: Results,
    /// Whether an earlier result is there, which stays until all of this one can appear.
    earlier: bool,
}

impl<'a> Files<'a> {
    /// Finds out before the work that its results can be written.
    pub(super) fn probe(
        args: &Args,
        libraries: &'a [Arc<Library>],
        chosen: &Chosen,
    ) -> Result<Self> {
        let files = [VERDICTS, NOT_TAKEN, PAGE];
        let begin = output::Begin::asked(VERB, args.resume);
        args.force.make_way(Some(&args.out), &files, begin)?;
        let folder = args.out.join(CERTIFICATES);
        output::make_inner(&args.out, &folder)?;
        let mut owners: BTreeMap<PathBuf, String> = BTreeMap::new();
        let mut own = |folder: &Path, owner: String| {
            let other = owners.insert(folder.to_owned(), owner.clone());
            match other.filter(|other| *other != owner) {
                None => Ok(()),
                Some(other) => bail!(
                    "{}: {other} and {owner} would share this folder; certify them one by one, with another --out",
                    folder.display()
                ),
            }
        };
        let (mut certificates, mut analysed) = (Vec::new(), BTreeSet::new());
        for (source, claim) in chosen.claims() {
            if claim.cases.iter().any(|case| !case.table.is_empty()) {
                let folder = Context::pairs_folder(&args.out, &claim.id);
                own(&folder, format!("the pairs of claim {}", claim.id))?;
                args.force.begin(&folder, begin)?;
            }
            certificates.push(format!("{}.json", claim.id));
            certificates.push(level_table_name(&claim.id));
            for instance in Chosen::analysed(args, claim) {
                let analysis = Context::folder(&args.out, &source.name, instance);
                own(&analysis, format!("{}/{instance}", source.name))?;
                output::make_inner(&args.out, &analysis)?;
                analysed.insert(analysis);
            }
        }
        // Each of these reads a whole folder.
        let certificates: Vec<&str> = certificates.iter().map(String::as_str).collect();
        args.force.probe(&folder, &certificates, begin)?;
        let of_analysis = [&output::ANALYSIS_FILES[..], &[PARTS]].concat();
        for analysis in &analysed {
            args.force.probe(analysis, &of_analysis, begin)?;
        }
        let work = fs::read_dir(args.out.join("work")).into_iter().flatten();
        for folder in work.flatten() {
            args.force.begin(&folder.path(), begin)?;
        }
        let pages = args.out.join(PAGES);
        if is_index(chosen.claims().count()) {
            output::make_inner(&args.out, &pages)?;
            let names: Vec<String> = chosen
                .claims()
                .map(|(_, claim)| claim_page(&claim.id))
                .collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            args.force.probe(&pages, &names, begin)?;
        }
        Ok(Self {
            out: args.out.clone(),
            certificates: Results::new(&folder, VERB),
            earlier: [&args.out, &folder]
                .iter()
                .any(|at| at.join(MANIFEST).is_file()),
            folder,
            libraries,
        })
    }

    /// Writes the certificate of a verdict; if no earlier result is there, a killed run leaves it.
    pub(super) fn certificate(&mut self, judged: &Judged, context: &Context) -> Result<()> {
        let name = format!("{}.json", judged.result.id);
        let certificate = certificate::of(judged, context);
        self.certificates.record(&name, &certificate)?;
        for (name, table) in certificate.level_tables() {
            self.certificates.levels(&name, table)?;
        }
        if !self.earlier {
            self.certificates.appear_so_far()?;
        }
        Ok(())
    }

    /// Writes all else.
    pub(super) fn write_all(
        self,
        args: &Args,
        context: &Context,
        judged: &[Judged],
        faults: &[NotTaken],
    ) -> Result<()> {
        let results: Vec<ClaimResult> = judged.iter().map(|j| j.result.clone()).collect();
        let with_rows = judged.iter().flat_map(|j| {
            let rows = j.rows.iter().map(|row| ClaimRow {
                table: j.result.id.clone(),
                ..ClaimRow::from(row)
            });
            std::iter::once(ClaimRow::from(&j.result)).chain(rows)
        });
        let rows: Vec<ClaimRow> = with_rows.collect();
        let mut root = Results::new(&self.out, VERB);
        root.rows(VERDICTS, &rows)?;
        root.rows(NOT_TAKEN, faults)?;
        let behind = self.behind(context, judged);
        let current = behind.values();
        let current = current.flat_map(|one| std::iter::once(&one.certificate).chain(&one.data));
        let current: BTreeSet<PathBuf> = current.cloned().collect();
        let libraries = self.libraries;
        let certificates = self.certificates.seal()?;
        root.part(CERTIFICATES, &certificates);
        let mut parts = vec![certificates];
        let mut runs = Vec::new();
        for analysis in context.analyses() {
            let folder = Context::folder(&self.out, &analysis.run.puzzle, &analysis.run.instance);
            output::make_inner(&self.out, &folder)?;
            let library = library(libraries, &analysis.run.puzzle)?;
            let mut results = output::analysis_results(&folder, analysis, VERB, library)?;
            if !analysis.parts.is_empty() {
                results.rows(PARTS, &analysis.parts)?;
            }
            let sealed = results.seal()?;
            // The folder above detects one that is removed or replaced.
            let name = folder.file_name().unwrap_or_default();
            root.part(&name.to_string_lossy(), &sealed);
            parts.push(sealed);
            runs.push(FoundRun {
                run: Some(analysis.run.clone()),
                levels: analysis.levels.clone(),
                antipodes: analysis.antipodes.clone(),
                ..FoundRun::default()
            });
        }
        for judged in judged.iter().filter(|judged| !judged.rows.is_empty()) {
            let pairs = Context::pairs_folder(Path::new(""), &judged.result.id).join(MANIFEST);
            if self.out.join(&pairs).is_file() {
                root.keep(&pairs.to_string_lossy())?;
            }
        }
        let head = ReportHead {
            title: "Published puzzle claims, re-derived".into(),
            generated_unix_s: unix_seconds(SystemTime::now()),
            tool_version: env!("CARGO_PKG_VERSION").into(),
            command: context.command.clone(),
            effort: context.effort.name().into(),
            seed: Some(args.seed),
            findings: opening::findings()?,
            boards: opening::boards(self.libraries, judged.iter().map(|j| &j.result)),
            legends: legends(self.libraries.iter().map(|library| &**library)),
            ..ReportHead::default()
        };
        let found = FoundFolders {
            claims: results,
            not_taken: faults.to_vec(),
            runs,
            behind,
            ..FoundFolders::default()
        };
        let (index, of_claims) = pages_html(&head, &found)?;
        root.page(PAGE, Ok(index))?;
        let pages = self.out.join(PAGES);
        let has_pages = !of_claims.is_empty();
        let had_pages = read_record::<Manifest>(pages.join(MANIFEST)).is_ok();
        let mut results = Results::whole(&pages, VERB);
        for (name, text) in of_claims {
            results.page(&name, Ok(text))?;
        }
        if has_pages || had_pages {
            let sealed = results.seal()?;
            if has_pages {
                root.part(PAGES, &sealed);
            }
            parts.push(sealed);
        }
        parts.push(root.seal()?);
        // All of it is on the disk: from here on, only names are assigned.
        put_by_earlier(&self.folder, &current)?;
        parts.into_iter().try_for_each(Sealed::appear)?;
        if had_pages && !has_pages {
            reopen(&pages)?;
            // Files of somebody else keep the folder.
            let _ = fs::remove_dir(&pages);
        }
        Ok(())
    }

    /// The evidence of each claim: its certificate, and the tables on which it rests.
    fn behind(&self, context: &Context, judged: &[Judged]) -> BTreeMap<String, Behind> {
        let of = |judged: &Judged| {
            let id = judged.result.id.clone();
            let certificate = certificate::of(judged, context);
            let folder = Path::new(CERTIFICATES);
            let levels = certificate.level_tables();
            let mut data: Vec<PathBuf> = levels.map(|(name, _)| folder.join(name)).collect();
            data.extend(self.data(context, &judged.result, &certificate.cases));
            let behind = Behind {
                certificate: folder.join(format!("{id}.json")),
                data,
                repeat: repeat(&id, &certificate.command),
                cases: certificate.cases,
            };
            (id, behind)
        };
        judged.iter().map(of).collect()
    }

    /// Tables and pages next to the certificate, from the folder of the page.
    fn data(&self, context: &Context, claim: &ClaimResult, cases: &[CaseRecord]) -> Vec<PathBuf> {
        let mut data = Vec::new();
        for case in cases.iter().filter(|case| case.kind != "derived") {
            let Some(instance) = case.instance.as_ref().or(claim.instance.as_ref()) else {
                continue;
            };
            let folder = Context::folder(Path::new(""), &claim.puzzle, instance);
            let mut runs = context.analyses().map(|analysis| &analysis.run);
            if runs.any(|run| run.puzzle == claim.puzzle && run.instance == *instance) {
                data.extend(["levels.csv", "antipodes.csv"].map(|name| folder.join(name)));
            }
            let pairs = Context::pairs_folder(Path::new(""), &claim.id);
            let names = ["pairs.html", "pairs.csv"].map(|name| pairs.join(name));
            data.extend(
                names
                    .into_iter()
                    .filter(|name| self.out.join(name).is_file()),
            );
        }
        data.sort();
        data.dedup();
        data
    }
}

/// The library that an analysis is of.
fn library<'a>(libraries: &'a [Arc<Library>], puzzle: &str) -> Result<&'a Library> {
    let library = libraries.iter().find(|library| library.name == puzzle);
    library
        .map(|library| &**library)
        .with_context(|| format!("no library of {puzzle}"))
}

/// Moves certificates and level tables that are not of this run to `certificates/earlier`:
/// next to its table and its page they would pass for results of it. `current` names its own, from
/// the folder of the page.
fn put_by_earlier(certificates: &Path, current: &BTreeSet<PathBuf>) -> Result<()> {
    let earlier = certificates.join("earlier");
    let mut moved = 0_usize;
    let mut left = Vec::new();
    for entry in fs::read_dir(certificates)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let (_, rest) = name.split_once('.').unwrap_or((&name, ""));
        let is_ours = rest == "json" || rest.starts_with("levels") && rest.ends_with(".csv");
        let is_current = current.contains(&Path::new(CERTIFICATES).join(&name));
        if !is_current && is_ours && certificates.join(&name).is_file() && name != MANIFEST {
            left.push(name);
        }
    }
    let names: Vec<&str> = left.iter().map(String::as_str).collect();
    let ways = each_way(certificates, &names, VERB, Some(false));
    for (name, way) in names.iter().zip(ways) {
        // Somebody else's file stays.
        if way.is_err() {
            continue;
        }
        let path = certificates.join(name);
        output::make_inner(certificates, &earlier)?;
        // A file that was moved there before stays.
        let names = (2..).map(|number| format!("{number}-{name}"));
        let mut places = std::iter::once((*name).to_owned()).chain(names);
        let free = places.find(|name| fs::symlink_metadata(earlier.join(name)).is_err());
        moved += 1;
        fs::rename(&path, earlier.join(free.unwrap_or_default())).with_context(|| {
            format!(
                "{}: cannot be moved to {}",
                path.display(),
                earlier.display()
            )
        })?;
    }
    if moved > 0 {
        let files = count(moved, "files");
        note(format_args!(
            "{}: {files} not of this run moved there",
            earlier.display()
        ));
    }
    Ok(())
}
