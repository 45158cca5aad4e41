//! Stacks as text, instances.

use puzzle_api::{About, BadInput, InstanceInfo, Placed, Request, Xorshift};

/// Most pancakes: a key has five bits for each.
pub const MOST: usize = 12;

/// The symbols of pancakes from the smallest.
const SYMBOLS: &str = "123456789abc";

/// A pancake: its size from 0, and whether its burnt side is up.
pub type Pancake = (u8, bool);

/// Pancakes from the topmost.
pub type Pancakes = Vec<Pancake>;

/// What an instance is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    /// Number of pancakes.
    pub count: usize,
    /// Whether one side is burnt.
    pub burnt: bool,
}

impl Stack {
    /// The sorted stack.
    #[must_use]
    pub fn sorted(&self) -> Pancakes {
        (0..self.count as u8).map(|size| (size, false)).collect()
    }

    /// Reads a stack, topmost first, `-` before a pancake whose burnt side is up; or
    /// `sorted`.
    ///
    /// # Errors
    /// Anything that is not each pancake once.
    pub fn parse(&self, text: &str) -> Result<Pancakes, BadInput> {
        let text = text.trim();
        if text == "sorted" {
            return Ok(self.sorted());
        }
        let refuse = |why: String| {
            let (shown, sorted) = (puzzle_api::shown(text), self.draw(&self.sorted()));
            BadInput::new(format!(
                "'{shown}' is no stack: {why}; write the pancakes from the topmost, sorted is {sorted}"
            ))
        };
        let (mut pancakes, mut up) = (Pancakes::new(), false);
        for symbol in text.chars() {
            if symbol == '-' && self.burnt && !up {
                up = true;
                continue;
            }
            let size = SYMBOLS.find(symbol).filter(|&size| size < self.count);
            let shown = symbol.escape_debug();
            let size = size.ok_or_else(|| refuse(format!("there is no pancake '{shown}'")))?;
            if pancakes
                .iter()
                .any(|pancake| usize::from(pancake.0) == size)
            {
                return Err(refuse(format!("'{symbol}' is there twice")));
            }
            pancakes.push((size as u8, std::mem::take(&mut up)));
        }
        if up || pancakes.len() < self.count {
            return Err(refuse(format!("it takes {} pancakes", self.count)));
        }
        Ok(pancakes)
    }

    /// Writes a stack.
    #[must_use]
    pub fn draw(&self, pancakes: &[Pancake]) -> String {
        let mut text = String::new();
        for &(size, up) in pancakes {
            text.push_str(if up { "-" } else { "" });
            text.push(char::from(SYMBOLS.as_bytes()[usize::from(size)]));
        }
        text
    }

    /// A stack drawn uniformly.
    pub fn random(&self, random: &mut Xorshift) -> Pancakes {
        let mut pancakes = self.sorted();
        for last in (1..self.count).rev() {
            pancakes.swap(last, random.below(last as u64 + 1) as usize);
        }
        if self.burnt {
            pancakes
                .iter_mut()
                .for_each(|pancake| pancake.1 = random.below(2) == 1);
        }
        pancakes
    }

    /// What a cook calls the move between two stacks ("turn 3"); `None` for what is none.
    #[must_use]
    pub fn describe_move(&self, from: &[Pancake], to: &[Pancake]) -> Option<String> {
        let count = (1..=self.count).rev().find(|&count| {
            let turned = from[..count].iter().rev();
            let turned = turned.map(|&(size, up)| (size, up ^ self.burnt));
            turned.eq(to[..count].iter().copied()) && from[count..] == to[count..]
        })?;
        Some(format!("turn {count}"))
    }
}

/// Opens an instance: `plain-N` or `burnt-N`.
///
/// # Errors
/// An unknown instance, or any setting.
pub fn open(request: &Request<'_>) -> Result<Stack, BadInput> {
    let name = request.instance;
    let stack = name.split_once('-').and_then(|(kind, count)| {
        let burnt = match kind {
            "plain" => false,
            "burnt" => true,
            _ => return None,
        };
        let count: usize = count.parse().ok().filter(|n| (1..=MOST).contains(n))?;
        (format!("{kind}-{count}") == name).then_some(Stack { count, burnt })
    });
    if let Some(key) = request.settings.keys().next() {
        return Err(BadInput::new(format!(
            "pancake/{name} takes no setting '{key}': there are none"
        )));
    }
    stack.ok_or_else(|| {
        BadInput::new(format!(
            "no instance pancake/{name}: use plain-N or burnt-N, with N from 1 to {MOST}"
        ))
    })
}

/// Reads a stack of any height: the numbers of its pancakes from the topmost, negative where the
/// burnt side is up, or a symbol each.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let compact = !text.trim().contains([',', ' ']);
    let stack: String = match compact {
        true => text.trim().to_owned(),
        false => {
            let symbol = |cell: &String| match cell.parse::<isize>() {
                Ok(size) if (1..=MOST).contains(&size.unsigned_abs()) => {
                    let sign = if size < 0 { "-" } else { "" };
                    format!(
                        "{sign}{}",
                        &SYMBOLS[size.unsigned_abs() - 1..size.unsigned_abs()]
                    )
                }
                _ => cell.clone(),
            };
            puzzle_api::cells(text)
                .concat()
                .iter()
                .map(symbol)
                .collect()
        }
    };
    let burnt = stack.contains('-') || request.instance.starts_with("burnt");
    let kind = if burnt { "burnt" } else { "plain" };
    let count = stack.chars().filter(|symbol| *symbol != '-').count();
    let instance = format!("{kind}-{count}");
    open(&Request {
        instance: &instance,
        ..*request
    })?
    .parse(&stack)?;
    Ok(Placed::state(request, instance, stack))
}

/// What the puzzle says of itself.
#[must_use]
pub fn about() -> About {
    let instance = |name: String, summary: &str| InstanceInfo {
        name,
        summary: summary.to_owned(),
    };
    let plain = (3..=11).map(|n| instance(format!("plain-{n}"), "plain pancakes"));
    let burnt = (2..=8).map(|n| instance(format!("burnt-{n}"), "pancakes burnt on one side"));
    let mut legend = String::from("- dot #6b4a2b the burnt side of the next is up\n");
    for symbol in SYMBOLS.chars() {
        legend.push_str(&format!("{symbol} block #d9a05b pancake {symbol}\n"));
    }
    About {
        name: "pancake".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Pancake sorting, up to 12 plain or burnt ones: turn the topmost pancakes over"
            .to_owned(),
        instances: plain.chain(burnt).collect(),
        settings: Vec::new(),
        legend,
        claims: crate::pancake::CLAIMS.to_owned(),
    }
}
