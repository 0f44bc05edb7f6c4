/** The tables that wait for people, and the form for a new one. */
import { button, el, field, fill, select } from "../dom";
import type { About } from "../protocol";
import type { Requests, Room } from "./messages";

/** Who can sit at a table. */
const SITTERS: [string, string][] = [
  ["human", "person"],
  ["value", "bot: aims and folds"],
  ["greedy", "bot: goes for the nearest hand"],
  ["random", "bot: plays at random"],
];

const CLAIMS: [string, string][] = [
  ["2000", "2 seconds"],
  ["3000", "3 seconds"],
  ["5000", "5 seconds"],
  ["8000", "8 seconds"],
];

export interface Wishes {
  create: (members: Requests["create"]) => void;
  /** Takes a seat under the rules that the list shows. */
  join: (room: string, hash: string | undefined) => void;
  watch: (room: string) => void;
  refresh: () => void;
}

/** One line of the list: the ruleset, who sits there, and a button. */
function line(room: Room, wishes: Wishes): HTMLElement {
  const people = room.seats.filter(seat => seat.sitter === "human");
  const names = people.map(seat => seat.name).filter(name => name !== null);
  const free = people.length - names.length;
  const who = names.length > 0 ? `${names.join(", ")} and ${free} free` : `${free} free`;
  return el(
    "li",
    {},
    el("span", {}, el("b", {}, room.ruleset_name), ` · ${who} `),
    el("small", {}, `rules ${room.ruleset_hash}`),
    button("Sit down", () => wishes.join(room.room, room.ruleset_hash), { attributes: { "aria-label": `Sit down at ${room.ruleset_name}, ${who}` } }),
  );
}

export class Lobby {
  readonly element: HTMLElement;
  readonly #rooms = el("ul", { class: "rooms" });
  readonly #name = el("input", { type: "text", maxLength: 24, autocomplete: "nickname" });
  readonly #code = el("input", { type: "text", maxLength: 16, autocomplete: "off" });
  readonly #wishes: Wishes;

  constructor(rulesets: [string, string][], chosen: string, name: string, about: (ruleset: string) => Promise<About>, wishes: Wishes) {
    this.#wishes = wishes;
    this.#name.value = name;
    const seats = el("div", { class: "sitters" });
    const ruleset = select(rulesets, chosen, () => void fit());
    const claims = select(CLAIMS, "3000", () => undefined);
    const fit = async () => {
      const { players } = await about(ruleset.value);
      while (seats.childElementCount > players) seats.lastElementChild?.remove();
      while (seats.childElementCount < players) {
        const player = seats.childElementCount + 1;
        seats.append(field(`Player ${player}`, select(SITTERS, player <= 2 ? "human" : "value", () => undefined)));
      }
    };
    void fit();
    const create = () =>
      wishes.create({
        ruleset: ruleset.value,
        seats: [...seats.querySelectorAll("select")].map(one => one.value),
        clock: { claim_ms: Number(claims.value) },
        listed: true,
      });
    const entered = () => this.#code.value.trim();
    this.element = el(
      "div",
      { class: "columns" },
      el(
        "div",
        {},
        el("section", { class: "card" }, el("h2", {}, "Who are you?"), field("Your name", this.#name)),
        el(
          "section",
          { class: "card" },
          el("h2", {}, "Tables that wait"),
          this.#rooms,
          button("Look again", wishes.refresh),
          field("Code of a table", this.#code, "Somebody who opened a table has told you its code."),
          el("div", { class: "bar" }, button("Sit down there", () => wishes.join(entered(), undefined)), button("Watch", () => wishes.watch(entered()))),
        ),
      ),
      el(
        "section",
        { class: "card" },
        el("h2", {}, "A new table"),
        field("Ruleset", ruleset),
        seats,
        field("Time for claims", claims, "What follows a discard is shown after this time, so that nobody learns who was asked."),
        button("Open the table", create, { class: "main" }),
      ),
    );
    this.list([]);
  }

  get name(): string {
    return this.#name.value.trim();
  }

  /** Fills in the code of a table. */
  code(room: string): void {
    this.#code.value = room;
  }

  list(rooms: Room[]): void {
    fill(this.#rooms, ...rooms.map(room => line(room, this.#wishes)));
    if (rooms.length === 0) this.#rooms.append(el("li", {}, "No table waits for people."));
  }
}
