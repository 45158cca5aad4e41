//! Timing of programs as a compiler translates them, not as an interpreter runs them.
//!
//! All programs are printed as C, compiled once with the machine's C compiler (`$CC`, else `cc`)
//! for this processor, and run in a child process. Two figures each, the least of several rounds
//! that take the programs in turn, so that a slow period of the machine affects all of them:
//!
//! - **latency**: each call needs the result of the one before (`x = f(x)`);
//! - **throughput**: calls on independent words, which the processor overlaps. The compiler must
//!   not vectorise the loop, so that it is one word per call.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::emit::{Lang, function, helpers};
use super::program::Program;

/// Nanoseconds per call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// In a chain of calls.
    pub latency: f64,
    /// On independent words.
    pub throughput: f64,
}

/// Times all programs, or says in one line why that was not possible.
pub fn time_programs(programs: &[&Program], limit: Duration) -> Result<Vec<Timing>, String> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let deadline = Instant::now() + limit.min(Duration::from_secs(3600));
    let folder = Folder::create()?;
    let source = folder.0.join("permute.c");
    let binary = folder.0.join("permute");
    let text = source_text(programs);
    std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
    compile(&source, &binary, deadline)?;
    let output = finish(Command::new(&binary), "the timing program", deadline)?;
    parse(&output, programs.len())
}

/// A folder of our own below the system's temporary one, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn create() -> Result<Self, String> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("antipode-permute-{process}-{number}"));
        // Fails if somebody else has a folder or link of this name.
        std::fs::create_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A temporary folder that cannot be removed is not an error.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compile(source: &Path, binary: &Path, deadline: Instant) -> Result<(), String> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    // -march=native is missing from some compilers for some processors.
    let mut problem = String::new();
    for native in [true, false] {
        let mut command = Command::new(&compiler);
        command.args(["-O2", "-fno-tree-vectorize", "-std=gnu99", "-w"]);
        command.args(native.then_some("-march=native"));
        command.arg("-o").arg(binary).arg(source);
        match finish(command, "the C compiler (set CC to choose one)", deadline) {
            Ok(_) => return Ok(()),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

/// Runs a command to its end and returns what it printed.
fn finish(mut command: Command, name: &str, deadline: Instant) -> Result<String, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|e| format!("{name} did not start: {e}"))?;
    while !has_ended(&mut child, name)? {
        if Instant::now() >= deadline {
            // It may have ended by itself just now; it is waited for in any case.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name} was stopped at the time limit"));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output();
    let output = output.map_err(|e| format!("{name}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let first = errors.lines().next().unwrap_or("no message");
    Err(format!("{name} failed: {first}"))
}

fn has_ended(child: &mut Child, name: &str) -> Result<bool, String> {
    let status = child.try_wait();
    Ok(status.map_err(|e| format!("{name}: {e}"))?.is_some())
}

fn parse(output: &str, count: usize) -> Result<Vec<Timing>, String> {
    let timing = |line: &str| {
        let (latency, throughput) = line.split_once(' ')?;
        Some(Timing {
            latency: latency.parse().ok()?,
            throughput: throughput.parse().ok()?,
        })
    };
    let timings: Option<Vec<Timing>> = output.lines().map(timing).collect();
    timings
        .filter(|t| t.len() == count)
        .ok_or_else(|| "the timing program printed something else than times".into())
}

fn source_text(programs: &[&Program]) -> String {
    let mut text = String::from("#define _POSIX_C_SOURCE 199309L\n");
    text.push_str("enum { CALLS = 20000, ROUNDS = 15 };\n");
    text.push_str(&helpers(programs, Lang::C));
    for (i, program) in programs.iter().enumerate() {
        text.push_str(&function(program, &format!("f{i}"), Lang::C));
        text.push_str(&LOOPS.replace('@', &i.to_string()));
    }
    let rows: String = (0..programs.len())
        .map(|i| format!("    {{chain{i}, sweep{i}}},\n"))
        .collect();
    text.push_str(&MAIN.replace("@ROWS", &rows));
    text
}

/// `asm` hides the word from the compiler, which must then make every call.
const LOOPS: &str = r#"
__attribute__((noinline)) static uint64_t chain@(uint64_t x, const uint64_t *words)
{
    (void)words;
    for (int i = 0; i < CALLS; i++) {
        x = f@(x);
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

__attribute__((noinline)) static uint64_t sweep@(uint64_t x, const uint64_t *words)
{
    for (int i = 0; i < CALLS; i++) {
        uint64_t y = f@(words[i % 512]);
        __asm__ volatile("" : : "r"(y));
    }
    return x;
}
"#;

const MAIN: &str = r#"
#include <stdio.h>
#include <time.h>

typedef uint64_t (*loop)(uint64_t, const uint64_t *);
static const loop LOOPS[][2] = {
@ROWS};
enum { COUNT = sizeof LOOPS / sizeof LOOPS[0] };
static double best[COUNT][2];
static uint64_t words[512];
static volatile uint64_t sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void)
{
    uint64_t x = 1;
    for (int i = 0; i < 512; i++)
        words[i] = x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COUNT; i++)
            for (int kind = 0; kind < 2; kind++) {
                double start = now();
                sink = LOOPS[i][kind](words[round % 512], words);
                double each = (now() - start) / CALLS;
                if (round == 0 || each < best[i][kind])
                    best[i][kind] = each;
            }
    for (int i = 0; i < COUNT; i++)
        printf("%.4f %.4f\n", best[i][0], best[i][1]);
    return 0;
}
"#;
