//! `FINDINGS.md` and the table of findings in `README.md` agree with the claims and the measured
//! tables. Every claim is there, every verdict is the expected one, and every number is in the
//! source that a row names.

use std::collections::BTreeMap;

use antipode_claims::{Claim, ClaimSource, module_sources, parse_claims};
use antipode_reports::model::{Origin, Verdict};

use crate::support::{read, root};

/// A row of a table of findings.
struct Row {
    sentence: String,
    verdict: String,
    evidence: String,
}

fn rows(page: &str) -> Vec<Row> {
    let cells = |line: &str| -> Vec<String> {
        let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
        inner
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let rows = page.lines().filter(|line| line.starts_with('|'));
    let rows = rows.map(cells).filter(|cells| cells.len() == 3);
    let rows = rows.filter(|cells| cells[0] != "finding" && !cells[0].starts_with("---"));
    let row = |cells| {
        let [sentence, verdict, evidence] = <[String; 3]>::try_from(cells).expect("three");
        Row {
            sentence,
            verdict,
            evidence,
        }
    };
    rows.map(row).collect()
}

/// Numbers of two digits and more, without thousands separators. Powers and code are left out.
fn numbers(text: &str) -> Vec<String> {
    let prose: String = text.split('`').step_by(2).collect();
    let prose = prose.replace("10^", "");
    let words = prose.split(|c: char| !c.is_ascii_alphanumeric() && !",.-".contains(c));
    let numbers = words.map(|word| word.trim_matches([',', '.', '-']).replace(',', ""));
    numbers
        .filter(|word| word.len() > 1 && word.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        .collect()
}

/// The numbers in the cells of a table of levels, and their sums.
fn figures_of_table(text: &str) -> Vec<String> {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let column = |at: usize| {
        rows.iter()
            .filter_map(move |row| row[at].parse::<u128>().ok())
    };
    let sums = (1..3).map(|at| column(at).sum::<u128>().to_string());
    let cells = rows.iter().flatten().map(|cell| (*cell).to_owned());
    cells.chain(sums).collect()
}

/// All claims, with where they come from.
pub(crate) fn sources() -> Vec<(ClaimSource, Vec<Claim>)> {
    let libraries = antipode_graph::builtin::all()
        .into_iter()
        .map(std::sync::Arc::new);
    let own = libraries.filter_map(|library| ClaimSource::of_library(&library));
    let all = own.chain(module_sources()).map(|source| {
        let file = parse_claims(&source.file, &source.text).expect("TOML");
        (source, file.all().expect("good claims"))
    });
    all.collect()
}

/// Claims by their id.
fn claims() -> BTreeMap<String, Claim> {
    let claims = sources().into_iter().flat_map(|(_, claims)| claims);
    claims.map(|claim| (claim.id.clone(), claim)).collect()
}

/// The verdict in the form of a row.
fn verdict_of(claim: &Claim) -> String {
    let mut said = claim.expect.label();
    if claim.text_at_hand && claim.expect == Verdict::Refuted {
        said += ", in our copy";
    }
    if claim.origin == Origin::Ours {
        said += ", our own";
    }
    match claim.expect_quick {
        Some(quick) => format!("{said}; {} at quick effort", quick.label()),
        None => said,
    }
}

#[test]
fn findings_say_what_the_claims_and_the_measured_tables_say() {
    let read = |path: &str| read(root().join(path));
    let (claims, golden) = (claims(), read(".ci/golden/verdicts.csv"));
    let page = read("FINDINGS.md");
    let rows = rows(&page);
    assert!(rows.len() > 20, "{}", rows.len());
    for row in &rows {
        let sentence = &row.sentence;
        let mut known = String::new();
        let whole = (&*row.evidence, "");
        let (decides, counts) = row.evidence.split_once("counts:").unwrap_or(whole);
        let ids = |text: &str| -> Vec<String> {
            text.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect()
        };
        for id in ids(decides).iter().chain(&ids(counts)) {
            let claim = claims.get(id);
            known += &claim
                .unwrap_or_else(|| panic!("{sentence}: no claim {id}"))
                .lines;
            let mut lines = golden.lines();
            let found = lines.find(|line| line.split(',').next() == Some(id));
            known += found.unwrap_or_default();
        }
        for id in ids(decides) {
            assert_eq!(row.verdict, verdict_of(&claims[&id]), "{sentence}: {id}");
        }
        let links = row.evidence.split("](").skip(1);
        let links: Vec<&str> = links.filter_map(|link| link.split(')').next()).collect();
        for link in &links {
            known += &figures_of_table(&read(link)).join(" ");
            known += " ";
        }
        let measured = ids(decides).is_empty();
        assert_eq!(measured, row.verdict == "measured", "{sentence}");
        assert!(!measured || !links.is_empty(), "{sentence}: no evidence");
        let known: String = known.replace([',', '_'], "");
        let known: Vec<&str> = known.split(|c: char| !c.is_ascii_digit()).collect();
        for number in numbers(sentence) {
            // Rounded to whole numbers, if a figure has a fraction.
            let whole = number.split('.').next().unwrap_or_default();
            let known = known.contains(&whole);
            assert!(known, "{sentence}: {number} is in no evidence");
        }
    }
    // Numbers of the README are numbers of the page above.
    let readme = read("README.md");
    let (_, table) = readme.split_once("| | found | verdict |").expect("a table");
    let (table, _) = table.split_once("\n\n").expect("its end");
    let told = numbers(&page);
    let found = table.lines().filter_map(|line| line.split('|').nth_back(2));
    for sentence in found.filter(|sentence| !sentence.contains("---")) {
        for number in numbers(sentence) {
            assert!(told.contains(&number), "README: {number} is no finding");
        }
    }
}

#[test]
fn shipped_claims_mean_one_thing_by_about() {
    for (id, claim) in claims() {
        for case in &claim.cases {
            assert_eq!(case.within, None, "{id} has a tolerance of its own");
        }
    }
}
