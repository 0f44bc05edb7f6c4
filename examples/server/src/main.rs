//! The program `paishan-server`.

use clap::Parser;
use paishan_server::limits::Limits;
use paishan_server::lobby::Lobby;
use paishan_server::rulesets::Rulesets;
use paishan_server::server::Server;
use paishan_server::store::Store;
use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// A server for mahjong tables: WebSocket at /ws, logs at /api/rooms/ROOM/log, static files elsewhere.
#[derive(Parser, Debug)]
#[command(version)]
struct Arguments {
    /// The address to listen at. Port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The database of rooms and matches. Without one they are kept in memory alone
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Delete rooms that have not changed for this many days
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    keep: u32,
    /// A folder of static files, such as the page of examples/web
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// A ruleset to offer beside the built-in ones. May be given several times
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// The most connections
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    connections: usize,
    /// The most connections of one address. Behind a proxy all clients have its address
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address)]
    connections_per_address: usize,
    /// The most rooms in memory
    #[arg(long, value_name = "N", default_value_t = Limits::default().rooms)]
    rooms: usize,
    /// The most rooms in memory that one address has opened
    #[arg(long, value_name = "N", default_value_t = Limits::default().rooms_per_address)]
    rooms_per_address: usize,
    /// The most messages a second of one connection. Four times as many may come at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().messages_per_second)]
    messages: u32,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where standard error is closed.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let mut rulesets = Rulesets::default();
    for path in &arguments.rules {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        rulesets.add(&path.display().to_string(), &text)?;
    }
    let store = match &arguments.database {
        Some(path) => {
            let store = Store::open(path, arguments.keep);
            store.map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => Store::none(),
    };
    let limits = Limits {
        connections: arguments.connections,
        connections_per_address: arguments.connections_per_address,
        rooms: arguments.rooms,
        rooms_per_address: arguments.rooms_per_address,
        messages_per_second: arguments.messages,
        messages_at_once: arguments.messages.saturating_mul(4),
        ..Limits::default()
    };
    let lobby = Lobby::new(limits, rulesets, store);
    let server = Server::bind(arguments.listen, lobby, arguments.page).await?;
    writeln!(std::io::stdout(), "http://{}", server.address()?)?;
    server.run(stopped()).await;
    Ok(())
}

/// Ready when the server is told to stop.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}
