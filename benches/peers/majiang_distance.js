// Distance from ready for majiang-ai: the same numbers as those of majiang-core, on which it spends three quarters of its
// time. With these its games take a third as long.
//
//     node benches/peers/majiang_distance.js 100000
//
// compares them with majiang-core's for so many random hands.
'use strict';

const Majiang = require('@kobalab/majiang-core');

const WORST = 13;

/** More than all numbers of different blocks, of one suit or of two. */
const MANY = 1 << 14;

/**
 * All different blocks: how many tiles they are made of, and the most partial sets beside 0, 1, ... complete sets,
 * first without a pair that is set apart, then with one. Blocks are known by their number in this list.
 */
const blocks = [];
const numbers = new Map();

function numberOf(block) {
  const text = JSON.stringify(block);
  let number = numbers.get(text);
  if (number === undefined) {
    numbers.set(text, number = blocks.length);
    blocks.push(block);
  }
  return number;
}

// What was found before: the blocks of a suit by its counts, of two suits or pairs of suits by theirs, and distances.
const ofSuit = [false, true].map((isHonors) => new Int16Array(5 ** (isHonors ? 7 : 9)).fill(-1));
const ofTwo = new Map();
const distances = new Map();

/** The blocks of one suit. */
function suitBlocks(counts, isHonors) {
  let key = 0;
  for (let rank = 1; rank < counts.length; rank++) key = key * 5 + counts[rank];
  const table = ofSuit[+isHonors];
  if (table[key] < 0) table[key] = numberOf(build([0, ...counts.slice(1)], isHonors));
  return table[key];
}

function build(tiles, isHonors) {
  const alone = [];
  collect(tiles, 1, 0, isHonors, alone);
  const withPair = [];
  for (let rank = 1; rank < tiles.length; rank++) {
    if (tiles[rank] < 2) continue;
    tiles[rank] -= 2;
    collect(tiles, 1, 0, isHonors, withPair);
    tiles[rank] += 2;
  }
  return { tiles: tiles.reduce((sum, count) => sum + count), alone, withPair };
}

/** Takes complete sets from `rank` on in every way and keeps the most partial sets for each number of sets. */
function collect(tiles, rank, sets, isHonors, best) {
  if (rank === tiles.length) {
    best[sets] = Math.max(best[sets] ?? 0, partials(tiles, isHonors));
    return;
  }
  collect(tiles, rank + 1, sets, isHonors, best);
  if (tiles[rank] >= 3) {
    tiles[rank] -= 3;
    collect(tiles, rank, sets + 1, isHonors, best);
    tiles[rank] += 3;
  }
  if (!isHonors && rank <= 7 && tiles[rank] && tiles[rank + 1] && tiles[rank + 2]) {
    for (const at of [rank, rank + 1, rank + 2]) tiles[at] -= 1;
    collect(tiles, rank, sets + 1, isHonors, best);
    for (const at of [rank, rank + 1, rank + 2]) tiles[at] += 1;
  }
}

/** The most pairs and runs that lack one tile. */
function partials(tiles, isHonors) {
  let number = 0;
  let group = 0;
  for (let rank = 1; rank < tiles.length; rank++) {
    group += tiles[rank];
    if (isHonors || !(tiles[rank + 1] || tiles[rank + 2])) {
      number += group >> 1;
      group = 0;
    }
  }
  return number;
}

/** The blocks of two suits, or of two pairs of suits, together. */
function together(left, right) {
  const key = left * MANY + right;
  let number = ofTwo.get(key);
  if (number === undefined) {
    const [a, b] = [blocks[left], blocks[right]];
    const alone = sums(a.alone, b.alone);
    const withPair = sums(a.withPair, b.alone);
    sums(a.alone, b.withPair, withPair);
    ofTwo.set(key, number = numberOf({ tiles: a.tiles + b.tiles, alone, withPair }));
  }
  return number;
}

function sums(left, right, best = []) {
  left.forEach((a, sets) => right.forEach((b, more) => {
    best[sets + more] = Math.max(best[sets + more] ?? 0, a + b);
  }));
  return best;
}

/** Distance to four sets and a pair, melds counted as sets. */
function toSets({ _bingpai: { m, p, s, z }, _fulou: melds, _zimo: drawn }) {
  const left = together(suitBlocks(m, false), suitBlocks(p, false));
  const right = together(suitBlocks(s, false), suitBlocks(z, true));
  const key = (left * MANY + right) * 8 + melds.length;
  let distance = distances.get(key);
  if (distance === undefined) {
    const { tiles, alone, withPair } = blocks[together(left, right)];
    distance = WORST;
    [alone, withPair].forEach((best, pair) => best.forEach((partial, sets) => {
      const single = tiles - 3 * sets - 2 * (partial + pair);
      distance = Math.min(distance, missing(sets + melds.length, partial, single, pair));
    }));
    distances.set(key, distance);
  }
  return distance === -1 && drawn && drawn.length > 2 ? 0 : distance;
}

/** Distance of a hand of these blocks: sets and partial sets count up to four, with the pair up to five. */
function missing(sets, partial, single, pair) {
  const spare = Math.max(0, sets - 4);
  sets -= spare;
  partial += spare;
  const used = Math.min(partial, 4 - sets);
  single = Math.min(single + partial - used, 5 - pair - sets - used);
  return WORST - 3 * sets - 2 * (used + pair) - single;
}

const { tingpai, xiangting, xiangting_guoshi: toOrphans, xiangting_qidui: toPairs } = Majiang.Util;

function distance(hand) {
  return Math.min(toSets(hand), toOrphans(hand), toPairs(hand));
}

Majiang.Util.xiangting = distance;
Majiang.Util.tingpai = (hand, by = distance) => tingpai(hand, by);

/** A random hand of few suits, with melds, and perhaps without some of its tiles, as majiang-ai asks for. */
function randomHand() {
  const below = (number) => Math.floor(Math.random() * number);
  const hand = new Majiang.Shoupai([]);
  hand._fulou = Array(below(2) * below(4)).fill('z1111');
  const suits = ['m', 'p', 's', 'z'].slice(below(4));
  const wall = suits.flatMap((suit) => Array.from({ length: suit === 'z' ? 28 : 36 }, (_, i) => [suit, (i >> 2) + 1]));
  for (let tiles = 13 + below(2) - 3 * hand._fulou.length; tiles > 0; tiles--) {
    const [[suit, rank]] = wall.splice(below(wall.length), 1);
    hand._bingpai[suit][rank] += 1;
  }
  if (below(3) === 0) hand._bingpai[suits[below(suits.length)]].fill(0);
  return hand;
}

if (require.main === module) {
  const hands = Array.from({ length: Number(process.argv[2] ?? 10000) }, randomHand);
  const different = hands.filter((hand) => distance(hand) !== xiangting(hand));
  console.log(`${hands.length} hands, ${different.length} different`);
  process.exitCode = different.length > 0 ? 1 : 0;
}
