//! A browser without a window, driven by the DevTools protocol.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client};

/// Longest wait for anything that a page does.
const PATIENCE: Duration = Duration::from_secs(60);

/// Names under which Chromium is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Flags of a browser without a window.
const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --remote-debugging-port=0";

/// Set to `required` if the browser must be there.
const VARIABLE: &str = "ANTIPODE_BROWSER";

pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    last: u64,
    /// The page's complaints on its console.
    pub complaints: Vec<String>,
    _profile: TempDir,
}

fn executable() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let all = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|file| file.is_file())
}

impl Browser {
    /// Does something in a browser, if there is one.
    pub fn browsed(test: impl FnOnce(&mut Self)) {
        if let Some(mut browser) = Self::start() {
            test(&mut browser);
        }
    }

    /// The same, of which no page may complain.
    pub fn quietly(test: impl FnOnce(&mut Self)) {
        Self::browsed(|browser| {
            test(browser);
            assert_eq!(browser.complaints, Vec::<String>::new());
        });
    }

    /// A browser with one page; `None`, with a line about it, if there is none.
    ///
    /// # Panics
    /// If there is none, and the environment requires one.
    fn start() -> Option<Self> {
        let Some(program) = executable() else {
            let required = std::env::var(VARIABLE).is_ok_and(|value| value == "required");
            assert!(
                !required,
                "{VARIABLE}=required, and there is no Chromium on the PATH"
            );
            eprintln!("skipped: there is no Chromium on the PATH");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        let child = Command::new(program)
            // Without a sandbox, since a container does not permit one; the page is our own.
            .args(FLAGS.split(' '))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let (port, path) = door(profile.path());
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("connects");
        let (socket, _) = client(format!("ws://127.0.0.1:{port}{path}"), stream).expect("greets");
        let mut browser = Self {
            child,
            socket,
            session: None,
            last: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket
            .send(Message::text(message.to_string()))
            .expect("sends");
        loop {
            let Message::Text(text) = self.socket.read().expect("reads") else {
                continue;
            };
            let said: Value = serde_json::from_str(&text).expect("JSON");
            if said["id"] == json!(self.last) {
                assert!(said["error"].is_null(), "{method}: {said}");
                return said["result"].clone();
            }
            self.hear(&said);
        }
    }

    fn hear(&mut self, event: &Value) {
        let of = &event["params"];
        let bad = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => ["error", "warning", "assert"]
                .iter()
                .any(|kind| of["type"] == *kind),
            Some("Log.entryAdded") => ["error", "warning"]
                .iter()
                .any(|level| of["entry"]["level"] == *level),
            _ => false,
        };
        if bad {
            self.complaints.push(of.to_string());
        }
    }

    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({"url": address}));
    }

    fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        self.call("Runtime.evaluate", asked)
    }

    /// The value of an expression on the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let said = self.evaluate(expression);
        let thrown = &said["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {said}");
        said["result"]["value"].clone()
    }

    /// Waits until an expression is true; until then, the page may lack what it refers to.
    ///
    /// # Panics
    /// It does not become true in time.
    pub fn until(&mut self, expression: &str) {
        let started = Instant::now();
        while self.evaluate(expression)["result"]["value"] != json!(true) {
            if started.elapsed() > PATIENCE {
                let text = self.value("document.body.innerText");
                panic!("not in time: {expression}\n{text}\n{:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks with the mouse in the middle of an element, if it is visible.
    pub fn click(&mut self, selector: &str) {
        self.value(&format!(
            "document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})"
        ));
        self.mouse(&[("mousePressed", selector), ("mouseReleased", selector)]);
    }

    /// Drags with the mouse from the middle of an element to that of another, both in sight.
    pub fn drag(&mut self, from: &str, to: &str) {
        self.mouse(&[
            ("mousePressed", from),
            ("mouseMoved", to),
            ("mouseReleased", to),
        ]);
    }

    fn mouse(&mut self, steps: &[(&str, &str)]) {
        for (kind, selector) in steps {
            let place = self.middle(selector);
            let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key; `text` is its typed text, empty for keys such as arrows.
    pub fn press(&mut self, key: &str, text: &str) {
        let down = json!({"type": if text.is_empty() { "rawKeyDown" } else { "keyDown" }, "key": key, "text": text});
        self.call("Input.dispatchKeyEvent", down);
        self.call(
            "Input.dispatchKeyEvent",
            json!({"type": "keyUp", "key": key}),
        );
    }

    /// Sets the window's size; narrow windows emulate phones, with touch.
    pub fn size(&mut self, (width, height): (u32, u32)) {
        let phone = width < 600;
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let touch = json!({"enabled": phone});
        self.call("Emulation.setTouchEmulationEnabled", touch);
    }

    /// Moves a finger from the middle of an element to that of another, both in sight; a tap if
    /// they are the same.
    pub fn touch(&mut self, from: &str, to: &str) {
        for (kind, selector) in [("touchStart", from), ("touchMove", to), ("touchEnd", to)] {
            if kind == "touchMove" && from == to {
                continue;
            }
            let place = self.middle(selector);
            let points = match kind {
                "touchEnd" => json!([]),
                _ => json!([{"x": place[0], "y": place[1]}]),
            };
            let event = json!({"type": kind, "touchPoints": points});
            self.call("Input.dispatchTouchEvent", event);
        }
    }

    /// The middle of an element, in the window.
    fn middle(&mut self, selector: &str) -> Value {
        self.value(&format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ))
    }

    /// The findings of axe on the page; empty without axe, whose file `ANTIPODE_AXE` names.
    pub fn axe(&mut self) -> Vec<String> {
        let Some(file) = std::env::var_os("ANTIPODE_AXE") else {
            eprintln!("skipped: ANTIPODE_AXE names no axe.min.js");
            return Vec::new();
        };
        let axe = fs::read_to_string(file).expect("axe.min.js");
        self.evaluate(&axe);
        let found = self.value("axe.run(document, { preload: false }).then((found) => found.violations.flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html}`)))");
        serde_json::from_value(found).expect("a list")
    }

    pub fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Leaves a picture of the whole page if `ANTIPODE_SCREENSHOTS` names a folder.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("ANTIPODE_SCREENSHOTS") else {
            return;
        };
        let asked = json!({"format": "png", "captureBeyondViewport": true});
        let taken = self.call("Page.captureScreenshot", asked);
        let text = taken["data"].as_str().expect("a picture");
        let bytes = BASE64.decode(text.as_bytes()).expect("a picture");
        fs::write(Path::new(&folder).join(name), bytes).expect("writes");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Port and path at which the browser listens, once it does.
fn door(profile: &Path) -> (u16, String) {
    let file = profile.join("DevToolsActivePort");
    let started = Instant::now();
    loop {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if let Some((port, path)) = text.split_once('\n')
            && let Ok(port) = port.parse()
        {
            return (port, path.trim().to_owned());
        }
        assert!(started.elapsed() < PATIENCE, "the browser does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
}
