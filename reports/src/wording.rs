//! Numbers, times and bounds as a reader wants to see them.

use crate::model::{Bound, Evidence, rfc3339};
use crate::text::group_digits;

/// A whole number with its thousands apart.
pub fn grouped(number: impl ToString) -> String {
    group_digits(&number.to_string(), ',')
}

/// Digits of a text that is only a whole number, with or without thousands separators.
fn whole_digits(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let grouped = |mark| group_digits(&digits, mark) == text;
    (is_number && (text == digits || grouped(',') || grouped('_'))).then_some(digits)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Longest number that is written out: a quintillion and some.
const MOST_DIGITS: usize = 21;

/// A number with thousands separators and the decimals that it was printed with. Neither zeros at its
/// front, nor a plus, nor an exponent up to [`MOST_DIGITS`] belong to its value.
fn number_apart(text: &str) -> Option<String> {
    let (minus, bare) = match text.strip_prefix('-') {
        Some(bare) => ("-", bare),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (number, exponent) = bare.split_once(['e', 'E']).unwrap_or((bare, "0"));
    let (whole, decimals) = match number.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (number, ""),
    };
    let (whole, exponent) = (whole_digits(whole)?, exponent.parse::<usize>().ok()?);
    let fits = exponent == 0 || exponent.saturating_add(whole.len()) <= MOST_DIGITS;
    (fits && is_digits(decimals)).then_some(())?;
    let point = whole.len() + exponent;
    let digits = format!("{whole}{decimals:0<exponent$}");
    let (whole, decimals) = digits.split_at(point);
    let minus = if digits.bytes().all(|digit| digit == b'0') {
        ""
    } else {
        minus
    };
    let whole = match whole.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => group_digits(digits, ','),
    };
    let point = if decimals.is_empty() { "" } else { "." };
    Some(format!("{minus}{whole}{point}{decimals}"))
}

/// One of our sentences with its counts grouped: separate runs of four digits and more, except for
/// possible years.
pub fn counts_apart(text: &str) -> String {
    let mut is_named = false;
    let words = text.split_inclusive(' ').map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        // After a colon comes the figure of a name, and no year.
        let may_be_year = !is_named && bare.len() == 4 && YEARS.contains(&bare);
        is_named = word.trim_end().ends_with(':');
        let is_count =
            bare.len() > 3 && bare.bytes().all(|byte| byte.is_ascii_digit()) && !may_be_year;
        // Other characters in the word, a slash or a point, make it a name or a decimal.
        match is_count && word.matches(bare).count() == 1 {
            true => word.replace(bare, &group_digits(bare, ',')),
            false => word.to_owned(),
        }
    });
    words.collect()
}

/// Years of publications; of equal length, so that they compare like numbers.
const YEARS: std::ops::RangeInclusive<&str> = "1700"..="2099";

/// `1215 not reached` with its count grouped; any other text unchanged.
fn count_apart(text: &str) -> String {
    let counted = text.split_once(' ').and_then(|(number, what)| {
        let number = number_apart(number)?;
        Some(format!("{number} {what}"))
    });
    counted.unwrap_or_else(|| counts_apart(text))
}

/// A figure of a claim, which is a text, as all pages and the terminal show it. Commas separate
/// thousands, and decimals are as they were found or printed. Several figures are separated by `; `
/// or `, ` or joined by ` to `; the unit follows.
pub fn amount(text: &str, unit: &str) -> String {
    let mut numeric = true;
    let mut apart = |part: &str| {
        let shown = number_apart(part);
        numeric &= shown.is_some() || part.parse::<f64>().is_ok();
        shown.unwrap_or_else(|| count_apart(part))
    };
    let shown = each(text, &["; ", " to ", ", "], &mut apart);
    // Only a number has a unit; a text such as "unsolvable" has none, and a sentence its own.
    match shown.is_empty() || unit.is_empty() || !numeric {
        true => shown,
        false if shown == "1" => format!("1 {}", of_one(unit)),
        false => format!("{shown} {unit}"),
    }
}

/// A count with its unit: `1 move`, `1,024 states`.
pub fn count(number: impl ToString, unit: &str) -> String {
    amount(&number.to_string(), unit)
}

/// A unit behind 1: `state` for `states`, and `move a state` for `moves a state`.
fn of_one(unit: &str) -> String {
    let (what, rest) = unit.split_at(unit.find(' ').unwrap_or(unit.len()));
    // A unit of one letter is no plural, nor is one that ends in two of them.
    let one = match what.strip_suffix('s') {
        Some(one) if !one.is_empty() && !one.ends_with(['s', 'u']) => one,
        _ => what,
    };
    format!("{one}{rest}")
}

/// Changes each text between marks separately.
fn each(text: &str, marks: &[&str], change: &mut impl FnMut(&str) -> String) -> String {
    match marks {
        [] => change(text),
        [mark, rest @ ..] => {
            let parts: Vec<String> = text
                .split(mark)
                .map(|part| each(part, rest, change))
                .collect();
            parts.join(mark)
        }
    }
}

/// The published figure: `at most 241 moves`, `about 4,000 states` if another may be found.
pub fn claimed(text: &str, bound: Option<Bound>, unit: &str) -> String {
    let shown = amount(text, unit);
    match bound.filter(|_| !text.is_empty()) {
        Some(bound) => format!("{} {shown}", bound.label()),
        None => shown,
    }
}

/// The difference of a figure found from the claimed one, if both are single numbers and differ:
/// `3.2% below`, or `7.5 times as much` if a share is not informative. The distance of a figure
/// within a one-sided bound is no deviation; beyond the bound it is.
pub fn deviation(claimed: &str, bound: Option<Bound>, found: &str) -> Option<String> {
    let number = |text: &str| {
        let digits = whole_digits(text).unwrap_or_else(|| text.to_owned());
        digits.parse::<f64>().ok().filter(|x| x.is_finite())
    };
    let (claim, figure) = (number(claimed)?, number(found)?);
    let same_text = whole_digits(claimed).is_some() && whole_digits(claimed) == whole_digits(found);
    let is_within = match bound {
        Some(Bound::AtMost) => figure <= claim,
        Some(Bound::AtLeast) => figure >= claim,
        _ => false,
    };
    if same_text || figure == claim || claim == 0.0 || is_within {
        return None;
    }
    let ratio = figure / claim;
    if !(0.1..=10.0).contains(&ratio) {
        return (ratio > 0.0).then(|| format!("{} times as much", short(ratio)));
    }
    let side = match figure > claim {
        true => "above",
        false => "below",
    };
    Some(format!("{}% {side}", short((ratio - 1.0).abs() * 100.0)))
}

/// A number with two significant digits, or all those before its point.
pub(crate) fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.1e}").parse().unwrap_or(x);
    match rounded {
        x if !(1e-4..1e6).contains(&x) => format!("{x:.1e}"),
        x if x >= 10.0 => grouped(x as u128),
        x => {
            let places = (1 - x.log10().floor() as i32).max(0) as usize;
            format!("{x:.places$}")
        }
    }
}

/// `10⁵`.
pub(crate) fn power_of_ten(power: u32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = power
        .to_string()
        .bytes()
        .map(|digit| RAISED[usize::from(digit - b'0')])
        .collect::<String>();
    format!("10{raised}")
}

/// `1 h 02 min 03 s`, `12.3 s`, `450 ms`.
pub(crate) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "not measured".to_owned();
    }
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 0.001 => "under 1 ms".to_owned(),
        s if s < 0.9995 => format!("{:.0} ms", s * 1000.0),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 59.95 => format!("{s:.1} s"),
        _ if whole < 3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!(
            "{} h {:02} min {:02} s",
            grouped(whole / 3600),
            whole / 60 % 60,
            whole % 60
        ),
    }
}

/// `1.5 GiB`.
pub(crate) fn memory(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "KiB", "MiB", "GiB"] {
        if size < 1024.0 {
            return if unit == "bytes" {
                format!("{bytes} bytes")
            } else {
                format!("{size:.1} {unit}")
            };
        }
        size /= 1024.0;
    }
    format!("{size:.1} TiB")
}

pub(crate) fn rate(per_second: f64) -> String {
    if !per_second.is_finite() || per_second <= 0.0 {
        return "not measured".to_owned();
    }
    let unit = 10_f64.powf((per_second.log10().floor() - 2.0).max(0.0));
    grouped(((per_second / unit).round() * unit) as u128)
}

/// `2026-11-21 08:15 UTC`.
pub(crate) fn utc(unix_s: u64) -> String {
    format!("{} UTC", rfc3339(unix_s)[..16].replace('T', " "))
}

/// A check's findings and their consequences, as sentences.
pub fn evidence_sentence(evidence: &Evidence) -> String {
    if !evidence.done() {
        return "Nothing was checked.".to_owned();
    }
    let wrong = if evidence.wrong == 0 {
        "none".to_owned()
    } else {
        grouped(evidence.wrong)
    };
    let was = if evidence.wrong <= 1 { "was" } else { "were" };
    if evidence.population == Some(evidence.sampled) {
        return format!(
            "All {} were checked; {wrong} {was} wrong.",
            grouped(evidence.sampled)
        );
    }
    let of_all = evidence
        .population
        .map(|all| format!(" out of {}", grouped(all)))
        .unwrap_or_default();
    let found = format!(
        "{}{of_all} were checked; {wrong} {was} wrong.",
        grouped(evidence.sampled)
    );
    match evidence.bound {
        Some(bound) if (0.0..1.0).contains(&bound) => {
            let confidence = (evidence.confidence * 1e6).round() / 1e4;
            format!(
                "{found} With {confidence}% confidence, at most {} of all are wrong.",
                share(bound)
            )
        }
        _ => found,
    }
}

/// A share as percentage and as "1 in N"; both are rounded to the cautious side.
fn share(bound: f64) -> String {
    if bound == 0.0 {
        return "0%".to_owned();
    }
    let percent = bound * 100.0;
    let unit = 10_f64.powf(percent.log10().floor() - 1.0);
    // The slack keeps a bound that is already round from being pushed up by its binary form.
    let rounded = (percent / unit - 1e-9).ceil() * unit;
    let decimals = (-unit.log10().round()).max(0.0) as usize;
    let one_in = (1.0 / bound).floor();
    if one_in < 2.0 {
        return format!("{rounded:.decimals$}%");
    }
    format!("{rounded:.decimals$}% (1 in {})", grouped(one_in as u128))
}

/// A command line that a POSIX shell reads back as the same arguments.
pub(crate) fn command_line(arguments: &[String]) -> String {
    arguments
        .iter()
        .map(|argument| quoted(argument))
        .collect::<Vec<_>>()
        .join(" ")
}

/// An option without a value.
const SHADOW: &str = "--shadow-built-in";

/// Options that say which library a puzzle is of: a command without them is about another, or
/// refused.
pub(crate) const LIBRARIES: [&str; 4] = ["--plugin", "--rules", "--plugin-limit", SHADOW];

/// The options of these names in a command line, each with its value.
pub(crate) fn options(command: &[String], names: &[&str]) -> Vec<String> {
    let (mut options, mut words) = (Vec::new(), command.iter().skip(1).peekable());
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or_default();
        if names.contains(&name) {
            options.push(word.clone());
            let value = words.next_if(|_| name == word && name != SHADOW);
            options.extend(value.cloned());
        }
    }
    options
}

fn quoted(argument: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&b);
    if !argument.is_empty() && argument.bytes().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

/// A sentence in HTML: text between two backticks becomes code.
pub(crate) fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Text made safe for markup that is built outside the page's template.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write control characters, not even escaped.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
