//! A connection to another process, as the network sees it: a stream of bytes that never fails. It
//! has frames, so that signs of life and last words go between the messages. A process that is
//! gone, silent or has failed is reported to the engine, and the stream then stops.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::common::Common;
use super::dataflow::Stream;
use crate::error::locked;

/// Kinds of frames; each is followed by its length in four bytes.
const DATA: u8 = 0;
const BEAT: u8 = 1;
const HALT: u8 = 2;
const FAREWELL: u8 = 3;
const BYE: u8 = 4;
/// Bytes before the content of a frame.
const HEAD: usize = 5;
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
    socket: TcpStream,
    writer: Mutex<Writer>,
    reader: Mutex<WireReader>,
    to_say: Mutex<ToSay>,
    say: Condvar,
    start: Instant,
    /// Milliseconds from the start to the last sign of life.
    heard: AtomicU64,
    sent: AtomicU64,
    gone: AtomicBool,
    bye: AtomicBool,
}

struct Writer {
    socket: TcpStream,
    scratch: Vec<u8>,
    closed: bool,
}

struct WireReader {
    socket: BufReader<TcpStream>,
    /// Bytes of the current frame that were not read yet.
    left: usize,
}

/// A connection to another process.
#[derive(Clone)]
pub(super) struct Wire(Arc<WireLine>);

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "wire to process {}", self.0.peer)
    }
}

impl Wire {
    /// The connection to a process over an authenticated socket.
    ///
    /// # Errors
    /// The system provides no further handle.
    pub(super) fn new(peer: usize, socket: TcpStream, common: Arc<Common>) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(None)?;
        socket.set_write_timeout(None)?;
        let writer = Writer {
            socket: socket.try_clone()?,
            scratch: Vec::new(),
            closed: false,
        };
        let reader = WireReader {
            socket: BufReader::with_capacity(1 << 16, socket.try_clone()?),
            left: 0,
        };
        Ok(Self(Arc::new(WireLine {
            peer,
            common,
            socket,
            writer: Mutex::new(writer),
            reader: Mutex::new(reader),
            to_say: Mutex::default(),
            say: Condvar::new(),
            start: Instant::now(),
            heard: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            gone: AtomicBool::new(false),
            bye: AtomicBool::new(false),
        })))
    }

    /// Bytes sent so far, frames included.
    pub(super) fn sent(&self) -> u64 {
        self.0.sent.load(Relaxed)
    }

    /// Whether this side has sent its farewell.
    pub(super) fn closed(&self) -> bool {
        locked(&self.0.writer).closed
    }

    /// Sends a sign of life every `beat`, and other pending frames; to be run on its own thread.
    pub(super) fn speak(&self, beat: Duration) {
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

    /// Reports a process that has been silent for too long.
    pub(super) fn watch(&self, silence: Duration) {
        let heard = Duration::from_millis(self.0.heard.load(Relaxed));
        let silent = self.0.start.elapsed().saturating_sub(heard);
        if silent > silence && !self.0.bye.load(Relaxed) {
            self.lost(&format!("has said nothing for {} s", silent.as_secs()));
        }
    }

    fn lost(&self, why: &str) {
        if !self.0.bye.load(Relaxed) && !self.0.gone.swap(true, Relaxed) {
            self.0.common.lost(self.0.peer, why);
            // Nothing waits any longer for it to read.
            let _ = self.0.socket.shutdown(Shutdown::Both);
        }
    }

    /// Sends a frame; returns false if it will not be read.
    fn frame(&self, kind: u8, content: &[u8]) -> bool {
        let mut writer = locked(&self.0.writer);
        if writer.closed || self.0.gone.load(Relaxed) {
            return false;
        }
        let Writer {
            socket, scratch, ..
        } = &mut *writer;
        scratch.clear();
        scratch.push(kind);
        scratch.extend((content.len() as u32).to_le_bytes());
        scratch.extend_from_slice(content);
        let done = socket.write_all(scratch);
        self.0.sent.fetch_add(scratch.len() as u64, Relaxed);
        drop(writer);
        match done {
            Ok(()) => true,
            Err(error) => {
                // Its last messages are more informative, and still have to be read.
                std::thread::sleep(Duration::from_millis(100));
                self.lost(&gone(&error));
                false
            }
        }
    }

    /// The next bytes of messages; none once the process has said farewell.
    fn next(&self, into: &mut [u8]) -> io::Result<usize> {
        let mut reader = locked(&self.0.reader);
        loop {
            if reader.left > 0 {
                let most = reader.left.min(into.len());
                let read = reader.socket.read(&mut into[..most])?;
                if read == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                reader.left -= read;
                self.alive();
                return Ok(read);
            }
            if self.0.bye.load(Relaxed) {
                return Ok(0);
            }
            let mut head = [0; HEAD];
            reader.socket.read_exact(&mut head)?;
            self.alive();
            let [kind, length @ ..] = head;
            let length = u32::from_le_bytes(length) as usize;
            match kind {
                DATA => reader.left = length,
                BEAT => {}
                HALT => self.0.common.end_step(),
                BYE => self.0.bye.store(true, Relaxed),
                FAREWELL if length <= WORDS => {
                    let mut words = vec![0; length];
                    reader.socket.read_exact(&mut words)?;
                    self.lost(&format!("ended: {}", String::from_utf8_lossy(&words)));
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    fn alive(&self) {
        let now = self.0.start.elapsed().as_millis() as u64;
        self.0.heard.store(now, Relaxed);
    }
}

fn gone(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => "is gone: its connection is closed".into(),
        _ => format!("is gone: {error}"),
    }
}

impl Read for Wire {
    /// Never fails: timely would panic. If the process is gone, it blocks permanently.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.next(into) {
            Ok(read) => Ok(read),
            Err(error) => {
                self.lost(&gone(&error));
                loop {
                    std::thread::park();
                }
            }
        }
    }
}

impl Write for Wire {
    /// Never fails; data that will not be read are dropped.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame(DATA, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.0.socket.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        if how != Shutdown::Read {
            self.frame(BYE, &[]);
            locked(&self.0.writer).closed = true;
        }
        Ok(())
    }
}
