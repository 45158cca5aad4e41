//! A connection to another process. Its bytes form frames: messages, signs of life, and last words.
//! A process that is gone, silent or has failed is reported to the engine.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Common;
use crate::error::locked;

// Kinds of frames; each is followed by its length in eight bytes.

/// Candidates of a partition.
pub(super) const PAGE: u8 = 0;
/// Data that a process shares.
pub(super) const SHARED: u8 = 1;
/// Number of bytes of pages that were written.
pub(super) const WRITTEN: u8 = 2;
const BEAT: u8 = 3;
const HALT: u8 = 4;
const FAREWELL: u8 = 5;
const BYE: u8 = 6;
/// Bytes before the content of a frame.
const HEAD: usize = 9;
/// Bytes that are read or written at a time.
const AT_ONCE: usize = 1 << 16;
/// Longest last words.
const WORDS: usize = 4096;

/// Data still to be sent to a process, apart from messages.
#[derive(Debug, Default)]
struct ToSay {
    halt: bool,
    words: Option<String>,
    /// Whether the last words were sent.
    said: bool,
}

struct WireLine {
    peer: usize,
    common: Arc<Common>,
    /// How long the process may be silent.
    silence: Duration,
    socket: TcpStream,
    writer: Mutex<Writer>,
    to_say: Mutex<ToSay>,
    say: Condvar,
    sent: AtomicU64,
    gone: AtomicBool,
    /// Whether the process has sent its farewell.
    bye: AtomicBool,
}

struct Writer {
    socket: BufWriter<TcpStream>,
    closed: bool,
}

/// A connection to another process.
#[derive(Clone)]
pub(super) struct Wire(Arc<WireLine>);

impl Wire {
    /// The connection to a process over an authenticated socket, with threads that receive its
    /// messages and send it signs of life.
    ///
    /// # Errors
    /// The system provides no further handle or thread.
    pub(super) fn open(
        peer: usize,
        socket: TcpStream,
        common: Arc<Common>,
        silence: Duration,
    ) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(silence.max(Duration::from_millis(1))))?;
        socket.set_write_timeout(None)?;
        let writer = Writer {
            socket: BufWriter::with_capacity(AT_ONCE, socket.try_clone()?),
            closed: false,
        };
        let reader = BufReader::with_capacity(AT_ONCE, socket.try_clone()?);
        let wire = Self(Arc::new(WireLine {
            peer,
            common,
            silence,
            socket,
            writer: Mutex::new(writer),
            to_say: Mutex::default(),
            say: Condvar::new(),
            sent: AtomicU64::new(0),
            gone: AtomicBool::new(false),
            bye: AtomicBool::new(false),
        }));
        let (speaker, listener) = (wire.clone(), wire.clone());
        let beat = (silence / 8).min(Duration::from_secs(1));
        let speak = thread::Builder::new().name("antipode:speak".into());
        speak.spawn(move || speaker.speak(beat))?;
        let listen = thread::Builder::new().name("antipode:listen".into());
        listen.spawn(move || {
            if let Err(error) = listener.listen(reader) {
                listener.gone(&error);
            }
        })?;
        Ok(wire)
    }

    /// Bytes sent so far, frames included.
    pub(super) fn sent(&self) -> u64 {
        self.0.sent.load(Relaxed)
    }

    /// Sends this side's farewell: no message follows.
    pub(super) fn close(&self) {
        self.frame(BYE, &[]);
    }

    /// Whether the process has sent its farewell.
    pub(super) fn closed(&self) -> bool {
        self.0.bye.load(Relaxed)
    }

    /// Sends a sign of life every `beat`, and other pending frames.
    fn speak(&self, beat: Duration) {
        loop {
            let mut to_say = locked(&self.0.to_say);
            if !to_say.halt && to_say.words.is_none() {
                let waited = self.0.say.wait_timeout(to_say, beat);
                to_say = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            let halt = std::mem::take(&mut to_say.halt);
            let words = to_say.words.take();
            drop(to_say);
            let alive = match &words {
                None if halt => self.frame(HALT, &[]),
                None => self.frame(BEAT, &[]),
                Some(words) => self.frame(FAREWELL, &words.as_bytes()[..words.len().min(WORDS)]),
            };
            if words.is_some() {
                locked(&self.0.to_say).said = true;
                self.0.say.notify_all();
            }
            if !alive || words.is_some() {
                return;
            }
        }
    }

    /// Asks the process to end the current step.
    pub(super) fn halt(&self) {
        locked(&self.0.to_say).halt = true;
        self.0.say.notify_all();
    }

    /// Sends the process the reason why this one ends; waits a moment for that.
    pub(super) fn farewell(&self, words: &str, until: Instant) {
        let mut to_say = locked(&self.0.to_say);
        to_say.words = Some(words.to_owned());
        self.0.say.notify_all();
        while !to_say.said && !self.0.gone.load(Relaxed) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self
                .0
                .say
                .wait_timeout(to_say, left.min(Duration::from_millis(50)));
            to_say = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lost(&self, why: &str) {
        if !self.0.bye.load(Relaxed) && !self.0.gone.swap(true, Relaxed) {
            self.0.common.lost(self.0.peer, why);
            // Nothing waits any longer for it to read.
            let _ = self.0.socket.shutdown(Shutdown::Both);
        }
    }

    fn gone(&self, error: &io::Error) {
        self.lost(&match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => "is gone: its connection is closed".to_owned(),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                format!("has said nothing for {} s", self.0.silence.as_secs())
            }
            _ => format!("is gone: {error}"),
        });
    }

    /// Sends a frame; returns false if it will not be read. Pages are gathered.
    pub(super) fn frame(&self, kind: u8, content: &[u8]) -> bool {
        let mut writer = locked(&self.0.writer);
        if writer.closed || self.0.gone.load(Relaxed) {
            return false;
        }
        let done = write(&mut writer.socket, kind, content);
        writer.closed = kind == BYE;
        let sent = (HEAD + content.len()) as u64;
        self.0.sent.fetch_add(sent, Relaxed);
        drop(writer);
        match done {
            Ok(()) => true,
            Err(error) => {
                // Its last messages are more informative, and still have to be read.
                thread::sleep(Duration::from_millis(100));
                self.gone(&error);
                false
            }
        }
    }

    /// Receives frames until the farewell or the last words of the process.
    fn listen(&self, mut from: BufReader<TcpStream>) -> io::Result<()> {
        loop {
            let mut head = [0; HEAD];
            from.read_exact(&mut head)?;
            let [kind, length @ ..] = head;
            let body = read(&mut from, u64::from_le_bytes(length) as usize)?;
            match kind {
                PAGE | SHARED | WRITTEN => self.0.common.message(self.0.peer, kind, body),
                BEAT => {}
                HALT => self.0.common.end_step(),
                BYE => {
                    self.0.bye.store(true, Relaxed);
                    return Ok(());
                }
                FAREWELL if body.len() <= WORDS => {
                    self.lost(&format!("ended: {}", String::from_utf8_lossy(&body)));
                    return Ok(());
                }
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }
}

fn write(to: &mut BufWriter<TcpStream>, kind: u8, content: &[u8]) -> io::Result<()> {
    to.write_all(&[kind])?;
    to.write_all(&(content.len() as u64).to_le_bytes())?;
    to.write_all(content)?;
    match kind {
        PAGE => Ok(()),
        _ => to.flush(),
    }
}

/// Reads n bytes; the memory grows with those that have come.
fn read(from: &mut BufReader<TcpStream>, length: usize) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    while body.len() < length {
        let start = body.len();
        body.resize(length.min(start + AT_ONCE), 0);
        from.read_exact(&mut body[start..])?;
    }
    Ok(body)
}
