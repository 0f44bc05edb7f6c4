/** What all tabs share: the engine, the ruleset that was chosen, the language, and names. */
import { Client, type Source } from "./client";
import type { About, Choice, Listed } from "./protocol";

/** A tab of the page. */
export interface Tab {
  /** The fragment of its address. */
  id: string;
  title: string;
  /** Fills its panel once, when it is shown for the first time. */
  mount(panel: HTMLElement, app: App): void | Promise<void>;
  /** It is shown. `rest` is what follows the first `/` of the fragment. */
  shown?(app: App, rest: string): void;
  /** Another tab is shown. */
  hidden?(app: App): void;
}

/** What the page remembers. */
const STORE = "paishan";

interface Remembered {
  ruleset: string;
  lang: string;
}

function remembered(): Partial<Remembered> {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}");
  } catch {
    return {};
  }
}

export class App extends EventTarget {
  /** Answers short requests of all tabs. A tab with long work or with a table takes {@link App.worker}. */
  readonly engine: Client;
  readonly rulesets: Listed[];
  /** A log that the tab Replay opens when it is shown next. */
  log: { text: string; rules?: string } | undefined;
  readonly #source: Source;
  #ruleset: string;
  #lang: string;
  #abouts = new Map<string, Promise<About>>();
  readonly #speaker: HTMLElement;

  private constructor(source: Source, engine: Client, rulesets: Listed[], speaker: HTMLElement) {
    super();
    this.#source = source;
    this.engine = engine;
    this.rulesets = rulesets;
    this.#speaker = speaker;
    const { ruleset, lang } = remembered();
    this.#ruleset = rulesets.some(({ id }) => id === ruleset) ? ruleset! : "riichi-mcgill";
    this.#lang = lang ?? "en";
  }

  static async start(source: Source, speaker: HTMLElement): Promise<App> {
    const engine = new Client(source, "first");
    const { rulesets } = await engine.ask("rulesets", {}, { timeout: 60_000 });
    return new App(source, engine, rulesets, speaker);
  }

  /** Another engine in a worker of its own, which can be stopped without harm to others. */
  worker(): Client {
    return new Client(this.#source, "first");
  }

  /** The same with the whole engine: rulebooks, logs, lints and play-tests. */
  tools(): Client {
    return new Client(this.#source, "whole");
  }

  /** The ruleset that was chosen last, in any tab. */
  get ruleset(): string {
    return this.#ruleset;
  }

  set ruleset(id: string) {
    this.#ruleset = id;
    this.#remember();
    this.dispatchEvent(new Event("ruleset"));
  }

  /** The language of names. */
  get lang(): string {
    return this.#lang;
  }

  set lang(lang: string) {
    this.#lang = lang;
    this.#remember();
    this.dispatchEvent(new Event("lang"));
  }

  #remember(): void {
    try {
      localStorage.setItem(STORE, JSON.stringify({ ruleset: this.#ruleset, lang: this.#lang }));
    } catch {
      // A page from a file may have no storage.
    }
  }

  /** What the page knows of a ruleset, asked once. */
  about(choice: Choice): Promise<About> {
    const key = JSON.stringify([choice, this.#lang]);
    let about = this.#abouts.get(key);
    if (about === undefined) {
      about = this.engine.ask("about", { ...choice, lang: this.#lang });
      this.#abouts.set(key, about);
      about.catch(() => this.#abouts.delete(key));
    }
    return about;
  }

  /** Says something to screen readers. */
  announce(text: string): void {
    this.#speaker.textContent = text;
  }
}

/** The names of the tiles of a ruleset. */
export function namer(about: About): (tile: string) => string {
  const names = new Map(about.tiles.map(({ tile, name }) => [tile, name]));
  return tile => (tile === "?" ? "a hidden tile" : (names.get(tile) ?? tile));
}
