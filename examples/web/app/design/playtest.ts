/** The play-test of the text in the editor: many matches of agents, with plots that grow. */
import type { App } from "../app";
import { button, el, field, fill, select } from "../dom";
import type { Choice, Simulated } from "../protocol";
import { factsOf, joined, pricesOf, type Facts } from "./estimate";
import { histogram, percent, pricePlot, seatPlot, shares } from "./plots";
import { Pool, Stopped } from "./pool";

export const AGENTS = [
  ["value", "value: aims and folds"],
  ["greedy", "greedy: ignores what hands are worth"],
  ["random", "random"],
] as const;

const SEATS = "ESWN56";

/** How many patterns are drawn. */
const PATTERNS = 16;

/** A number of matches that a form gives. */
export function numberField(value: string, most: number): HTMLInputElement {
  return el("input", { type: "number", value, min: "1", max: String(most), step: "1", required: true });
}

function plots(facts: Facts): Node[] {
  const seen = facts.patterns.filter(({ share }) => share.value > 0).sort((one, other) => other.share.value - one.share.value);
  const unseen = facts.patterns.length - seen.length;
  const seats = facts.seats.map((estimate, seat): [string, typeof estimate] => [SEATS[seat] ?? "", estimate]);
  const middle = `mean ${facts.mean.toFixed(1)}, median ${facts.median}`;
  const rows: [string, string][] = [
    ["deals", String(facts.deals)],
    ["drawn deals", percent(facts.draws.value)],
    ["won by self-draw", percent(facts.selfDraws.value)],
    ["turn of the win", facts.turn.toFixed(1)],
    ["points of a win", middle],
  ];
  const figure = (caption: string, plot: SVGSVGElement) => el("figure", {}, el("figcaption", {}, caption), plot);
  const prices = pricesOf(facts.patterns);
  const dearer = prices.points.map(({ name, price, share }) => `${name} ${price}, ${percent(share)}`).join("; ");
  const told = seats.map(([seat, { value }]) => `${seat} ${value.toFixed(2)}`).join(", ");
  return [
    el("dl", { class: "numbers" }, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    figure("Points of a win", histogram("plot-points", facts.points, `Points of a win: ${middle}`)),
    figure("Points a deal by seat; E is the dealer", seatPlot("plot-seats", seats, `Points a deal by seat: ${told}`)),
    figure(
      unseen > 0 ? `Winning hands with a pattern; ${unseen} patterns were never seen` : "Winning hands with a pattern",
      shares("plot-patterns", seen.slice(0, PATTERNS), seen.slice(0, PATTERNS).map(({ name, share }) => `${name} ${percent(share.value)}`).join(", ")),
    ),
    figure(
      prices.points.length === 0 ? "Price by rarity: no priced pattern was seen yet" : `Price in ${facts.unit} by share of winning hands, rarer to the right`,
      pricePlot("plot-prices", prices, `Price in ${facts.unit}, share of winning hands: ${dearer}`),
    ),
  ];
}

/** Runs work that a form starts and a button stops, with a bar and a message. */
export class Run {
  readonly bar = el("progress", { hidden: true, attributes: { "aria-label": "progress" } });
  readonly message = el("p", { class: "message", attributes: { role: "status" } });
  readonly start: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
  readonly pool: Pool;

  constructor(app: App, words: string, run: () => Promise<string>) {
    this.pool = new Pool(() => app.tools());
    this.start = button(words, () => void this.#run(run), { class: "main" });
    this.stop = button("Stop", () => this.pool.stop(), { hidden: true });
  }

  async #run(run: () => Promise<string>): Promise<void> {
    this.start.disabled = true;
    this.stop.hidden = this.bar.hidden = false;
    this.bar.value = 0;
    this.message.textContent = "Playing …";
    try {
      this.message.textContent = await run();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.message.textContent = error instanceof Stopped ? `Stopped. ${text}` : text;
    } finally {
      this.start.disabled = false;
      this.stop.hidden = this.bar.hidden = true;
    }
  }

  progress(played: number, games: number): void {
    this.bar.max = games;
    this.bar.value = played;
    this.message.textContent = `${played} of ${games} matches`;
  }
}

export function playtestBox(app: App, choice: () => Choice): HTMLElement {
  const agent = select(AGENTS, "value", () => {});
  const games = numberField("200", 100_000);
  const seed = numberField("1", Number.MAX_SAFE_INTEGER);
  const out = el("div", { class: "plots" });
  const run = new Run(app, "Play-test", async () => {
    if (!games.reportValidity() || !seed.reportValidity()) return "";
    const began = performance.now();
    const [wanted, first] = [games.valueAsNumber, seed.valueAsNumber];
    const members = { ...choice(), agents: [agent.value], seed: first };
    let all: Simulated | undefined;
    fill(out);
    await run.pool.run(
      wanted,
      (client, from, to, timeout) => client.ask("simulate", { ...members, from, to }, { timeout }),
      (answer, played) => {
        all = joined(all, answer);
        run.progress(played, wanted);
        fill(out, ...plots(factsOf(all)));
      },
    );
    return `${wanted} matches in ${((performance.now() - began) / 1000).toFixed(1)} s.`;
  });
  return el(
    "section",
    { class: "playtest", attributes: { "aria-labelledby": "playtest-title" } },
    el("h3", { id: "playtest-title" }, "Play-test"),
    el("div", { class: "bar" }, field("Agent", agent), field("Matches", games), field("Seed", seed), run.start, run.stop),
    run.bar,
    run.message,
    out,
  );
}
