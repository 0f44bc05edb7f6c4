//! Actions as numbers, and what a seat may know as arrays.

use paishan::encode::{ActionSpace, EncodeError, Encoder, Observation, Plane};
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::state::{Action, Snapshot, View};
use paishan::{Kind, Notation, Rules, Seat, Tile, game_seed, ruleset};

/// Calls `visit` with each decision of random matches, and stops a match after `most` decisions.
fn visit_decisions(
    rules: &Rules,
    games: u64,
    most: usize,
    mut visit: impl FnMut(&Deal<&Rules>, Seat),
) {
    for game in 0..games {
        let mut series = Match::new(rules, game_seed(5, game));
        let mut stream = Stream::new(game, 4);
        let mut decisions = 0;
        while !series.is_over() && decisions < most {
            let mut deal = series.start_deal();
            while let Some(seat) = deal.state().waiting().first() {
                visit(&deal, seat);
                decisions += 1;
                let pick = |len: usize| stream.below(len as u32) as usize;
                let action = deal.legal(seat).pick(pick).expect("an action");
                deal.act(seat, action).expect("a legal action");
            }
            series.finish(&deal).expect("a finished deal");
        }
    }
}

/// Option values that change which actions exist.
fn some_rules() -> Vec<Rules> {
    let all = ruleset::ids().map(|id| Rules::by_id(id).expect("built in"));
    all.collect()
}

/// Every action has one number, and every number one action.
#[test]
fn numbers_and_actions_are_one_to_one() {
    for rules in some_rules() {
        let space = ActionSpace::of(rules.plan());
        let id = rules.plan().id();
        for (number, &action) in space.actions().iter().enumerate() {
            assert_eq!(space.number(action), Some(number), "{id}: {action}");
            assert_eq!(space.action(number), Some(action), "{id}");
        }
        assert_eq!(space.action(space.len()), None);
        let ends = space.blocks().iter().map(|block| block.numbers.end);
        let starts = space.blocks().iter().map(|block| block.numbers.start);
        assert!(starts.eq([0].into_iter().chain(ends.take(space.blocks().len() - 1))));
        assert!(space.most_legal() <= space.len());
    }
}

/// Masks and lists hold exactly the legal actions.
#[test]
fn masks_hold_the_legal_actions() {
    for rules in some_rules() {
        let space = ActionSpace::of(rules.plan());
        let mut mask = vec![9; space.len()];
        let mut list = vec![0; space.most_legal()];
        visit_decisions(&rules, 12, 2_000, |deal, seat| {
            let legal = deal.legal(seat);
            space
                .write_mask(legal, &mut mask)
                .expect("numbered actions");
            let number = |action| space.number(action).expect("a numbered action");
            for action in legal {
                assert_eq!(mask[number(action)], 1, "{action}");
                assert_eq!(action.to_string().parse(), Ok(action));
            }
            assert_eq!(
                mask.iter().map(|&one| usize::from(one)).sum::<usize>(),
                legal.len()
            );
            let len = space
                .write_numbers(legal, &mut list)
                .expect("numbered actions");
            let mut listed: Vec<u16> = list[..len].to_vec();
            listed.sort_unstable();
            let masked = (0..).zip(&mask).filter(|(_, one)| **one == 1);
            assert!(listed.iter().copied().eq(masked.map(|(number, _)| number)));
        });
    }
}

#[test]
fn faults_of_arrays_are_refused() {
    let rules = Rules::by_id("woo").expect("built in");
    let deal = Match::new(&rules, 7).start_deal();
    let seat = deal.state().waiting().first().expect("a seat");
    let space = ActionSpace::of(rules.plan());
    let short = space.len() - 1;
    let mut mask = vec![7; short];
    let error = EncodeError::Length {
        have: short,
        want: space.len(),
    };
    assert_eq!(space.write_mask(deal.legal(seat), &mut mask), Err(error));
    assert_eq!(mask, vec![7; short]);

    let mut other = deal.legal(seat).clone();
    assert!(other.allow(Action::Missing(paishan::Suit::Bamboos)));
    let mut mask = vec![0; space.len()];
    let error = space
        .write_mask(&other, &mut mask)
        .expect_err("no such action");
    assert_eq!(
        error.to_string(),
        "`missing s` has no number: the rules of the file never allow it"
    );
    let space = space.with([Action::Missing(paishan::Suit::Bamboos), Action::Pass]);
    let mut mask = vec![0; space.len()];
    assert_eq!(space.write_mask(&other, &mut mask), Ok(()));
    assert_eq!(mask.last(), Some(&1));
    assert_eq!(
        space.block_of("more").map(|block| block.numbers.len()),
        Some(1)
    );

    let encoding = Observation::v1(rules.plan());
    let mut planes = vec![0_u8; encoding.planes().len() * encoding.kinds().len()];
    let mut scalars = vec![0.0; encoding.scalars().len() + 1];
    let view = deal.state().view(seat);
    let mut encoder = Encoder::new(&encoding);
    assert!(encoder.write(&view, &mut planes, &mut scalars).is_err());
    let three = Rules::by_id("riichi-sanma").expect("built in");
    let deal = Match::new(&three, 7).start_deal();
    scalars.pop();
    let error = encoder.write(&deal.state().view(Seat::EAST), &mut planes, &mut scalars);
    assert_eq!(
        error,
        Err(EncodeError::OtherRules {
            found: three.plan().content_hash(),
            expected: rules.plan().content_hash(),
        })
    );
}

/// The encoding of a view.
fn encode(encoding: &Observation, view: &View<'_>) -> (Vec<u8>, Vec<f32>) {
    let mut planes = vec![8; encoding.planes().len() * encoding.kinds().len()];
    let mut scalars = vec![f32::NAN; encoding.scalars().len()];
    Encoder::new(encoding)
        .write(view, &mut planes, &mut scalars)
        .expect("arrays of the right length");
    (planes, scalars)
}

/// What a seat cannot see changes nothing.
#[test]
fn encodings_hold_nothing_hidden() {
    let mut stream = Stream::new(8, 8);
    for rules in some_rules() {
        let encoding = Observation::v1(rules.plan());
        let mut decision = 0;
        visit_decisions(&rules, 4, 700, |deal, _| {
            decision += 1;
            if decision % 5 > 0 {
                return;
            }
            for seat in Seat::all(deal.state().players()) {
                let view = deal.state().view(seat);
                let imagined = view.imagine(&mut stream);
                let one = encode(&encoding, &view);
                let other = encode(&encoding, &imagined.view(seat));
                assert_eq!(one, other, "{}, {seat:?}: {view:?}", rules.plan().id());
            }
        });
    }
}

fn read(text: &str) -> Vec<Tile> {
    Notation::Ujmj.parse(text).expect("tiles of a snapshot")
}

/// Derives a plane a second time from the snapshot, which is text.
fn expected(kinds: &[Kind], shot: &Snapshot, plane: &Plane) -> Option<Vec<u8>> {
    let own = shot.seat.and_then(Seat::from_letter).expect("a seat");
    let seat = plane.player.map(|after| own.after(after, shot.players));
    let letter = seat.map(Seat::letter);
    let of_seat = || {
        shot.discards
            .iter()
            .filter(|discard| Some(discard.seat) == letter)
    };
    let melds = || seat.map_or(&[][..], |seat| &shot.melds[seat.index()][..]);
    let seen_melds = || melds().iter().filter(|meld| meld.tiles != "????");
    let melded = || {
        seen_melds()
            .flat_map(|meld| read(&meld.tiles))
            .collect::<Vec<_>>()
    };
    let tiles: Vec<Tile> = match plane.name {
        "hand" | "hand-red" => read(&shot.hand),
        "drawn" => shot.drawn.iter().flat_map(|tile| read(tile)).collect(),
        "chosen" => read(&shot.exchanged),
        "claimable" => shot
            .claimable
            .iter()
            .flat_map(|(tile, _)| read(tile))
            .collect(),
        "indicator" => read(&shot.turned),
        "meld" => {
            let meld = melds()
                .get(plane.number - 1)
                .filter(|meld| meld.tiles != "????");
            meld.map(|meld| read(&meld.tiles)).unwrap_or_default()
        }
        "meld-red" => melded(),
        "meld-claimed" => {
            let claimed = seen_melds().filter_map(|meld| meld.claimed.as_ref());
            claimed.flat_map(|tile| read(tile)).collect()
        }
        "discard" | "discard-red" => of_seat().flat_map(|discard| read(&discard.tile)).collect(),
        "discard-held" => {
            let held = of_seat().filter(|discard| !discard.drawn);
            held.flat_map(|discard| read(&discard.tile)).collect()
        }
        "discard-claimed" => {
            let claimed = of_seat().filter(|discard| discard.claimed);
            claimed.flat_map(|discard| read(&discard.tile)).collect()
        }
        "discard-riichi" => {
            let riichi = of_seat().filter(|discard| discard.riichi);
            riichi.flat_map(|discard| read(&discard.tile)).collect()
        }
        "discard-last" => {
            let last = of_seat().rev().nth(plane.number - 1);
            last.map(|discard| read(&discard.tile)).unwrap_or_default()
        }
        "shown" => {
            let shown = seat.and_then(|seat| shot.shown[seat.index()].as_ref());
            shown.map(|hand| read(hand)).unwrap_or_default()
        }
        _ => return None,
    };
    let is_wanted = |tile: &&Tile| tile.is_red() || !plane.name.ends_with("-red");
    let tiles: Vec<Tile> = tiles.iter().filter(is_wanted).copied().collect();
    let count = |kind: &Kind| {
        tiles
            .iter()
            .filter(|tile| tile.kind() == Some(*kind))
            .count()
    };
    let value = |count: usize| match plane.name {
        "hand" => usize::from(count >= plane.number),
        "indicator" | "meld" | "discard" | "shown" => count,
        _ => count.min(1),
    };
    Some(kinds.iter().map(|kind| value(count(kind)) as u8).collect())
}

/// The plane of a name that is not of a player.
fn plane<'a>(encoding: &Observation, planes: &'a [u8], name: &str) -> &'a [u8] {
    let place = encoding
        .planes()
        .iter()
        .position(|plane| plane.name == name);
    let width = encoding.kinds().len();
    &planes[place.expect("a plane") * width..][..width]
}

/// Planes say what the snapshot of the view says, with one encoder for all tables.
#[test]
fn planes_agree_with_snapshots() {
    for rules in some_rules() {
        let id = rules.plan().id();
        let encoding = Observation::v1(rules.plan());
        let (mut encoder, mut floats) = (Encoder::new(&encoding), Encoder::new(&encoding));
        let decomposer = rules.plan().decomposer();
        let kinds = encoding.kinds();
        let mut decision = 0;
        let mut set = vec![0; encoding.planes().len()];
        let (mut planes, mut scalars) = encode(&encoding, &rules.deal(1).state().view(Seat::EAST));
        visit_decisions(&rules, 40, 1_200, |deal, seat| {
            let view = deal.state().view(seat);
            encoder
                .update(&view, &mut planes, &mut scalars)
                .expect("arrays of the right length");
            for (set, row) in set.iter_mut().zip(planes.chunks(kinds.len())) {
                *set += row.iter().filter(|&&value| value > 0).count();
            }
            decision += 1;
            if decision % 7 > 0 {
                return;
            }
            // An encoder that has written nothing writes the same.
            assert_eq!(
                encode(&encoding, &view),
                (planes.clone(), scalars.clone()),
                "{id}"
            );
            let shot = view.snapshot();
            for (plane, found) in encoding.planes().iter().zip(planes.chunks(kinds.len())) {
                if let Some(wanted) = expected(kinds, &shot, plane) {
                    assert_eq!(found, wanted, "{id}, {plane:?}: {shot:?}");
                }
            }
            let seen = view.seen();
            let wanted: Vec<u8> = kinds.iter().map(|&kind| seen.get(kind)).collect();
            assert_eq!(plane(&encoding, &planes, "seen"), wanted, "{id}: {shot:?}");
            // The waits, where the hand without the tile just drawn is known.
            let mut hand = paishan::decompose::Holding::from(view.hand());
            let is_known = match view.drawn() {
                Some(tile) => {
                    view.hand().holds(tile) && {
                        let kind = tile.kind().expect("no flower");
                        hand.concealed.try_remove(kind)
                    }
                }
                None => view.hand().size() == decomposer.grammar().hand_tiles(),
            };
            if is_known && view.missing_suit(seat).is_none() {
                let turned = view.turned().next();
                let waits = rules.plan().decomposer_of(turned).waits(&hand);
                let wanted: Vec<u8> = kinds
                    .iter()
                    .map(|&kind| waits.contains(kind).into())
                    .collect();
                assert_eq!(plane(&encoding, &planes, "waits"), wanted, "{id}: {shot:?}");
            }
            for (scalar, &value) in encoding.scalars().iter().zip(&scalars) {
                let player = scalar.player.map(|after| seat.after(after, shot.players));
                let flag = |value: bool| usize::from(value);
                let wanted = match (scalar.name, player) {
                    ("draws-left", None) => shot.draws_left,
                    ("counters", None) => shot.counters as usize,
                    ("discards", Some(player)) => {
                        let own = shot
                            .discards
                            .iter()
                            .filter(|one| one.seat == player.letter());
                        own.count()
                    }
                    ("riichi", Some(player)) => flag(shot.riichi[player.index()]),
                    ("concealed", Some(player)) => shot.concealed[player.index()],
                    ("melds", Some(player)) => shot.melds[player.index()].len(),
                    ("out", Some(player)) => flag(deal.state().out().contains(player)),
                    ("gives", Some(player)) => flag(
                        shot.claimable
                            .as_ref()
                            .is_some_and(|(_, from)| *from == player.letter()),
                    ),
                    _ => {
                        assert!(value.is_finite(), "{scalar:?}");
                        continue;
                    }
                };
                assert_eq!(value, wanted as f32, "{scalar:?}");
            }
            let mut as_floats = vec![0.5_f32; planes.len()];
            floats
                .write(&view, &mut as_floats, &mut scalars)
                .expect("arrays of the right length");
            let differing = as_floats
                .iter()
                .zip(&planes)
                .position(|(&float, &byte)| float != f32::from(byte));
            let differing = differing.map(|at| {
                (
                    &encoding.planes()[at / kinds.len()],
                    kinds[at % kinds.len()],
                )
            });
            assert_eq!(differing, None, "{id}: {shot:?}");
        });
        // No plane is padding, but random players seldom wait, declare riichi, or make four melds.
        let rare = [
            "discard-riichi",
            "waits",
            "meld-red",
            "shown",
            "meld-joker",
            "meld",
        ];
        for (plane, set) in encoding.planes().iter().zip(set) {
            assert!(set > 0 || rare.contains(&plane.name), "{id}: {plane:?}");
        }
    }
}

/// The numbers of actions follow from the rules, so they change only with these.
#[test]
fn numbers_of_actions_never_change() {
    let numbers = |id: &str, words: &[(&str, usize)]| {
        let space = ActionSpace::of(Rules::by_id(id).expect("built in").plan());
        for (word, number) in words {
            let action = word.parse().expect("an action");
            assert_eq!(space.number(action), Some(*number), "{id}: {word}");
        }
    };
    let words = [
        "none",
        "hora",
        "declare",
        "reach",
        "ryukyoku",
        "challenge",
        "end",
        "penalty",
    ];
    let words: Vec<(&str, usize)> = words.into_iter().zip(0..).collect();
    numbers("uzje", &words);
    let riichi = [
        ("dahai 1t", 8),
        ("dahai Rt", 12),
        ("dahai 5t", 13),
        ("dahai P", 44),
        ("dahai 1t tsumogiri", 45),
        ("chi 123t", 82),
        ("chi 34Rt", 103),
        ("pon 111t", 112),
        ("pon R55m", 137),
        ("daiminkan R555s", 164),
        ("ankan P", 219),
        ("kakan P", 253),
    ];
    numbers("riichi-tenhou", &riichi);
}

/// Version 1 never changes: the encodings of a match of each ruleset.
#[test]
fn version_1_never_changes() {
    let golden = GOLDEN.map(|(id, _)| (id, hash_of_match(id)));
    assert_eq!(golden, GOLDEN, "{golden:#x?}");
}

/// A hash of all observations of the first decisions of a match.
fn hash_of_match(id: &str) -> u64 {
    let rules = Rules::by_id(id).expect("built in");
    let encoding = Observation::v1(rules.plan());
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    visit_decisions(&rules, 1, 300, |deal, seat| {
        let (planes, scalars) = encode(&encoding, &deal.state().view(seat));
        add(&planes);
        scalars.iter().for_each(|value| add(&value.to_le_bytes()));
    });
    hash
}

const GOLDEN: [(&str, u64); 5] = [
    ("woo", 0x7e5e_f533_be2d_ec51),
    ("riichi-tenhou", 0x4d0f_cb7c_b2d0_dd62),
    ("uzje", 0xf39b_0e4d_380a_0b00),
    ("sichuan", 0x57a8_ce99_ada5_ff69),
    ("malaysian", 0x5e2c_e344_5f6d_8af4),
];
