//! The network: timely dataflow carries messages between processes and reports when all of a moment
//! have arrived. All use of timely is in this file.
//!
//! A process is at one moment until it has shared something, then at the next. Once the frontier
//! has passed a moment, every message of it was delivered on every process. Within a moment there
//! are instants, the low half of timely's time. Timely sends the data gathered for each process
//! only when a time ends. Timely has no back-pressure: messages are held back before they come
//! here.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
pub(super) use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::initialize::Hooks;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::scheduling::activate::SyncActivator;
use timely::worker::Worker;

use super::common::{Common, Message};
use crate::error::locked;

/// Bytes of our messages that make a message of timely: larger ones would enlarge its buffers
/// permanently.
const MESSAGE: usize = 128 << 10;
/// Bits of a time that number the instants of a moment.
const INSTANT: u32 = 32;
/// Greatest sleep of the thread that steps; a thread that has work for it wakes it.
const SLEEP: Duration = Duration::from_millis(500);

/// Messages from the engine to the network.
pub(super) enum Command {
    /// Sends this, at the present moment.
    Send(Message),
    /// This process has sent all of the present moment.
    Next,
    /// This process will send no more.
    Close,
}

/// Wakes the network.
pub(super) struct Wake(Mutex<SyncActivator>);

impl Wake {
    /// It has work to do.
    pub(super) fn up(&self) {
        let activator = locked(&self.0);
        // A closed network needs no waking.
        let _ = activator.activate();
    }
}

/// Opens the network of a process over sockets to all others. Its threads end by themselves once
/// all processes have closed. If one is gone, they end with the process.
///
/// # Errors
/// The system cannot start threads.
pub(super) fn open<S: Stream + 'static>(
    sockets: Vec<Option<S>>,
    index: usize,
    commands: Receiver<Command>,
    receive: Arc<Common>,
) -> Result<Wake, String> {
    tell_panics(Arc::clone(&receive));
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, comms) = initialize_networking_from_sockets(inner, sockets, index, 1, hooks)
        .map_err(|error| error.to_string())?;
    // The threads that it joins may wait forever for a process that is gone.
    std::mem::forget(comms);
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let (tell, told) = channel();
    let once = Mutex::new(Some((commands, tell)));
    let config = timely::WorkerConfig::default();
    let worker = timely::execute::execute_from(builders, Box::new(()), config, move |worker| {
        let taken = locked(&once).take();
        if let Some((commands, tell)) = taken {
            work(worker, &commands, &receive, |activator| {
                let _ = tell.send(activator);
            });
        }
    })?;
    std::mem::forget(worker);
    let activator = told.recv().map_err(|error| error.to_string())?;
    Ok(Wake(Mutex::new(activator)))
}

/// Receiver of panics of timely's threads.
static TOLD: Mutex<Option<Arc<Common>>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// A panic in a thread of timely ends no other thread: a thread that waits for messages would wait
/// forever.
fn tell_panics(receive: Arc<Common>) {
    *locked(&TOLD) = Some(receive);
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let thread = std::thread::current();
            let told = locked(&TOLD).clone();
            match told {
                Some(told)
                    if thread
                        .name()
                        .is_some_and(|name| name.starts_with("timely:")) =>
                {
                    told.broken(&panic.to_string());
                }
                _ => before(panic),
            }
        }));
    });
}

fn work(
    worker: &mut Worker,
    commands: &Receiver<Command>,
    receive: &Arc<Common>,
    started: impl FnOnce(SyncActivator),
) {
    let mut input = InputHandle::<u64, _>::new();
    let address = worker.dataflow::<u64, _, _>(|scope| {
        let receive = Arc::clone(receive);
        let by_process = Exchange::new(|message: &Message| u64::from(message.to));
        let mut over = 0;
        let messages = input.to_stream(scope);
        messages.sink(by_process, "messages", move |(input, frontier)| {
            input.for_each(|moment, messages: &mut Vec<Message>| {
                for message in messages.drain(..) {
                    receive.message(*moment.time() >> INSTANT, message);
                }
            });
            let before = frontier.frontier().first().map(|time| time >> INSTANT);
            let before = before.unwrap_or(u64::MAX);
            if before > over {
                over = before;
                receive.over(before);
            }
        });
        scope.addr().to_vec()
    });
    started(worker.sync_activator_for(address));
    let (mut time, mut unsent) = (0, 0);
    loop {
        match commands.try_recv() {
            Ok(Command::Send(message)) => {
                unsent += 1 + message.body.len();
                input.send(message);
                if unsent >= MESSAGE {
                    time += 1;
                    input.advance_to(time);
                    worker.step();
                    unsent = 0;
                }
            }
            Ok(Command::Next) => {
                time = ((time >> INSTANT) + 1) << INSTANT;
                input.advance_to(time);
                unsent = 0;
            }
            Ok(Command::Close) | Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                if unsent > 0 {
                    time += 1;
                    input.advance_to(time);
                    unsent = 0;
                }
                worker.step_or_park(Some(SLEEP));
            }
        }
    }
}
