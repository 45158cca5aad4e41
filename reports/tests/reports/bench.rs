//! Tables of samples and comparisons: what is written is read back, and what is no such
//! table is refused in one line.

use antipode_reports::bench::{
    Comparison, Outcome, SCHEMA, Sample, SampleLog, Status, read_comparisons, read_samples,
    write_comparisons, write_samples, write_samples_to,
};
use std::fs;
use std::io::Write;

fn sample(row: &str, number: u32) -> Sample {
    Sample {
        schema: SCHEMA,
        suite: "small".into(),
        row: row.into(),
        group: "box".into(),
        puzzle: "tilt".into(),
        instance: "box".into(),
        settings: "blue=1;grey=2".into(),
        variant: "bitboard".into(),
        engine: "hash".into(),
        direction: "backward".into(),
        threads: 2,
        sample: number,
        position: 2 * number + 1,
        seed: u64::MAX,
        status: Status::Ok,
        detail: String::new(),
        answer: "00ff".into(),
        expected: "00ff".into(),
        wall_s: Some(0.1 + 0.2),
        cpu_s: Some(1.0 / 3.0),
        peak_bytes: Some(1 << 40),
        states: Some(u64::MAX),
        generated: None,
        read_bytes: Some(0),
        written_bytes: None,
        version: "0.1.0".into(),
        build: "ab".into(),
        plugin_file: "a, \"b\".so".into(),
        plugin_digest: String::new(),
        processor: "Some, Processor".into(),
        load1: Some(0.25),
        throttled: None,
        started: "2026-01-01T00:00:00Z".into(),
        metric: String::new(),
        value: None,
        unit: String::new(),
    }
}

#[test]
fn samples_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.csv");
    let mut failed = sample("other row", 1);
    failed.status = Status::Timeout;
    failed.detail = "killed after 2 s".into();
    (failed.wall_s, failed.states) = (None, None);
    let all = vec![sample("a", 0), failed];
    write_samples(&path, &all).unwrap();
    assert_eq!(read_samples(&path).unwrap(), all);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().next().unwrap(), Sample::COLUMNS.join(","));
    // The columns are named by hand and written by serde: they must be the same.
    let json = serde_json::to_string(&all[0]).unwrap();
    let places = Sample::COLUMNS.map(|name| json.find(&format!("\"{name}\":")).unwrap());
    assert!(places.is_sorted());
    let back: Sample = serde_json::from_str(&json).unwrap();
    assert_eq!(back, all[0]);
    assert_eq!(
        serde_json::from_str::<serde_json::Map<_, _>>(&json)
            .unwrap()
            .len(),
        36
    );
}

#[test]
fn no_samples_are_a_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.csv");
    write_samples(&path, &[]).unwrap();
    assert_eq!(read_samples(&path).unwrap(), []);
}

#[test]
fn a_log_grows_and_goes_on_behind_a_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.csv");
    let (mut log, held) = SampleLog::open(&path).unwrap();
    assert_eq!(held, []);
    let mut first = sample("a", 0);
    first.detail = "two\nlines".into();
    log.append(&first).unwrap();
    drop(log);
    first.detail = "two lines".into();
    let torn = fs::read_to_string(&path).unwrap().lines().nth(1).unwrap()[..40].to_owned();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(torn.as_bytes()).unwrap();
    drop(file);
    assert_eq!(read_samples(&path).unwrap(), [first.clone()]);
    let (mut log, held) = SampleLog::open(&path).unwrap();
    assert_eq!(held, [first.clone()]);
    log.append(&sample("a", 1)).unwrap();
    assert_eq!(read_samples(&path).unwrap(), [first, sample("a", 1)]);
}

#[test]
fn a_header_cut_short_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.csv");
    fs::write(&path, "schema,sui").unwrap();
    let (mut log, held) = SampleLog::open(&path).unwrap();
    assert_eq!(held, []);
    log.append(&sample("a", 0)).unwrap();
    assert_eq!(read_samples(&path).unwrap(), [sample("a", 0)]);
}

#[test]
fn comparisons_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("comparison.csv");
    let good = Comparison {
        schema: SCHEMA,
        a: "reference".into(),
        b: "bitboard".into(),
        pairs: 12,
        ratio: Some(0.125),
        low: Some(0.1),
        high: Some(0.15),
        won: Some(1.0),
        p: Some(1e-5),
        p_adjusted: Some(3e-5),
        significant: true,
        beyond_noise: true,
        noise: Some(1.02),
        verdict: Outcome::Faster,
        measure: "cpu_s".into(),
        detail: String::new(),
    };
    let bare = Comparison {
        ratio: None,
        low: None,
        high: None,
        won: None,
        p: None,
        p_adjusted: None,
        noise: None,
        significant: false,
        beyond_noise: false,
        verdict: Outcome::WithinNoise,
        detail: "one, two".into(),
        ..good.clone()
    };
    let all = vec![good, bare];
    write_comparisons(&path, &all).unwrap();
    assert_eq!(read_comparisons(&path).unwrap(), all);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().next().unwrap(), Comparison::COLUMNS.join(","));
}

#[test]
fn other_tables_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.csv");
    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        let error = read_samples(&path).unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let mut text = Vec::new();
    write_samples_to(&mut text, &[sample("a", 0), sample("a", 1)]).unwrap();
    let good = String::from_utf8(text).unwrap();
    let error = refused("a,b\n1,2\n");
    assert!(error.contains("line 1: the header is \"a,b\""), "{error}");
    let error = refused("schema,old\n0,2\n");
    assert!(
        error.contains("of schema 0") && error.contains("reads schema 1"),
        "{error}"
    );
    let error = refused(&good.replace(
        "\n1,small,a,box,tilt,box,blue=1;grey=2,bitboard,hash,backward,2,1",
        "\n1,small,a,box,tilt,box,blue=1;grey=2,bitboard,hash,backward,two,1",
    ));
    assert!(error.contains("line 3: field 11"), "{error}");
    let error = refused(&good.replace(",ok,", ",okay,"));
    assert!(
        error.contains("line 2") && error.contains("okay"),
        "{error}"
    );
    let error = read_samples(folder.path().join("none.csv"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("none.csv"), "{error}");
}
