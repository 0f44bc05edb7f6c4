/** The match on the screen: whose turn it is, what they see, and what they decide. */

import { Stopped } from "../client";
import { download } from "../files";
import { el } from "../dom";
import { choicesOf, isOffer, SEATS, spoken, tapWords } from "./actions";
import { Clock, type ClockSetting } from "./clock";
import { controls, type Controls } from "./hand";
import { hintBox, hintWords } from "./hints";
import { ledger, sentence, type Names } from "./news";
import { dealResult, ledgerTable, summary } from "./result";
import type { Session } from "./session";
import { keepMatch, keepSettings, type Settings } from "./store";
import { middle, others, seatBox, type Company } from "./table";
import type { Legal, TileNames, View } from "./types";

/** How many sentences of the news are shown. */
const NEWS = 60;

export interface Surroundings {
  tileNames: TileNames;
  wind: (seat: string) => string;
  suit: (suit: string) => string;
  /** Opens a log in the tab Replay. */
  replay: (log: string) => void;
  /** Ends the match and shows the form. */
  leave: () => void;
}

const ADVISERS = ["value", "greedy", "search"];
const CLOCKS: [ClockSetting, string][] = [
  ["auto", "for pointers only"],
  ["off", "none"],
  ["10", "10 seconds"],
  ["20", "20 seconds"],
  ["40", "40 seconds"],
];

export class Game {
  readonly element: HTMLElement;
  private readonly board = el("div", { class: "play-table", tabIndex: -1, attributes: { role: "group", "aria-label": "table" } });
  private readonly live = el("p", { class: "unseen", attributes: { role: "status", "aria-live": "polite" } });
  private readonly message = el("p", { class: "message" });
  private readonly side = el("div", { class: "side" });
  private readonly news = el("ol", { class: "news", tabIndex: 0, attributes: { "aria-label": "what happened" } });
  private readonly totals = el("div", {});
  private readonly clock = new Clock();
  private controls: Controls | undefined;
  /** The player who looks at the screen. Nobody while the curtain is closed. */
  private me: number | undefined;
  private view: View | undefined;
  /** For each player the lines of the log and the discards that were shown already. */
  private readonly heard = new Map<number, { lines: number; discards: number }>();
  private busy = false;
  /** Counts what was put on the table. */
  private number = 0;

  constructor(
    private readonly session: Session,
    private readonly around: Surroundings,
    private readonly settings: Settings,
  ) {
    const tools = this.tools();
    this.side.append(this.message, tools, el("h3", {}, "Ledger"), this.totals, el("h3", {}, "What happened"), this.news);
    this.element = el("div", { class: "game" }, this.live, this.board, this.side);
    this.element.addEventListener("keydown", event => this.press(event));
    if (this.session.people.length === 1) this.me = this.session.people[0];
  }

  private name(player: number): string {
    return this.session.names[player] ?? "";
  }

  private get names(): Names {
    const player = (one: number, dealer?: number) => `${this.name(one)} (${this.session.seat(one, dealer)})`;
    return { player, tile: this.around.tileNames, suit: this.around.suit };
  }

  private get people() {
    return { name: (player: number) => this.name(player), tile: this.around.tileNames };
  }

  private tools(): HTMLElement {
    const button = (words: string, key: string, run: () => void) => {
      const made = el("button", { type: "button" }, words, ...(key === "" ? [] : [el("kbd", { attributes: { "aria-hidden": "true", "data-key": key } })]));
      if (key !== "") made.setAttribute("aria-keyshortcuts", key);
      made.addEventListener("click", run);
      return made;
    };
    const choice = (label: string, values: [string, string][], value: string, set: (value: string) => void) => {
      const select = el("select", {}, ...values.map(([one, words]) => el("option", { value: one }, words)));
      select.value = value;
      select.addEventListener("change", () => {
        set(select.value);
        keepSettings(this.settings);
      });
      return el("label", {}, `${label} `, select);
    };
    return el(
      "div",
      { class: "tools" },
      button("Hint", "h", () => void this.hint()),
      button("Undo", "u", () => void this.undo()),
      button("Save log", "", () => void this.session.log().then(log => download("match.jsonl", log))),
      button("Replay", "", () => void this.session.log().then(log => this.around.replay(log))),
      button("New match", "", () => this.close(true)),
      choice("Adviser", ADVISERS.map(name => [name, name]), this.settings.adviser, value => (this.settings.adviser = value)),
      choice("Clock for claims", CLOCKS, this.settings.clock, value => (this.settings.clock = value as ClockSetting)),
    );
  }

  /** Stops the clock. With `leave` the form follows. */
  close(leave: boolean): void {
    this.clock.stop();
    if (leave) this.around.leave();
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, select, textarea, dialog") !== null) return;
    const key = event.key.toLowerCase();
    if (key === "h") void this.hint();
    else if (key === "u") void this.undo();
    else if (!this.board.contains(target) || this.controls?.press(event.key) !== true) return;
    event.preventDefault();
  }

  /** Puts something else on the table. */
  private put(...content: Node[]): void {
    this.board.dataset["decision"] = String(++this.number);
    this.board.replaceChildren(...content);
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.live.textContent = text;
  }

  /** Runs one request at a time. Errors are shown. */
  private async once(run: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.board.dataset["busy"] = "true";
    this.clock.stop();
    try {
      await run();
    } catch (error) {
      if (error instanceof Stopped) {
        // The table is gone with its worker.
        await this.session.restore();
        await this.look();
      }
      this.say(error instanceof Error ? error.message : String(error));
    } finally {
      this.busy = false;
      this.board.dataset["busy"] = "false";
    }
  }

  /** Shows the match as it stands now. */
  async show(): Promise<void> {
    await this.once(() => this.look());
  }

  private async decide(run: (player: number) => Promise<void>): Promise<void> {
    const me = this.me;
    if (me === undefined) return;
    await this.once(async () => {
      this.note(me);
      await run(me);
      keepMatch(await this.session.keep());
      if ((this.session.standing.ended ?? []).length > 0) await this.ended();
      else await this.look();
    });
  }

  private act(action: Legal): void {
    void this.decide(player => this.session.act(player, action.action));
  }

  private async undo(): Promise<void> {
    await this.once(async () => {
      await this.session.undo();
      keepMatch(await this.session.keep());
      this.heard.clear();
      if (this.session.people.length > 1) this.me = undefined;
      await this.look();
      this.say("The last decision is taken back.");
    });
  }

  private async hint(): Promise<void> {
    const me = this.me;
    if (me === undefined || this.controls === undefined) return;
    await this.once(async () => {
      const agent = this.settings.adviser;
      this.say(`${agent} thinks …`);
      const hint = await this.session.hint(me, agent);
      this.board.querySelector(".hint-box")?.remove();
      this.controls?.element.after(hintBox(hint, agent, this.around.tileNames, this.around.suit));
      this.controls?.point(hint.action);
      this.say(hintWords(hint, agent, this.around.tileNames));
    });
  }

  /** Notes what a player has seen before a decision. */
  private note(player: number): void {
    const before = this.heard.get(player);
    this.heard.set(player, { lines: before?.lines ?? 0, discards: this.view?.discards.length ?? 0 });
  }

  private showTotals(): void {
    const { scores, standing, lines } = this.session;
    this.totals.replaceChildren(ledgerTable(ledger(lines, this.names), scores, standing.results, this.people));
  }

  /** Shows the results of deals that ended, until somebody goes on. */
  private async ended(): Promise<void> {
    const deals = this.session.standing.ended ?? [];
    this.showTotals();
    this.heard.clear();
    if (this.session.people.length > 1) this.me = undefined;
    const on = el("button", { type: "button", class: "main" }, this.session.standing.over ? "The match is over" : "Next deal");
    on.addEventListener("click", () => void this.show());
    this.controls = undefined;
    this.put(...deals.map(deal => dealResult(deal, this.people)), on);
    this.say(deals.map(deal => summary(deal, this.people)).join(" "));
    on.focus({ preventScroll: true });
    this.board.scrollIntoView({ block: "start" });
  }

  private over(): void {
    const results = this.session.standing.results ?? this.session.scores;
    const ranked = results.map((points, player) => ({ player, points })).sort((one, other) => other.points - one.points);
    const list = ranked.map(({ player, points }) => el("li", {}, `${this.name(player)}: `, el("b", {}, String(points))));
    const again = el("button", { type: "button", class: "main" }, "New match");
    again.addEventListener("click", () => this.close(true));
    this.controls = undefined;
    this.put(el("section", { class: "result" }, el("h3", {}, "The match is over"), el("ol", {}, ...list)), again);
    this.showTotals();
    again.focus();
  }

  private curtain(player: number): void {
    this.me = undefined;
    this.controls = undefined;
    const open = el("button", { type: "button", class: "main" }, `I am ${this.name(player)}`);
    open.addEventListener("click", () => {
      this.me = player;
      void this.show();
    });
    this.news.replaceChildren();
    const seat = this.around.wind(this.session.seat(player));
    this.put(
      el("section", { class: "curtain" }, el("p", {}, `Pass the device to ${this.name(player)} (${seat}). Others look away.`), open),
    );
    this.say(`${this.name(player)}, ${seat}, decides.`);
    open.focus();
  }

  private async look(): Promise<void> {
    const { standing } = this.session;
    if (standing.over) return this.over();
    const waiting = standing.waiting.map(one => one.player);
    const next = this.me !== undefined && waiting.includes(this.me) ? this.me : waiting[0];
    if (next === undefined) return;
    if (next !== this.me) return this.curtain(next);
    const view = await this.session.view(next);
    this.view = view;
    await this.tell(next, view);
    this.draw(next, view);
    this.showTotals();
  }

  /** Says what happened since the player decided last, and what may be decided now. */
  private async tell(player: number, view: View): Promise<void> {
    const before = this.heard.get(player);
    const { lines, next } = await this.session.heard(player, before?.lines ?? 0);
    const start = lines.findLastIndex(line => line.type === "start_kyoku");
    const sentences = (start > 0 ? lines.slice(start) : lines).map(line => sentence(line, this.names)).filter(one => one !== undefined);
    if (before === undefined) this.news.replaceChildren();
    this.news.append(...sentences.map(one => el("li", {}, one)));
    while (this.news.childElementCount > NEWS) this.news.firstElementChild?.remove();
    this.news.scrollTop = this.news.scrollHeight;
    this.heard.set(player, { lines: next, discards: before?.discards ?? 0 });
    const { tileNames } = this.around;
    const asked = [];
    if (view.drawn !== null) asked.push(`You drew ${tileNames(view.drawn)}.`);
    if (view.claimable !== null) {
      const from = this.session.player(view.claimable[1]);
      asked.push(`${tileNames(view.claimable[0])} from ${this.name(from)}.`);
    }
    const choices = choicesOf(view).map(one => spoken(one, tileNames));
    if (choices.length > 0) asked.push(`You may: ${choices.join(", ")}.`);
    else if (view.legal.length > 0) asked.push(tapWords(view));
    this.message.textContent = asked.join(" ");
    this.live.textContent = [...sentences.slice(-8), ...asked].join(". ").replaceAll("..", ".");
  }

  private draw(player: number, view: View): void {
    const company: Company = {
      name: one => this.name(one),
      scores: this.session.scores,
      tileNames: this.around.tileNames,
      wind: this.around.wind,
      suit: this.around.suit,
      seenDiscards: this.heard.get(player)?.discards ?? 0,
    };
    const mine = controls(view, this.around.tileNames, action => this.act(action));
    this.controls = mine;
    const time = el("div", { class: "clock", attributes: { "aria-hidden": "true" } });
    mine.element.prepend(time);
    const own = view.seat === null ? 0 : SEATS.indexOf(view.seat);
    this.put(
      middle(view, this.session.standing.deal, company),
      el("div", { class: "seats-others" }, ...others(view).map(place => seatBox(view, place, company))),
      seatBox(view, own, company),
      mine.element,
    );
    mine.focus();
    if (isOffer(view)) {
      const show = (share: number) => time.style.setProperty("--left", String(share));
      this.clock.start(this.settings.clock, show, () => void this.decide(one => this.session.pass(one)));
    }
  }
}
