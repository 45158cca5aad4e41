//! Keys that every claim and every reading may have, whatever its kind.

use crate::field::{Choice, Field, Takes};

const STATEMENT: Field = Field::new(
    "statement",
    Takes::Text,
    "\"The board takes 12 moves.\"",
    "What is claimed, in a sentence of your own.",
);
const KIND: Field = Field::new(
    "kind",
    Takes::OneOf(Choice::Kind),
    "\"length\"",
    "What sort of claim it is, and so how it is decided.",
);
const EXPECT: Field = Field::new(
    "expect",
    Takes::OneOf(Choice::Verdict),
    "\"confirmed\"",
    "The verdict that you expect; another one ends in exit code 1, or in 4 where it is not-reached.",
);
const EXPECT_QUICK: Field = Field::new(
    "expect_quick",
    Takes::OneOf(Choice::Verdict),
    "\"confirmed-by-sample\"",
    "The verdict expected at quick effort, where it differs.",
);
const NOTE: Field = Field::new(
    "note",
    Takes::Text,
    "\"The source gives no method.\"",
    "A remark, printed with the verdict.",
);
const INSTANCES: Field = Field::new(
    "instances",
    Takes::Texts,
    "[\"card-1\", \"card-2\"]",
    "Several instances in place of `instance`; the claim must hold for each.",
);

/// Keys that every claim may have, whatever its kind.
pub const CLAIM_KEYS: [Field; 15] = [
    Field::new(
        "id",
        Takes::Id,
        "\"my-claim\"",
        "Its name: at most 100 lower-case letters, digits and '-', once in all files.",
    )
    .needed(),
    Field::new(
        "source",
        Takes::Text,
        "\"A. Author, Title, 2024\"",
        "Who published it, and where.",
    )
    .needed(),
    Field::new(
        "section",
        Takes::Text,
        "\"3.1\"",
        "Section, page or table there, where it has any.",
    ),
    Field::new(
        "url",
        Takes::Url,
        "\"https://example.org/article\"",
        "Address of the source.",
    ),
    Field::new(
        "quote",
        Takes::Words(MOST_QUOTED),
        "\"the hardest board takes 12 moves\"",
        "The few words of the source that claim it.",
    ),
    STATEMENT.needed(),
    KIND.needed(),
    INSTANCES,
    Field::new(
        "effort",
        Takes::OneOf(Choice::Effort),
        "\"full\"",
        "The least effort that decides it [default: quick]; with less it is not searched, and not reached.",
    ),
    EXPECT.needed(),
    EXPECT_QUICK,
    Field::new(
        "hardware",
        Takes::Text,
        "\"one thread of a 2 GHz i7\"",
        "What a published speed was measured on, only with compare = \"report\".",
    ),
    Field::new(
        "text",
        Takes::OneOf(Choice::Text),
        "\"at-hand\"",
        "The copy of the source may have lost lines or signs, and the original was not seen: what is refuted of it is counted apart.",
    ),
    NOTE,
    Field::new(
        "reading",
        Takes::Readings,
        "[]",
        "Ways to read the claim; each overrides keys of the claim.",
    ),
];

/// Keys of a file, before its first claim. The claims that a library brings are about that
/// library, and need none.
pub const FILE_KEYS: [Field; 1] = [Field::new(
    "puzzle",
    Takes::Text,
    "\"tilt\"",
    "The puzzle that the claims are about; `antipode list` shows all.",
)
.needed()];

/// Words that a quotation may have.
const MOST_QUOTED: usize = 15;

/// Keys that every reading of a claim may have, beside those of its kind.
pub const READING_KEYS: [Field; 6] = [
    Field::new(
        "name",
        Takes::Text,
        "\"in GiB\"",
        "Its name, in a few words.",
    )
    .needed(),
    STATEMENT.needed(),
    KIND,
    EXPECT,
    EXPECT_QUICK,
    NOTE,
];
