/** A match in play, through requests of the JSON interface. */
import type { Client } from "../client";
import type { Choice } from "../protocol";
import { SEATS } from "./actions";
import type { Hint, LogLine, Standing, View } from "./types";

/** What a new match is made of. */
export interface Start {
  /** A built-in ruleset, or a text, with options. */
  choice: Choice;
  /** `human` or the name of an agent, in player order. */
  seats: string[];
  /** Names for people, in player order. */
  names: string[];
  seed: string | number;
}

/** A match as the browser keeps it. */
export interface Kept {
  saved: { seats: string[] } & Choice;
  names: string[];
}

/** The name of the table in the worker. */
const TABLE = { table: "play" };

/**
 * For requests in which agents decide. `value` takes 16 s of a fast processor to learn what hands of the American card are worth,
 * before its first decision.
 */
const THINKING = { timeout: 120_000 };

export class Session {
  standing: Standing;
  /** The lines of the log so far. They show every hand, so no player may see them while the match goes on. */
  lines: LogLine[] = [];
  readonly #client: Client;
  readonly #lang: string;
  #kept: Kept | undefined;
  readonly seats: string[];
  readonly names: string[];

  private constructor(client: Client, lang: string, seats: string[], names: string[], standing: Standing) {
    this.#client = client;
    this.#lang = lang;
    this.seats = seats;
    this.names = names;
    this.standing = standing;
  }

  static async start(client: Client, lang: string, { choice, seats, names, seed }: Start): Promise<Session> {
    // A table of an earlier match may be open.
    await client.ask("close", TABLE).catch(() => undefined);
    const standing = await client.ask("new", { ...choice, ...TABLE, seats, seed, lang }, THINKING);
    const session = new Session(client, lang, seats, names, standing);
    await session.#read();
    return session;
  }

  static async #load(client: Client, lang: string, saved: Kept["saved"]): Promise<Standing> {
    await client.ask("close", TABLE).catch(() => undefined);
    return client.ask("load", { ...TABLE, saved, lang }, THINKING);
  }

  static async resume(client: Client, lang: string, kept: Kept): Promise<Session> {
    const { saved, names } = kept;
    const session = new Session(client, lang, saved.seats, names, await Session.#load(client, lang, saved));
    session.#kept = kept;
    await session.#read();
    return session;
  }

  async #read(): Promise<void> {
    const { lines } = await this.#client.ask("log", { ...TABLE, from: this.lines.length });
    this.lines.push(...(lines as LogLine[]));
  }

  get people(): number[] {
    return [...this.seats.keys()].filter(player => this.seats[player] === "human");
  }

  /** The wind of a player in this deal, or in that of another dealer. */
  seat(player: number, dealer = this.standing.dealer): string {
    const count = this.seats.length;
    return SEATS[(player - dealer + count) % count] ?? "";
  }

  player(seat: string): number {
    return (this.standing.dealer + SEATS.indexOf(seat)) % this.seats.length;
  }

  /** The totals in points, with what was paid in this deal. */
  get scores(): number[] {
    return this.lines.findLast(line => line.scores !== undefined)?.scores ?? this.standing.totals;
  }

  async view(player: number): Promise<View> {
    const { view } = await this.#client.ask("view", { ...TABLE, player, lang: this.#lang });
    return view as unknown as View;
  }

  /** The lines of the log from one on, as far as a player may know them, and the number of lines. */
  async heard(player: number, from: number): Promise<{ lines: LogLine[]; next: number }> {
    const { lines, next } = await this.#client.ask("log", { ...TABLE, player, from });
    return { lines: lines as LogLine[], next };
  }

  async act(player: number, action: string): Promise<void> {
    this.standing = await this.#client.ask("act", { ...TABLE, player, action, lang: this.#lang }, THINKING);
    await this.#read();
  }

  /** The decision that harms least, after a time-out. */
  async pass(player: number): Promise<void> {
    this.standing = await this.#client.ask("default", { ...TABLE, player, lang: this.#lang }, THINKING);
    await this.#read();
  }

  async undo(): Promise<void> {
    this.standing = await this.#client.ask("undo", { ...TABLE, lang: this.#lang });
    this.lines = [];
    await this.#read();
  }

  async hint(player: number, agent: string): Promise<Hint> {
    const hint = await this.#client.ask("hint", { ...TABLE, player, agent, reasons: true, lang: this.#lang }, THINKING);
    return hint as unknown as Hint;
  }

  async keep(): Promise<Kept> {
    const { saved } = await this.#client.ask("save", TABLE);
    this.#kept = { saved: saved as Kept["saved"], names: this.names };
    return this.#kept;
  }

  /** Loads the match as it was kept last, after its worker was stopped. */
  async restore(): Promise<void> {
    if (this.#kept === undefined) return;
    this.standing = await Session.#load(this.#client, this.#lang, this.#kept.saved);
    this.lines = [];
    await this.#read();
  }

  /** The whole log as the text of a file. */
  async log(): Promise<string> {
    const { lines } = await this.#client.ask("log", TABLE);
    return lines.map(line => `${JSON.stringify(line)}\n`).join("");
  }
}
