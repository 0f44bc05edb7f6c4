//! Places at the table: [`Seat`] in one deal, [`Player`] in a match, and [`BySeat`].

use crate::text::{ParseError, one_char};
use crate::tile::Wind;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// The most players that a ruleset may have.
pub const MAX_PLAYERS: usize = 6;

/// Limits a number of players to what a table can have: one to six.
#[inline]
const fn seats_of(players: usize) -> usize {
    match players {
        0 => 1,
        1..=MAX_PLAYERS => players,
        _ => MAX_PLAYERS,
    }
}

/// `place % players`, without a division for the places that occur.
#[inline]
const fn wrapped(place: usize, players: usize) -> usize {
    match place.checked_sub(players) {
        None => place,
        Some(rest) if rest < players => rest,
        Some(rest) => rest % players,
    }
}

/// The number of a seat. Not an integer, so that `Option<Seat>` takes one byte and [`BySeat`] needs no bounds check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
enum Place {
    #[default]
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
}

/// A place in one deal, counted from the dealer in playing order: `E S W N 5 6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seat(Place);

const _: () = assert!(size_of::<Option<Seat>>() == 1);

impl Seat {
    /// The dealer's seat.
    pub const EAST: Self = Self(Place::First);
    /// The seat after East.
    pub const SOUTH: Self = Self(Place::Second);
    /// The seat after South.
    pub const WEST: Self = Self(Place::Third);
    /// The seat after West.
    pub const NORTH: Self = Self(Place::Fourth);

    /// The seat `index` places after the dealer, 0 to 5.
    #[inline]
    pub const fn new(index: usize) -> Option<Self> {
        // With an arm for each place and no other, the conversion takes no instruction but the check.
        Some(Self(match index {
            0 => Place::First,
            1 => Place::Second,
            2 => Place::Third,
            3 => Place::Fourth,
            4 => Place::Fifth,
            5 => Place::Sixth,
            _ => return None,
        }))
    }

    /// The seat with an index below 6. Any other index gives the sixth seat.
    #[inline]
    const fn at(index: usize) -> Self {
        match Self::new(index) {
            Some(seat) => seat,
            None => Self(Place::Sixth),
        }
    }

    /// How many places the seat is after the dealer, 0 to 5.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat whose turn comes next at a table of `players`. Here and below, 0 players count as one and
    /// more than six as six.
    #[inline]
    pub const fn next(self, players: usize) -> Self {
        match Self::new(self.index() + 1) {
            Some(next) if next.index() < players => next,
            _ => Self::EAST,
        }
    }

    /// The seat `steps` places further in playing order at a table of `players`.
    #[inline]
    pub const fn after(self, steps: usize, players: usize) -> Self {
        let players = seats_of(players);
        Self::at(wrapped(self.index() + wrapped(steps, players), players))
    }

    /// The steps in playing order from `other` to this seat at a table of `players`.
    #[inline]
    pub const fn steps_from(self, other: Self, players: usize) -> usize {
        let players = seats_of(players);
        (self.0 as usize + MAX_PLAYERS * players - other.0 as usize) % players
    }

    /// The wind of the seat. The fifth and sixth seats are East and South again.
    #[inline]
    pub const fn wind(self) -> Wind {
        Wind::ALL[self.index() & 3]
    }

    /// The letter of the seat: `E S W N 5 6`.
    pub const fn letter(self) -> char {
        b"ESWN56"[self.0 as usize] as char
    }

    /// The seat with a letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        b"ESWN56"
            .iter()
            .position(|&c| c as char == letter)
            .and_then(Self::new)
    }

    /// The seats of a table of `players`, the dealer first.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..players.min(MAX_PLAYERS) as u8).map(|index| Self::at(usize::from(index)))
    }

    /// The player on this seat when `dealer` deals.
    #[inline]
    pub const fn player(self, dealer: Player, players: usize) -> Player {
        Player(wrapped(self.0 as usize + dealer.0 as usize, seats_of(players)) as u8)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Seat {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        one_char("seat", text, Self::from_letter)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A person or program in a match, 0 to 5, the same from the first deal to the last. Player i + 1 moves after
/// player i.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[doc(alias("actor"))]
pub struct Player(u8);

impl Player {
    /// Player 0.
    pub const FIRST: Self = Self(0);

    /// The player with index 0 to 5.
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_PLAYERS {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The index, 0 to 5.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The player's seat when `dealer` deals.
    #[inline]
    pub const fn seat(self, dealer: Self, players: usize) -> Seat {
        let players = seats_of(players);
        Seat::at((self.index() + MAX_PLAYERS * players - dealer.index()) % players)
    }

    /// The player `steps` places further in playing order.
    #[inline]
    pub const fn after(self, steps: usize, players: usize) -> Self {
        let players = seats_of(players);
        Self(((self.0 as usize + steps % players) % players) as u8)
    }

    /// The players of a table, player 0 first.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..players.min(MAX_PLAYERS) as u8).map(Self)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One value for each seat, indexed by [`Seat`]. Seats that the table does not have keep the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySeat<T>([T; MAX_PLAYERS]);

impl<T> BySeat<T> {
    /// Computes each value from its seat.
    pub fn from_fn(f: impl FnMut(Seat) -> T) -> Self {
        let mut f = f;
        Self(std::array::from_fn(|index| f(Seat::at(index))))
    }

    /// All six values in seat order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// All six values in seat order.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

/// All six values in seat order.
impl<T> IntoIterator for BySeat<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, MAX_PLAYERS>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// All six values in seat order.
impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_no_size_panic_nowhere() {
        for players in [0, 1, 2, 6, 7, 300, usize::MAX] {
            for (a, b) in Seat::all(6).zip(Player::all(6)) {
                for steps in [0, 1, 5, 6, usize::MAX] {
                    assert!(a.after(steps, players).index() < MAX_PLAYERS);
                    assert!(b.after(steps, players).index() < MAX_PLAYERS);
                }
                for (other, dealer) in Seat::all(6).zip(Player::all(6)) {
                    assert!(a.steps_from(other, players) < MAX_PLAYERS);
                    assert!(a.player(dealer, players).index() < MAX_PLAYERS);
                    assert!(b.seat(dealer, players).index() < MAX_PLAYERS);
                }
                assert!("ESWN56".contains(a.next(players).letter()));
                assert_eq!(Seat::EAST.next(0), Seat::EAST.next(1));
            }
        }
    }

    #[test]
    fn players_and_seats_turn_into_each_other() {
        for players in 3..=MAX_PLAYERS {
            for dealer in Player::all(players) {
                for player in Player::all(players) {
                    assert_eq!(player.seat(dealer, players).player(dealer, players), player);
                }
                assert_eq!(dealer.seat(dealer, players), Seat::EAST);
            }
        }
        let north = Seat::from_letter('N').unwrap();
        assert_eq!(north.after(1, 4), Seat::EAST);
        assert_eq!(Seat::EAST.steps_from(north, 4), 1);
        assert_eq!(Seat::from_letter('5').unwrap().wind(), Wind::East);
    }
}
