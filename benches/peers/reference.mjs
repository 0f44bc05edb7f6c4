// What the comparisons with npm packages have in common: random numbers, tiles and the program `paishan`.

import { spawnSync } from "node:child_process"

// A generator of reproducible random numbers (mulberry32).
export class Random {
    constructor(seed) {
        this.state = seed >>> 0
    }

    // A number from 0 to 1, 1 excluded.
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0
        let t = this.state
        t = Math.imul(t ^ (t >>> 15), t | 1)
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296
    }

    below(n) {
        return Math.floor(this.next() * n)
    }

    chance(share) {
        return this.next() < share
    }

    pick(list) {
        return list[this.below(list.length)]
    }
}

// The 34 kinds: 0 to 8 are `m1` to `m9`, then `t` and `s`, then E S W N and P F C (white, green, red).
export const KINDS = [..."mts"].flatMap(suit => [..."123456789"].map(rank => rank + suit)).concat([..."ESWNPFC"])
const NUMBER = new Map(KINDS.map((kind, number) => [kind, number]))

export const text = tiles => tiles.map(kind => KINDS[kind]).join("")

// The kind that a tile of an answer is.
export const kindOf = tile => NUMBER.get(tile)

export const isHonour = kind => kind >= 27
export const isOrphan = kind => kind >= 27 || kind % 9 === 0 || kind % 9 === 8

export function count(tiles) {
    const counts = new Array(34).fill(0)
    for (const kind of tiles) counts[kind]++
    return counts
}

// A chow, pung or kong whose tiles are all in `theme`, a list of kinds.
export function randomGroup(rng, theme, kongs = 0) {
    for (;;) {
        const kind = rng.pick(theme)
        if (rng.chance(0.4)) return new Array(rng.chance(kongs) ? 4 : 3).fill(kind)
        if (!isHonour(kind) && kind % 9 < 7 && theme.includes(kind + 1) && theme.includes(kind + 2)) {
            return [kind, kind + 1, kind + 2]
        }
    }
}

// Kinds from which a hand is made: all of them, one suit, one suit and honours, simples, orphans …
export function themes(rng) {
    const all = KINDS.map((_, kind) => kind)
    const suit = rng.below(3)
    return [all, all.filter(kind => Math.floor(kind / 9) === suit),
        all.filter(kind => Math.floor(kind / 9) === suit || isHonour(kind)),
        all.filter(kind => !isOrphan(kind)), all.filter(isOrphan), all.filter(isHonour)]
}

// The answers of `paishan jsonl`.
export function ask(program, requests) {
    const input = requests.map(request => JSON.stringify(request) + "\n").join("")
    const run = spawnSync(program, ["jsonl"], { input, maxBuffer: 2 ** 30, encoding: "utf8" })
    if (run.status !== 0) throw new Error(`${program} ended with ${run.status ?? run.error}`)
    return run.stdout.trimEnd().split("\n").map(line => JSON.parse(line))
}

// Prints how often something was counted, the names in order.
export function summary(tally) {
    for (const name of Object.keys(tally).sort()) console.log(`${String(tally[name]).padStart(9)} ${name}`)
}
