//! Boards with a name: the cards of the game, and the hardest of Fogleman's database.

/// The 40 cards of ThinkFun's Rush Hour, in order, as transcribed in a public program
/// (github.com/fogleman/rush), which gives no lengths.
pub(crate) const CARDS: [&str; 40] = [
    "..B.CC..B...AAB...DDD..E.....E.....E",
    "..B.....B..C..BAACDDDE.C...EFF......",
    "BCDDE.BCFFE.AAGH....GHI...JHI...J...",
    "........B.C.AAB.CDEEE.CDFGH.IIFGH.JJ",
    "..BBB.CCC.D.AA..DEFFF.DEG.H.IIG.H.JJ",
    "........B..CAAB..CD.BEEFDGGHIFJJJHIF",
    "..BBC..DDDCE..AACE..FGGG..FHII...HJJ",
    "BBCDEEFFCDGH.IAAGH.I.....I.JJJ......",
    "BCCD..B.ED.FAAE..FGGHHHI..J..I..J...",
    ".BCCDD.B...E.B.AAE.F.GHH.F.GIJ.KKKIJ",
    "BBBC.D..EC.DAAE..F..EGGFHHH.I..JJ.I.",
    "BBCDE.F.CDE.FAADEG.....G.HII.G.H.JJJ",
    ".BBCCCDDDEFGAAHEFGI.HJJKILL..KMMNNNK",
    "BBC...D.CEEED.AAF.....F.GGHHHI.....I",
    "BCDDEEBC.FFFBG.AAHIG.JJHIKKKLMNNN.LM",
    "...BCC...BDDAAEFGHIIEFGHJKKKLMJNNNLM",
    "BBBCCDEEFGGDAAFH.I...HJIKLLHJ.KMMMNN",
    ".BCCCD.B...D.AAEFGHHIEFGJ.IKKGJ.ILLL",
    "..BCCC..B..DAAE..DFFE.GH.IJJGH.IKKKH",
    "...BCC...B..AADE.F..DEGFHIIIGKH....K",
    "BBCD..E.CD..EAAD..E..FFFGGG.HIJJ..HI",
    ".BCCDE.BFGDEAAFGHIJ.KLHIJ.KL.IJMMMNN",
    "B.C.DDB.CEEEFAAG.HFI.G.HFIJJKLMMNNKL",
    "B.CDDDB.CE..BAAE..FFGG.H.....HIIJJ.H",
    "BB.CDE...CDEFAAC.GF.HIIGJJH..GKKH...",
    "B..C..B..CDDBAAE....FEGG..FHHI..F..I",
    "BBC.DDE.C...E.AAF.EGGGFH...IFH...IJJ",
    "BBCCCDE..FFDE..AAGHHIIJGKKL.JG..LMMM",
    "BBC.DE..C.DE..CAAE...FGGHIIF..H..F..",
    "B.CCC.BDDDEFAAGHEFIIGHEF...JKK.LLJ..",
    "BCDDEFBC..EFGAAH.IGJJH.IG.KLLLMMKNNN",
    "BBBCDEFGGCDEF.AADEHHI....JIKK..JLLMM",
    "BBCCCDE.FFGDE.AAGHIIJKKHLLJM..NNNM..",
    "BCCD.EB.FD.EAAFD.GHHIIJG..K.J...KLLL",
    "BB.C.DEF.C.DEFAAGHIJJKGHI.LKG.I.LMM.",
    "BCCD..B..DEEBAAF....GFHH..GIIJ..G..J",
    "BBBCDEFGGCDEF.AAD.HHI....JI.KK.JLLMM",
    "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.",
    "..BCCC..BDEEFAADGHFI..GHJIKKGLJMMNNL",
    "BCCDDDB.EEF.AAG.F.HHGIIJ.KKL.JMMML.J",
];

/// The hardest boards of Michael Fogleman's database (michaelfogleman.com/rush, 2018), the
/// hardest first, each with its length in moves and the states that it reaches.
pub const FOGLEMAN: [(&str, u16, u64); 21] = [
    ("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", 60, 2_332),
    ("BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN", 58, 9_192),
    ("ooBBMxDDDKMoAAJKoNooJEENIFFLooIGGLox", 55, 9_712),
    ("ooBBMxDDDKMoAAJKoNooJEENIFFLooIGGLHH", 55, 8_257),
    ("oxCCMoDDDKMoAAJKooooJLEEIFFLoNIGGoxN", 54, 6_355),
    ("oooJLxCCCJLoHAAKooHoIKDDooIEEMoFFoxM", 54, 3_461),
    ("oooJxoCCCJLoHAAKLoHoIKDDooIEEMoFFoxM", 54, 2_948),
    ("BBBKCCDDoKoLIAAKoLIoJEEMFFJooMooxoHH", 54, 1_845),
    ("BBBCCNDDoxMNJAAoMOJoKFFOGGKLooxIILoo", 53, 4_705),
    ("ooBBoxDDDKooAAJKoMooJEEMIFFLooIGGLHH", 53, 4_228),
    ("ooBBoxDDDKooAAJKoMooJEEMIFFLooIGGLox", 53, 4_102),
    ("oxCCMNDDDKMNAAJKooooJEEoIFFLooIGGLox", 52, 7_178),
    ("oxCCMNDDDKMNAAJKooooJLEEIFFLooIGGHHo", 52, 5_717),
    ("GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo", 51, 4_780),
    ("xCCoLMooJoLMAAJoLNHIDDDNHIoKEExooKGG", 51, 9_360),
    ("BBIooMGHIoLMGHAALNGCCKoNooJKDDooJEEx", 50, 14_385),
    ("ooIBBBooIKooAAJKoLCCJDDLGHEEoLGHFFoo", 50, 4_643),
    ("ooooxoCCCJLoAAIJLMooIDDMHEEKooHFFKox", 50, 3_874),
    ("ooooLxCCCJLoAAIJoMooIDDMHEEKooHFFKox", 50, 3_676),
    ("ooxCCLDDoKoLIAAKooIoJKEEFFJooMGGGHHM", 50, 1_845),
    ("BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM", 49, 24_132),
];

/// A board by its name; `None` for an unknown name.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    let number = |prefix: &str| -> Option<usize> {
        let digits = name.strip_prefix(prefix)?;
        let number: usize = digits.parse().ok()?;
        (number.to_string() == digits).then(|| number.checked_sub(1))?
    };
    match (number("card-"), number("fogleman-")) {
        (Some(card), _) => CARDS.get(card).copied(),
        (_, Some(place)) => FOGLEMAN.get(place).map(|(board, _, _)| *board),
        (None, None) => None,
    }
}

/// The board of a line of Fogleman's database, and its fewest moves: `60 IBBxoo… 2332`. The last or
/// both figures may be missing.
pub(crate) fn line(text: &str) -> Option<(&str, Option<u64>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse::<u64>().ok();
    match words[..] {
        [board] => Some((board, None)),
        [moves, board] => Some((board, Some(number(moves)?))),
        [moves, board, many] => Some((board, Some(number(many).and(number(moves))?))),
        _ => None,
    }
}

/// The cells given by a text: a named board, a line of the database, or the cells themselves.
pub(crate) fn drawn(text: &str) -> &str {
    let board = line(text).map_or(text, |(board, _)| board);
    named(board).unwrap_or(board)
}
