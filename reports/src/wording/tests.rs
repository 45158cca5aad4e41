use super::*;

fn evidence(sampled: u128, population: Option<u128>, wrong: u128, bound: Option<f64>) -> Evidence {
    Evidence {
        what: "x".into(),
        sampled,
        population,
        wrong,
        confidence: 0.95,
        bound,
        text: String::new(),
    }
}

#[test]
fn only_whole_numbers_are_regrouped() {
    for text in ["15,766,282", "15_766_282", "15766282"] {
        assert_eq!(amount(text, ""), "15,766,282");
    }
    for (text, unit, shown) in [
        ("1332; 24191", "states", "1,332; 24,191 states"),
        ("0.95; 1e11", "bits", "0.95; 100,000,000,000 bits"),
        ("1.2e10", "boards", "12,000,000,000 boards"),
        ("0.27e2", "moves", "27 moves"),
        ("2.70e1", "moves", "27.0 moves"),
        ("1e0", "moves", "1 move"),
        ("1E+3", "moves", "1,000 moves"),
        ("+5", "moves", "5 moves"),
        ("-0", "moves", "0 moves"),
        ("-1500", "moves", "-1,500 moves"),
        ("007", "moves", "7 moves"),
        ("0e9", "moves", "0 moves"),
        ("1e999999999999", "", "1e999999999999"),
        ("more than 300000", "moves", "more than 300,000"),
        ("1, 20, 1024", "states", "1, 20, 1,024 states"),
        ("12345.6789", "s", "12,345.6789 s"),
        ("4 to 3700", "moves", "4 to 3,700 moves"),
        (
            "117 confirmed, 1215 not reached",
            "",
            "117 confirmed, 1,215 not reached",
        ),
    ] {
        assert_eq!(amount(text, unit), shown);
    }
    let sentence = "65 moves, as 10 boards";
    for text in ["unsolvable", "up to 4", sentence, "more than 39"] {
        assert_eq!(amount(text, "moves"), text);
    }
    for text in [
        "", ",", "1,5", "12 moves", "-3", "3.1415", "1e-3", "1e22", "5.",
    ] {
        assert_eq!(amount(text, ""), text);
    }
}

#[test]
fn one_of_a_unit_is_no_plural() {
    for (unit, shown) in [
        ("moves", "1 move"),
        ("states", "1 state"),
        ("times", "1 time"),
        ("moves a state", "1 move a state"),
        ("of the moves", "1 of the moves"),
        ("s", "1 s"),
        ("GiB", "1 GiB"),
        ("", "1"),
    ] {
        assert_eq!(amount("1", unit), shown);
    }
    assert_eq!(amount("1.0", "moves"), "1.0 moves");
    assert_eq!(amount("1; 2", "moves"), "1; 2 moves");
    assert_eq!(count(1, "moves"), "1 move");
    assert_eq!(count(8548_u64, "orbits"), "8,548 orbits");
}

#[test]
fn a_deviation_is_told_with_its_side() {
    for (claimed, found, off) in [
        ("25,000", "24191", Some("3.2% below")),
        ("15,766,282", "15766282", None),
        ("20", "18", Some("10% below")),
        ("0.5", "0.50", None),
        ("1e16", "1039280302080000", Some("90% below")),
        ("1", "227", Some("230 times as much")),
        ("227", "unsolvable", None),
        ("0", "3", None),
        ("34480", "34481", Some("0.0029% above")),
    ] {
        assert_eq!(deviation(claimed, None, found).as_deref(), off, "{claimed}");
    }
}

#[test]
fn a_bound_has_a_side_and_a_deviation_beyond_it_alone() {
    let least = Some(Bound::AtLeast);
    assert_eq!(claimed("1", least, "moves"), "at least 1 move");
    assert_eq!(claimed("24191", Some(Bound::AtMost), ""), "at most 24,191");
    assert_eq!(claimed("", least, "moves"), "");
    assert_eq!(claimed("12", None, "moves"), "12 moves");
    assert_eq!(deviation("1", least, "24191"), None);
    for (bound, text, shown, off) in [
        (Bound::About, "4000", "about 4,000", "12% below"),
        (
            Bound::Within(0.07),
            "4000",
            "within 7% of 4,000",
            "12% below",
        ),
        (
            Bound::Within(0.125),
            "4000",
            "within 12.5% of 4,000",
            "12% below",
        ),
        (
            Bound::Within(1e-300),
            "4000",
            "within 1e-300 times 4,000",
            "12% below",
        ),
        (
            Bound::Magnitude,
            "1000",
            "of the order of 1,000",
            "250% above",
        ),
    ] {
        let bound = Some(bound);
        assert_eq!(claimed(text, bound, "states"), format!("{shown} states"));
        let found = deviation(text, bound, "3528").expect(shown);
        assert!(found.starts_with(off), "{found}");
    }
    let most = Some(Bound::AtMost);
    for (claim, bound, found, off) in [
        ("241", most, "227", None),
        ("200", most, "227", Some("14% above")),
        ("0.9", most, "0.91716", Some("1.9% above")),
        ("25000", least, "24191", Some("3.2% below")),
        ("1", least, "0", None),
    ] {
        assert_eq!(deviation(claim, bound, found).as_deref(), off, "{claim}");
    }
}

#[test]
fn dates_are_in_utc() {
    for (unix_s, text) in [
        (0, "1970-01-01 00:00 UTC"),
        (951_782_400, "2000-02-29 00:00 UTC"),
        (u64::MAX, "9999-12-31 23:59 UTC"),
    ] {
        assert_eq!(utc(unix_s), text);
    }
}

#[test]
fn durations_suit_their_size() {
    for (seconds, text) in [
        (0.0, "under 1 ms"),
        (0.4504, "450 ms"),
        (0.9996, "1.00 s"),
        (9.999, "10.0 s"),
        (59.96, "1 min 00 s"),
        (3599.6, "1 h 00 min 00 s"),
        (3723.0, "1 h 02 min 03 s"),
        (f64::NAN, "not measured"),
    ] {
        assert_eq!(duration(seconds), text);
    }
}

#[test]
fn memory_and_rates_are_rounded() {
    assert_eq!(
        (memory(1023), memory(1024), memory(3 << 29)),
        ("1023 bytes".into(), "1.0 KiB".into(), "1.5 GiB".into())
    );
    assert_eq!(
        (rate(12_345_678.0), rate(12.4), rate(f64::INFINITY)),
        ("12,300,000".into(), "12".into(), "not measured".into())
    );
}

#[test]
fn bounds_are_rounded_to_the_cautious_side() {
    // Clopper-Pearson for none wrong of 100,000: 1 - 0.05^(1/100000).
    let text = evidence_sentence(&evidence(100_000, Some(3_000_000), 0, Some(2.995_687e-5)));
    assert_eq!(
        text,
        "100,000 out of 3,000,000 were checked; none was wrong. With 95% confidence, at most 0.0030% (1 in 33,381) of all are wrong."
    );
    assert_eq!(share(0.000_301), "0.031% (1 in 3,322)");
    assert_eq!(share(0.0003), "0.030% (1 in 3,333)");
    assert_eq!(share(0.123), "13% (1 in 8)");
    assert_eq!(share(0.7), "70%");
}

#[test]
fn a_complete_check_needs_no_bound() {
    let text = evidence_sentence(&evidence(28, Some(28), 2, Some(0.1)));
    assert_eq!(text, "All 28 were checked; 2 were wrong.");
}

#[test]
fn commands_can_be_pasted_into_a_shell() {
    let arguments = ["antipode", "solve", "--board", "#b./O..", "it's", ""].map(str::to_owned);
    assert_eq!(
        command_line(&arguments),
        r"antipode solve --board '#b./O..' 'it'\''s' ''"
    );
}

#[test]
fn counts_in_a_sentence_are_apart_and_names_are_not() {
    let apart = "Some of the 8,557,607 states (of 12,404,499,370) inside 74 sides. \
        With their 2,495 neighbours. Figures: sampled: 1,800; of: 2,080.";
    assert_eq!(counts_apart(&apart.replace(',', "")), apart);
    let names = "seed 0.123456 of 1/123456, as card12345 in 2026 (Korf 1985; OEIS A212693)";
    for text in [names, "2^1234 of 999", "", " "] {
        assert_eq!(counts_apart(text), text);
    }
}
