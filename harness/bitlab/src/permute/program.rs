//! A short straight-line program of word operations.
//!
//! # The counting rule
//! Every operation on a word counts one: AND, OR, XOR, a shift, a rotation, a multiplication, a
//! byte swap, `pext`, `pdep` and a table look-up. The shift and the AND that cut out the index of a
//! look-up count too. A bit shuffle counts three: broadcast, shuffle, mask to word. A shift by 0 is
//! no operation. Masks and other constants are free, and reported separately, as is the depth: the
//! operations on the longest path from input to result, which bounds the latency.

/// A word computed by a program: the input, or the result of an earlier operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(u32);

impl Value {
    /// The program's input.
    pub const INPUT: Value = Value(0);

    /// 0 for the input, `i + 1` for the result of operation `i`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operation on 64-bit words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// AND with a constant.
    And(Value, u64),
    /// OR of two words.
    Or(Value, Value),
    /// XOR of two words.
    Xor(Value, Value),
    /// Shift towards the more significant end, filling with zeros (1 to 63).
    Shl(Value, u32),
    /// Shift towards the less significant end, filling with zeros (1 to 63).
    Shr(Value, u32),
    /// Rotation towards the more significant end (1 to 63).
    Rotl(Value, u32),
    /// Low word of the product with a constant.
    Mul(Value, u64),
    /// High word of the product with a constant.
    MulHigh(Value, u64),
    /// Packs the bits under the mask to the low end.
    Pext(Value, u64),
    /// Spreads the low bits over the mask's places.
    Pdep(Value, u64),
    /// Reverses the bytes.
    Bswap(Value),
    /// The entry of a table of 256 words at an index below 256.
    Lookup(Value, usize),
    /// Bit `j` becomes bit `control[j]`; counts three.
    Shuffle(Value, usize),
}

impl Op {
    /// The words it reads.
    fn words(&mut self) -> impl Iterator<Item = &mut Value> {
        let (a, b) = match self {
            Op::Or(a, b) | Op::Xor(a, b) => (a, Some(b)),
            Op::And(a, _) | Op::Mul(a, _) | Op::MulHigh(a, _) => (a, None),
            Op::Pext(a, _) | Op::Pdep(a, _) => (a, None),
            Op::Shl(a, _) | Op::Shr(a, _) | Op::Rotl(a, _) => (a, None),
            Op::Bswap(a) | Op::Lookup(a, _) | Op::Shuffle(a, _) => (a, None),
        };
        std::iter::once(a).chain(b)
    }

    /// The words it reads.
    pub fn operands(mut self) -> impl Iterator<Item = Value> {
        let words: Vec<Value> = self.words().map(|word| *word).collect();
        words.into_iter()
    }

    /// The operations that it counts for.
    pub fn cost(&self) -> usize {
        match self {
            Op::Shuffle(..) => 3,
            _ => 1,
        }
    }

    /// Its 64-bit constant, if it has one.
    pub fn constant(&self) -> Option<u64> {
        match *self {
            Op::And(_, c) | Op::Mul(_, c) | Op::MulHigh(_, c) => Some(c),
            Op::Pext(_, c) | Op::Pdep(_, c) => Some(c),
            _ => None,
        }
    }
}

/// The cost of a program by the [counting rule](self).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Word operations.
    pub operations: usize,
    /// Distinct 64-bit constants: masks, multipliers.
    pub constants: usize,
    /// Operations on the longest path from the input to the result.
    pub depth: usize,
    /// Bytes of tables that have to be in the cache.
    pub table_bytes: usize,
}

/// A straight-line program from one word to one word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    ops: Vec<Op>,
    tables: Vec<[u64; 256]>,
    controls: Vec<[u8; 64]>,
    result: Option<Value>,
}

/// Building. Each method returns the new word. A method without effect returns its operand, and an
/// operation that was done before returns the earlier word.
impl Program {
    /// The program that returns its input.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, op: Op) -> Value {
        let known = self.ops.iter().position(|&o| o == op);
        let index = known.unwrap_or_else(|| {
            self.ops.push(op);
            self.ops.len() - 1
        });
        Value(index as u32 + 1)
    }

    fn masked(&mut self, a: Value, mask: u64, op: fn(Value, u64) -> Op) -> Value {
        match mask == !0 {
            true => a,
            false => self.push(op(a, mask)),
        }
    }

    /// `a & mask`.
    pub fn and(&mut self, a: Value, mask: u64) -> Value {
        self.masked(a, mask, Op::And)
    }

    /// `a | b`.
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        if a == b { a } else { self.push(Op::Or(a, b)) }
    }

    /// `a ^ b`.
    pub fn xor(&mut self, a: Value, b: Value) -> Value {
        self.push(Op::Xor(a, b))
    }

    /// A shift by a signed distance below 64, positive towards the more significant end.
    pub fn shift(&mut self, a: Value, by: i32) -> Value {
        debug_assert!(by.unsigned_abs() < 64);
        match by {
            0 => a,
            1.. => self.push(Op::Shl(a, by.unsigned_abs())),
            _ => self.push(Op::Shr(a, by.unsigned_abs())),
        }
    }

    /// A rotation by a signed distance, positive towards the more significant end.
    pub fn rotate(&mut self, a: Value, by: i32) -> Value {
        match by.rem_euclid(64) {
            0 => a,
            left => self.push(Op::Rotl(a, left as u32)),
        }
    }

    /// The low word of `a * factor`.
    pub fn mul(&mut self, a: Value, factor: u64) -> Value {
        self.push(Op::Mul(a, factor))
    }

    /// The high word of `a * factor`.
    pub fn mul_high(&mut self, a: Value, factor: u64) -> Value {
        self.push(Op::MulHigh(a, factor))
    }

    /// The bits of `a` under `mask`, packed to the low end.
    pub fn pext(&mut self, a: Value, mask: u64) -> Value {
        self.masked(a, mask, Op::Pext)
    }

    /// The low bits of `a`, spread over the places of `mask`.
    pub fn pdep(&mut self, a: Value, mask: u64) -> Value {
        self.masked(a, mask, Op::Pdep)
    }

    /// The bytes of `a` in reverse order.
    pub fn bswap(&mut self, a: Value) -> Value {
        self.push(Op::Bswap(a))
    }

    /// `table[a]`; `a` must be below 256 (higher bits are ignored).
    pub fn lookup(&mut self, a: Value, table: [u64; 256]) -> Value {
        self.tables.push(table);
        self.push(Op::Lookup(a, self.tables.len() - 1))
    }

    /// The word whose bit `j` is bit `control[j]` of `a`.
    pub fn shuffle(&mut self, a: Value, control: [u8; 64]) -> Value {
        self.controls.push(control);
        self.push(Op::Shuffle(a, self.controls.len() - 1))
    }

    /// The OR of all words, as a balanced tree (the least depth). `None` of no words.
    pub fn or_all(&mut self, words: &[Value]) -> Option<Value> {
        match words {
            [] => None,
            [one] => Some(*one),
            _ => {
                let (low, high) = words.split_at(words.len() / 2);
                let (low, high) = (self.or_all(low)?, self.or_all(high)?);
                Some(self.or(low, high))
            }
        }
    }

    /// Sets the result, and drops every operation that it does not need.
    pub fn finish(mut self, result: Value) -> Self {
        let mut needed = vec![false; self.ops.len() + 1];
        needed[result.index()] = true;
        for (i, op) in self.ops.iter().enumerate().rev() {
            if needed[i + 1] {
                op.operands().for_each(|v| needed[v.index()] = true);
            }
        }
        let mut renamed = vec![Value::INPUT; self.ops.len() + 1];
        let mut kept = Vec::new();
        for (i, &op) in self.ops.iter().enumerate() {
            if needed[i + 1] {
                let mut op = op;
                op.words().for_each(|word| *word = renamed[word.index()]);
                kept.push(op);
                renamed[i + 1] = Value(kept.len() as u32);
            }
        }
        self.ops = kept;
        self.result = Some(renamed[result.index()]);
        self
    }
}

/// Reading, counting and running.
impl Program {
    /// The operations in order; operation `i` computes the word of index `i + 1`.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The tables that look-ups name.
    pub fn tables(&self) -> &[[u64; 256]] {
        &self.tables
    }

    /// The control words that shuffles name.
    pub fn controls(&self) -> &[[u8; 64]] {
        &self.controls
    }

    /// The word that the program returns.
    pub fn result(&self) -> Value {
        self.result.unwrap_or(Value(self.ops.len() as u32))
    }

    /// Its cost by the [counting rule](self).
    pub fn counts(&self) -> Counts {
        let mut constants: Vec<u64> = self.ops.iter().filter_map(Op::constant).collect();
        constants.sort_unstable();
        constants.dedup();
        Counts {
            operations: self.ops.iter().map(Op::cost).sum(),
            constants: constants.len(),
            depth: self.depth(),
            table_bytes: 2048 * self.tables.len() + 64 * self.controls.len(),
        }
    }

    fn depth(&self) -> usize {
        let mut depth = vec![0];
        for op in &self.ops {
            let before = op.operands().map(|v| depth[v.index()]).max();
            depth.push(before.unwrap_or(0) + op.cost());
        }
        depth[self.result().index()]
    }

    /// Runs it, operation by operation.
    pub fn run(&self, input: u64) -> u64 {
        let mut words = Vec::with_capacity(self.ops.len() + 1);
        words.push(input);
        for op in &self.ops {
            let word = self.step(op, |v| words[v.index()]);
            words.push(word);
        }
        words[self.result().index()]
    }

    fn step(&self, op: &Op, word: impl Fn(Value) -> u64) -> u64 {
        match *op {
            Op::And(a, m) => word(a) & m,
            Op::Or(a, b) => word(a) | word(b),
            Op::Xor(a, b) => word(a) ^ word(b),
            Op::Shl(a, d) => word(a) << d,
            Op::Shr(a, d) => word(a) >> d,
            Op::Rotl(a, d) => word(a).rotate_left(d),
            Op::Mul(a, c) => word(a).wrapping_mul(c),
            Op::MulHigh(a, c) => ((u128::from(word(a)) * u128::from(c)) >> 64) as u64,
            Op::Pext(a, m) => pext(word(a), m),
            Op::Pdep(a, m) => pdep(word(a), m),
            Op::Bswap(a) => word(a).swap_bytes(),
            Op::Lookup(a, t) => self.tables[t][(word(a) & 255) as usize],
            Op::Shuffle(a, c) => bit_shuffle(word(a), &self.controls[c]),
        }
    }
}

/// Packs the bits of `word` under `mask` to the low end.
fn pext(word: u64, mut mask: u64) -> u64 {
    let (mut out, mut place) = (0, 0);
    while mask != 0 {
        out |= (word >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    out
}

/// Spreads the low bits of `word` over the places of `mask`.
fn pdep(word: u64, mut mask: u64) -> u64 {
    let (mut out, mut place) = (0, 0);
    while mask != 0 {
        out |= (word >> place & 1) << mask.trailing_zeros();
        place += 1;
        mask &= mask - 1;
    }
    out
}

/// The word whose bit `j` is bit `control[j] & 63` of `word`.
fn bit_shuffle(word: u64, control: &[u8; 64]) -> u64 {
    let bits = control.iter().enumerate();
    bits.fold(0, |out, (j, &from)| out | (word >> (from & 63) & 1) << j)
}
