//! Properties beyond the contract of `test-plugin`: refused texts.

use antipode_classics::pancake::Bits;
use puzzle_api::{BadInput, Puzzle, Request, Settings};

fn try_open(instance: &str) -> Result<Bits, BadInput> {
    let settings = &Settings::new();
    Bits::open(&Request { instance, settings })
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for instance in ["plain-0", "plain-13", "raw-3", "plain-03", "plain"] {
        let refused = try_open(instance).err().expect(instance);
        assert!(refused.0.contains("plain-N or burnt-N"), "{refused}");
    }
    let [plain, burnt] = ["plain-3", "burnt-3"].map(|name| try_open(name).expect("opens"));
    for (text, word) in [
        ("12", "3 pancakes"),
        ("1-23", "'-'"),
        ("122", "twice"),
        ("124", "'4'"),
    ] {
        let refused = plain.parse(text).expect_err(text);
        assert!(
            refused.0.contains(word) && refused.0.contains("123"),
            "{refused}"
        );
    }
    for (text, word) in [
        ("12-", "3 pancakes"),
        ("1--23", "'-'"),
        ("123-", "3 pancakes"),
    ] {
        let refused = burnt.parse(text).expect_err(text);
        assert!(refused.0.contains(word), "{refused}");
    }
    assert!(burnt.parse("-3-12").is_ok());
}
