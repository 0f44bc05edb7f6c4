/** The form for a new match. */

import { el } from "../dom";
import type { About, OptionInfo } from "../protocol";
import type { Start } from "./session";

/** A ruleset that can be chosen: a built-in one, or a text of one's own. */
export interface Offered {
  id: string;
  name: string;
  rules?: string;
}

type Options = Record<string, unknown>;

/** Who can sit at the table. */
const SITTERS: [string, string][] = [
  ["human", "person"],
  ["value", "bot: aims and folds"],
  ["greedy", "bot: goes for the nearest hand"],
  ["value-30", "bot: slips often"],
  ["random", "bot: plays at random"],
];

function optionInput(option: OptionInfo, change: (value: unknown) => void): HTMLElement | undefined {
  const id = `option-${option.name}`;
  const label = el("label", { htmlFor: id }, option.title);
  const field = (input: HTMLElement) => el("div", { class: "field", title: option.doc }, label, input);
  if (option.kind === "bool") {
    const input = el("input", { type: "checkbox", id });
    input.checked = option.default === true;
    input.addEventListener("change", () => change(input.checked));
    return field(input);
  }
  if (option.kind === "enum") {
    const input = el("select", { id }, ...(option.values ?? []).map(value => el("option", { value }, value)));
    input.value = String(option.default);
    input.addEventListener("change", () => change(input.value));
    return field(input);
  }
  if (option.kind === "int" || option.kind === "decimal") {
    const input = el("input", { type: "number", id, min: String(option.min), max: String(option.max), step: String(option.step ?? 1) });
    input.value = String(option.default);
    input.addEventListener("change", () => change(Number(input.value)));
    return field(input);
  }
  return undefined;
}

function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}

/** The form. `about` reads a ruleset with some options set; `start` begins the match. */
export function setupForm(
  offered: Offered[],
  chosen: string,
  about: (offered: Offered, options: Options) => Promise<About>,
  start: (start: Start) => Promise<void>,
): HTMLElement {
  const ruleset = el("select", { id: "play-ruleset" }, ...offered.map(one => el("option", { value: one.id }, one.name)));
  ruleset.value = offered.some(one => one.id === chosen) ? chosen : (offered[0]?.id ?? "");
  const seats = el("div", { class: "seats" });
  const options = el("div", { class: "options" });
  const fault = el("p", { class: "fault", attributes: { role: "alert" } });
  const seed = el("input", { id: "play-seed", inputMode: "numeric", autocomplete: "off", placeholder: "secret" });
  let set: Options = {};
  let current: Offered | undefined;
  const seatRow = (player: number) => {
    const id = `sitter-${player}`;
    const kind = el("select", { id }, ...SITTERS.map(([value, words]) => el("option", { value }, words)));
    kind.value = player === 0 ? "human" : "value";
    const name = el("input", { maxLength: 16, autocomplete: "off", attributes: { "aria-label": `name of player ${player + 1}` } });
    name.value = player === 0 ? "You" : `Player ${player + 1}`;
    name.hidden = kind.value !== "human";
    kind.addEventListener("change", () => (name.hidden = kind.value !== "human"));
    return el("div", { class: "sitter" }, el("label", { htmlFor: id }, `Player ${player + 1}`), kind, name);
  };
  const refresh = async (whole: boolean) => {
    current = offered.find(one => one.id === ruleset.value);
    if (current === undefined) return;
    if (whole) set = {};
    fault.textContent = "";
    try {
      const told = await about(current, set);
      while (seats.childElementCount > told.players) seats.lastElementChild?.remove();
      while (seats.childElementCount < told.players) seats.append(seatRow(seats.childElementCount));
      if (!whole) return;
      const change = (name: string) => (value: unknown) => {
        set[name] = value;
        void refresh(false);
      };
      options.replaceChildren(...told.options.map(one => optionInput(one, change(one.name))).filter(one => one !== undefined));
    } catch (error) {
      fault.textContent = String(error instanceof Error ? error.message : error);
    }
  };
  ruleset.addEventListener("change", () => void refresh(true));
  void refresh(true);
  const form = el(
    "form",
    { class: "setup" },
    el("h2", {}, "A new match"),
    el("div", { class: "field" }, el("label", { htmlFor: "play-ruleset" }, "Ruleset"), ruleset),
    el("fieldset", {}, el("legend", {}, "Players"), seats),
    el("details", {}, el("summary", {}, "Options and seed"), options, el("div", { class: "field" }, el("label", { htmlFor: "play-seed" }, "Seed"), seed)),
    fault,
    el("button", { type: "submit", class: "main" }, "Start"),
  );
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (current === undefined) return;
    const rows = [...seats.children];
    const sitters = rows.map(row => row.querySelector("select")?.value ?? "greedy");
    const names = rows.map((row, player) => (sitters[player] === "human" ? row.querySelector("input")?.value.trim() || `Player ${player + 1}` : `${sitters[player] ?? ""} ${player + 1}`));
    const given = seed.value.trim();
    const choice = current.rules === undefined ? { ruleset: current.id, options: set } : { rules: current.rules, options: set };
    const numeric = /^\d{1,15}$/.test(given) ? Number(given) : given;
    const request = { choice, seats: sitters, names, seed: given === "" ? secret() : numeric };
    start(request).catch((error: unknown) => (fault.textContent = String(error instanceof Error ? error.message : error)));
  });
  return form;
}
