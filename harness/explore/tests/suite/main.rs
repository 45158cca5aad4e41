//! Shown distances compared with the rulebook, the server, and the page in a browser.

mod browser;
mod cdp;
mod distances;
mod finished;
mod serve;
mod support;
