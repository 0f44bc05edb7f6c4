//! Pictures of tables, and pages to step through a match.

use paishan::draw::{DiscardLayout, Scene};
use paishan::game::Observer;
use paishan::log::ReplayPage;
use paishan::ruleset;
use paishan::state::{DealState, Event};
use paishan::{Lang, Match, Rules, Seat, agent, simulate};

/// Looks at some tables of a match from every seat.
struct Looking<'a> {
    rules: &'a Rules,
    seen: usize,
    events: usize,
}

/// After so many tables a match ends with its deal.
const MOST: usize = 20;

/// How often each tile is drawn: references to the sheet, without those on walls.
fn drawn(svg: &str) -> usize {
    svg.matches("href=\"#t-").count()
}

impl Observer for Looking<'_> {
    fn wants_more(&self) -> bool {
        self.seen < MOST
    }

    fn event(&mut self, state: &DealState, _: &Event) {
        self.events += 1;
        if !self.events.is_multiple_of(13) {
            return;
        }
        self.seen += 1;
        let plan = self.rules.plan();
        let players = state.players();
        let seats = || Seat::all(players);
        // Each tile that is not in the wall is drawn once, each indicator twice: on the wall and in the middle.
        let in_hands: usize = seats().map(|seat| state.hand(seat).concealed_len()).sum();
        let in_melds: usize = seats()
            .flat_map(|seat| state.hand(seat).melds().iter())
            .map(|meld| meld.kinds().count())
            .sum();
        let aside: usize = seats()
            .map(|seat| {
                state.hand(seat).flowers().iter().count() + state.hand(seat).set_aside().len()
            })
            .sum();
        let discards = state.discards().iter().filter(|one| !one.claimed).count();
        let indicators: std::collections::BTreeSet<usize> = state
            .wall()
            .indicator_places()
            .take(state.wall().turned().len())
            .map(|place| place / usize::from(plan.wall().height))
            .collect();
        let want =
            in_hands + in_melds + aside + discards + state.wall().turned().len() + indicators.len();
        let scene = Scene::of_state(state, plan.wall());
        assert_eq!(drawn(&scene.svg()), want, "{}", plan.id());
        let pile = scene.clone().discards(DiscardLayout::SortedPile).svg();
        assert_eq!(drawn(&pile), want, "{}", plan.id());
        assert_eq!(scene.parts().len(), 1 + 5 * players);
        // The stacks of the wall are those that are left.
        let walls = plan.wall().stacks(state.wall(), players, state.dealer());
        let left: usize = walls
            .iter()
            .flatten()
            .map(|stack| usize::from(stack.left))
            .sum();
        let taken = state.wall().taken();
        assert_eq!(left, state.wall().tiles().len() - taken.0 - taken.1);
        assert_eq!(
            walls
                .iter()
                .flatten()
                .filter(|stack| stack.is_first)
                .count(),
            1
        );
        for seat in seats() {
            let view = state.view(seat);
            let parts = Scene::of_view(&view, plan.wall()).parts();
            for (place, owner) in (0..players).map(|place| (place, seat.after(place, players))) {
                let own: String = parts
                    .iter()
                    .filter(|part| part.place == Some(place))
                    .map(|part| part.svg.as_str())
                    .collect();
                let shown = own.matches("class=\"own\"").count();
                let hidden = own.matches("href=\"#t-back\" class=\"own\"").count();
                match owner == seat {
                    true => assert_eq!(hidden, 0),
                    false => assert_eq!(hidden, shown),
                }
            }
        }
    }
}

#[test]
fn pictures_show_every_tile_once_and_no_secrets() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let mut looking = Looking {
            rules: &rules,
            seen: 0,
            events: 0,
        };
        let mut agents = agent::for_all("random", rules.plan()).unwrap();
        simulate::play(&rules, &mut agents, 3, &mut looking).unwrap();
        assert!(looking.seen > 0, "{id}");
    }
    for players in [3, 5, 6] {
        let rules = Rules::by_id("uzje")
            .unwrap()
            .with("players", players)
            .unwrap();
        let mut looking = Looking {
            rules: &rules,
            seen: 0,
            events: 0,
        };
        let mut agents = agent::for_all("random", rules.plan()).unwrap();
        simulate::play(&rules, &mut agents, 3, &mut looking).unwrap();
        assert!(looking.seen > 0);
    }
}

/// Counts events.
#[derive(Default)]
struct Counting {
    events: usize,
}

impl Observer for Counting {
    fn event(&mut self, _: &DealState, _: &Event) {
        self.events += 1;
    }
}

#[test]
fn a_page_has_every_event_and_escapes_names() {
    let rules = Rules::by_id("two-player").unwrap();
    let hostile = "</script><script>alert(1)</script>";
    let mut page = ReplayPage::new(&rules, Lang::EN, [hostile, "Bo"]);
    let mut looking = Counting::default();
    let mut agents = agent::for_all("greedy", rules.plan()).unwrap();
    simulate::play(&rules, &mut agents, 3, &mut (&mut page, &mut looking)).unwrap();
    let html = page.html();
    assert_eq!(html.matches("<script").count(), 1);
    assert_eq!(html.matches("</script").count(), 1);
    assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("src="));
    let frames = html.split("const FRAMES=[").nth(1).unwrap();
    let frames = frames.split("];\n").next().unwrap().lines().count();
    assert!(
        frames > looking.events,
        "{frames} frames, {} events",
        looking.events
    );
    assert!(html.contains("class=\\\"explanation\\\""));
}

#[test]
fn a_deal_that_is_tried_again_has_its_steps_once() {
    let rules = Rules::by_id("two-player").expect("a built-in ruleset");
    let series = Match::new(&rules, 7);
    let mut page = ReplayPage::new(&rules, Lang::EN, ["Anna", "Bo"]);
    let mut deal = series.start_deal_observed(&mut page);
    let steps = page.frames().len();
    let seat = deal.state().waiting().first().expect("the dealer discards");
    let discard = deal.legal(seat).iter().last().expect("a discard");
    deal.act_observed(seat, discard, &mut page)
        .expect("it is legal");
    assert!(page.frames().len() > steps);
    series.start_deal_observed(&mut page);
    assert_eq!(page.frames().len(), steps);
    let titles = page
        .frames()
        .iter()
        .filter_map(|frame| frame.deal.as_deref());
    let titles: Vec<&str> = titles.collect();
    assert_eq!(titles.len(), 1);
    assert!(titles[0].starts_with("1: "));
}
