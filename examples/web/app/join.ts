/** The tab Join: tables for people on several devices, on the server that the page comes from. */
import { namer, type App, type Tab } from "./app";
import { button, el, fill } from "./dom";
import { Connection } from "./join/connection";
import { Lobby } from "./join/lobby";
import type { Message, Room } from "./join/messages";
import { Table } from "./join/table";

/** What the browser keeps of a seat. */
interface Kept {
  room: string;
  token: string;
}

const SEAT = "paishan.seat";
const NAME = "paishan.name";

function kept(): Kept | undefined {
  try {
    const seat = JSON.parse(sessionStorage.getItem(SEAT) ?? "null") as Kept | null;
    return typeof seat?.room === "string" && typeof seat.token === "string" ? seat : undefined;
  } catch {
    return undefined;
  }
}

function keep(seat: Kept | undefined): void {
  try {
    if (seat === undefined) sessionStorage.removeItem(SEAT);
    else sessionStorage.setItem(SEAT, JSON.stringify(seat));
  } catch {
    // The seat lasts as long as the page.
  }
}

class Join {
  readonly #app: App;
  readonly #message = el("p", { class: "fault", attributes: { role: "alert" } });
  readonly #content = el("div", {});
  #connection: Connection | undefined;
  #lobby: Lobby | undefined;
  #table: Table | undefined;
  /** The table is being made. Messages wait for it. */
  #opening: Promise<void> = Promise.resolve();
  #rulesets: string[] = [];
  #seat = kept();
  /** The table that one has just opened, and wants to sit at. */
  #wanted = "";

  constructor(panel: HTMLElement, app: App) {
    this.#app = app;
    fill(panel, el("h2", { class: "unseen" }, "Tables for people on several devices"), this.#message, this.#content);
    if (this.#seat !== undefined) this.#connect();
    else {
      // Most servers of the page host no tables, so none is asked before somebody wants it.
      const connect = button("Look for tables", () => this.#connect(), { class: "main" });
      fill(this.#content, el("p", {}, "Play with people on other devices, at a table of the server that this page comes from."), connect);
    }
  }

  #connect(): void {
    fill(this.#content, el("p", { class: "loading" }, "Looking for the server …"));
    this.#connection = new Connection(
      message => (this.#opening = this.#opening.then(() => this.#hear(message))),
      known => this.#say(known ? "The connection is lost. Trying again …" : "This page comes from a server that hosts no tables."),
    );
  }

  #say(text: string): void {
    this.#message.textContent = text;
  }

  /** The code of a table, from the address of the page. */
  room(room: string): void {
    this.#wanted = room;
    this.#lobby?.code(room);
    if (this.#connection === undefined) this.#connect();
  }

  async #hear(message: Message): Promise<void> {
    switch (message.type) {
      case "welcome":
        this.#say("");
        this.#rulesets = message.rulesets;
        if (this.#seat !== undefined) this.#connection?.send("rejoin", { ...this.#seat, lang: this.#app.lang });
        else this.#openLobby();
        break;
      case "rooms":
        this.#lobby?.list(message.rooms);
        break;
      case "created":
        this.#join(message.room, message.ruleset_hash);
        break;
      case "seated":
        this.#seat = { room: message.room, token: message.token };
        keep(this.#seat);
        this.#say("");
        break;
      case "room":
        if (this.#table === undefined) await this.#openTable(message);
        else this.#table.room(message);
        break;
      case "update":
        this.#table?.update(message.deal, message.events, message.view);
        break;
      case "ask":
        this.#table?.ask(message.question, message.ms, message.view);
        break;
      case "ended":
        this.#table?.ended(message, message.totals);
        break;
      case "over":
        this.#table?.over(message);
        break;
      case "defaulted":
        this.#app.announce("Your time is over.");
        break;
      case "left":
        this.#openLobby();
        break;
      case "error":
        this.#refused(message.code, message.message);
        break;
      default:
        break;
    }
  }

  #refused(code: string, message: string): void {
    // The answer to a question whose time was over.
    if (code === "not-asked") return;
    if (code === "replaced") this.#connection?.close();
    const isGone = ["no-such-room", "bad-token", "replaced", "other-rules"].includes(code);
    if (isGone && this.#seat !== undefined) {
      this.#seat = undefined;
      keep(undefined);
      this.#openLobby();
    }
    this.#say(message);
  }

  #openLobby(): void {
    this.#table?.close();
    this.#table = undefined;
    const names = new Map(this.#app.rulesets.map(({ id, name }) => [id, name]));
    // Rules that the page does not know cannot be shown.
    const known = this.#rulesets.filter(id => names.has(id)).map((id): [string, string] => [id, names.get(id)!]);
    this.#lobby = new Lobby(known, this.#app.ruleset, localStorage.getItem(NAME) ?? "", ruleset => this.#app.about({ ruleset }), {
      create: members => this.#connection?.send("create", members),
      join: (room, hash) => this.#join(room, hash),
      watch: room => this.#connection?.send("watch", { room, lang: this.#app.lang }),
      refresh: () => this.#connection?.send("rooms", {}),
    });
    this.#lobby.code(this.#wanted);
    fill(this.#content, this.#lobby.element);
    this.#connection?.send("rooms", {});
  }

  #join(room: string, hash: string | undefined): void {
    const name = this.#lobby?.name ?? "";
    try {
      localStorage.setItem(NAME, name);
    } catch {
      // The name is asked again.
    }
    this.#say("");
    this.#connection?.send("join", { room, name, lang: this.#app.lang, ...(hash !== undefined && { ruleset_hash: hash }) });
  }

  async #openTable(room: Room): Promise<void> {
    const about = await this.#app.about({ ruleset: room.ruleset, options: room.options });
    const winds = new Map(about.winds);
    this.#lobby = undefined;
    this.#table = new Table(room, {
      tileNames: namer(about),
      wind: seat => winds.get(seat) ?? `seat ${seat}`,
      act: (question, action) => this.#connection?.send("act", { question, action }),
      leave: () => {
        this.#seat = undefined;
        keep(undefined);
        this.#connection?.send("leave", {});
      },
      replay: path => void this.#replay(path),
    });
    fill(this.#content, this.#table.element);
    // The page has been built from other rules than the server: what it shows of them may be wrong.
    if (about.hash !== room.ruleset_hash) this.#say(`The server's rules (${room.ruleset_hash}) are not those of this page (${about.hash}).`);
  }

  async #replay(path: string): Promise<void> {
    const answer = await fetch(path);
    if (!answer.ok) return this.#say("The log cannot be read.");
    this.#app.log = { text: await answer.text() };
    location.hash = "#replay";
  }
}

let join_: Join | undefined;

export const join: Tab = {
  id: "join",
  title: "Join",
  mount(panel, app) {
    if (!location.protocol.startsWith("http")) {
      fill(panel, el("p", {}, "This page was opened from a file. To play with people on other devices, open it from a server for tables (examples/server)."));
      return;
    }
    join_ = new Join(panel, app);
  },
  shown(_, rest) {
    if (rest !== "") join_?.room(rest);
  },
};
