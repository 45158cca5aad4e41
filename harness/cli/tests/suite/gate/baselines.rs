//! Which baselines are refused, and how they are renewed.

use super::*;

#[test]
fn baselines_that_cannot_be_used_are_refused() {
    let folder = folder(GATE);
    let at = folder.path();
    let refused = |args: &[&str]| {
        let ran = run_in(at, args);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        ran.err
    };
    let none = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        none.contains("cannot read the baseline base.toml") && none.contains("--update"),
        "{none}"
    );
    let none = refused(&[
        "regress",
        "--baseline",
        "base.toml",
        "--update",
        "--reason",
        "x",
    ]);
    assert!(none.contains("name its suite by --suite"), "{none}");
    let unsaid = refused(&["regress", "--baseline", "base.toml", "--update"]);
    assert!(unsaid.contains("--reason"), "{unsaid}");
    let kept = [&UPDATE[..], &["--out", "kept"]].concat();
    assert_eq!(run_in(at, &kept).code, 0);
    assert!(at.join("kept/regress.html").is_file());
    let few = refused(&["regress", "--baseline", "base.toml", "--samples", "3"]);
    assert!(few.contains("take at least 5"), "{few}");
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    fs::write(
        at.join("base.toml"),
        text.replacen("schema = 2", "schema = 0", 1),
    )
    .unwrap();
    let old = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        old.contains("schema 0") && old.contains("reads schema 2") && old.contains("--update"),
        "{old}"
    );
    fs::write(at.join("base.toml"), text.replacen("limit =", "limt =", 1)).unwrap();
    let typo = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        typo.contains("base.toml, line") && typo.contains("limt"),
        "{typo}"
    );
    fs::write(at.join("base.toml"), text).unwrap();
    fs::write(
        at.join("suite.toml"),
        GATE.replace("engine = \"hash\"", "engine = \"dense\""),
    )
    .unwrap();
    let changed = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        changed.contains("row 'reference' is no longer the one"),
        "{changed}"
    );
}

#[test]
fn a_baseline_that_would_check_less_than_it_seems_is_refused() {
    let cases: [(&str, &str, &str); 13] = [
        ("ratio = ", "ratio = -", "write a number above 0"),
        ("ratio = ", "ratio = nan #", "has the ratio NaN"),
        ("ratio = ", "ratio = inf #", "has the ratio inf"),
        ("ratio = ", "# ", "row 'reference' has no 'ratio'"),
        (
            "interval = [",
            "interval = [1e9, ",
            "two numbers above 0, the lower first",
        ),
        (
            "limit = 1000.0",
            "limit = nan",
            "'limit' takes a number of 1 or more, not NaN",
        ),
        (
            "counter-limit = 1.0",
            "counter-limit = 0.5",
            "'counter-limit' takes a number of 1 or more",
        ),
        (
            "name = \"reference\"",
            "name = \"queue\"",
            "a second row named 'queue'",
        ),
        (
            "name = \"reference\"",
            "name = \"refrence\"",
            "row 'refrence' is not one of the suite",
        ),
        (
            "reference = \"queue\"",
            "reference = \"qeue\"",
            "did you mean 'queue'?",
        ),
        ("measure = \"cpu\"", "measure = \"cup\"", "no measure 'cup'"),
        (
            "generated = ",
            "genrated = ",
            "no field 'genrated'; did you mean 'generated'?",
        ),
        ("answer = \"", "answer = \"\" # ", "an empty answer"),
    ];
    let folder = with_baseline();
    let at = folder.path();
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    for (from, to, fragment) in cases {
        rewrite(at, from, to);
        let ran = gate(at, &["--out", "out"]);
        assert_eq!(
            (ran.code, ran.err.lines().count()),
            (2, 1),
            "{to}: {}",
            ran.err
        );
        assert!(
            ran.err.contains("base.toml") && ran.err.contains(fragment),
            "{}",
            ran.err
        );
        assert!(!at.join("out").exists(), "{to}: nothing is measured");
        fs::write(at.join("base.toml"), &text).unwrap();
    }
    // A row that is missing from the baseline would never be checked.
    let row = text.find("[[row]]\nname = \"reference\"").unwrap();
    fs::write(at.join("base.toml"), &text[..row]).unwrap();
    let ran = gate(at, &[]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(
        ran.err
            .contains("row 'reference' of the suite is not in the baseline"),
        "{}",
        ran.err
    );
}

#[test]
fn a_baseline_is_not_renewed_where_a_row_did_not_end() {
    let folder = with_baseline();
    let at = folder.path();
    let before = fs::read_to_string(at.join("base.toml")).unwrap();
    let slow = GATE.replace(
        "grey = 0, blue = \"0..1\" }\nengine",
        "grey = \"0..2\" }\ntimeout = \"10ms\"\nengine",
    );
    assert_ne!(slow, GATE);
    fs::write(at.join("suite.toml"), slow).unwrap();
    let ran = run_in(at, &UPDATE);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("queue: timeout") && ran.out.contains("left as it is"),
        "{}",
        ran.out
    );
    assert_eq!(fs::read_to_string(at.join("base.toml")).unwrap(), before);
    let refused = |more: &[&str]| {
        let ran = gate(at, &[&["--update", "--suite", "suite.toml"], more].concat());
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        ran.err
    };
    assert!(refused(&["--reason", " "]).contains("it is empty"));
    let gone = refused(&["--reason", "x", "--reference", "refrence"]);
    assert!(
        gone.contains("--reference 'refrence' is no row")
            && gone.contains("did you mean 'reference'?"),
        "{gone}"
    );
}

/// Nothing in its place may be lost: a baseline's reasons, or other notes.
#[test]
fn an_update_writes_over_nothing_but_baselines() {
    let folder = with_baseline();
    let at = folder.path();
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let left = |text: &str, needle: &str| {
        fs::write(at.join("base.toml"), text).unwrap();
        let ran = run_in(at, &UPDATE);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(
            ran.err.contains(needle) && ran.err.contains("correct it, or move it away"),
            "{}",
            ran.err
        );
        assert_eq!(fs::read_to_string(at.join("base.toml")).unwrap(), text);
    };
    left("# Notes\n\nTo do.\n", "base.toml, line 3");
    left("", "it has no 'schema'");
    left("schema = \"one\"\n", "schema unknown");
    left(&text.replacen("limit =", "limt =", 1), "limt");
    // With another schema it can be renewed, without its history.
    fs::write(at.join("base.toml"), "schema = 0\nother = 1\n").unwrap();
    let ran = run_in(at, &UPDATE);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let renewed = fs::read_to_string(at.join("base.toml")).unwrap();
    assert!(renewed.contains("schema = 2") && renewed.contains("history = []"));
}

#[test]
fn an_update_says_what_changed() {
    let folder = with_baseline();
    let at = folder.path();
    let again = run_in(at, &UPDATE);
    assert_eq!(again.code, 0, "{}", again.err);
    // On a busy machine, a time may leave its interval, which is then named.
    let told = ["no change except times", "outside its old interval"];
    let told = told.iter().any(|words| again.out.contains(words));
    assert!(told, "{}", again.out);
    let answer = line_of(at, "answer = ");
    let answer = answer["answer = ".len()..].trim_matches('"').to_owned();
    rewrite(at, &answer, "0123");
    rewrite(at, &line_of(at, "generated = "), "generated = 1");
    let ran = run_in(
        at,
        &[
            &UPDATE[..6],
            &["--limit", "900", "--reason", "x", "--accept-slower"],
        ]
        .concat(),
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for line in [
        "limit 1000 -> 900".to_owned(),
        format!("queue: answer 0123 -> {answer}"),
        "queue: moves generated 1 -> ".to_owned(),
    ] {
        assert!(ran.out.contains(&line), "'{}' lacks '{line}'", ran.out);
    }
    assert!(!ran.out.contains("no change except times"), "{}", ran.out);
}

/// A baseline that ships belongs to the suite that ships with it: the next refusal is for one
/// sample.
#[test]
fn shipped_baselines_are_of_their_suites() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let all = fs::read_dir(root.join("ci/baselines")).unwrap();
    let all: Vec<_> = all.map(|file| file.unwrap().path()).collect();
    assert!(!all.is_empty());
    for baseline in all {
        let baseline = baseline.to_str().unwrap();
        let args = ["regress", "--samples", "1", "--baseline", baseline];
        let ran = run_in(&root, &args);
        assert_eq!(ran.code, 2, "{baseline}: {}", ran.err);
        assert!(ran.err.contains("take at least"), "{baseline}: {}", ran.err);
    }
}
