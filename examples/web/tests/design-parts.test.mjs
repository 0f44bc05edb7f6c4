// The parts of the tab Design that need no browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { Engine } from "../dist/engine.js";
import { root } from "./root.mjs";

/** Imports a file of the page. */
async function part(name) {
  const result = await build({ entryPoints: [join(root, "app", name)], bundle: true, write: false, format: "esm", loader: { ".json": "json" } });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString("base64")}`);
}

const { placeAt } = await part("design/place.ts");
const { keysAt, valuesAt } = await part("design/schema.ts");
const { factsOf, joined, mean, pricesOf, share } = await part("design/estimate.ts");
const { ticks } = await part("design/plots.ts");
const { parentOf } = await part("design/diff.ts");
const { lettersOf, tilesOfAction } = await part("play/actions.ts");
const engine = await Engine.load(readFileSync(join(root, "dist", "paishan.wasm")));

test("the place of the cursor in a text", () => {
  for (const [text, place] of [
    ["rul", { in: "key", path: [], typed: "rul" }],
    ['ruleset = { id = "x", ext', { in: "key", path: ["ruleset"], typed: "ext" }],
    ['ruleset = { id = "x", extends = "uz', { in: "value", path: ["ruleset", "extends"], typed: "uz" }],
    ["[patterns.a", { in: "header", path: ["patterns"], typed: "a" }],
    ["[patterns.odd]\nval", { in: "key", path: ["patterns", "odd"], typed: "val" }],
    ['[win]\nways = ["wall", # all\n  "rep', { in: "value", path: ["win", "ways"], typed: "rep" }],
    ['a = "[b]"\n[win]\nthen = ', { in: "value", path: ["win", "then"], typed: "" }],
    ["[options.a]\ndefault = 2\nki", { in: "key", path: ["options", "a"], typed: "ki" }],
    ["options.rounds.def", { in: "key", path: ["options", "rounds"], typed: "def" }],
    ['[patterns."a.b"]\nwh', { in: "key", path: ["patterns", "a.b"], typed: "wh" }],
    ["[[examples]]\nfl", { in: "key", path: ["examples"], typed: "fl" }],
    ["# com", undefined],
    ["x = '''\n[a]\n", undefined],
    ['patterns.odd = { when = "pungs >= 1 and cl', undefined],
  ]) {
    assert.deepEqual(placeAt(text), place, text);
  }
});

test("keys and words come from the schema", () => {
  const names = path => keysAt(path).map(({ name }) => name);
  assert.ok(names([]).includes("patterns"));
  assert.ok(names(["patterns", "any-id"]).includes("when"));
  assert.ok(names(["examples"]).includes("expect"));
  assert.ok(keysAt(["win"]).every(({ doc }) => doc !== ""));
  assert.deepEqual(names(["no", "such", "table"]), []);
  assert.deepEqual(valuesAt(["win", "then"]).map(({ text }) => text), ["end", "play-on"]);
  assert.ok(valuesAt(["win", "ways"]).some(({ text }) => text === "robbed-kong"));
});

test("the parent of a text", () => {
  const known = ["woo", "uzje"];
  assert.equal(parentOf('ruleset = { id = "a", extends = "uzje" }', known), "uzje");
  assert.equal(parentOf("[ruleset]\nid = 'a'\nextends = 'woo'\n", known), "woo");
  assert.equal(parentOf('ruleset = { id = "a", extends = "none" }', known), undefined);
  assert.equal(parentOf('ruleset = { id = "woo" }', known), undefined);
});

test("parts of a play-test make the whole", () => {
  const play = (from, to) => engine.ask("simulate", { ruleset: "uzje", agents: ["greedy"], seed: 3, from, to });
  const whole = play(0, 12);
  const parts = [play(7, 12), play(0, 3), play(3, 7)].reduce((sum, one) => joined(sum, one), undefined);
  assert.deepEqual(parts, whole);
  const facts = factsOf(whole);
  assert.equal(facts.points.reduce((sum, [, count]) => sum + count, 0), facts.wins);
  assert.equal(facts.seats.length, 4);
  // What some win, others lose.
  assert.ok(Math.abs(facts.seats.reduce((sum, { value }) => sum + value, 0)) < 1e-9);
});

test("the line through prices is that of most patterns", () => {
  const pattern = (hands, price) => ({ id: "", name: `${hands}`, hands, price, share: share(hands, 1024) });
  // A price of 2 for each halving, one pattern that is far too dear, one without a price, and one that was hardly seen.
  const chosen = [[512, 2], [256, 4], [128, 6], [64, 40], [32, 10], [16, 12]].map(([hands, price]) => pattern(hands, price));
  const { points, line, doubling } = pricesOf([...chosen, pattern(100, null), pattern(0, 8), pattern(1024, 50), pattern(2, 1)]);
  assert.equal(points.length, 8);
  assert.equal(doubling, true);
  const even = pricesOf(chosen.map(one => (one.price === 40 ? { ...one, price: 20 } : one)));
  assert.equal(even.doubling, false);
  assert.ok(Math.abs(even.line.slope - 2) < 1e-9 && Math.abs(even.line.base) < 1e-9);
  assert.ok(line.slope > 0);
  assert.equal(pricesOf(chosen.slice(0, 3)).line, undefined);
  assert.deepEqual(pricesOf([]), { points: [], line: undefined, doubling: false });
});

test("intervals contain their values", () => {
  assert.deepEqual(share(0, 0), { value: 0, low: 0, high: 1 });
  const { low, high } = share(30, 100);
  assert.ok(Math.abs(low - 0.2189) < 1e-3 && Math.abs(high - 0.3958) < 1e-3);
  const one = mean(10, 30, 5);
  assert.equal(one.value, 2);
  assert.ok(Math.abs(one.high - 2 - 1.96 * Math.sqrt(2.5 / 5)) < 1e-3);
  assert.deepEqual(ticks(0, 10), [0, 5, 10]);
  assert.deepEqual(ticks(3, 3), [3]);
});

test("a ruleset does not differ from itself on the same walls", () => {
  const ask = (before, after) => engine.ask("compare", { before, after, agent: "greedy", seed: 5, from: 2, to: 5 }).pairs;
  const text = 'ruleset = { id = "same", extends = "woo" }\n';
  for (const { parted, measures } of ask({ ruleset: "woo" }, { rules: text })) {
    assert.equal(parted, null);
    assert.deepEqual(measures[0], measures[1]);
  }
  const shorter = ask({ ruleset: "woo" }, { rules: `${text}options.rounds.default = 2\n` });
  assert.deepEqual(shorter.map(({ game }) => game), [2, 3, 4]);
  for (const { parted, measures } of shorter) {
    assert.ok(measures[1].deals < measures[0].deals);
    assert.equal(parted.said[1], null);
  }
  // The measures are those of a play-test.
  const { statistics } = engine.ask("simulate", { ruleset: "woo", agents: ["greedy"], seed: 5, from: 2, to: 5 });
  const sum = name => shorter.reduce((sum, { measures }) => sum + measures[0][name], 0);
  assert.equal(sum("deals"), statistics.summary.deals);
  assert.equal(sum("self_draws"), statistics.summary.self_draws);
});

test("actions have letters and tiles", () => {
  assert.deepEqual(lettersOf(["win", "pass", "pon", "pon"], "hu"), ["w", "p", "o", "n"]);
  assert.deepEqual(lettersOf(["h", "h"], "h"), ["1", "2"]);
  assert.deepEqual(tilesOfAction("chi 39em"), ["3m", "9m", "em"]);
  assert.deepEqual(tilesOfAction("ankan EEEE"), ["E", "E", "E", "E"]);
  assert.deepEqual(tilesOfAction("missing t"), []);
  assert.deepEqual(tilesOfAction("reach"), []);
});
