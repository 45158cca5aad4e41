//! Published boards, by name: the hardest with one empty cell, by the authors' search.

/// Name, text, and the number of steps given by the source. The first two are those of John Tromp's
/// pages. The third is the first drawing of figure 13 of Tromp and Cilibrasi 2004; its path of the
/// empty cell begins in the lower right corner.
pub const TROMP: [(&str, &str, u32); 3] = [
    ("tromp-4x4", "---|/|A||/-|.|/||--", 40),
    ("tromp-5x5", "||||A/-||--/|--|./||--|/|---|", 199),
    (
        "tromp-6x6",
        "|-|-||/||A-||/|----|/||-||-/-|-|--/-||--.",
        732,
    ),
];

pub(crate) fn named(name: &str) -> Option<&'static str> {
    let known = TROMP.iter().find(|(known, _, _)| *known == name);
    known.map(|(_, board, _)| *board)
}
