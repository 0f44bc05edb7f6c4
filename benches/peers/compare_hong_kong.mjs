#!/usr/bin/env node
// Compare the faan of Hong Kong hands with the package `hk-mahjong`.
//
// The package (https://www.npmjs.com/package/hk-mahjong, MIT licence) counts the faan of an arrangement.  The script
// makes random winning hands with melds, kongs, bonus tiles, winds and circumstances, asks the package for the faan
// of every arrangement and `hong-kong-old-style` for those of the hand, and compares the best.  The package's own
// search for arrangements takes a quarter of a second a hand, so it is compared with the engine's on one hand in
// EVERY only.
//
//     cargo build --release -p paishan-cli
//     cd benches/peers && npm ci
//     node compare_hong_kong.mjs 100000 1 ../../target/release/paishan
//
// Arguments: how many hands, the seed, the program `paishan`.  The exit status is 0 when every difference is
// explained by a line of KNOWN; 1 otherwise.  The seven best patterns are a limit in both; 13 faan and a limit are
// compared as the same.
//
// Not compared: a win after two kongs in a row (a limit in the package), wins on seven or eight bonus tiles alone.

import hk from "hk-mahjong"
import {
    ask, count, isHonour, isOrphan, kindOf, KINDS, Random, randomGroup, summary, text, themes,
} from "./reference.mjs"

const RULESET = "hong-kong-old-style"
// What the package counts, in options of ours.
const OPTIONS = { minimum: 0, limit: 8192, "little-dragons": 5, "great-dragons": "limit", "mixed-terminals": true,
    "concealed-pungs-off-discard": false }
const LIMIT = 13
const EVERY = 100
const SEATS = [..."ESWN"]
const WINDS = { E: "east", S: "south", W: "west", N: "north" }
const BONUS = { h: "spring", i: "summer", j: "autumn", k: "winter",
    o: "plum", p: "lily", q: "chrysanthemum", r: "bamboo" }
const { FaanCalculator, Hand, HandTypeFinder, Meld, Tile, WinningHand } = hk

// ---------------------------------------------------------------------------------------------
// The hands.

const ORPHANS = [...KINDS.keys()].filter(isOrphan)

function groupsAndPair(rng) {
    const suit = rng.below(3)
    const ranks = [...KINDS.keys()].filter(kind => Math.floor(kind / 9) === suit)
    for (;;) {
        const theme = rng.pick([...themes(rng), ranks.concat([31, 32, 33]), [27, 28, 29, 30], [31, 32, 33]])
        const groups = Array.from({ length: 4 }, () => randomGroup(rng, theme, 0.2))
        if (rng.chance(0.3)) groups[0] = randomGroup(rng, ranks)
        const pair = new Array(2).fill(rng.pick(theme))
        if (Math.max(...count(groups.flat().concat(pair))) <= 4) return { groups, pair }
    }
}

function randomHand(rng) {
    const form = rng.next()
    const hand = { concealed: [], melds: [], seat: rng.pick(SEATS), round: rng.pick(SEATS) }
    if (form < 0.02) {
        hand.concealed = ORPHANS.concat(rng.pick(ORPHANS))
    } else if (form < 0.04) {
        const suit = 9 * rng.below(3)
        hand.concealed = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, rng.below(9)].map(rank => suit + rank)
    } else {
        const { groups, pair } = groupsAndPair(rng)
        const closed = rng.chance(0.4)
        hand.concealed = pair
        for (const tiles of groups) {
            const kong = tiles.length === 4
            const open = !closed && rng.chance(kong ? 0.6 : 0.5)
            if (kong || open) hand.melds.push({ tiles, open })
            else hand.concealed = hand.concealed.concat(tiles)
        }
    }
    hand.win = rng.pick(hand.concealed)
    const share = rng.pick([0, 0.1, 0.3, 0.6, 0.9])
    hand.flowers = Object.keys(BONUS).filter(() => rng.chance(share)).join("")
    circumstances(rng, hand)
    return hand
}

function circumstances(rng, hand) {
    const kongs = hand.melds.some(({ tiles }) => tiles.length === 4)
    const all = hand.concealed.concat(hand.melds.flatMap(({ tiles }) => tiles))
    const ways = ["discard", "discard", "wall", "wall"]
    if (kongs) ways.push("after-kong")
    if (hand.flowers) ways.push("after-flower")
    if (count(all)[hand.win] === 1) ways.push("robbed-kong")
    const way = rng.pick(ways)
    hand.by = way.startsWith("after") ? "replacement" : way
    hand.flags = hand.by === "replacement" ? [way] : []
    hand.drawn = hand.by === "replacement" || way === "wall"
    if (!hand.drawn) hand.from = rng.pick(SEATS.filter(seat => seat !== hand.seat))
    if (way !== "robbed-kong" && rng.chance(0.1)) {
        hand.flags.push(hand.drawn ? "last-tile" : "last-discard")
    } else if (!hand.melds.length && rng.chance(0.05)) {
        if (hand.drawn && hand.seat === "E") hand.flags.push("first-draw")
        if (way === "discard" && hand.from === "E") hand.flags.push("first-discard")
    }
}

function request(hand, options = {}) {
    const rest = [...hand.concealed]
    rest.splice(rest.indexOf(hand.win), 1)
    const { seat, round, flowers, by, flags } = hand
    const melds = hand.melds.map(({ tiles, open }) => ({ tiles: text(tiles), open }))
    return { type: "score", ruleset: RULESET, options: { ...OPTIONS, ...options }, round,
        player: { seat, hand: text(rest), melds, flowers },
        win: { tile: text([hand.win]), by, from: hand.from ?? null, flags } }
}

// ---------------------------------------------------------------------------------------------
// The package.

const TILES = KINDS.map((_, kind) => new Tile({
    suit: ["character", "dot", "bamboo", "honor"][Math.floor(kind / 9)],
    value: isHonour(kind) ? [1, 2, 3, 4, 7, 6, 5][kind - 27] : kind % 9 + 1,
}))
const meldOf = tiles => new Meld(tiles.map(kind => TILES[kind]))

// Every way to split counts into groups, then a pair.
function readings(counts, groups = []) {
    const kind = counts.findIndex(n => n > 0)
    if (kind < 0) return groups.filter(group => group.length === 2).length === 1 ? [groups] : []
    const found = []
    const take = group => {
        if (group.some((tile, i) => counts[tile] < group.slice(0, i + 1).filter(other => other === tile).length)) return
        for (const tile of group) counts[tile]--
        found.push(...readings(counts, groups.concat([group])))
        for (const tile of group) counts[tile]++
    }
    if (!groups.some(group => group.length === 2)) take([kind, kind])
    take([kind, kind, kind])
    if (!isHonour(kind) && kind % 9 < 7) take([kind, kind + 1, kind + 2])
    return found
}

// The arrangements of a hand, the pair last, where the package looks for it.
function arrangements(hand) {
    if (hand.concealed.length === 14 && new Set(hand.concealed).size === 13 && hand.concealed.every(isOrphan)) {
        return [[hand.concealed]]
    }
    const melds = hand.melds.map(({ tiles }) => tiles)
    return readings(count(hand.concealed)).map(groups => groups.filter(group => group.length > 2)
        .concat(melds, groups.filter(group => group.length === 2)))
}

const closed = hand => hand.melds.every(({ open }) => !open)

function packageFaan(hand) {
    const config = {
        selfPick: hand.drawn, fullyConcealedHand: closed(hand), robbingKong: hand.by === "robbed-kong",
        winByLastCatch: hand.flags.includes("last-tile") || hand.flags.includes("last-discard"),
        winByKong: hand.flags.includes("after-kong"), heavenlyHand: hand.flags.includes("first-draw"),
        earthlyHand: hand.flags.includes("first-discard"), roundWind: WINDS[hand.round], seatWind: WINDS[hand.seat],
        extraTiles: Object.fromEntries(Object.entries(BONUS)
            .map(([tile, name]) => [name, hand.flowers.includes(tile)])),
        enableBonusFaanDueToZeroExtraTile: true,
    }
    const values = arrangements(hand).map(groups => {
        const { value } = FaanCalculator.calculate(new WinningHand(groups.map(meldOf)), config)
        return value === "∞" ? LIMIT : Math.min(LIMIT, value)
    })
    return Math.max(...values)
}

// What the package does otherwise, by its tests of hand types or by values of ours, and why.
const TESTS = { ...HandTypeFinder }
const KNOWN = [
    { why: "little four winds: a limit in the package; 6 faan in the source",
        values: { "little-four-winds": LIMIT } },
    { why: "six or more bonus tiles: nothing in the package, or a win of its own; 1 and 3 faan on the club's page",
        values: { "six-bonus-tiles": 0, "seven-bonus-tiles": 0 } },
    { why: "nine gates: the package counts them with melds; the source has 1112345678999 in the hand",
        tests: hand => ({ isNineGates: winning => !hand.melds.length && TESTS.isNineGates(winning) }) },
    { why: "four concealed pungs: the package leaves out concealed kongs",
        tests: hand => ({ isKaanKaanHand: winning => hand.drawn && closed(hand) && TESTS.isAllInTriplets(winning) }) },
]
// Every choice of them, the smallest first, and the values it sets.
const CHOICES = KNOWN.reduce((all, known) => all.concat(all.map(chosen => [...chosen, known])), [[]])
    .sort((a, b) => a.length - b.length)
const valuesOf = chosen => Object.assign({}, ...chosen.map(({ values }) => values))

function correctedFaan(hand, chosen) {
    for (const { tests } of chosen) Object.assign(HandTypeFinder, tests?.(hand))
    const faan = packageFaan(hand)
    Object.assign(HandTypeFinder, TESTS)
    return faan
}

// ---------------------------------------------------------------------------------------------
// The comparison.

function ourFaan(answer) {
    if (!answer.ok) return answer.error.message
    return answer.limit ? LIMIT : answer.doubles
}

// What the package's own search finds, written as an answer to `decompose`.
function searched(hand) {
    const melds = hand.melds.map(({ tiles }) => meldOf(tiles))
    const found = new Hand({ tiles: hand.concealed.map(kind => TILES[kind]), melds }).findAllWinningPermutations()
    return distinct(found.map(winning => winning.getMelds().map(meld => meld.toString())))
}

const sorted = group => [...group].sort().join("")
const distinct = all => JSON.stringify([...new Set(all.map(groups => groups.map(sorted).sort().join(" ")))].sort())

function ourArrangements(hand, answer) {
    const melds = hand.melds.map(({ tiles }) => meldOf(tiles).toString())
    const group = tiles => [...tiles.matchAll(/(\d+)([mts])|[A-Z]/g)].flatMap(([honour, ranks, suit]) =>
        ranks ? [...ranks].map(rank => TILES[kindOf(rank + suit)]) : [TILES[kindOf(honour)]])
    return distinct(answer.arrangements.map(groups => melds.concat(groups.map(tiles => group(tiles).join("")))))
}

function main([hands, seed, program]) {
    const rng = new Random(Number(seed))
    const [tally, seen] = [{}, {}]
    const asked = Array.from({ length: Number(hands) }, () => randomHand(rng))
    const answers = ask(program, asked.map(hand => request(hand)))
    const different = asked.filter((hand, i) => packageFaan(hand) !== ourFaan(answers[i]))
    for (const { patterns } of answers) for (const { id } of patterns ?? []) seen[id] = (seen[id] ?? 0) + 1
    const changed = ask(program, different.flatMap(hand =>
        CHOICES.map(chosen => request(hand, { values: valuesOf(chosen) }))))
    const count = name => { tally[name] = (tally[name] ?? 0) + 1 }
    let unexplained = 0
    different.forEach((hand, i) => {
        const mine = changed.slice(i * CHOICES.length, (i + 1) * CHOICES.length)
        const which = CHOICES.findIndex((chosen, j) => correctedFaan(hand, chosen) === ourFaan(mine[j]))
        if (which >= 0) return CHOICES[which].forEach(({ why }) => count(why))
        unexplained++
        if (unexplained > 10) return
        console.log(JSON.stringify(request(hand)), "package", packageFaan(hand), "engine", JSON.stringify(mine[0]))
    })
    const sample = asked.filter((_, i) => i % EVERY === 0)
    const decomposed = ask(program, sample.map(hand => ({ type: "decompose", ruleset: RULESET,
        hand: text(hand.concealed), melds: hand.melds.map(({ tiles, open }) => ({ tiles: text(tiles), open })) })))
    sample.forEach((hand, i) => {
        const [theirs, ours] = [searched(hand), ourArrangements(hand, decomposed[i])]
        if (theirs === ours) return count("arrangements agree with the package's search")
        unexplained++
        console.log("arrangements of", text(hand.concealed), "package", theirs, "engine", ours)
    })
    console.log("patterns seen:")
    summary(seen)
    console.log(`${String(asked.length).padStart(9)} hands, ${different.length} with a difference`)
    summary(tally)
    console.log(`${String(unexplained).padStart(9)} unexplained`)
    process.exitCode = unexplained ? 1 : 0
}

main(process.argv.slice(2))
