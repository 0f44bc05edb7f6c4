//! What is shown does not depend on what is hidden, nor on who is asked, nor on a restart.

use paishan::host::{HostedMatch, Sitter};
use paishan::random::Stream;
use paishan::ruleset;
use paishan::state::{Event, Phase};
use paishan::{Player, Rules, Seat, Tile, game_seed};
use paishan_server::feed::{Feed, Frame};

/// What a player is sent of a frame.
fn sent(frame: &Frame, player: Player) -> String {
    let (view, events) = (frame.view(player), frame.events(player));
    serde_json::to_string(&(view, events)).unwrap()
}

/// Plays some of a match and hands every frame to a function.
fn frames(rules: &Rules, seed: u64, mut each: impl FnMut(&Frame)) -> (HostedMatch, Feed) {
    let mut feed = Feed::new(rules, 0);
    let sitters = vec![Sitter::of_name("random"); rules.plan().players()];
    let table = HostedMatch::start_by_steps(rules.clone(), sitters, game_seed(3, seed), &mut feed);
    let mut table = table.unwrap();
    feed.rest(table.deal().state(), table.ended());
    for _ in 0..500 {
        while let Some(frame) = feed.take() {
            each(&frame);
        }
        if !table.step(&mut feed).unwrap() {
            break;
        }
        feed.rest(table.deal().state(), table.ended());
    }
    while let Some(frame) = feed.take() {
        each(&frame);
    }
    (table, feed)
}

/// Unseen tiles are shuffled, tiles in hidden events replaced: each player is sent the same bytes.
#[test]
fn permuted_unseen_tiles_give_the_same_bytes() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let players = rules.plan().players();
        let mut stream = Stream::new(5, 5);
        let (mut changed, mut replaced) = (0, 0);
        frames(&rules, 1, |frame| {
            for player in Player::all(players) {
                let seat = player.seat(frame.state.dealer(), players);
                let mut other = frame.clone();
                *other.state = frame.state.imagined_by(seat, &mut stream);
                changed += usize::from(other.state != frame.state);
                for event in &mut other.events {
                    if let Event::Drew {
                        seat: drawer, tile, ..
                    } = event
                        && *drawer != seat
                    {
                        let all = rules.plan().tiles();
                        *tile = all.iter().find(|one: &Tile| Some(*one) != *tile);
                        replaced += 1;
                    }
                }
                assert_eq!(sent(&other, player), sent(frame, player), "{id}");
                assert_eq!(other.public_view(), frame.public_view(), "{id}");
            }
        });
        assert!(
            changed > 100 && replaced > 100,
            "{id}: {changed} {replaced}"
        );
    }
}

/// A frame that may be answered shows no player whether it is asked itself, and ends with the event that may be answered.
#[test]
fn frames_do_not_show_who_is_asked() {
    for id in ["riichi-tenhou", "uzje", "sichuan", "mcr"] {
        let rules = Rules::by_id(id).unwrap();
        let players = rules.plan().players();
        let (mut asked, mut silent) = (0, 0);
        frames(&rules, 2, |frame| {
            if !frame.may_be_answered {
                return;
            }
            let last = frame.events.last().unwrap();
            assert!(frame.state.may_be_answered(rules.plan(), last));
            let waiting = frame.state.waiting();
            let is_open = matches!(frame.state.phase(), Phase::Claims(_));
            match is_open && !waiting.is_empty() {
                true => asked += 1,
                false => silent += 1,
            }
            for player in Player::all(players) {
                let view = frame.view(player);
                assert!(view.legal.is_empty() && view.claimable.is_none());
                assert!(view.challengeable.is_none());
            }
        });
        assert!(asked > 10 && silent > 10, "{id}: {asked} {silent}");
    }
}

/// A riichi player who lets a winning tile pass may not win off others. It learns that when the others do.
#[test]
fn furiten_is_shown_with_what_follows() {
    let rules = Rules::by_id("riichi-tenhou").unwrap();
    let mut shown = [false; 4];
    let mut later = 0;
    for seed in 0..30 {
        frames(&rules, seed, |frame| {
            for player in Player::all(4) {
                let seat = player.seat(frame.state.dealer(), 4);
                let now = frame.view(player).furiten;
                let is_other = matches!(frame.events.last(),
                    Some(Event::Discarded { seat: discarder, .. }) if *discarder != seat);
                if is_other {
                    assert_eq!(now, shown[player.index()]);
                    later += usize::from(frame.state.view(seat).is_furiten() != now);
                } else {
                    assert_eq!(now, frame.state.view(seat).is_furiten());
                }
                shown[player.index()] = now;
            }
        });
    }
    assert!(later > 0);
}

/// A match that is resumed has the frames that it had, with the same numbers.
#[test]
fn frames_are_the_same_after_a_restart() {
    for id in ["uzje", "riichi-mcgill", "sichuan", "taiwanese"] {
        let rules = Rules::by_id(id).unwrap();
        let mut live = Vec::new();
        let (table, _) = frames(&rules, 4, |frame| live.push(frame.clone()));
        let from = live.len() as u64 / 2;
        let mut feed = Feed::new(&rules, from);
        let again = HostedMatch::resume_by_steps(rules.clone(), &table.save(), &mut feed);
        let again = again.unwrap();
        feed.rest(again.deal().state(), again.ended());
        let mut number = from;
        while let Some(frame) = feed.take() {
            let same = &live[number as usize - 1];
            assert_eq!((frame.number, frame.deal), (number, same.deal), "{id}");
            assert_eq!(frame.events, same.events, "{id} {number}");
            assert_eq!(frame.state, same.state);
            assert_eq!(frame.is_end, same.is_end);
            for seat in Seat::all(rules.plan().players()) {
                let player = seat.player(frame.state.dealer(), rules.plan().players());
                assert_eq!(sent(&frame, player), sent(same, player));
            }
            number += 1;
        }
        assert_eq!(number as usize, live.len() + 1, "{id}");
    }
}
