/** A/B: two texts play the same walls. */
import type { App } from "../app";
import { button, el, field, fill, select } from "../dom";
import type { Choice, Measures, Pair } from "../protocol";
import { AGENTS, numberField, Run } from "./playtest";

/** The normal quantile of 95 % intervals. */
const Z = 1.959963984540054;

/** What is compared: one sum over matches divided by another. */
const MEASURES: [name: string, unit: string, part: (one: Measures) => number, whole: (one: Measures) => number][] = [
  ["drawn deals", "%", one => 100 * one.draws, one => one.deals],
  ["won by self-draw", "%", one => 100 * one.self_draws, one => one.wins],
  ["points of a win", "points", one => one.win_points, one => one.wins],
  ["wins of the dealer", "%", one => 100 * one.dealer_wins, one => one.wins],
  ["deals a match", "deals", one => one.deals, () => 1],
  ["decisions a deal", "decisions", one => one.decisions, one => one.deals],
  ["best result", "points", one => one.best, () => 1],
  ["worst result", "points", one => one.worst, () => 1],
  ["first dealer’s result", "points", one => one.first_dealer, () => 1],
  ["gained at the end", "points", one => one.gained, () => 1],
];

export interface Compared {
  name: string;
  unit: string;
  before: number;
  after: number;
  /** The 95 % interval of the difference. Without it there are too few matches. */
  low?: number;
  high?: number;
}

/** Ratios of sums with the interval of their difference, by matches: a match without wins says nothing about wins. */
export function compared(pairs: readonly Pair[]): Compared[] {
  const count = pairs.length;
  return MEASURES.map(([name, unit, part, whole]) => {
    const sum = (of: (one: Measures) => number, which: 0 | 1) => pairs.reduce((sum, pair) => sum + of(pair.measures[which]), 0);
    const ratio = (which: 0 | 1) => (sum(whole, which) > 0 ? sum(part, which) / sum(whole, which) : 0);
    const [before, after] = [ratio(0), ratio(1)];
    const rest = (pair: Pair, which: 0 | 1, ratio: number, mean: number) =>
      mean > 0 ? (part(pair.measures[which]) - ratio * whole(pair.measures[which])) / mean : 0;
    const [first, second] = [sum(whole, 0) / count, sum(whole, 1) / count];
    const squares = pairs.reduce((sum, pair) => sum + (rest(pair, 1, after, second) - rest(pair, 0, before, first)) ** 2, 0);
    if (count < 2) return { name, unit, before, after };
    const half = Z * Math.sqrt(squares / (count - 1) / count);
    return { name, unit, before, after, low: after - before - half, high: after - before + half };
  });
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

function table(rows: readonly Compared[]): HTMLElement {
  const head = ["", "A", "B", "B − A (95 %)"].map(word => el("th", { scope: "col" }, word));
  const body = rows.map(({ name, unit, before, after, low, high }) => {
    const differs = low !== undefined && high !== undefined && (low > 0 || high < 0);
    const interval = low === undefined || high === undefined ? "too few matches" : `${signed(low)} to ${signed(high)}`;
    return el(
      "tr",
      { class: differs ? "differs" : "" },
      el("th", { scope: "row" }, `${name} (${unit})`),
      ...[before.toFixed(2), after.toFixed(2)].map(text => el("td", { class: "number" }, text)),
      el("td", { class: "number" }, signed(after - before), el("br"), el("small", {}, interval)),
    );
  });
  return el("div", { class: "wide", tabIndex: 0, attributes: { role: "group", "aria-label": "comparison" } }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body)));
}

function partings(pairs: readonly Pair[]): HTMLElement {
  const parted = pairs.filter(({ parted }) => parted !== null).sort((one, other) => one.parted!.decision - other.parted!.decision || one.game - other.game);
  const items = parted.slice(0, 3).map(({ game, parted }) => {
    const [before, after] = parted!.said.map(said => said ?? "the match is over");
    return el("li", {}, `match ${game}, decision ${parted!.decision}: ${before} → ${after}`);
  });
  return el("div", {}, el("p", {}, `${parted.length} of ${pairs.length} matches were played otherwise.`), el("ul", {}, ...items));
}

export interface Versus {
  element: HTMLElement;
  /** Puts a text in the place of A. */
  set(text: string): void;
}

/** `text` gives B, the text in the editor; `kept` is told of A. */
export function versusBox(app: App, text: () => string, first: string, kept: (text: string) => void): Versus {
  const other = el("textarea", { value: first, rows: 6, spellcheck: false, oninput: () => kept(other.value) });
  const agent = select(AGENTS, "greedy", () => {});
  const games = numberField("100", 20_000);
  const seed = numberField("1", Number.MAX_SAFE_INTEGER);
  const out = el("div", {});
  const set = (text: string) => {
    other.value = text;
    kept(text);
  };
  const run = new Run(app, "Compare", async () => {
    if (!games.reportValidity() || !seed.reportValidity()) return "";
    const [wanted, start] = [games.valueAsNumber, seed.valueAsNumber];
    const [before, after]: Choice[] = [{ rules: other.value }, { rules: text() }];
    const pairs: Pair[] = [];
    fill(out);
    await run.pool.run(
      wanted,
      (client, from, to, timeout) => client.ask("compare", { before: before!, after: after!, agent: agent.value, seed: start, from, to }, { timeout }),
      (answer, played) => {
        pairs.push(...answer.pairs);
        run.progress(played, wanted);
        fill(out, table(compared(pairs)));
      },
    );
    pairs.sort((one, other) => one.game - other.game);
    fill(out, table(compared(pairs)), partings(pairs));
    return `${wanted} matches on the same walls.`;
  });
  const element = el(
    "section",
    { class: "versus", attributes: { "aria-labelledby": "versus-title" } },
    el("h3", { id: "versus-title" }, "A/B"),
    el("p", {}, "A is the text below, B the text in the editor. Both play the same walls."),
    field("Text A", other),
    button("Take the text of the editor as A", () => set(text())),
    el("div", { class: "bar" }, field("Agent", agent), field("Matches", games), field("Seed", seed), run.start, run.stop),
    run.bar,
    run.message,
    out,
  );
  return { element, set };
}
