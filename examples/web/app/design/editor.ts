/** The editor: TOML with completion, and faults and lints at their places. */
import { autocompletion } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { forceLinting, lintGutter, linter, type Diagnostic } from "@codemirror/lint";
import { Prec, type EditorState, type Extension } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { el } from "../dom";
import { completions, type Ids } from "./complete";
import { placeAt } from "./place";
import { docAt } from "./schema";

/** What is wrong with a text, at a line and column from 1. Without a line it concerns the whole text. */
export interface Finding {
  line?: number;
  column?: number;
  severity: "error" | "warning";
  message: string;
}

/** Colours come from the page, so that they suit light and dark. */
const COLOURS = HighlightStyle.define([
  { tag: tags.comment, class: "toml-comment" },
  { tag: tags.string, class: "toml-string" },
  { tag: [tags.number, tags.atom, tags.bool], class: "toml-value" },
  { tag: tags.heading, class: "toml-head" },
]);

/** How long nobody types before the text is checked, in milliseconds. */
const PAUSE = 350;

function diagnostic(state: EditorState, { line, column, severity, message }: Finding): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(line ?? 1, 1), state.doc.lines));
  // Columns count characters, the editor counts units of UTF-16.
  const before = Array.from(at.text).slice(0, (column ?? 1) - 1).join("").length;
  const from = Math.min(at.from + before, at.to);
  const word = /^[\w.-]+|^"[^"]*"?|^'[^']*'?|^./.exec(state.sliceDoc(from, at.to))?.[0].length ?? 0;
  return { from, to: line === undefined ? at.to : from + word, severity, message };
}

/** What the key under the pointer means. */
const keyDocs = hoverTooltip((view, pos) => {
  const word = view.state.wordAt(pos);
  if (word === null) return null;
  const line = view.state.doc.lineAt(pos);
  const end = line.from + (/^[\w-]*/.exec(line.text.slice(word.from - line.from))?.[0].length ?? 0) + (word.from - line.from);
  const place = placeAt(view.state.sliceDoc(0, Math.max(end, word.to)));
  if (place === undefined || place.in === "value") return null;
  const doc = docAt([...place.path, place.typed]);
  return doc === undefined ? null : { pos: word.from, end: word.to, create: () => ({ dom: el("div", { class: "key-doc" }, doc) }) };
});

export interface EditorOptions {
  label: string;
  text: string;
  check: (text: string) => Promise<Finding[]>;
  changed: (text: string) => void;
  ids: () => Ids;
  parents: readonly string[];
}

export class Editor {
  readonly view: EditorView;

  constructor(parent: HTMLElement, { label, text, check, changed, ids, parents }: EditorOptions) {
    const extensions: Extension[] = [
      basicSetup,
      StreamLanguage.define(toml),
      syntaxHighlighting(COLOURS),
      Prec.high(autocompletion({ override: [completions(ids, parents)] })),
      linter(async view => (await check(view.state.doc.toString())).map(one => diagnostic(view.state, one)), { delay: PAUSE }),
      lintGutter(),
      keyDocs,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(update => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ];
    this.view = new EditorView({ doc: text, extensions, parent });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Checks the text at once. */
  check(): void {
    forceLinting(this.view);
  }

  /** Moves the cursor to a place and shows it. */
  go(line: number, column: number): void {
    const at = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    const pos = Math.min(at.from + column - 1, at.to);
    this.view.dispatch({ selection: { anchor: pos }, scrollIntoView: true });
    this.view.focus();
  }
}
