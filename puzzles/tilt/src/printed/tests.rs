use super::*;

#[test]
fn the_permutations_fail_in_exactly_these_bits() {
    for (function, name, value) in [
        ("transpose", "bits right", "38"),
        ("transpose", "bits never set", "30 31 40 41 42 43"),
        ("transpose", "bits set by a wrong one", "34 35 44 45 46 47"),
        ("transpose", "right term +32", "(b << 32) & 0x30000000000"),
        ("transpose", "right term +24", "(b << 24) & 0xC00C0000000"),
        ("mirr_v", "bits right", "10"),
        ("mirr_v", "right term +4", "(b << 4) & 0xC0300C0300C0"),
        ("mirr_v", "right term -4", "(b >> 4) & 0xC0300C0300C"),
    ] {
        let figures = check(function).unwrap();
        let figure = figures.iter().find(|figure| figure.name == name);
        assert_eq!(figure.unwrap().value, value, "{function}, {name}");
    }
}
