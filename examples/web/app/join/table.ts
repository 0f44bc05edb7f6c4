/** A table of the server on the screen: who sits there, the match, its results. */
import { button, el } from "../dom";
import { choicesOf, SEATS, tapWords } from "../play/actions";
import { controls, type Controls } from "../play/hand";
import { sentence, type Names } from "../play/news";
import { dealResult, summary } from "../play/result";
import { middle, others, seatBox, type Company } from "../play/table";
import type { EndedDeal, LogLine, View } from "../play/types";
import type { Over, Room, TableEvent } from "./messages";

/** How many sentences of the news are shown. */
const NEWS = 60;

export interface Surroundings {
  tileNames: (tile: string) => string;
  wind: (seat: string) => string;
  act: (question: number, action: string) => void;
  leave: () => void;
  /** Opens the log of a match that is over. */
  replay: (path: string) => void;
}

const SUITS: Record<string, string> = { t: "circles", s: "bamboos", m: "characters" };
const suit = (one: string) => SUITS[one] ?? one;

export class Table {
  readonly element: HTMLElement;
  readonly #room = el("section", { class: "card room" });
  readonly #board = el("div", { class: "play-table", tabIndex: -1, attributes: { role: "group", "aria-label": "table" } });
  readonly #message = el("p", { class: "message", attributes: { role: "status", "aria-live": "polite" } });
  readonly #news = el("ol", { class: "news", tabIndex: 0, attributes: { "aria-label": "what happened" } });
  #about: Room;
  readonly #around: Surroundings;
  #controls: Controls | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #deal = 1;
  #seen = 0;

  constructor(room: Room, around: Surroundings) {
    this.#about = room;
    this.#around = around;
    const side = el("div", { class: "side" }, this.#message, this.#room, el("h3", {}, "What happened"), this.#news);
    this.element = el("div", { class: "game" }, this.#board, side);
    this.element.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!this.#board.contains(event.target as Node) || this.#controls?.press(event.key) !== true) return;
      event.preventDefault();
    });
    this.room(room);
  }

  #name(player: number): string {
    const seat = this.#about.seats[player];
    return seat?.name ?? (seat?.sitter === "human" ? "a free seat" : `${seat?.sitter ?? ""} ${player + 1}`);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends its timer. */
  close(): void {
    this.#stop();
  }

  /** Shows how the room stands. */
  room(room: Room): void {
    this.#about = room;
    const seats = room.seats.map((seat, player) => {
      const state = seat.connected ? "" : seat.name === null ? " – waited for" : " – not connected";
      return el("li", {}, `${this.#name(player)}${state}`);
    });
    const facts = [`rules ${room.ruleset_hash}`, `walls ${room.commitment.slice(0, 16)}…`];
    this.#room.replaceChildren(
      el("h3", {}, room.ruleset_name),
      el("p", {}, "Code of the table: ", el("code", { class: "code" }, room.room)),
      el("ul", {}, ...seats),
      el("p", { class: "hint" }, facts.join(" · "), room.spectators > 0 ? ` · ${room.spectators} watch` : ""),
      button("Leave", this.#around.leave),
    );
    if (room.stage === "waiting") {
      this.#board.replaceChildren(el("p", {}, "The match begins when all seats are taken. Tell the others the code of the table."));
    }
  }

  #company(view: View): Company {
    const scores = view.points.map((_, player) => {
      const place = (player - view.dealer + view.players) % view.players;
      return (view.points[place] ?? 0) / this.#about.units_per_point;
    });
    const { tileNames, wind } = this.#around;
    return { name: player => this.#name(player), scores, tileNames, wind, suit, seenDiscards: this.#seen };
  }

  get #names(): Names {
    return { player: player => this.#name(player), tile: this.#around.tileNames, suit };
  }

  /** An event as a sentence, if the table does not show it anyway. */
  #told(event: TableEvent, view: View): string | undefined {
    const player = (seat: string | undefined | null) =>
      seat === undefined || seat === null ? undefined : (view.dealer + SEATS.indexOf(seat)) % view.players;
    const names = this.#names;
    const actor = player(event.seat);
    if (event.type === "claim" && actor !== undefined) return `${names.player(actor)} claims ${names.tile(event.tile ?? "?")}`;
    if (event.type === "exhausted") return "The wall is exhausted.";
    const line: LogLine = { type: event.type === "set_aside" ? "nukidora" : event.type };
    if (actor !== undefined) line.actor = actor;
    const tile = event.win?.tile ?? event.tile;
    if (tile !== undefined && tile !== null) line.pai = tile;
    if (event.type === "dora" && line.pai !== undefined) line.dora_marker = line.pai;
    if (event.type === "ankan") line.consumed = [event.kind ?? "?"];
    if (event.suit !== undefined) line.suit = event.suit;
    if (event.announcement !== undefined) line.what = event.announcement;
    const target = player(event.win?.from);
    if (target !== undefined) line.target = target;
    return sentence(line, names);
  }

  #put(view: View, last: HTMLElement | undefined): void {
    const company = this.#company(view);
    const own = view.seat === null ? undefined : SEATS.indexOf(view.seat);
    const places = own === undefined ? view.concealed.map((_, place) => place) : others(view);
    const boxes = places.map(place => seatBox(view, place, company));
    this.#board.replaceChildren(middle(view, this.#deal, company), el("div", { class: "seats-others" }, ...boxes));
    if (own !== undefined) this.#board.append(seatBox(view, own, company));
    if (last !== undefined) this.#board.append(last);
  }

  /** Shows the table after something happened. */
  update(deal: number, events: TableEvent[] | null, view: View): void {
    this.#stop();
    if (deal !== this.#deal) {
      this.#news.replaceChildren();
      this.#seen = 0;
    }
    this.#deal = deal;
    const sentences = (events ?? []).map(event => this.#told(event, view)).filter(one => one !== undefined);
    this.#news.append(...sentences.map(one => el("li", {}, one)));
    while (this.#news.childElementCount > NEWS) this.#news.firstElementChild?.remove();
    this.#news.scrollTop = this.#news.scrollHeight;
    this.#controls = undefined;
    if (sentences.length > 0) this.#message.textContent = sentences.join(". ");
    this.#put(view, view.seat === null ? undefined : controls(view, this.#around.tileNames, () => undefined).element);
    delete this.#board.dataset["question"];
  }

  /** Asks the player. */
  ask(question: number, ms: number, view: View): void {
    const mine = controls(view, this.#around.tileNames, action => {
      this.#stop();
      this.#controls = undefined;
      mine.element.classList.add("answered");
      delete this.#board.dataset["question"];
      this.#seen = view.discards.length;
      this.#around.act(question, action.action);
    });
    this.#controls = mine;
    const time = el("div", { class: "clock", attributes: { "aria-hidden": "true" } });
    mine.element.prepend(time);
    this.#put(view, mine.element);
    this.#board.dataset["question"] = String(question);
    const choices = choicesOf(view).map(one => one.words);
    const asked = view.drawn === null ? [] : [`You drew ${this.#around.tileNames(view.drawn)}.`];
    if (view.claimable !== null) asked.push(`${this.#around.tileNames(view.claimable[0])} was discarded.`);
    asked.push(choices.length > 0 ? `You may: ${choices.join(", ")}.` : tapWords(view));
    this.#message.textContent = asked.join(" ");
    mine.focus();
    const end = performance.now() + ms;
    this.#stop();
    this.#timer = setInterval(() => time.style.setProperty("--left", String(Math.max(0, (end - performance.now()) / ms))), 200);
  }

  /** Shows the result of a deal. */
  ended(deal: EndedDeal, totals: number[]): void {
    this.#stop();
    const people = { name: (player: number) => this.#name(player), tile: this.#around.tileNames };
    const cells = totals.map((points, player) => el("li", {}, `${this.#name(player)} `, el("b", {}, String(points))));
    this.#board.replaceChildren(dealResult(deal, people), el("ul", { class: "deltas", attributes: { "aria-label": "totals" } }, ...cells));
    this.#message.textContent = summary(deal, people);
  }

  /** Shows the results of the match. */
  over(over: Over): void {
    this.#stop();
    const ranked = over.results.map((points, player) => ({ player, points })).sort((one, other) => other.points - one.points);
    const list = ranked.map(({ player, points }) => el("li", {}, `${this.#name(player)}: `, el("b", {}, String(points))));
    this.#board.append(
      el(
        "section",
        { class: "result" },
        el("h3", {}, "The match is over"),
        el("ol", {}, ...list),
        el("p", { class: "hint" }, "Seed of the walls: ", el("code", { class: "code" }, over.seed)),
        el("div", { class: "bar" }, button("Replay", () => this.#around.replay(over.log)), button("Back", this.#around.leave, { class: "main" })),
      ),
    );
    this.#message.textContent = "The match is over.";
  }
}
