//! Which baselines are refused, and how they are renewed.

use super::*;

#[test]
fn baselines_that_cannot_be_used_are_refused() {
    let at = &folder(&GATE);
    plays(
        at,
        &format!(
            "2! regress --baseline base.toml | cannot read the baseline base.toml | --update
             2! regress --baseline base.toml --update --reason x | name its suite by --suite
             2! regress --baseline base.toml --update | --reason
             2! regress --baseline base.toml --update --suite suite.toml --reason ' ' | it is empty
             0 regress --baseline base.toml {UPDATE} --out kept
             kept/regress.html ?
             2! regress --baseline base.toml --samples 3 | take at least 5
             2! regress --baseline base.toml --update --suite suite.toml --reason x --reference refrence | --reference 'refrence' is no row | did you mean 'reference'?"
        ),
    );
    let refused = || gate(at, "").refused().err;
    let text = read(at.join("base.toml"));
    write(at, &text.replacen("schema = 2", "schema = 0", 1));
    refused().has(["schema 0", "reads schema 2", "--update"]);
    write(at, &text.replacen("limit =", "limt =", 1));
    refused().has(["base.toml, line", "limt"]);
    write(at, &text);
    let other = GATE.replace("engine = \"hash\"", "engine = \"dense\"");
    fs::write(at.join("suite.toml"), other).unwrap();
    refused().has(["row 'reference' is no longer the one"]);
}

#[test]
fn a_baseline_that_would_check_less_than_it_seems_is_refused() {
    let cases = crate::support::rows(
        r#"
        ratio = | ratio = -1 # | the ratio -1
        ratio = | ratio = nan # | the ratio NaN
        ratio = | # | and no ratio
        interval = [ | interval = [1e9, | within 1000000000 to
        limit = 1000.0 | limit = nan | 'limit' takes a number of 1 or more, not NaN
        counter-limit = 1.0 | counter-limit = 0.5 | 'counter-limit' takes a number of 1 or more
        name = "reference" | name = "queue" | a second row named 'queue'
        name = "reference" | name = "refrence" | row 'refrence' is not one of the suite
        reference = "queue" | reference = "qeue" | did you mean 'queue'?
        measure = "cpu" | measure = "cup" | no measure 'cup'
        generated = | genrated = | no field 'genrated'; did you mean 'generated'?
        answer = " | answer = "" # | has the answer ''
    "#,
    );
    let at = &with_baseline();
    let text = read(at.join("base.toml"));
    for [from, to, fragment] in cases {
        rewrite(at, from, to);
        let ran = gate(at, "--out out").refused();
        ran.err.has(["base.toml", fragment]);
        assert!(!at.join("out").exists(), "{to}: nothing is measured");
        write(at, &text);
    }
    // A row that is missing from the baseline would never be checked.
    let row = text.find("[[row]]\nname = \"reference\"").unwrap();
    write(at, &text[..row]);
    let said = "row 'reference' of the suite is not in the baseline";
    gate(at, "").ended(2).err.has([said]);
}

#[test]
fn a_baseline_is_not_renewed_where_a_row_did_not_end() {
    let at = &with_baseline();
    let before = read(at.join("base.toml"));
    let other = fs::File::open(at.join("base.toml")).unwrap();
    other.lock().unwrap();
    let ran = update(at, "").refused();
    ran.err.has([
        "base.toml: another run is at work there",
        "another --baseline",
    ]);
    drop(other);
    let slow = GATE.replace(
        "grey = 0, blue = \"0..1\" }\nengine",
        "grey = \"0..2\" }\ntimeout = \"10ms\"\nengine",
    );
    assert_ne!(slow, *GATE);
    fs::write(at.join("suite.toml"), slow).unwrap();
    let ran = update(at, "").ended(4);
    ran.out.has(["queue: timeout", "left as it is"]);
    assert_eq!(read(at.join("base.toml")), before);
}

/// Nothing in its place may be lost: a baseline's reasons, or other notes.
#[test]
fn an_update_writes_over_nothing_but_baselines() {
    let at = &with_baseline();
    let text = read(at.join("base.toml"));
    let damaged = text.replacen("limit =", "limt =", 1);
    for (text, needle) in [
        ("# Notes\n\nTo do.\n", "base.toml, line 3"),
        ("", "it has no 'schema'"),
        ("schema = \"one\"\n", "schema unknown"),
        (&damaged, "limt"),
    ] {
        write(at, text);
        let ran = update(at, "").refused();
        ran.err.has([needle, "correct it, or move it away"]);
        assert_eq!(read(at.join("base.toml")), text);
    }
    // With another schema it can be renewed, without its history.
    write(at, "schema = 0\nother = 1\n");
    update(at, "").ended(0);
    let renewed = read(at.join("base.toml"));
    renewed.has(["schema = 2", "history = []"]);
}

#[test]
fn an_update_says_what_changed() {
    let at = &with_baseline();
    let again = update(at, "").ended(0);
    // On a busy machine a time may leave its interval, which is then named.
    let told = ["no change except times", "outside its old interval"];
    let told = told.iter().any(|words| again.out.contains(words));
    assert!(told, "{}", again.out);
    let answer = line_of(at, "answer = ");
    let answer = answer["answer = ".len()..].trim_matches('"').to_owned();
    rewrite(at, &answer, "0123");
    rewrite(at, &line_of(at, "generated = "), "generated = 1");
    let ran = gate(at, &UPDATE.replace("1000", "900")).ended(0);
    ran.out.has([
        "limit 1000 -> 900",
        &format!("queue: answer 0123 -> {answer}"),
        "queue: moves generated 1 -> ",
    ]);
    ran.out.lacks(["no change except times"]);
}

/// A baseline that ships belongs to the suite that ships with it: the next refusal is for one
/// sample.
#[test]
fn shipped_baselines_are_of_their_suites() {
    let all = fs::read_dir(root().join("ci/baselines")).unwrap();
    let all: Vec<_> = all.map(|file| file.unwrap().path()).collect();
    assert!(!all.is_empty());
    for baseline in all {
        let line = format!("regress --samples 1 --baseline {}", baseline.display());
        runs(root(), &line).ended(2).err.has(["take at least"]);
    }
}
