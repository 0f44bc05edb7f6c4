/** The tab Design: an editor for rulesets, with their differences, play-tests and comparisons. */
import type { App, Tab } from "./app";
import { button, el, field, fill, select } from "./dom";
import { Checker, type Checked } from "./design/check";
import { idsOf, type Ids } from "./design/complete";
import { parentOf, showDifferences } from "./design/diff";
import { Editor } from "./design/editor";
import { playtestBox } from "./design/playtest";
import { beginning, keepDesign, keptDesign, packed, unpacked } from "./design/text";
import { versusBox } from "./design/versus";
import { download } from "./files";

const NO_IDS: Ids = () => [];

class Design {
  readonly #app: App;
  readonly #editor: Editor;
  readonly #known: string[];
  readonly #problems = el("ul", { class: "problems", attributes: { "aria-label": "faults and lints" } });
  readonly #state = el("p", { class: "state", attributes: { role: "status" } });
  readonly #differences = el("div", {});
  readonly #against: HTMLSelectElement;
  readonly #compared;
  #ids: Ids = NO_IDS;
  #parent = "";
  #other: string;

  constructor(panel: HTMLElement, app: App) {
    this.#app = app;
    this.#known = app.rulesets.map(({ id }) => id);
    this.#compared = app.tools();
    const kept = keptDesign();
    const text = kept?.text ?? beginning(app.ruleset);
    this.#other = kept?.other ?? beginning(app.ruleset);
    const place = el("div", { class: "editor" });
    const checker = new Checker(app.tools());
    this.#editor = new Editor(place, {
      label: "TOML text of the ruleset",
      text,
      check: text => checker.check({ rules: text }, checked => this.#checked(checked)),
      changed: () => this.#changed(),
      ids: () => this.#ids,
      parents: this.#known,
    });
    const names = app.rulesets.map(({ id, name }) => [id, name] as const);
    this.#against = select(names, app.ruleset, () => this.#compare());
    const parent = select([["", "choose …"], ...names] as const, "", id => {
      if (id !== "") {
        this.#replace(beginning(id));
        versus.set(beginning(id));
      }
      parent.value = "";
    });
    const whole = select([["", "choose …"], ...names] as const, "", id => {
      if (id !== "") void app.engine.ask("text", { ruleset: id }).then(({ text }) => this.#replace(text));
      whole.value = "";
    });
    const versus = versusBox(app, () => this.#editor.text, this.#other, text => {
      this.#other = text;
      this.#keep();
    });
    fill(
      panel,
      el("h2", { class: "unseen" }, "Design"),
      el(
        "div",
        { class: "design" },
        el(
          "div",
          { class: "write" },
          el("div", { class: "bar" }, field("Begin anew from", parent), field("Open the text of", whole)),
          place,
          el(
            "div",
            { class: "bar" },
            button("Copy a link", () => void this.#share()),
            button("Save as a file", () => download("rules.toml", this.#editor.text)),
            button("Play it", () => (location.hash = "#play/own")),
          ),
          this.#state,
          this.#problems,
        ),
        el(
          "div",
          { class: "results" },
          el("section", { attributes: { "aria-labelledby": "diff-title" } }, el("h3", { id: "diff-title" }, "Differences"), field("To", this.#against), this.#differences),
          playtestBox(app, () => ({ rules: this.#editor.text })),
          versus.element,
        ),
      ),
    );
    this.#keep();
  }

  /** Opens the text of a link. */
  async open(letters: string): Promise<void> {
    try {
      const text = await unpacked(letters);
      if (text !== this.#editor.text) this.#replace(text);
    } catch {
      this.#say("The link has no text that can be read.");
    }
  }

  #say(text: string): void {
    this.#state.textContent = text;
  }

  #replace(text: string): void {
    this.#editor.text = text;
    this.#editor.view.focus();
  }

  #keep(): void {
    keepDesign({ text: this.#editor.text, other: this.#other });
  }

  #changed(): void {
    this.#keep();
    this.#say("…");
  }

  async #share(): Promise<void> {
    const address = new URL(location.href);
    address.hash = `design/${await packed(this.#editor.text)}`;
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address.href);
      this.#say("The link is copied. It contains the whole text.");
    } catch {
      this.#say("The address of this page is the link now. It contains the whole text.");
    }
  }

  #checked({ findings, loaded }: Checked): void {
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const lints = findings.length - errors;
    const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
    this.#say(loaded === undefined ? (errors > 0 ? `${count(errors, "fault")}.` : "The text was not loaded.") : `“${loaded.name}” loads. ${count(lints, "lint")}.`);
    const item = ({ line, column, message }: (typeof findings)[number]) =>
      line === undefined
        ? el("li", {}, message)
        : el("li", {}, button(`Line ${line}`, () => this.#editor.go(line, column ?? 1), { class: "link" }), ` ${message}`);
    fill(this.#problems, ...findings.map(one => item(one)));
    const parent = parentOf(this.#editor.text, this.#known) ?? "";
    if (parent !== "" && parent !== this.#parent) {
      this.#parent = parent;
      this.#against.value = parent;
      void this.#app.about({ ruleset: parent }).then(about => (this.#ids = idsOf(about)));
    }
    if (loaded === undefined) fill(this.#differences);
    else this.#compare();
  }

  #compare(): void {
    void showDifferences(this.#differences, this.#compared, this.#editor.text, this.#against.value);
  }
}

let tab: Design | undefined;

export const design: Tab = {
  id: "design",
  title: "Design",
  mount(panel, app) {
    tab = new Design(panel, app);
  },
  shown(_, rest) {
    if (rest !== "") void tab?.open(rest);
  },
};
