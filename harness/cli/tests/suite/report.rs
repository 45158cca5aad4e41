//! `report` on the files of the other commands, and the marked tables of the README.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use antipode_reports::bench::Sample;
use antipode_reports::model::columns as columns_of;
use antipode_reports::report::splice::marked;

use crate::support::{Text, fresh, plays, read, refuses, root, runs};

#[test]
fn results_of_the_verbs_become_one_page() {
    // The page is no result: a second one over the same folder is the same but for its time.
    plays(
        fresh(),
        r#"0 analyse tilt/box --out all/run --set grey=0 --set blue=0
           0 solve tilt/box --board #.##./...../..O../g..../b.... --out all/solve
           0 certify tilt-a1-transpose --out all/certify
           0 report all
           antipode-report/report.html ? | tilt/box with blue 0, grey 0 | tilt-a1-transpose | 15 moves | <svg class="board"
           0 report all --out all
           0 report all --out all
           0 analyse unit-rush-hour/3x3 --out steps/run
           0 solve unit-rush-hour/tromp-4x4 --out steps/solve
           0 report steps
           antipode-report/report.html ? | 40 steps</ | distance in steps | steps away
           0 referee unit-rush-hour/tromp-4x4 --command 'echo 40' | 2> 40 steps, the fewest possible
           0 make unit-rush-hour/3x3 --moves 2 | 2 steps
           c.toml = | puzzle = "pancake"\n[[claim]]\nid = "c"\nsource = "s"\nstatement = "s"\nkind = "count"\ncount = "max_depth"\ncompare = "at-most"\nclaimed = 3\ninstances = ["plain-3", "plain-4"]\nexpect = "refuted"\n[[claim]]\nid = "d"\nsource = "s"\nstatement = "s"\nkind = "count"\ncount = "max_depth"\ninstance = "plain-3"\nexpect = "ambiguous"\n[[claim.reading]]\nname = "a; b"\nstatement = "s"\nclaimed = 4\n[[claim.reading]]\nname = "c"\nstatement = "s"\nclaimed = 3
           0 certify --claims c.toml --out mine
           0 report mine
           0 certify --claims c.toml --seed 2 --out again
           2 report mine again | 2> again/claims.csv, line 2: claim c is in another folder too
           M.md = | <!-- antipode:table claims -->\n<!-- antipode:end -->\n
           0 report mine --splice M.md
           M.md ? | c | at most 3 | 3; 4 | refuted"#,
    );
}

#[test]
fn a_readme_takes_its_tables_from_the_folder() {
    let here = &fresh();
    runs(here, "certify tilt-a1-transpose --out all").ended(0);
    let readme = "# Mine\n<!-- antipode:table verdicts -->\n<!-- antipode:end -->\n";
    fs::write(here.join("README.md"), readme).unwrap();
    let ran = runs(here, "report all --splice README.md").ended(0);
    assert_eq!(ran.out, "README.md: 1 table renewed\n");
    let text = read(here.join("README.md"));
    text.has(["| tilt | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 of 1 |"]);
    assert!(!here.join("antipode-report").exists());
    let within = runs(here, "report all --site all/site").refused();
    within
        .err
        .says("--site all/site: the results of `antipode certify` there");
}

#[test]
fn bad_input_is_one_line_and_leaves_the_readme() {
    let folder = fresh();
    let here = &folder;
    for folder in ["empty", "damaged", "good", "begun"] {
        fs::create_dir(here.join(folder)).unwrap();
    }
    let levels = format!("depth,states,orbits,digest\n0,1,1,{}\n", "0".repeat(32));
    let samples = columns_of::<Sample>().join(",") + "\n";
    for (name, text) in [
        ("damaged/run.json", "{\"schema\": 99}"),
        ("good/levels.csv", &levels),
        ("begun/samples.csv", &samples),
    ] {
        fs::write(here.join(name), text).unwrap();
    }
    let readme = "<!-- antipode:table whch -->\n<!-- antipode:end -->\n";
    fs::write(here.join("README.md"), readme).unwrap();
    refuses(
        here,
        "report empty | nothing to report in empty
         report absent | absent: it does not exist
         report README.md | it is a file
         report damaged | schema 99
         report begun | begun/samples.csv, line 1: no row follows the header
         report good --splice README.md | README.md, line 1: no table is called \"whch\"
         report good --splice none.md | none.md
         report good --splice README.md --title T | --title: no page or picture is written
         report good --out good/page.html | --out good/page.html: it names a folder, and the files in it have names of their own; give --out good
         report | DIR",
    );
    assert_eq!(read(here.join("README.md")), readme);
    assert!(!here.join("antipode-report").exists());
}

/// Marked tables in this repository have a row for each question of the suite.
#[test]
fn marked_tables_of_this_repository_are_not_stale_in_form() {
    let root = root();
    assert!(!instances_of_the_matrix(&root).is_empty());
    for file in ["README.md", "BENCHMARKS.md", "ci/README.md"] {
        let Ok(text) = fs::read_to_string(root.join(file)) else {
            continue;
        };
        let tables =
            marked(&text).unwrap_or_else(|(line, reason)| panic!("{file}, line {line}: {reason}"));
        for table in tables {
            let place = format!("{file}, line {}, {}", table.line, table.name);
            // A question is said once, over its solvers.
            let rows = table.body.iter().filter_map(|row| row.split('|').nth(1));
            let rows: Vec<&str> = rows.filter(|row| !row.trim().is_empty()).collect();
            assert!(!rows.is_empty(), "{place}: empty");
            let once: BTreeSet<&str> = rows.iter().copied().collect();
            if table.name == "which" {
                assert_eq!(once.len(), rows.len(), "{place}: a question stands twice");
                // A question of the suite that has no row was added since.
                for instance in instances_of_the_matrix(&root) {
                    let known = rows.iter().any(|row| row.contains(&instance));
                    assert!(known, "{place}: no row on {instance}; run ci/which.sh");
                }
            }
        }
    }
}

/// Instances of ci/suites/matrix.toml whose rows leave a choice of rules or engine.
fn instances_of_the_matrix(root: &Path) -> Vec<String> {
    let text = read(root.join("ci/suites/matrix.toml"));
    let suite: toml::Table = text.parse().unwrap();
    let rows = suite["row"].as_array().unwrap();
    let choice = |row: &&toml::Value| {
        let several = |v: &toml::Value| v.is_array() || v.as_str() == Some("all");
        ["variant", "engine"]
            .iter()
            .any(|key| row.get(key).is_some_and(several))
    };
    let chosen = rows.iter().filter(choice);
    let instances = chosen.filter_map(|row| row["instance"].as_str().map(str::to_owned));
    let instances: Vec<String> = instances.collect();
    assert!(instances.len() >= 4, "{instances:?}");
    instances
}
