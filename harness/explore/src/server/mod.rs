//! The page and its requests, over HTTP, to this machine alone.

mod answers;
mod guard;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use antipode_search::progress::Stop;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;

use crate::error::ExploreError;
use crate::instances::Instances;

/// Time between two checks whether the server is to end.
const GLANCE: Duration = Duration::from_millis(50);

/// Data shared by all answers.
struct App {
    instances: Instances,
    port: u16,
    tool_version: String,
    command: Vec<String>,
    stop: Stop,
    disagreed: AtomicBool,
}

/// A page on a port of this machine, not yet served.
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
}

impl Server {
    /// Takes a port of 127.0.0.1; 0 for any that is free. `command` is the command line that
    /// the page shows.
    ///
    /// # Errors
    /// The port is in use, or not available.
    pub fn bind(
        port: u16,
        instances: Instances,
        tool_version: &str,
        command: Vec<String>,
        stop: &Stop,
    ) -> Result<Self, ExploreError> {
        let refuse = |error: std::io::Error| {
            let why = match error.kind() {
                ErrorKind::AddrInUse => "is taken".to_owned(),
                ErrorKind::PermissionDenied => "needs privileges".to_owned(),
                _ => format!("is not available ({error})"),
            };
            ExploreError::Refused(format!(
                "port {port} of this machine {why}; give another by --port, or --port 0 for any that is free"
            ))
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let port = listener.local_addr().map_err(refuse)?.port();
        let app = App {
            instances,
            port,
            tool_version: tool_version.to_owned(),
            command,
            stop: stop.clone(),
            disagreed: AtomicBool::new(false),
        };
        Ok(Self {
            listener,
            app: Arc::new(app),
        })
    }

    /// The address of the page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.app.port)
    }

    /// Serves until a stop is requested, then ends at once. Whether everything shown was
    /// consistent: no two of our derivations contradicted each other.
    ///
    /// # Errors
    /// The system does not let it serve.
    pub fn serve(self) -> Result<bool, ExploreError> {
        let refuse = |error: std::io::Error| {
            ExploreError::Refused(format!("the page cannot be served: {error}"))
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(refuse)?;
        let (app, listener) = (self.app, self.listener);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let router = routes(Arc::clone(&app));
            let server = tokio::spawn(async move { axum::serve(listener, router).await });
            while !app.stop.requested() && !server.is_finished() {
                tokio::time::sleep(GLANCE).await;
            }
            Ok(())
        });
        // A running search got the request to stop, and nobody waits for its answer.
        runtime.shutdown_background();
        served.map_err(refuse)?;
        Ok(!app.disagreed.load(Relaxed))
    }
}

fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(answers::index))
        .route("/{puzzle}/{instance}", get(answers::page))
        .route("/api/{puzzle}/{instance}", get(answers::position))
        .route("/api/{puzzle}/{instance}/picture", get(answers::drawing))
        .route("/api/{puzzle}/{instance}/goal", get(answers::goal))
        .route("/assets/explore.js", get(answers::script))
        .fallback(answers::nothing)
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
