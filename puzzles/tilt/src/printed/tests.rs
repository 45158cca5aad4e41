use super::*;

fn figure(finding: &Finding, name: &str) -> String {
    let found = finding.figures.iter().find(|figure| figure.name == name);
    found.map_or_else(String::new, |figure| figure.value.clone())
}

#[test]
fn the_printed_functions_hold_or_fail_as_found() {
    let failing: Vec<_> = FUNCTIONS["function=".len()..]
        .split('|')
        .filter(|function| !check(function).unwrap().holds)
        .collect();
    let expected = [
        "transpose",
        "mirr_v",
        "asserts",
        "gen-keep",
        "retrograde-orbits",
    ];
    assert_eq!(failing, expected);
    assert!(check("main").is_err());
}

#[test]
fn the_permutations_fail_in_exactly_these_bits() {
    let transpose = check("transpose").unwrap();
    assert_eq!(figure(&transpose, "bits right"), "38");
    assert_eq!(figure(&transpose, "bits never set"), "30 31 40 41 42 43");
    assert_eq!(
        figure(&transpose, "bits set by a wrong one"),
        "34 35 44 45 46 47"
    );
    assert_eq!(
        figure(&transpose, "right term +32"),
        "(b << 32) & 0x30000000000"
    );
    assert_eq!(
        figure(&transpose, "right term +24"),
        "(b << 24) & 0xC00C0000000"
    );
    let mirr_v = check("mirr_v").unwrap();
    assert_eq!(figure(&mirr_v, "bits right"), "10");
    assert_eq!(
        figure(&mirr_v, "right term +4"),
        "(b << 4) & 0xC0300C0300C0"
    );
    assert_eq!(figure(&mirr_v, "right term -4"), "(b >> 4) & 0xC0300C0300C");
}
