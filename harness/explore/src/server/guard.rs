//! The requests that the server accepts. The server listens on this machine alone, but a browser
//! here runs pages from everywhere. A page whose name was made to point here (DNS rebinding) is
//! detected by the name that it requests. One that only sends blind requests is detected by the
//! browser's headers.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;

/// Headers of every answer. The page's own policy is narrower still.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("x-content-type-options"), "nosniff"),
    (HeaderName::from_static("referrer-policy"), "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (HeaderName::from_static("cache-control"), "no-store"),
];

/// Accepts requests to this machine by its own name, and from our own pages.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let why = refusal(
        app.port,
        request.method(),
        request.uri().path(),
        request.headers(),
    );
    let mut response = match why {
        None => next.run(request).await,
        Some((status, why)) => (status, why).into_response(),
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

fn refusal(
    port: u16,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let ours = ["127.0.0.1", "localhost"].iter().any(|name| {
        let own = format!("{name}:{port}");
        text(HOST).is_some_and(|host| {
            host.eq_ignore_ascii_case(&own) || port == 80 && host.eq_ignore_ascii_case(name)
        })
    });
    if !ours || headers.get_all(HOST).iter().count() > 1 {
        return Some((
            StatusCode::FORBIDDEN,
            "only pages of 127.0.0.1 and localhost may ask here\n",
        ));
    }
    if *method != Method::GET && *method != Method::HEAD {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET is answered\n"));
    }
    // A link from elsewhere may lead to the page, but nothing else.
    let site = text(HeaderName::from_static("sec-fetch-site")).unwrap_or("none");
    let own_site = ["none", "same-origin"].contains(&site);
    let is_page = text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    let searches = path.starts_with("/api/");
    if !own_site && (searches || !is_page) {
        return Some((
            StatusCode::FORBIDDEN,
            "only pages of this server may ask for that\n",
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: Method, path: &str, headers: &[(&'static str, &'static str)]) -> Option<u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        refusal(4141, &method, path, &map).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_this_machine_by_its_own_name_is_answered() {
        let get = |host| asked(Method::GET, "/", &[("host", host)]);
        assert_eq!(get("127.0.0.1:4141"), None);
        assert_eq!(get("localhost:4141"), None);
        for foreign in [
            "evil.example:4141",
            "evil.example",
            "127.0.0.1:80",
            "127.0.0.1",
            "localhost.evil.example:4141",
            "127.0.0.1:4141.evil.example",
            "[::1]:4141",
            "",
        ] {
            assert_eq!(get(foreign), Some(403), "{foreign}");
        }
        assert_eq!(asked(Method::GET, "/", &[]), Some(403));
    }

    #[test]
    fn pages_of_others_may_link_here_and_no_more() {
        let host = ("host", "localhost:4141");
        let link = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        assert_eq!(asked(Method::GET, "/tilt/box", &link), None);
        assert_eq!(asked(Method::GET, "/api/tilt/box", &link), Some(403));
        for site in ["cross-site", "same-site"] {
            let image = [
                host,
                ("sec-fetch-site", site),
                ("sec-fetch-mode", "no-cors"),
            ];
            assert_eq!(asked(Method::GET, "/api/tilt/box", &image), Some(403));
            assert_eq!(asked(Method::GET, "/tilt/box", &image), Some(403));
        }
        let own = [host, ("sec-fetch-site", "same-origin")];
        assert_eq!(asked(Method::GET, "/api/tilt/box", &own), None);
        assert_eq!(asked(Method::POST, "/api/tilt/box", &own), Some(405));
    }
}
