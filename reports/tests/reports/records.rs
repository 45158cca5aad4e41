//! Every file is one record with one name.

use crate::results::{case, certificate};
use crate::sample::{self, file, has, record, refused};
use antipode_reports::csv_in::read_rows;
use antipode_reports::csv_out::write_rows;
use antipode_reports::html::{permute_html, plan_html, table_html};
use antipode_reports::json_out::{read_record, records_text, write_record};
use antipode_reports::model::bench::BenchRun;
use antipode_reports::model::{
    Boards, Certificate, Check, CheckOutcome, EnginePlan, Evidence, LevelCost, MadeBoards,
    Manifest, PairRow, PathStep, Permute, PermuteRow, Position, Published, Record, Referee, Run,
    SCHEMA, SideRow, Solution, StartFinishRow, StartFinishTable, bench, columns, tables,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;

/// The records that are no table, by their names.
const NAMES: [&str; 14] = [
    Run::SCHEMA,
    Published::SCHEMA,
    Check::SCHEMA,
    Certificate::SCHEMA,
    Solution::SCHEMA,
    Position::SCHEMA,
    StartFinishTable::SCHEMA,
    Referee::SCHEMA,
    Boards::SCHEMA,
    MadeBoards::SCHEMA,
    Permute::SCHEMA,
    EnginePlan::SCHEMA,
    BenchRun::SCHEMA,
    Manifest::SCHEMA,
];

#[test]
fn every_record_has_a_name_of_its_own() {
    let names: Vec<&str> = tables()
        .map(|(name, _)| name)
        .into_iter()
        .chain(NAMES)
        .collect();
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "a name stands twice");
    for name in names {
        let (name, version) = name.rsplit_once('-').unwrap();
        assert!(name.starts_with("antipode-"), "{name}");
        // Certificates bind the question since form 2, and have no `sense` since form 3. A row of
        // claims states since form 2 what the claim is, and whose table it is of, and since form 3
        // the unit and whether the original of the text was seen. Since form 4 it states whether
        // the claim is published or our own.
        let form = match name {
            "antipode-certificate" => 3,
            "antipode-claims" => 4,
            _ => SCHEMA,
        };
        assert_eq!(version.parse(), Ok(form), "{name}");
    }
    assert_eq!(bench::SCHEMA, SCHEMA);
}

/// Other people's programs read these by name and place.
#[test]
fn the_columns_are_these() {
    let headers = tables().map(|(_, header)| header.join(",")).join("\n");
    insta::assert_snapshot!(headers, @r"
    depth,states,orbits,digest
    part,depth,states,orbits,digest
    depth,state,orbit_size
    depth,states,seconds,cpu_seconds,generated,stayed,removed_in_memory,removed_at_merge,bytes_read,bytes_written,bytes_stored,partitions,peak_memory_bytes
    id,puzzle,instance,origin,source,section,kind,expect,verdict,as_expected,text_at_hand,claimed,found,unit,readings,effort,variant,engine,statement,table,wall_s,compare
    id,puzzle,fault
    from,to,length,known,forward_radius,backward_radius,meeting_state,moves,witness
    name,direction,radius,states,digest,closed
    line,instance,board,outcome,length,given,ruling,moves,why,wall_s
    board,length,orbit_size,moves
    side,depth,states,digest
    step,move,state
    start,finish,verdict,proof,witness
    solver,instance,board,ruling,said,shortest,replayed,why,wall_s,peak_memory_bytes
    strategy,operations,masks,depth,table_bytes,nanoseconds_chained,nanoseconds_independent,equals_naive,proven,note
    engine,memory_bytes,disk_bytes,seconds,fits
    schema,suite,row,group,puzzle,instance,settings,variant,engine,direction,threads,sample,position,seed,status,detail,answer,expected,wall_s,cpu_s,peak_bytes,states,generated,read_bytes,written_bytes,version,build,plugin_file,plugin_digest,processor,load1,throttled,started,metric,value,unit
    schema,a,b,pairs,ratio,low,high,won,p,p_adjusted,significant,beyond_noise,noise,verdict,measure,detail
    commit,started,suite,row,reference,ratio,low,high,cpu_s,peak_bytes,states,generated,processor
    ");
}

/// Writes a record, reads it back, and returns the text.
fn there_and_back<T: Record + PartialEq + Debug>(record: &T) -> String {
    let (_folder, path) = file("a.json");
    write_record(&path, record).unwrap();
    assert_eq!(&read_record::<T>(&path).unwrap(), record);
    let text = fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["record"], T::SCHEMA);
    assert!(text.starts_with("{\n  \"record\": \""), "{text}");
    text
}

/// Writes rows, reads them back, and returns the text.
fn rows_there_and_back<T: Record + PartialEq + Debug>(rows: &[T]) -> String {
    let (_folder, path) = file("a.csv");
    write_rows(&path, rows).unwrap();
    assert_eq!(read_rows::<T>(&path).unwrap(), rows);
    fs::read_to_string(&path).unwrap()
}

#[test]
fn json_bears_its_name_and_comes_back() {
    let page = sample::page();
    let run = sample::run();
    there_and_back(&Certificate {
        cases: vec![case(&page.found.claims[0], &page.found.runs[0])],
        ..certificate(&page.found.claims[0])
    });
    let text = there_and_back(&run);
    assert!(text.contains("\n  \"schema\": 1,\n"), "{text}");
    let text = there_and_back(&record::<Solution>("solution"));
    assert!(text.contains("\"backward\": [") && !text.contains("\"engine\""));
    let text = there_and_back(&record::<StartFinishTable>("table"));
    assert!(text.contains("\n  \"schema\": \"antipode-table-1\",\n"));
    assert!(text.contains("\"by_symmetry_of\": null") && !text.contains("\"witness\""));
    there_and_back(&BenchRun {
        schema: bench::SCHEMA,
        seed: u64::MAX,
        host: run.host,
        ..BenchRun::default()
    });
}

#[test]
fn checks_say_what_came_of_them() {
    use CheckOutcome::{Failed, NotDone, Ok};
    let evidence = |sampled, wrong| Evidence {
        what: "inclusiveness".into(),
        sampled,
        wrong,
        confidence: 0.95,
        bound: Some(0.001),
        ..Evidence::default()
    };
    let checks = [evidence(0, 0), evidence(9, 0), evidence(9, 1)];
    let checks: Vec<Check> = checks.iter().map(Check::from).collect();
    let outcomes: Vec<_> = checks.iter().map(|check| check.outcome).collect();
    assert_eq!(outcomes, [NotDone, Ok, Failed]);
    there_and_back(&checks[1]);
    let value: Value = serde_json::from_str(&records_text(&checks).unwrap()).unwrap();
    let words: Vec<_> = value.as_array().unwrap().iter().collect();
    assert!(words.iter().all(|check| check["record"] == Check::SCHEMA));
    assert_eq!(words[0]["outcome"], "not done");
    assert_eq!(words[2]["wrong"], "1");
}

#[test]
fn a_record_of_another_kind_or_version_is_named() {
    let (_folder, path) = file("run.json");
    let bad = |text: &str, said: &str| {
        fs::write(&path, text).unwrap();
        refused(read_record::<Run>(&path), &[said]);
    };
    write_record(&path, &record::<Solution>("solution")).unwrap();
    let other = fs::read_to_string(&path).unwrap();
    let named = "is of the schema antipode-solution-1, where antipode-run-1 is needed";
    bad(&other, named);
    for newer in [
        r#"{"record":"antipode-run-2","schema":1}"#,
        r#"{"record":"antipode-run-1","schema":2}"#,
        r#"{"schema":2}"#,
    ] {
        bad(newer, "of schema 2, and this version reads up to 1");
    }
    bad("{}", "missing field `schema`");
}

#[test]
fn rows_come_back_and_stay_as_they_are() {
    let pair = |length: &str, known: &str| PairRow {
        from: "#.b/O..".into(),
        to: "B".into(),
        length: length.into(),
        known: known.into(),
        forward_radius: Some(1),
        backward_radius: None,
        meeting_state: None,
        moves: vec!["l".into(), "r".into()],
        witness: Vec::new(),
    };
    // A state can begin like a comment.
    let text = rows_there_and_back(&[
        pair("2", "exactly"),
        pair("", "more than 9"),
        pair("none", "the forward side is closed"),
    ]);
    insta::assert_snapshot!(text, @r"
    from,to,length,known,forward_radius,backward_radius,meeting_state,moves,witness
    #.b/O..,B,2,exactly,1,,,l; r,
    #.b/O..,B,,more than 9,1,,,l; r,
    #.b/O..,B,none,the forward side is closed,1,,,l; r,
    ");
    for (length, known) in [
        ("2", "more than 9"),
        ("none", "exactly"),
        ("", "more than x"),
    ] {
        assert_eq!(pair(length, known).check().unwrap_err().0, "known");
    }
    let text = rows_there_and_back(&PathStep::path(
        &["a/b".into(), "c,d".into()],
        &["say \"up\"".into()],
    ));
    insta::assert_snapshot!(text, @r#"
    step,move,state
    0,,a/b
    1,"say ""up""","c,d"
    "#);
    let text = rows_there_and_back(&[LevelCost {
        depth: 3,
        states: 4,
        seconds: 1.5,
        cpu_seconds: 0.25,
        ..LevelCost::default()
    }]);
    assert!(text.ends_with("\n3,4,1.500,0.250,0,0,0,0,0,0,0,0,0\n"));
    let digest = "0123456789abcdef".repeat(2);
    let end = format!("\nA,forward,2,17,{digest},true\n");
    let text = rows_there_and_back(&[SideRow {
        name: "A".into(),
        direction: "forward".into(),
        radius: 2,
        states: 17,
        digest,
        closed: true,
    }]);
    assert!(text.ends_with(&end));
    let table: StartFinishTable = record("table");
    let row = StartFinishRow::from(&table.cells[0]);
    let text = rows_there_and_back(&[row]);
    assert!(text.ends_with("\n0:0,0:0,impossible,\"all, \"\"searched\"\"\",\n"));
}

#[test]
fn times_that_no_clock_shows_are_refused_by_column() {
    let (_folder, path) = file("cost.csv");
    let header = columns::<LevelCost>().join(",");
    for (time, said) in [
        ("-1.0", "line 2, column cpu_seconds: -1 is not a number"),
        ("nan", "line 2, column cpu_seconds: NaN is not a number"),
        ("soon", "line 2, column cpu_seconds: `soon` is not a number"),
    ] {
        let text = format!("{header}\n1,1,0.1,{time},0,0,0,0,0,0,0,0,0\n");
        fs::write(&path, text).unwrap();
        refused(read_rows::<LevelCost>(&path), &[said]);
    }
    // Work folders and processes pass it on as JSON, where times are text.
    let cost = LevelCost {
        seconds: 0.25,
        ..LevelCost::default()
    };
    let text = serde_json::to_string(&cost).unwrap();
    assert_eq!(serde_json::from_str::<LevelCost>(&text).unwrap(), cost);
}

#[test]
fn the_page_of_a_table_has_every_cell_and_is_escaped() {
    let mut table: StartFinishTable = record("table");
    table.cells[0].proof = "a <class>".into();
    let html = table_html(&table, &sample::tilt()).unwrap();
    let parts = [
        "1 starts up to symmetry, 1 finishes: 0 pairs solvable, 1 impossible",
        "<td class=\"impossible\">impossible</td>",
        "a &#60;class&#62;",
    ];
    has(&html, &parts);
    assert!(!html.contains("<class>"));
}

/// Rows and records of `permute` and `plan`, and the pages made of them.
#[test]
fn strategies_and_plans_are_kept() {
    let permute: Permute = record("permute");
    there_and_back(&permute);
    rows_there_and_back(&permute.rows);
    let wrong = PermuteRow {
        equals_naive: false,
        ..permute.rows[0].clone()
    };
    assert_eq!(wrong.check().unwrap_err().0, "proven");
    let page = permute_html(&permute).unwrap();
    let parts = "rotate:64:8 | 1,234 | as &#60;printed&#62; | >yes</td>";
    has(&page, &parts.split(" | ").collect::<Vec<_>>());
    let plan: EnginePlan = record("plan");
    there_and_back(&plan);
    rows_there_and_back(&plan.rows);
    let page = plan_html(&plan).unwrap();
    let parts = "99,232,773,227 states, as said | >1,610,612,736</td> | >90</td> | >no</td>";
    has(&page, &parts.split(" | ").collect::<Vec<_>>());
}
