//! [`List`]: a short list without a heap allocation, so that a deal is one plain value without pointers.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// A list of at most `N` values, stored in place. It dereferences to a slice.
#[derive(Clone, Copy)]
pub(crate) struct List<T, const N: usize> {
    items: [T; N],
    len: u8,
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list.
    pub fn new() -> Self {
        Self::over(T::default())
    }
}

impl<T: Copy, const N: usize> List<T, N> {
    /// An empty list of values that have no default: `filler` fills its free slots.
    #[inline]
    pub(crate) fn over(filler: T) -> Self {
        const { assert!(N <= 255) };
        Self {
            items: [filler; N],
            len: 0,
        }
    }

    /// The first `N` values.
    pub(crate) fn first_of(items: impl IntoIterator<Item = T>) -> Self
    where
        T: Default,
    {
        let mut list = Self::new();
        list.extend(items.into_iter().take(N));
        list
    }

    /// The first `len` values of an array as a list.
    #[inline]
    pub(crate) fn of(items: [T; N], len: usize) -> Self {
        const { assert!(N <= 255) };
        let len = len.min(N) as u8;
        Self { items, len }
    }

    /// Appends a value. Panics if the list is full; the owner's rules prevent that.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.items[usize::from(self.len)] = item;
        self.len += 1;
    }

    /// Appends several values. Panics if the list is full; the owner's rules prevent that.
    #[inline]
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        // Writes the length once. Otherwise each value would wait for the length stored by the one before.
        let mut len = usize::from(self.len);
        for item in items {
            self.items[len] = item;
            len += 1;
        }
        self.len = len as u8;
    }

    /// All `N` slots, each with a flag that is true if it holds a value. A loop over them always has the same
    /// length, so the processor does not mispredict its end.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = (bool, &T)> {
        let len = usize::from(self.len);
        let places = self.items.iter().enumerate();
        places.map(move |(place, item)| (place < len, item))
    }

    /// Removes the value at `place`; later values move up. Panics if there is none.
    pub(crate) fn remove(&mut self, place: usize) -> T {
        let item = self[place];
        self.items
            .copy_within(place + 1..usize::from(self.len), place);
        self.len -= 1;
        item
    }

    /// How many values the list has. A slice would check its end.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.len as usize
    }

    /// True for a list without values.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> AsRef<[T]> for List<T, N> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: Hash, const N: usize> Hash for List<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_short_vec() {
        let mut list: List<u8, 4> = List::first_of([1, 2, 3]);
        assert_eq!(list.remove(1), 2);
        list.push(9);
        assert_eq!(&*list, [1, 3, 9]);
        list.clear();
        assert!(list.is_empty());
    }
}
