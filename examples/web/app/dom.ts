/** Elements of the page. Texts of rules and logs only ever become text nodes here. */

type Content = Node | string | number | null | undefined | false;
type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
type Properties<T extends keyof HTMLElementTagNameMap> = Omit<Partial<HTMLElementTagNameMap[T]>, keyof Handlers | "style" | "attributes" | "autocomplete"> &
  Handlers & {
    class?: string;
    autocomplete?: string;
    /** Attributes that are no properties, such as `aria-label` and `data-tile`. */
    attributes?: Record<string, string | number | boolean | null | undefined>;
  };

/** An element with properties, handlers and content. */
export function el<T extends keyof HTMLElementTagNameMap>(tag: T, properties: Properties<T> = {} as Properties<T>, ...content: Content[]): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  const { class: names, attributes, ...rest } = properties as Record<string, unknown> & { class?: string; attributes?: Record<string, unknown> };
  if (names !== undefined) element.className = names;
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== undefined) (element as unknown as Record<string, unknown>)[name] = value;
  }
  element.append(...content.filter(part => part !== null && part !== undefined && part !== false).map(part => (typeof part === "number" ? String(part) : part)));
  return element;
}

/** Puts new content in the place of the old. */
export function fill(element: Element, ...content: Content[]): void {
  element.replaceChildren(...content.filter(part => part !== null && part !== undefined && part !== false).map(part => (typeof part === "number" ? String(part) : part)));
}

let labels = 0;

/** A control with its label. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  control.id ||= `control-${++labels}`;
  return el("div", { class: "field" }, el("label", { htmlFor: control.id }, label), control, hint !== undefined && el("p", { class: "hint" }, hint));
}

/** A choice of one of several values. */
export function select(values: readonly (readonly [value: string, text: string])[], value: string, changed: (value: string) => void): HTMLSelectElement {
  const element = el("select", { onchange: () => changed(element.value) }, ...values.map(([value, text]) => el("option", { value }, text)));
  element.value = value;
  return element;
}

/** A box to tick. */
export function check(label: string, checked: boolean, changed: (checked: boolean) => void, hint?: string): HTMLElement {
  const box = el("input", { type: "checkbox", checked, onchange: () => changed(box.checked) });
  return el("label", { class: "check" }, box, el("span", {}, label, hint !== undefined && hint !== "" && el("small", {}, hint)));
}

export function button(text: string, clicked: () => void, properties: Properties<"button"> = {}): HTMLButtonElement {
  return el("button", { type: "button", onclick: clicked, ...properties }, text);
}

const SVG = "http://www.w3.org/2000/svg";

/** Parses markup that the engine made: pictures and explanations. Its texts are escaped, and scripts in it do not run. */
export function markup(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** The picture of a tile in `ujmj` notation, or of one that lies face down (`?`). It takes the page's sheet of tiles. */
export function picture(tile: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-1 -1 62 86");
  svg.setAttribute("class", "tile");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", tile === "?" ? "#t-back" : `#t-${tile}`);
  svg.append(use);
  return svg;
}

/** The tiles of a text in `ujmj` notation: `123sEE` is `1s`, `2s`, `3s`, `E`, `E`. */
export function splitTiles(text: string): string[] {
  const tiles: string[] = [];
  let ranks: string[] = [];
  for (const letter of text) {
    if (/[0-9a-fxR]/.test(letter)) ranks.push(letter);
    else if (/[tsm]/.test(letter)) {
      tiles.push(...ranks.map(rank => (rank === "0" ? "Z" : rank + letter)));
      ranks = [];
    } else if (letter === "J" && ranks.length > 0) tiles.push("J");
    else tiles.push(letter);
  }
  return tiles;
}

/** Drawn tiles side by side, with the same in words for readers without pictures. */
export function tiles(list: string | readonly string[], name: (tile: string) => string = tile => tile): HTMLElement {
  const all = typeof list === "string" ? splitTiles(list) : list;
  return el("span", { class: "tiles-row", attributes: { role: "img", "aria-label": all.map(name).join(", ") } }, ...all.map(picture));
}
