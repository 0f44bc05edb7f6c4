//! The forms of values on a wire: what is written is read again as it was, and what is no value is refused.

use crate::common::agents;
use paishan::game::{Match, MatchState, Moves, Next, Observer, Outcome, SavedMatch};
use paishan::hand::HandError;
use paishan::ruleset;
use paishan::score::ScoreError;
use paishan::simulate::play;
use paishan::state::{Action, DealState, Event, FlagSet, Legal, Win};
use paishan::{
    BySeat, Counts, Flower, FlowerSet, Group, Hand, Kind, KindSet, Meld, Player, Seat, SeatSet,
    Seed, Suit, Tile, Wind,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fmt::Debug;

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    let again: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&again, value, "{text}");
    text
}

/// Sends everything that happens over the wire.
#[derive(Default)]
struct Wire {
    actions: HashSet<Action>,
    events: usize,
    deals: usize,
    wins: usize,
}

impl Observer for Wire {
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        round_trip(legal);
        self.actions.extend(legal.iter());
        round_trip(&action);
        round_trip(&state.view(seat).snapshot());
        round_trip(state.hand(seat));
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        round_trip(event);
        round_trip(&event.seen_by(Seat::EAST));
        self.events += 1;
    }

    fn deal_ended(&mut self, series: &MatchState, _: &DealState, outcome: &Outcome, next: Next) {
        round_trip(outcome);
        round_trip(&next);
        round_trip(&series.save());
        self.wins += outcome.wins.len();
        self.deals += 1;
    }

    fn wants_more(&self) -> bool {
        self.deals < 4
    }
}

#[test]
fn whole_games_cross_the_wire() {
    for id in ruleset::ids() {
        let rules = ruleset::by_id(id, &[]).unwrap();
        let mut watching = (Wire::default(), Moves::new(3));
        play(&rules, &mut agents(&rules, "random"), 3, &mut watching).unwrap();
        let (wire, moves) = watching;
        assert_eq!(
            round_trip(&moves).matches("\"type\"").count(),
            moves.decisions().len()
        );
        let (events, actions) = (wire.events, wire.actions.len());
        assert!(events > 80 && actions > 25, "{id}: {events} {actions}");
    }
    let rules = ruleset::by_id("riichi-mcgill", &[]).unwrap();
    let mut wire = Wire::default();
    play(&rules, &mut agents(&rules, "greedy"), 3, &mut wire).unwrap();
    assert!(wire.wins > 1);
}

#[test]
fn forms_are_stable() {
    let tile = |text: &str| text.parse::<Tile>().unwrap();
    let written = [
        (serde_json::to_value(tile("Rt")), r#""Rt""#),
        (serde_json::to_value(Seat::WEST), r#""W""#),
        (serde_json::to_value(Player::new(2)), "2"),
        (serde_json::to_value(Wind::South), r#""S""#),
        (serde_json::to_value(Suit::Sock), r#""s""#),
        (serde_json::to_value(Seed::from(7)), "7"),
        (serde_json::to_value(Action::Pass), r#"{"type":"none"}"#),
        (serde_json::to_value(Action::Win), r#"{"type":"hora"}"#),
        (
            serde_json::to_value(Action::Pung { reds: 1 }),
            r#"{"type":"pon","reds":1}"#,
        ),
        (
            serde_json::to_value(Action::ConcealedKong(Kind::RED)),
            r#"{"type":"ankan","kind":"C"}"#,
        ),
        (
            serde_json::to_value(Action::Discard {
                tile: tile("5t"),
                drawn: true,
            }),
            r#"{"type":"dahai","pai":"5t","tsumogiri":true}"#,
        ),
        (
            serde_json::to_value(Event::Drew {
                seat: Seat::EAST,
                tile: None,
                from_back: false,
            }),
            r#"{"type":"tsumo","seat":"E","tile":null,"from_back":false}"#,
        ),
        (
            serde_json::to_value("11t+CCC/h".parse::<Hand>().unwrap()),
            r#"{"concealed":["1t","1t"],"melds":[{"group":"CCC","open":true}],"flowers":["h"]}"#,
        ),
        (
            serde_json::to_value(Win::off(tile("5t"), Seat::NORTH)),
            r#"{"tile":"5t","way":"discard","from":"N","flags":[],"kongs_in_row":0}"#,
        ),
        (serde_json::to_value(ScoreError::NotAWin), r#""not-a-win""#),
    ];
    for (found, form) in written {
        assert_eq!(
            found.unwrap(),
            serde_json::from_str::<serde_json::Value>(form).unwrap()
        );
    }
    // What is left out has its default.
    let win: Win = serde_json::from_str(r#"{"tile":"5t","way":"wall"}"#).unwrap();
    assert_eq!(win, Win::drawn(tile("5t")));
    round_trip(&ScoreError::Hand(HandError::NotAFlower {
        tile: tile("5t"),
    }));
}

#[test]
fn what_is_no_value_is_refused() {
    fn refused<T: DeserializeOwned>(texts: &[&str]) {
        for text in texts {
            assert!(serde_json::from_str::<T>(text).is_err(), "{text}");
        }
    }
    refused::<Tile>(&[r#""""#, r#""12t""#, r#""5""#, "5", "null"]);
    refused::<Kind>(&[r#""Rt""#, r#""h""#]);
    refused::<Flower>(&[r#""5t""#]);
    refused::<Seat>(&[r#""7""#, r#""ES""#, "1"]);
    refused::<Player>(&["6", "-1"]);
    refused::<Group>(&[r#""12t""#, r#""11111t""#, r#""123""#, r#""1t2s3m""#]);
    refused::<Counts>(&[r#"["1t","1t","1t","1t","1t"]"#]);
    refused::<FlagSet>(&["[32]"]);
    refused::<BySeat<i64>>(&["[1,2,3,4,5,6,7]"]);
    refused::<Hand>(&[
        r#"{"concealed":["1t","1t","1t","1t","1t"]}"#,
        r#"{"concealed":[],"melds":[{"group":"11t","open":true}]}"#,
        r#"{"concealed":[],"melds":[{"group":"123t","open":true,"reds":1}]}"#,
        r#"{"concealed":[],"flowers":["h","h"]}"#,
    ]);
    refused::<Action>(&[
        r#"{"type":"nothing"}"#,
        r#"{"type":"chi","suit":"t","shape":128}"#,
        r#"{"type":"dahai"}"#,
    ]);
    refused::<Legal>(&[
        r#"{"on_turn":true,"actions":[{"type":"chi","suit":"t","shape":1}]}"#,
        r#"{"on_turn":false,"actions":[{"type":"pon","reds":3}]}"#,
    ]);
    refused::<SavedMatch>(&["{}"]);
    // A shape that a grammar does not have is named, and is legal nowhere.
    let chow: Action = serde_json::from_str(r#"{"type":"chi","suit":"t","shape":127}"#).unwrap();
    let woo = ruleset::by_id("woo", &[]).unwrap();
    let words = chow.describe(woo.plan().decomposer.grammar());
    assert_eq!(words, "claim an unknown run");
    let mut deal = Match::new(&woo, 1).start_deal(&mut ());
    assert!(deal.act(Seat::EAST, chow, &mut ()).is_err());
}

fn kinds() -> impl Strategy<Value = Kind> {
    (0..Kind::COUNT).prop_map(|i| Kind::from_index(i).unwrap())
}

proptest! {
    #[test]
    fn sets_groups_and_hands_are_read_as_they_are_written(
        bits in any::<u64>(),
        small in any::<u8>(),
        tiles in prop::collection::vec(kinds(), 0..14),
        three in prop::collection::vec(kinds(), 2..5),
        red in any::<bool>(),
        numbers in any::<[i64; 6]>(),
    ) {
        round_trip(&KindSet::from_bits(bits));
        round_trip(&FlowerSet::from_bits(u16::from(small) << 4));
        round_trip(&SeatSet::from_bits(small));
        round_trip(&BySeat::from_fn(|seat| numbers[seat.index()]));
        let mut flags = FlagSet::EMPTY;
        (0..32).filter(|i| bits >> i & 1 == 1).for_each(|i| flags.insert(i));
        round_trip(&flags);
        let mut counts = Counts::EMPTY;
        let kept: Vec<Tile> = tiles.iter().filter(|&&kind| counts.try_add(kind)).map(|&kind| kind.into()).collect();
        round_trip(&counts);
        if let Some(group) = Group::of(&three) {
            round_trip(&group);
            prop_assert_eq!(group.to_string().parse(), Ok(group));
            let has_five = group.tiles().any(|kind| kind.rank().is_some_and(|rank| rank.get() == 5));
            let meld = Meld {
                reds: u8::from(red && has_five),
                ..Meld::claimed(group, group.kind().into(), Seat::SOUTH)
            };
            round_trip(&meld);
        }
        let text = paishan::Notation::Ujmj.print(kept);
        if let Ok(hand) = text.parse::<Hand>() {
            round_trip(&hand);
            prop_assert_eq!(hand.to_string().parse(), Ok(hand));
        }
    }
}
