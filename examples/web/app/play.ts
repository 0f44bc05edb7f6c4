/** The tab Play: a match against bots, or of several people at one device. */
import { namer, type App, type Tab } from "./app";
import type { Client } from "./client";
import { button, el, fill } from "./dom";
import { watchInput } from "./play/clock";
import { Game } from "./play/game";
import { Session, type Start } from "./play/session";
import { setupForm, type Offered } from "./play/setup";
import { forgetMatch, keepMatch, keptMatch, settings } from "./play/store";
import { offeredText } from "./design/text";
import type { Choice } from "./protocol";

/** The text in the tab Design among the rulesets. */
const OWN = "own";

class Play {
  readonly #panel: HTMLElement;
  readonly #app: App;
  readonly #client: Client;
  #game: Game | undefined;

  constructor(panel: HTMLElement, app: App) {
    this.#panel = panel;
    this.#app = app;
    this.#client = app.worker();
    watchInput();
    app.addEventListener("lang", () => {
      if (this.#game !== undefined) void this.begin();
    });
  }

  async begin(): Promise<void> {
    const kept = keptMatch();
    if (kept === undefined) return this.form();
    try {
      await this.#open(kept.saved, await Session.resume(this.#client, this.#app.lang, kept));
    } catch (error) {
      // Its rules changed, or its text is no match.
      forgetMatch();
      this.form(error instanceof Error ? `The match that was kept cannot go on: ${error.message}` : undefined);
    }
  }

  /** Shows the form for a new match. A match that was kept is given up when another one starts. */
  form(message?: string, chosen = this.#app.ruleset): void {
    this.#game?.close(false);
    this.#game = undefined;
    const offered: Offered[] = this.#app.rulesets.map(({ id, name }) => ({ id, name }));
    const own = offeredText();
    if (own !== undefined) offered.unshift({ id: OWN, name: "the text in Design", rules: own });
    const about = (one: Offered, options: Record<string, unknown>) =>
      this.#app.about(one.rules === undefined ? { ruleset: one.id, options } : { rules: one.rules, options });
    const form = setupForm(offered, chosen, about, start => this.#start(start));
    fill(
      this.#panel,
      message !== undefined && el("p", { class: "fault", attributes: { role: "alert" } }, message),
      keptMatch() !== undefined && button("Go on with the match", () => void this.begin()),
      form,
    );
  }

  async #start(start: Start): Promise<void> {
    if (start.choice.ruleset !== undefined) this.#app.ruleset = start.choice.ruleset;
    const session = await Session.start(this.#client, this.#app.lang, start);
    keepMatch(await session.keep());
    // After a reload the match goes on.
    history.replaceState(null, "", "#play");
    await this.#open(start.choice, session);
  }

  async #open({ ruleset, rules, options }: Choice, session: Session): Promise<void> {
    const choice: Choice = { ...(rules === undefined ? { ruleset: ruleset! } : { rules }), options: options ?? {} };
    const about = await this.#app.about(choice);
    this.#game?.close(false);
    const winds = new Map(about.winds);
    const suits: Record<string, string> = { t: "circles", s: "bamboos", m: "characters" };
    this.#game = new Game(session, {
      tileNames: namer(about),
      wind: seat => winds.get(seat) ?? `seat ${seat}`,
      suit: suit => suits[suit] ?? suit,
      replay: log => {
        this.#app.log = rules === undefined ? { text: log } : { text: log, rules };
        location.hash = "#replay";
      },
      leave: () => this.form(),
    }, settings());
    fill(this.#panel, el("h2", { class: "unseen" }, about.name), this.#game.element);
    await this.#game.show();
  }
}

let tab: Play | undefined;

export const play: Tab = {
  id: "play",
  title: "Play",
  async mount(panel, app) {
    tab = new Play(panel, app);
    await tab.begin();
  },
  shown(_, rest) {
    if (rest === "own") tab?.form(undefined, OWN);
  },
};
