// The module in Node: it answers as the native program does, byte for byte.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { goldenRequests, loadEngine, loadParts, matchRequests, nativeAnswers } from "./native.mjs";
import { root } from "./root.mjs";

const engine = await loadEngine();
const parts = await loadParts();
const { rulesets } = engine.ask("rulesets", {});

/** Compares lines one by one, so that a difference is short. */
function assertSameAnswers(lines) {
  const { answers } = nativeAnswers(lines);
  assert.equal(answers.length, lines.length);
  for (const one of [engine, parts]) lines.forEach((line, place) => assert.equal(one.answer(line), answers[place], line));
}

test("golden requests have the same answers as natively", () => {
  const lines = goldenRequests();
  assert.ok(lines.length > 700);
  assertSameAnswers(lines);
});

test("whole matches of the same seed have the same logs as natively", () => {
  const greedy = rulesets.flatMap(({ id, players }) => matchRequests(id, players, "greedy", 7));
  const value = ["uzje", "riichi-mcgill", "sichuan"].flatMap(id => matchRequests(id, 4, "value", 8));
  assertSameAnswers([...greedy, ...value]);
});

test("requests of the page have the same answers as natively", () => {
  const mjlog = readFileSync(join(root, "..", "..", "tests", "records", "small.mjlog"), "utf8");
  const requests = [
    { type: "rulesets", lang: "zh" },
    { type: "tiles" },
    ...rulesets.map(({ id }) => ({ type: "about", ruleset: id, lang: "ja" })),
    { type: "rulebook", ruleset: "two-player" },
    { type: "text", ruleset: "chinese" },
    { type: "ledger", text: "ruleset zung-jung\nplayers Anna, Bo, Chen, Dee\n\n3 won off 2, 40 points\n" },
    { type: "ledger", text: "ruleset woo\nplayers A, B, C, D\n7 won, 2 points\n" },
    { type: "lint", rules: "ruleset = { id = \"my\", extends = \"uzje\" }\npatterns.odd = { fan = 1.0, when = \"winning-tile is 5t\" }\n" },
    { type: "lint", rules: "ruleset = { id = \"my\", extends = \"uzje\" }\npatterns.odd = { valu = 1.0 }\n", quick: true },
    { type: "differences", before: { ruleset: "riichi-ema" }, after: { ruleset: "riichi-wrc" } },
    { type: "simulate", ruleset: "woo", agents: ["greedy"], seed: 3, from: 0, to: 5 },
    { type: "replay", text: mjlog },
    { type: "advice", decision: 3, agent: "value" },
    { type: "advice", decision: 100_000, agent: "value" },
  ];
  assertSameAnswers(requests.map(request => JSON.stringify(request)));
});

test("the first part scores alone and asks for the rest once", async () => {
  let asked = 0;
  const parts = await loadParts(() => asked++);
  parts.ask("rulesets", {});
  parts.ask("about", { ruleset: "riichi-mcgill", lang: "en" });
  const score = { round: "E", player: { seat: "S", hand: "234t456s3467899m" }, win: { tile: "5m", by: "discard", flags: ["riichi"] } };
  assert.equal(parts.ask("score", { ruleset: "riichi-mcgill", ...score, explain: true }).points, 2000);
  assert.equal(asked, 0);
  parts.ask("rulebook", { ruleset: "woo" });
  parts.ask("rulebook", { ruleset: "uzje" });
  assert.equal(asked, 1);
});

test("invalid lines have answers", () => {
  for (const [line, code] of [
    ["", "bad-json"],
    ["{", "bad-json"],
    ["[]", "bad-request"],
    ['{"type": "about"}', "bad-request"],
    ['{"type": "about", "ruleset": "none"}', "unknown-ruleset"],
    ['{"type": "about", "ruleset": "woo", "more": 1}', "bad-request"],
    ['{"type": "replay", "text": "none"}', "bad-log"],
    ['{"type": "replay", "text": "<mjloggm><INIT seed=\\"x\\"/></mjloggm>"}', "bad-log"],
    ['{"type": "advice", "decision": 0, "agent": "nobody"}', "bad-request"],
  ]) {
    const answer = JSON.parse(engine.answer(line));
    assert.equal(answer.ok, false, line);
    assert.equal(answer.error.code, code, line);
  }
});

test("faults of a ruleset have places", () => {
  const rules = "ruleset = { id = \"my\", extends = \"uzje\" }\n\npatterns.odd = { valu = 1.0 }\n";
  assert.throws(() => engine.ask("lint", { rules }), ({ fault }) => {
    assert.equal(fault.places[0].line, 3);
    return true;
  });
});

test("parts of a play-test add up to the whole", () => {
  const request = { ruleset: "woo", agents: ["greedy"], seed: 3 };
  const games = (from, to) => engine.ask("simulate", { ...request, from, to }).statistics.summary;
  const [whole, one, other] = [games(0, 6), games(0, 2), games(2, 6)];
  assert.equal(whole.matches, 6);
  assert.deepEqual(whole.wins, one.wins.map((wins, place) => wins + other.wins[place]));
});

test("payments follow from the winning hand alone", () => {
  const score = { round: "E", player: { seat: "E", hand: "234t456s3467899m" }, win: { tile: "5m", by: "discard", from: "W", flags: ["riichi"] } };
  const { deltas } = engine.ask("payments", { ruleset: "riichi-mcgill", score });
  // 2 han 30 fu without indicators: riichi and pinfu, from the dealer.
  assert.deepEqual(deltas, [2900, 0, -2900, 0]);
});

test("the nearest better hand is worth more, and its changes are told", () => {
  const score = { round: "E", player: { seat: "S", hand: "234t456s34m678m99s" }, win: { tile: "5m", by: "discard", from: "E", flags: [] } };
  const own = engine.ask("score", { ruleset: "riichi-tenhou", ...score });
  const better = engine.ask("better", { ruleset: "riichi-tenhou", score });
  assert.equal(own.points, 1000);
  assert.ok(better.points > own.points && better.changes.length === 1);
  assert.equal(engine.ask("score", { ruleset: "riichi-tenhou", ...better.score }).points, better.points);
});
