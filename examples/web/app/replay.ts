/** Replay: logs of matches, step by step. */
import { namer, type App, type Tab } from "./app";
import { button, el, field, fill, markup, select, tiles } from "./dom";
import { Refused, type Decision, type Frame, type Replayed } from "./protocol";

const AGENTS = ["value", "greedy", "search", "first"] as const;

/** How long reading a log and asking an agent may take, in milliseconds. */
const PATIENCE = 60_000;

/** The text of a file, unpacked if it is packed with gzip. */
async function textOf(file: Blob): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] !== 0x1f || start[1] !== 0x8b) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/** The log in an address of Tenhou's viewer, or the text as it is. */
function logOf(text: string): string {
  const json = /^https?:\/\/[^\s#]*#json=(.+?)(?:&ts=\d+)?$/.exec(text.trim())?.[1];
  if (json === undefined) return text;
  try {
    return decodeURIComponent(json);
  } catch {
    return text;
  }
}

/** A replayed match, with the controls to go through it. */
class Viewer {
  readonly element: HTMLElement;
  readonly #ask: (decision: number, agent: string) => Promise<HTMLElement>;
  readonly #log: Replayed;
  readonly #deals: number[];
  readonly #wins: number[];
  readonly #table = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  readonly #hand = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  readonly #told = el("p", { class: "told", attributes: { "aria-live": "polite" } });
  readonly #explained = el("div", { class: "explained" });
  readonly #advice = el("div", { class: "advice" });
  readonly #slider: HTMLInputElement;
  readonly #deal: HTMLSelectElement;
  readonly #hands: HTMLSelectElement;
  readonly #agent: HTMLSelectElement;
  #place = 0;
  #asked = 0;

  constructor(log: Replayed, ask: (decision: number, agent: string) => Promise<HTMLElement>) {
    this.#log = log;
    this.#ask = ask;
    const { frames } = log;
    const places = (test: (frame: Frame) => boolean) => frames.flatMap((frame, place) => (test(frame) ? [place] : []));
    this.#deals = places(frame => frame.deal !== null);
    this.#wins = places(frame => frame.is_win);
    const names = Array.from({ length: log.players }, (_, player) => log.names[player] || `Player ${player + 1}`);
    this.#slider = el("input", { type: "range", min: "0", max: String(Math.max(frames.length - 1, 0)), value: "0", oninput: () => this.show(Number(this.#slider.value)), attributes: { "aria-label": "Step" } });
    this.#deal = select(this.#deals.map(at => [String(at), frames[at]!.deal!] as const), "0", at => this.show(Number(at)));
    this.#hands = select([["all", "all hands"], ["none", "no hand"], ...names.map((name, player) => [String(player), `hand of ${name}`] as const)], "all", () => this.show(this.#place));
    this.#agent = select(AGENTS.map(name => [name, name] as const), "value", () => this.show(this.#place));
    this.#table.setAttribute("viewBox", log.view_box);
    this.#table.setAttribute("role", "img");
    this.#table.setAttribute("aria-label", "The table");
    this.#table.setAttribute("class", "table");
    this.#hand.setAttribute("viewBox", log.hand_box);
    this.#hand.setAttribute("aria-hidden", "true");
    this.#hand.setAttribute("class", "own-hand");
    const step = (text: string, label: string, place: () => number) => button(text, () => this.show(place()), { title: label, attributes: { "aria-label": label } });
    this.element = el(
      "div",
      { class: "viewer", onkeydown: event => this.#key(event) },
      el(
        "div",
        { class: "bar steps" },
        step("«", "Deal back (Page Up)", () => this.#before(this.#deals)),
        step("◀", "Step back (←)", () => this.#place - 1),
        step("▶", "Step on (→)", () => this.#place + 1),
        step("»", "Next deal (Page Down)", () => this.#after(this.#deals)),
        step("★ win", "Next win (w)", () => this.#after(this.#wins)),
        this.#slider,
      ),
      el("div", { class: "bar choices" }, field("Deal", this.#deal), field("Show", this.#hands), field("Ask the agent", this.#agent)),
      this.#told,
      el("div", { class: "board" }, el("div", {}, this.#table, this.#hand), el("div", { class: "beside", tabIndex: 0, attributes: { role: "region", "aria-label": "Explanations and advice" } }, this.#explained, this.#advice)),
    );
    this.show(0);
  }

  #before(list: number[]): number {
    return list.filter(at => at < this.#place).pop() ?? 0;
  }

  #after(list: number[]): number {
    return list.find(at => at > this.#place) ?? this.#place;
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.tagName === "SELECT" || target === this.#slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const places: Record<string, () => number> = {
      ArrowLeft: () => this.#place - 1,
      ArrowRight: () => this.#place + 1,
      PageUp: () => this.#before(this.#deals),
      PageDown: () => this.#after(this.#deals),
      w: () => this.#after(this.#wins),
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    this.show(place());
  }

  /** Shows a step. */
  show(place: number): void {
    const { frames, fragments, explanations } = this.#log;
    this.#place = Math.min(Math.max(place, 0), frames.length - 1);
    const frame = frames[this.#place];
    if (frame === undefined) return;
    const hands = this.#hands.value;
    const sees = (player: number) => hands === "all" || hands === String(player);
    // Parts of a player are five in a row, after the middle. Player 1 is at the bottom.
    const drawn = frame.parts.map((fragment, part) => {
      const text = fragments[fragment]!;
      return part === 0 || sees(Math.floor((part - 1) / 5)) ? text : text.replace(/#t-[^"]+" class="own"/g, '#t-back" class="own"');
    });
    const parsed = (text: string) => markup(`<svg>${text}</svg>`).firstElementChild!.childNodes;
    this.#table.replaceChildren(...parsed(drawn.join("")));
    this.#hand.replaceChildren(...parsed(drawn[3] ?? ""));
    this.#told.textContent = frame.public === null || sees(frame.public[1]) ? frame.told : frame.public[0];
    fill(this.#explained, frame.explained === null ? null : markup(explanations[frame.explained]!));
    this.#slider.value = String(this.#place);
    this.#slider.setAttribute("aria-valuetext", `step ${this.#place + 1} of ${frames.length}`);
    this.#deal.value = String(this.#deals.filter(at => at <= this.#place).pop() ?? 0);
    void this.#advise(sees);
  }

  async #advise(sees: (player: number) => boolean): Promise<void> {
    const asked = ++this.#asked;
    const here = this.#log.decisions
      .map((decision, number) => [decision, number] as const)
      .filter(([{ frame, player, action }]) => frame === this.#place && sees(player) && action !== "none");
    fill(this.#advice);
    const parts: HTMLElement[] = [];
    for (const [decision, number] of here) {
      // A reader who steps on is not served any more.
      await new Promise(resolve => setTimeout(resolve, 120));
      if (asked !== this.#asked) return;
      try {
        parts.push(await this.#toldOf(decision, number));
      } catch (error) {
        parts.push(el("p", { class: "fault" }, (error as Error).message));
      }
      if (asked !== this.#asked) return;
      fill(this.#advice, ...parts);
    }
  }

  async #toldOf(decision: Decision, number: number): Promise<HTMLElement> {
    const name = this.#log.names[decision.player] || `Player ${decision.player + 1}`;
    return el("div", { class: "card" }, el("h3", {}, `${name} decides`), el("p", {}, `Played: ${decision.words}`), await this.#ask(number, this.#agent.value));
  }
}

/** Opens a log of another tab, once the tab is there. */
let openLog: ((log: NonNullable<App["log"]>) => void) | undefined;

export const replay: Tab = {
  id: "replay",
  title: "Replay",
  shown(app) {
    const { log } = app;
    app.log = undefined;
    if (log !== undefined) openLog?.(log);
  },
  mount(panel, app: App) {
    const worker = app.tools();
    const place = el("div", {});
    const status = el("p", { class: "loading", attributes: { role: "status" } });
    const text = el("textarea", { spellcheck: false, attributes: { "aria-label": "The text of a log" }, placeholder: "Paste a log, or an address of Tenhou’s viewer with #json=…" });
    const file = el("input", {
      type: "file",
      accept: ".jsonl,.mjson,.json,.mjlog,.xml,.gz,.txt,.log",
      onchange: async () => {
        const chosen = file.files?.[0];
        if (chosen !== undefined) await open(await textOf(chosen));
      },
    });
    const rulesets = [["", "what the log says"], ...app.rulesets.map(({ id, name }) => [id, name] as const)] as const;
    const ruleset = select(rulesets, "", () => {});
    const entry = el(
      "details",
      { open: true, class: "card" },
      el("summary", {}, "Open a log"),
      el("p", { class: "hint" }, "Logs of paishan, mjai, and Tenhou’s (mjlog, tenhou.net/6). They stay on this device."),
      field("A file", file),
      field("Or its text", text),
      el(
        "div",
        { class: "bar" },
        field("Rules", ruleset, "For logs that do not name theirs."),
        button("Open", () => void open(text.value), { class: "main" }),
      ),
    );
    fill(panel, el("h2", {}, "Replay a match"), entry, status, place);

    openLog = ({ text, rules }) => void open(text, 0, rules);

    async function open(log: string, game = 0, own?: string): Promise<void> {
      status.className = "loading";
      status.textContent = "The match is played again …";
      fill(place);
      const rules = own !== undefined ? { rules: own } : ruleset.value === "" ? {} : { ruleset: ruleset.value };
      try {
        const replayed = await worker.ask("replay", { text: logOf(log), game, lang: app.lang, ...rules }, { timeout: PATIENCE });
        const about = await app.about(own === undefined ? { ruleset: replayed.ruleset } : { rules: own }).catch(() => undefined);
        const name = about === undefined ? (tile: string) => tile : namer(about);
        const advice = async (decision: number, agent: string) => {
          const { words, weighed, taken } = await worker.ask("advice", { decision, agent }, { timeout: PATIENCE });
          const rows = weighed.slice(0, 6).map(one =>
            el(
              "tr",
              {},
              el("td", {}, one.words),
              el("td", {}, one.goals[0] === undefined ? "" : tiles(one.goals[0].accepts, name)),
              el("td", { class: "number" }, one.worth === null ? "" : one.worth.toFixed(1)),
            ),
          );
          const heads = ["action", "then waits for", "worth"];
          return el(
            "div",
            {},
            el("p", { class: words === taken ? "good" : "" }, `${agent} would: ${words}`),
            rows.length > 0 && el("details", {}, el("summary", {}, "What it weighed"), el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map(head => el("th", {}, head)))), el("tbody", {}, ...rows)))),
          );
        };
        const viewer = new Viewer(replayed, advice);
        const games = Array.from({ length: replayed.games }, (_, number) => [String(number), `Match ${number + 1} of ${replayed.games}`] as const);
        entry.open = false;
        status.textContent = "";
        fill(
          place,
          el("h3", {}, replayed.name),
          replayed.games > 1 && field("Match", select(games, String(game), number => void open(log, Number(number), own))),
          viewer.element,
        );
        app.announce(`The match has ${replayed.frames.length} steps.`);
      } catch (error) {
        const line = error instanceof Refused && error.fault.line !== undefined ? `Line ${error.fault.line}: ` : "";
        status.className = "fault";
        status.textContent = line + (error as Error).message;
      }
    }
  },
};
