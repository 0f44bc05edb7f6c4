// What people do first, as runs of the engine: they open the page, score hands, and play. `build.mjs` counts which functions
// these runs call.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const TABLE = { table: "visit" };

/** The ruleset that the page shows first, and a hand that wins with a drawn tile and off a discard. */
const FIRST = { ruleset: "riichi-mcgill", round: "E", player: { seat: "S", hand: "234t456s3467899m" } };
const WINS = [
  { tile: "5m", by: "wall", flags: [] },
  { tile: "5m", by: "discard", from: "W", flags: ["riichi"] },
];

/** Scores of the golden requests, by ruleset. */
function scoresOf(cases) {
  const scores = new Map();
  for (const name of readdirSync(cases).sort()) {
    for (const line of readFileSync(join(cases, name), "utf8").split("\n").filter(Boolean)) {
      const { request, answer } = JSON.parse(line);
      if (request.type !== "score" || request.ruleset === undefined || answer?.ok === false) continue;
      const { id, type, ...members } = request;
      scores.set(request.ruleset, [...(scores.get(request.ruleset) ?? []), members]);
    }
  }
  return scores;
}

/** Asks, and lets a refusal be. */
function tried(engine, type, members) {
  const answer = JSON.parse(engine.answer(JSON.stringify({ type, ...members })));
  return answer.ok ? answer : undefined;
}

function score(engine, members) {
  const { ruleset, options, ...score } = members;
  tried(engine, "score", { ...members, explain: true, lang: "en" });
  tried(engine, "payments", { ruleset, options: options ?? {}, score, losers: {} });
}

/** A person takes the first decisions of a match against bots, most of them after a hint. */
function play(engine, ruleset, players) {
  let standing = engine.ask("new", { ...TABLE, ruleset, seats: ["human", ...Array(players - 1).fill("greedy")], seed: 5, lang: "en" });
  for (let count = 0; count < 60 && standing.waiting.length > 0; count++) {
    const of = { ...TABLE, player: 0, lang: "en" };
    engine.ask("view", of);
    engine.ask("log", { ...TABLE, from: 0 });
    if (count % 8 === 0) standing = engine.ask("default", of);
    else standing = engine.ask("act", { ...of, action: engine.ask("hint", { ...of, agent: "greedy" }).action });
  }
  engine.ask("save", TABLE);
  engine.ask("close", TABLE);
}

/** A match of bots. Some matches never end if nobody plays to win. */
function match(engine, ruleset, players, agent) {
  if (tried(engine, "new", { ...TABLE, ruleset, seats: Array(players).fill(agent), seed: 7 }) === undefined) return;
  engine.ask("log", TABLE);
  engine.ask("close", TABLE);
}

/** Runs of an engine: the start of the page with a first score, then people and bots, a run for each ruleset. `cases` is the folder of golden requests. */
export function visits(rulesets, cases) {
  const scores = scoresOf(cases);
  const start = engine => {
    engine.ask("rulesets", {});
    engine.ask("tiles", {});
    engine.ask("about", { ruleset: FIRST.ruleset, lang: "en" });
    for (const win of WINS) score(engine, { ...FIRST, win });
  };
  const people = rulesets.map(({ id, players }) => engine => {
    engine.ask("about", { ruleset: id, lang: "en" });
    for (const members of scores.get(id) ?? []) score(engine, members);
    play(engine, id, players);
  });
  const bots = rulesets.map(({ id, players }) => engine => {
    for (const agent of ["random", "greedy"]) match(engine, id, players, agent);
  });
  return { start, people, bots };
}
