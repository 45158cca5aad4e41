//! A site: its pages and copies, and the files that a second one removes.

use crate::results::certificate;
use crate::sample;
use antipode_reports::html::ReportHead;
use antipode_reports::html::site::write_site;
use antipode_reports::json_out::write_record;
use antipode_reports::report::gather;
use antipode_reports::results::standing;
use std::fs;
use std::path::Path;

fn write(claims: usize, results: &Path, site: &Path) -> usize {
    let _ = fs::remove_dir_all(results);
    fs::create_dir_all(results.join("certificates")).unwrap();
    for mut claim in sample::claims().into_iter().take(claims) {
        claim.id = claim.id.replace('/', "-");
        let path = results.join(format!("certificates/{}.json", claim.id));
        write_record(path, &certificate(&claim)).unwrap();
    }
    let found = gather(&[results]).unwrap();
    let head = ReportHead {
        title: "Ours".to_owned(),
        legends: sample::page().head.legends,
        ..ReportHead::default()
    };
    write_site(site, &head, &found, &[results.to_owned()], Some(false)).unwrap()
}

#[test]
fn a_site_has_a_page_a_claim_and_the_files_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let (results, site) = (folder.path().join("out"), folder.path().join("site"));
    let pages = write(3, &results, &site);
    let claim = site.join("claim-tilt-hardest.html");
    let text = fs::read_to_string(&claim).unwrap();
    assert!(text.contains("href=\"data/out/certificates/tilt-hardest.json\""));
    let copy = fs::read(site.join("data/out/certificates/tilt-hardest.json")).unwrap();
    let original = results.join("certificates/tilt-hardest.json");
    assert_eq!(copy, fs::read(original).unwrap());
    assert!(standing(&site).marks.is_empty() && standing(&site).lists("index.html"));
    // What a killed process left.
    let left = [".antipode-x.part", "data/out/certificates/.antipode-y.part"];
    left.iter()
        .for_each(|name| fs::write(site.join(name), "half").unwrap());
    let fewer = write(1, &results, &site);
    assert!(!left.iter().any(|name| site.join(name).exists()));
    assert!(fewer < pages && claim.exists());
    // Pages, style, script, data/ and the manifest.
    assert_eq!(fs::read_dir(&site).unwrap().count(), fewer + 4);
    assert!(standing(&site).marks.is_empty());
}

/// Style and script are in files next to the pages, and axe finds no fault.
#[test]
fn pages_share_their_style_and_axe_finds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (results, site) = (folder.path().join("out"), folder.path().join("site"));
    write(9, &results, &site);
    let pages = fs::read_dir(&site).unwrap().flatten();
    let pages = pages.map(|entry| entry.file_name().into_string().unwrap());
    let pages: Vec<String> = pages.filter(|name| name.ends_with(".html")).collect();
    let axe = std::env::var("ANTIPODE_AXE")
        .ok()
        .map(|file| fs::read_to_string(file).unwrap());
    if let Some(axe) = &axe {
        fs::write(site.join("axe.js"), axe).unwrap();
    }
    let run = "
        const styled = getComputedStyle(document.body).fontVariantNumeric === 'tabular-nums';
        const tell = (lines) => { document.title = 'RESULT ' + [styled, innerWidth, document.documentElement.scrollWidth > innerWidth, ...lines].join('; '); };
        if (window.axe) axe.run(document, { preload: false }).then((found) => tell(found.violations.flatMap((each) => each.nodes.map((node) => each.id + ': ' + node.html))));
        else tell([]);";
    fs::write(site.join("run.js"), run).unwrap();
    for page in pages {
        let file = site.join(&page);
        let text = fs::read_to_string(&file).unwrap();
        sample::has(&text, &["<meta name=\"description\""]);
        assert!(!text.contains("<style>"), "{page}");
        let script = match axe {
            Some(_) => "<script src=\"axe.js\"></script><script src=\"run.js\"></script></body>",
            None => "<script src=\"run.js\"></script></body>",
        };
        fs::write(&file, text.replacen("</body>", script, 1)).unwrap();
        let Some(told) = crate::browser::told(&file) else {
            return;
        };
        assert!(told.starts_with("true; "), "{page}: {told}");
        assert_eq!(told.matches("; ").count(), 2, "{page}: {told}");
        assert!(told.ends_with("; false"), "{page} is too wide: {told}");
    }
}

#[test]
fn files_of_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (results, site) = (folder.path().join("out"), folder.path().join("site"));
    write(1, &results, &site);
    fs::remove_file(site.join("manifest.json")).unwrap();
    fs::write(site.join("index.html"), "mine").unwrap();
    let found = gather(&[&results]).unwrap();
    let head = ReportHead::default();
    let written = write_site(&site, &head, &found, &[results], Some(false));
    sample::refused(written, &["index.html: a file exists there"]);
    assert_eq!(fs::read_to_string(site.join("index.html")).unwrap(), "mine");
}
