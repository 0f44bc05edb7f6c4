//! The time of a message does not depend on who was asked. Tokio's clock is paused, so all times are exact.

mod common;

use paishan::Action;
use paishan::state::{Event, Snapshot};
use paishan_server::client::Client;
use paishan_server::clock::Clock;
use paishan_server::limits::Limits;
use paishan_server::lobby::{Command, Handle, Lobby};
use paishan_server::message::{Create, Join, Options};
use paishan_server::rulesets::Rulesets;
use paishan_server::store::Store;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A message and when it came.
type Told = (Instant, Value);

fn create(ruleset: &str, seats: &[&str], clock: Clock, options: Options) -> Create {
    Create {
        ruleset: ruleset.to_owned(),
        options,
        ruleset_hash: None,
        seats: Some(seats.iter().map(|&seat| seat.to_owned()).collect()),
        clock,
        listed: true,
    }
}

/// Sits down and answers each question after a time that depends on its number. Some questions are never answered.
async fn sit(handle: Handle, player: usize, told: Arc<Mutex<Vec<Told>>>) {
    let (client, mut outbox) = Client::new(1_000);
    let join = Join {
        room: String::new(),
        name: format!("player {player}"),
        player: Some(player),
        ruleset_hash: None,
        lang: None,
    };
    let own = client.clone();
    handle
        .enter(|reply| Command::Join(own, join, None, reply))
        .await
        .unwrap();
    while let Some(message) = outbox.messages.recv().await {
        let message: Value = serde_json::from_str(&message).unwrap();
        let is_over = message["type"] == "over";
        if message["type"] == "ask" {
            let question = message["question"].as_u64().unwrap() as u32;
            let number = u64::from(question) * 5 + player as u64;
            let answer = common::choice(&message["view"], number);
            let (handle, client) = (handle.clone(), client.clone());
            tokio::spawn(async move {
                sleep(Duration::from_millis(number * 37 % 900)).await;
                if !number.is_multiple_of(11) {
                    let act = Command::Act(client, question, answer, None);
                    handle.tell(act).await.unwrap();
                }
            });
        }
        told.lock().unwrap().push((Instant::now(), message));
        if is_over {
            return;
        }
    }
}

fn event(message: &Value) -> Option<Event> {
    let last = message["events"].as_array()?.last()?;
    serde_json::from_value(last.clone()).ok()
}

fn is_discard(message: &Value) -> bool {
    matches!(event(message), Some(Event::Discarded { .. }))
}

#[tokio::test(start_paused = true)]
async fn what_follows_a_discard_comes_after_the_same_time() {
    let lobby = Lobby::new(Limits::default(), Rulesets::default(), Store::none());
    let clock = Clock {
        claim_ms: 700,
        turn_ms: 1_000,
        bank_ms: 2_000,
        pause_ms: 1_500,
        ..Clock::default()
    };
    let seats = ["human", "human", "random", "human"];
    let create = create("woo", &seats, clock, Options::new());
    let (name, _) = lobby.create(create, HOST).await.unwrap();
    let handle = lobby.room(&name).await.unwrap();
    let told: Vec<Arc<Mutex<Vec<Told>>>> = (0..4).map(|_| Arc::default()).collect();
    let people = [0, 1, 3].map(|n| tokio::spawn(sit(handle.clone(), n, Arc::clone(&told[n]))));
    for person in people {
        person.await.unwrap();
    }
    let told: Vec<Vec<Told>> = [0, 1, 3].map(|n| told[n].lock().unwrap().clone()).to_vec();
    let of = |player: usize, kind: &'static str| {
        told[player]
            .iter()
            .filter(move |(_, message)| message["type"] == kind)
    };
    let updates = |player: usize| {
        told[player]
            .iter()
            .filter(|(_, message)| message["type"] == "update" || message["type"] == "ended")
    };
    // Everybody is told everything at the same moment.
    let moments = |player| updates(player).map(|(at, told)| (*at, told["number"].clone()));
    let first: Vec<_> = moments(0).collect();
    assert!(moments(1).eq(first.clone()) && moments(2).eq(first.clone()));

    // From each discard to what follows it takes the same time, whether nobody was asked, one answered quickly or late, or
    // the server answered.
    let all: Vec<_> = updates(0).collect();
    let claim = Duration::from_millis(clock.claim_ms);
    let (mut asked, mut silent, mut late) = (0, 0, 0);
    for pair in all.windows(2) {
        let [(before, discard), (after, _)] = pair else {
            unreachable!()
        };
        if !is_discard(discard) {
            continue;
        }
        assert_eq!(*after - *before, claim, "{discard}");
        let within = |(at, _): &&Told| at >= before && at < after;
        let asks = (0..3).map(|player| of(player, "ask").filter(within).count());
        match asks.sum::<usize>() {
            0 => silent += 1,
            _ => asked += 1,
        }
        let defaults = (0..3).map(|player| of(player, "defaulted").filter(within).count());
        late += usize::from(defaults.sum::<usize>() > 0);
    }
    assert!(
        asked > 20 && silent > 20 && late > 3,
        "{asked} {silent} {late}"
    );

    // Questions about a discard come with it, and with the time that is left.
    for player in 0..3 {
        for (at, ask) in of(player, "ask") {
            let view: Snapshot = serde_json::from_value(ask["view"].clone()).unwrap();
            let passes = view.legal.iter().any(|legal| legal.action == Action::Pass);
            if passes && view.claimable.is_some() {
                assert_eq!(ask["ms"], 650);
                assert!(updates(player).any(|(other, told)| other == at && is_discard(told)));
            } else {
                assert!(ask["ms"].as_u64().unwrap() >= clock.turn_ms);
            }
        }
    }
    // The bank only shrinks, and was used.
    let banks: Vec<u64> = of(0, "ask")
        .map(|(_, ask)| ask["bank_ms"].as_u64().unwrap())
        .collect();
    assert!(banks.is_sorted_by(|a, b| a >= b) && banks.last() < banks.first());
}

#[tokio::test(start_paused = true)]
async fn spectators_see_the_same_later() {
    let lobby = Lobby::new(Limits::default(), Rulesets::default(), Store::none());
    let clock = Clock {
        watch_delay_ms: 30_000,
        ..Clock::default()
    };
    let options = Options::from([("rounds".to_owned(), 1.into())]);
    let seats = ["human", "random", "random", "random"];
    let (name, _) = lobby
        .create(create("woo", &seats, clock, options), HOST)
        .await
        .unwrap();
    let handle = lobby.room(&name).await.unwrap();
    let (client, mut outbox) = Client::new(10_000);
    let own = client.clone();
    handle
        .enter(|reply| Command::Watch(own, None, None, reply))
        .await
        .unwrap();
    let told = Arc::default();
    let player = tokio::spawn(sit(handle.clone(), 0, Arc::clone(&told)));
    let mut seen = Vec::new();
    while let Some(message) = outbox.messages.recv().await {
        let message: Value = serde_json::from_str(&message).unwrap();
        let is_over = message["type"] == "over";
        if ["update", "ended", "over"]
            .iter()
            .any(|kind| message["type"] == *kind)
        {
            seen.push((Instant::now(), message));
        }
        if is_over {
            break;
        }
    }
    player.await.unwrap();
    let told: Vec<Told> = told.lock().unwrap().clone();
    let shown = told
        .iter()
        .filter(|(_, one)| one["type"] == "update" || one["type"] == "ended");
    let delay = Duration::from_secs(30);
    let shown: Vec<_> = shown
        .map(|(at, one)| (*at + delay, one["number"].clone()))
        .collect();
    let over = seen.pop().unwrap();
    let seen_at: Vec<_> = seen
        .iter()
        .map(|(at, one)| (*at, one["number"].clone()))
        .collect();
    assert_eq!(seen_at, shown);
    assert_eq!(over.0, shown.last().unwrap().0);
    for (_, update) in seen.iter().filter(|(_, one)| one["type"] == "update") {
        assert_eq!(update["view"]["hand"], "");
        assert_eq!(update["events"], Value::Null);
    }
}

/// Clocks stand still while no person is connected, and a player who comes back is asked again.
#[tokio::test(start_paused = true)]
async fn a_deserted_table_stands_still() {
    let lobby = Lobby::new(Limits::default(), Rulesets::default(), Store::none());
    let seats = ["human", "greedy", "greedy", "greedy"];
    let create = create("woo", &seats, Clock::default(), Options::new());
    let (name, _) = lobby.create(create, HOST).await.unwrap();
    let handle = lobby.room(&name).await.unwrap();
    let enter = async |token: Option<String>| {
        let (client, outbox) = Client::new(1_000);
        let own = client.clone();
        let join = Join {
            room: String::new(),
            name: "Ann".to_owned(),
            player: None,
            ruleset_hash: None,
            lang: None,
        };
        let entered = handle.enter(|reply| match token {
            Some(token) => Command::Rejoin(own, token, None, reply),
            None => Command::Join(own, join, None, reply),
        });
        entered.await.unwrap();
        (client, outbox)
    };
    let (client, mut outbox) = enter(None).await;
    let mut token = None;
    let ask = loop {
        let message: Value = serde_json::from_str(&outbox.messages.recv().await.unwrap()).unwrap();
        match message["type"].as_str() {
            Some("seated") => token = message["token"].as_str().map(str::to_owned),
            Some("ask") => break message,
            _ => {}
        }
    };
    sleep(Duration::from_millis(10)).await;
    handle
        .tell(Command::Leave(client.id(), false))
        .await
        .unwrap();
    sleep(Duration::from_secs(500)).await;
    let (_, mut outbox) = enter(token).await;
    let again = loop {
        let message: Value = serde_json::from_str(&outbox.messages.recv().await.unwrap()).unwrap();
        if message["type"] == "ask" {
            break message;
        }
    };
    assert_eq!(again["question"], ask["question"]);
    assert_eq!(again["view"], ask["view"]);
    assert_eq!(
        again["ms"].as_u64().unwrap() + 10,
        ask["ms"].as_u64().unwrap()
    );
}
