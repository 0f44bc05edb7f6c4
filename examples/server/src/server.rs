//! [`Server`]: takes connections, answers HTTP, hands WebSockets over.

use crate::error::Refusal;
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::socket;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

/// How many connections each address has.
type Visits = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// A connection, counted until it ends.
#[derive(Debug)]
struct Visit {
    address: IpAddr,
    visits: Visits,
}

impl Visit {
    /// Counts a connection. `None` if it is one too many.
    fn begin(visits: &Visits, address: IpAddr, limits: &Limits) -> Option<Arc<Self>> {
        let mut counts = visits.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.values().sum::<usize>() >= limits.connections {
            return None;
        }
        let count = counts.entry(address).or_default();
        if *count >= limits.connections_per_address {
            return None;
        }
        *count += 1;
        Some(Arc::new(Self {
            address,
            visits: Arc::clone(visits),
        }))
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut counts = self.visits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    lobby: Arc<Lobby>,
    page: Option<PathBuf>,
}

impl Server {
    /// Listens at an address. A folder of static files is served beside the tables.
    ///
    /// # Errors
    /// Where the address cannot be used.
    pub async fn bind(
        address: SocketAddr,
        lobby: Arc<Lobby>,
        page: Option<PathBuf>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        Ok(Self {
            listener,
            lobby,
            page,
        })
    }

    /// The address at which it listens.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    fn router(&self) -> Router {
        let header = |name, value| {
            let value = HeaderValue::from_static(value);
            SetResponseHeaderLayer::if_not_present(HeaderName::from_static(name), value)
        };
        let router = Router::new()
            .route("/ws", get(upgrade))
            .route("/api/rooms/{room}/log", get(log));
        let router = match &self.page {
            Some(page) => router.fallback_service(ServeDir::new(page)),
            None => router,
        };
        router
            .layer(header("x-content-type-options", "nosniff"))
            .layer(header("referrer-policy", "no-referrer"))
            .with_state(Arc::clone(&self.lobby))
    }

    /// Serves until a future is ready. Everything that anybody has seen is stored then.
    pub async fn run(self, until: impl Future<Output = ()>) {
        let router = self.router();
        let (visits, limits) = (Visits::default(), *self.lobby.limits());
        let mut until = std::pin::pin!(until);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut until => return,
            };
            let Ok((stream, peer)) = accepted else {
                // The system has no descriptors left, or the client is gone already.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let Some(visit) = Visit::begin(&visits, peer.ip(), &limits) else {
                continue;
            };
            // Messages are small, and each should leave at once.
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(router.clone().layer(Extension(visit)));
            tokio::spawn(async move {
                let mut http = hyper::server::conn::http1::Builder::new();
                http.timer(TokioTimer::new())
                    .header_read_timeout(Limits::HEAD);
                let connection = http.serve_connection(TokioIo::new(stream), service);
                // A broken connection concerns nobody else.
                let _ = connection.with_upgrades().await;
            });
        }
    }
}

async fn upgrade(
    State(lobby): State<Arc<Lobby>>,
    Extension(visit): Extension<Arc<Visit>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let most = lobby.limits().message_bytes;
    let upgrade = upgrade.max_message_size(most).max_frame_size(most);
    upgrade.on_upgrade(move |socket| async move {
        // The connection counts until it ends.
        let address = visit.address;
        socket::serve(socket, lobby, address).await;
        drop(visit);
    })
}

async fn log(State(lobby): State<Arc<Lobby>>, Path(room): Path<String>) -> Response {
    match lobby.log(&room).await {
        Ok(Some(log)) => ([(CONTENT_TYPE, "application/x-ndjson")], log).into_response(),
        Ok(None) => (StatusCode::CONFLICT, "the match is not over\n").into_response(),
        Err(Refusal::NoSuchRoom) => StatusCode::NOT_FOUND.into_response(),
        Err(refusal) => (StatusCode::SERVICE_UNAVAILABLE, format!("{refusal}\n")).into_response(),
    }
}
