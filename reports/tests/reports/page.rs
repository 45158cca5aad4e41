//! The page stands alone, is escaped, and has the expected content.

use crate::sample::{self, Page, has, values};
use antipode_reports::html::{InstanceBoard, PageFinding, Show};
use antipode_reports::model::{Bound, ClaimResult, Picture, PictureKind, Verdict};
use antipode_reports::report::{Behind, FoundFolders};
use std::collections::BTreeMap;

fn html(change: impl FnOnce(&mut Page)) -> String {
    let mut page = sample::page();
    change(&mut page);
    page.html()
}

fn picture(caption: &str, kind: PictureKind) -> Picture {
    let caption = caption.to_owned();
    Picture { caption, kind }
}

/// The part of a text between two others.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).expect(from);
    rest.split_once(to).expect(to).0
}

#[test]
fn the_page_loads_nothing() {
    let html = html(|_| ());
    assert!(values(&html, "src").is_empty());
    for tag in [
        "<img", "<iframe", "<object", "<embed", "<base", "@import", "url(",
    ] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert_eq!(html.matches("<link ").count(), 1);
    has(&html, &["<link rel=\"icon\" href=\"data:"]);
    for address in values(&html, "href") {
        let is_source = html.contains(&format!("<a href=\"{address}\">{address}</a>"));
        let is_beside = !address.contains(':') && !address.starts_with('/');
        let is_picture = address.starts_with("data:image/svg");
        assert!(is_beside || is_picture || is_source, "{address}");
    }
}

#[test]
fn texts_are_escaped_everywhere() {
    const ATTACK: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";
    let attack = || ATTACK.to_owned();
    let html = html(|page| {
        page.head.title = attack();
        page.head.tool_version = attack();
        page.head.command = vec![attack()];
        page.head.effort = attack();
        let claim = &mut page.found.claims[0];
        claim.id = attack();
        claim.statement = attack();
        claim.source = format!("https://{ATTACK}").replace(' ', "");
        claim.section = attack();
        claim.url.clone_from(&claim.source);
        claim.quote = attack();
        claim.kind = attack();
        claim.claimed = attack();
        claim.found = attack();
        claim.variant = attack();
        claim.notes = vec![attack()];
        claim.evidence[0].what = attack();
        claim.evidence[0].text = attack();
        claim.instance = Some(attack());
        let board = PictureKind::Board { state: attack() };
        claim.witnesses.push(picture(&attack(), board));
        let (states, labels) = (vec![attack(), attack()], vec![attack()]);
        let strip = PictureKind::Strip { states, labels };
        claim.witnesses.push(picture(&attack(), strip));
        let found = &mut page.found.runs[0];
        let run = found.run.as_mut().unwrap();
        run.instance = attack();
        run.stopped_because = Some(attack());
        run.complete = false;
        run.host.cpu = attack();
        run.extra = BTreeMap::from([(attack(), serde_json::json!(attack()))]);
        found.levels.levels[0].digest = attack();
        found.antipodes[0].state = attack();
        for entry in &mut page.head.legends.get_mut("tilt").unwrap().entries {
            entry.name = attack();
            entry.colour = attack();
        }
    });
    let scripts = html.matches("<script").count();
    assert_eq!(scripts, 1, "only the page's own script");
    assert!(!html.contains("<img"));
}

#[test]
fn a_claim_shows_its_bound_its_source_and_its_words() {
    let html = html(|page| {
        let claim = &mut page.found.claims[0];
        (claim.claimed, claim.found) = ("1".to_owned(), "24191".to_owned());
        claim.bound = Some(Bound::AtLeast);
        claim.source = "javascript:alert(1)".to_owned();
        claim.url = "https://example.org/tilt".to_owned();
        claim.quote = "prune almost 90% of the search tree".to_owned();
    });
    let parts = [
        "<dt>Published</dt><dd>at least 1</dd>",
        "<dt>Found</dt><dd>24,191</dd>",
        // Sorted by the figure alone.
        "data-key=\"1\" class=\"figure\" data-label=\"Published\">at least 1<",
        "(<a href=\"https://example.org/tilt\">https://example.org/tilt</a>)",
        "“<bdi>prune almost 90% of the search tree</bdi>”",
    ];
    has(&html, &parts);
    assert_eq!(html.matches("<dt>In its words</dt>").count(), 1);
    // A source that is no web address is no link.
    assert!(!html.contains("href=\"javascript"));
}

#[test]
fn every_verdict_is_told_in_words() {
    let html = html(|_| ());
    let labels = Verdict::ALL.map(|verdict| format!("</span>{}</span>", verdict.label()));
    has(&html, &labels);
}

#[test]
fn what_is_refuted_of_a_text_at_hand_is_counted_apart() {
    let counted = |change: fn(&mut Page)| {
        let html = html(change);
        let counts = between(&html, "aria-label=\"Claims by verdict\"", "</ul>");
        let number = |class: &str| {
            let entry = format!("<li class=\"{class}\" data-verdict=\"{class}\">");
            let (_, entry) = counts.split_once(&entry)?;
            let digits = between(entry, "<span class=\"count\">", "<");
            Some(digits.parse::<usize>().unwrap())
        };
        (number("refuted").unwrap_or(0), number("refuted-at-hand"))
    };
    let (refuted, none) = counted(|_| ());
    assert_eq!(none, None);
    let of_a_copy = counted(|page| {
        let of = |claim: &&mut ClaimResult| claim.verdict == Verdict::Refuted;
        page.found.claims.iter_mut().find(of).unwrap().text_at_hand = true;
    });
    assert_eq!(of_a_copy, (refuted - 1, Some(1)));
}

#[test]
fn the_headline_counts_what_is_unexpected() {
    let opening =
        |change: fn(&mut Page)| between(&html(change), "<p class=\"lead\">", "</p>").to_owned();
    assert_eq!(
        opening(|_| ()),
        "Worked out again from the rules of their puzzles: 8 published claims. Verdicts that were not expected: \
         2, of which 1 not reached."
    );
    assert!(opening(|page| page.found.claims.clear()).starts_with("No claims were checked"));
}

fn solution_of(page: &mut Page, boards: usize) {
    let (states, labels) = (vec!["g.O".to_owned(); boards], Vec::new());
    let strip = picture("long", PictureKind::Strip { states, labels });
    page.found.claims[0].witnesses = vec![strip];
}

fn known_by(page: &mut Page, board: InstanceBoard) {
    page.found.claims[0].witnesses.clear();
    page.head.boards = BTreeMap::from([("tilt/box".into(), board)]);
}

/// A change of the page, and a part that it then has.
type Change = (fn(&mut Page), &'static str);

#[test]
fn the_page_suits_what_it_has() {
    let changes: [Change; 6] = [
        (
            |page| {
                page.found = FoundFolders::default();
                page.head.legends.clear();
            },
            "How this page was made",
        ),
        (
            |page| page.head.legends.clear(),
            "<pre class=\"board-text\">#...g\ng.#.b\n",
        ),
        (
            |page| solution_of(page, 50),
            "<summary>Show all 50 positions</summary>",
        ),
        (
            |page| {
                let antipodes = &mut page.found.runs[0].antipodes;
                antipodes.resize(30, antipodes[0].clone());
            },
            "The first 24 of 30",
        ),
        (
            |page| known_by(page, InstanceBoard::Start("g.O/#.b/...".into())),
            "tilt/box, as it begins",
        ),
        (
            |page| known_by(page, InstanceBoard::Solved("..O/#.b/...".into())),
            "tilt/box, solved",
        ),
    ];
    for (change, part) in changes {
        let html = html(change);
        has(&html, &[part]);
        assert!(html.trim_end().ends_with("</html>"));
    }
    let bare = html(|page| page.head.legends.clear());
    assert!(!bare.contains("<svg class=\"board\""));
}

fn finding(verdicts: Vec<Verdict>) -> PageFinding {
    PageFinding {
        name: "ours".into(),
        claim: sample::claims()[0].id.clone(),
        verdicts,
        sentence: "It takes {found}.".into(),
        picture: None,
        show: Show::Start,
    }
}

#[test]
fn the_page_opens_with_findings_that_their_claims_bear_out() {
    let first = &sample::claims()[0];
    let with = html(|page| page.head.findings = vec![finding(vec![first.verdict])]);
    let list = between(&with, "<ul class=\"findings\"", "</ul>");
    let parts = [
        "It takes 37",
        "<svg class=\"board\"",
        "href=\"#tilt/hardest\"",
    ];
    has(list, &parts);
    // A finding that no claim supports is left out.
    let without = html(|page| page.head.findings = vec![finding(vec![Verdict::NotReached])]);
    assert!(!without.contains("It takes"));
    assert!(!without.contains("<ul class=\"findings\""));
}

#[test]
fn links_lead_from_the_page_to_its_files() {
    let first = sample::claims().remove(0);
    let html = html(|page| {
        page.head.folder = "out/pages".into();
        let behind = Behind {
            certificate: "out/certificates/a b.json".into(),
            data: vec!["out/box/levels.csv".into()],
            repeat: ["antipode", "certify", "it"].map(str::to_owned).to_vec(),
            cases: Vec::new(),
        };
        page.found.behind = BTreeMap::from([(first.id, behind)]);
    });
    let parts = [
        "<a href=\"../certificates/a%20b.json\">certificate a b.json</a>",
        "<a href=\"../box/levels.csv\">box/levels.csv</a>",
        "<code>antipode certify it</code>",
    ];
    has(&html, &parts);
}

#[test]
fn figures_of_a_case_become_a_table_and_masks_are_drawn() {
    let html = html(|page| {
        let claim = &mut page.found.claims[0];
        claim.notes = vec!["It is so. Figures: cells: 45; such a board: g.O/#.b/....".into()];
        let mut case = crate::results::case(claim, &sample::runs()[0]);
        case.figures = [
            ("cells", "45"),
            ("such a board", "g.O/#.b/..."),
            ("printed term", "b & 0x300"),
            ("right term", "b & 0x30"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        let behind = Behind {
            cases: vec![case],
            ..Behind::default()
        };
        page.found.behind = BTreeMap::from([(claim.id.clone(), behind)]);
    });
    assert!(html.contains("<li>It is so.</li>") && !html.contains("Figures: cells"));
    assert!(html.contains("<tr><th scope=\"row\">cells</th><td>45</td></tr>"));
    assert_eq!(html.matches("<svg class=\"board bits\"").count(), 2);
    assert!(html.contains("<figcaption>such a board<code"));
}
