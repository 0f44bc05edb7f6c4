//! Seats at several tables.

use crate::random::Stream;

/// The seats of one round.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SeatingRound {
    /// For each table the players by index, in the order of their seats.
    pub tables: Vec<Vec<usize>>,
    /// Players who sit out.
    pub out: Vec<usize>,
}

/// The most players and rounds.
const MOST: usize = 200;
/// Exchanges that are tried in each round.
const TRIES: usize = 4000;

/// Seats `players` at tables of `size` for some rounds, so that few pairs meet again, seats change, and nobody sits out twice
/// before everybody has once. `None` if there are too few players for one table, or more than 200 players or rounds. The same
/// arguments give the same seats.
///
/// ```
/// let rounds = paishan::ledger::seating(16, 3, 4).expect("four tables");
/// assert_eq!(rounds[0].tables, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]);
/// let meet = |one: usize, other: usize| {
///     let tables = rounds.iter().flat_map(|round| &round.tables);
///     tables.filter(|table| table.contains(&one) && table.contains(&other)).count()
/// };
/// assert!((0..16).all(|one| (0..one).all(|other| meet(one, other) <= 1)));
/// ```
pub fn seating(players: usize, rounds: usize, size: usize) -> Option<Vec<SeatingRound>> {
    if size < 2 || players < size || players > MOST || rounds > MOST {
        return None;
    }
    let mut met = vec![vec![0_u32; players]; players];
    let mut sat_out = vec![0_u32; players];
    let mut seats = vec![vec![0_u32; size]; players];
    let mut stream = Stream::new(players as u64, size as u64);
    let mut all = Vec::new();
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..players).collect();
        // Who has sat out least does so now: the last ones first.
        order.sort_by_key(|&player| {
            (
                sat_out[player] == sat_out.iter().copied().min().unwrap_or(0),
                player,
            )
        });
        let playing = players / size * size;
        let out = order.split_off(playing);
        order.sort_unstable();
        if round > 0 {
            improve(&mut order, &met, size, &mut stream);
        }
        for player in &out {
            sat_out[*player] += 1;
        }
        let mut tables: Vec<Vec<usize>> = order.chunks(size).map(<[usize]>::to_vec).collect();
        for table in &mut tables {
            for (place, one) in table.iter().enumerate() {
                for other in &table[..place] {
                    met[*one][*other] += 1;
                    met[*other][*one] += 1;
                }
            }
            // Of the ways to sit round the table the one with the fewest repeated seats.
            let cost = |turn: usize| -> u32 {
                let places = table.iter().enumerate();
                places
                    .map(|(place, player)| seats[*player][(place + turn) % size])
                    .sum()
            };
            let turn = (0..size)
                .min_by_key(|turn| (cost(*turn), *turn))
                .unwrap_or(0);
            table.rotate_right(turn);
            for (place, player) in table.iter().enumerate() {
                seats[*player][place] += 1;
            }
        }
        all.push(SeatingRound { tables, out });
    }
    Some(all)
}

/// How often the players of a table have met, in squares: a pair that has met often costs more.
fn cost(table: &[usize], met: &[Vec<u32>]) -> u32 {
    let pairs = table.iter().enumerate();
    pairs
        .flat_map(|(place, one)| table[..place].iter().map(move |other| (one, other)))
        .map(|(one, other)| met[*one][*other].pow(2))
        .sum()
}

/// Exchanges players between tables while that costs no more.
fn improve(order: &mut [usize], met: &[Vec<u32>], size: usize, stream: &mut Stream) {
    let mut best = order.to_vec();
    let total = |order: &[usize]| -> u32 { order.chunks(size).map(|table| cost(table, met)).sum() };
    let mut least = u32::MAX;
    // From a few orders, because exchanges alone may not lead on.
    for _ in 0..12 {
        stream.shuffle(order);
        let mut now = total(order);
        for _ in 0..TRIES {
            if now == 0 {
                break;
            }
            let [one, other] = [(); 2].map(|()| stream.below(order.len() as u32) as usize);
            order.swap(one, other);
            let after = total(order);
            match after <= now {
                true => now = after,
                false => order.swap(one, other),
            }
        }
        if now < least {
            least = now;
            best.copy_from_slice(order);
        }
        if least == 0 {
            break;
        }
    }
    order.copy_from_slice(&best);
    for table in order.chunks_mut(size) {
        table.sort_unstable();
    }
}
