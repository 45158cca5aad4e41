//! Suggestions of intended words.

/// The known word nearest to an unknown one, if one is near.
pub(crate) fn nearest<'a>(odd: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |known: &str| strsim::jaro_winkler(odd, known);
    known
        .filter(|known| likeness(known) > NEAR)
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// `did you mean 'NAME'? `, if a known word is near to an unknown one.
pub(crate) fn did_you_mean<'a>(odd: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(odd, known).map_or_else(String::new, |near| format!("did you mean '{near}'? "))
}

/// Words less similar than this were not meant for each other.
const NEAR: f64 = 0.7;
