/** Draws what a player sees: the others, what lies on the table, and the own melds. */

import { el, picture, splitTiles, tiles } from "../dom";
import { SEATS } from "./actions";
import type { Meld, TileNames, View } from "./types";

/** What the drawing needs to know beside the view. */
export interface Company {
  /** The name of a player. */
  name: (player: number) => string;
  /** Points by player. */
  scores: number[];
  tileNames: TileNames;
  /** The name of a wind. */
  wind: (seat: string) => string;
  suit: (suit: string) => string;
  /** How many discards the player has seen before. Later ones are marked. */
  seenDiscards: number;
}

export function playerOf(view: View, place: number): number {
  return (view.dealer + place) % view.players;
}

/** A row of tiles with a label. */
function row(label: string, text: string, names: TileNames): HTMLElement {
  const all = tiles(text, names);
  all.setAttribute("aria-label", `${label}: ${all.getAttribute("aria-label")}`);
  all.title = label;
  return all;
}

function meld(one: Meld, names: TileNames): HTMLElement {
  if (one.tiles.includes("?")) return row("kong, face down", "????", names);
  const all = splitTiles(one.tiles);
  const claimed = one.claimed === null ? -1 : all.indexOf(one.claimed);
  const drawn = all.map((text, place) => {
    const one = picture(text);
    if (place === claimed) one.classList.add("turned");
    return one;
  });
  const words = all.map(text => names(text)).join(", ");
  const label = one.open ? `meld: ${words}` : `concealed meld: ${words}`;
  return el("span", { class: one.open ? "down" : "down closed", attributes: { role: "img", "aria-label": label } }, ...drawn);
}

/** What a seat has laid down and said. */
function laid(view: View, place: number, company: Company): Node[] {
  const names = company.tileNames;
  const parts: Node[] = (view.melds[place] ?? []).map(one => meld(one, names));
  const add = (label: string, text: string | null | undefined) => {
    if (text) parts.push(row(label, text, names));
  };
  add("bonus tiles", view.flowers[place]);
  add("set aside", view.set_aside[place]);
  add("has won with", view.shown[place]);
  return parts;
}

function marks(view: View, place: number, company: Company): string[] {
  const said: string[] = [];
  if (view.riichi[place]) said.push("riichi");
  const announced = view.announced[place];
  if (announced) said.push(announced.toLowerCase());
  if (view.dead[place]) said.push("dead hand");
  const missing = view.missing_suits[place];
  if (missing) said.push(`without ${company.suit(missing)}`);
  if (view.shown[place]) said.push("has won");
  return said;
}

function discards(view: View, place: number, company: Company): HTMLElement | undefined {
  const seat = SEATS[place];
  const list = el("ol", { class: "river", attributes: { "aria-label": "discards" } });
  view.discards.forEach((one, number) => {
    if (one.seat !== seat) return;
    const said = [company.tileNames(one.tile), one.claimed ? "claimed" : "", one.riichi ? "riichi" : ""];
    const item = el("li", {}, picture(one.tile));
    item.setAttribute("aria-label", said.filter(Boolean).join(", "));
    item.classList.toggle("claimed", one.claimed);
    item.classList.toggle("turned", one.riichi);
    item.classList.toggle("fresh", number >= company.seenDiscards);
    item.classList.toggle("offered", !one.claimed && number === view.discards.length - 1 && view.claimable?.[1] === seat);
    list.append(item);
  });
  return list.childElementCount > 0 ? list : undefined;
}

/** A seat at the table, the own one without its hand. */
export function seatBox(view: View, place: number, company: Company): HTMLElement {
  const player = playerOf(view, place);
  const seat = SEATS[place] ?? "";
  const own = view.seat === seat;
  const said = marks(view, place, company);
  const head = el(
    "div",
    { class: "seat-head" },
    el("b", { class: "wind", title: company.wind(seat) }, seat),
    el("span", { class: "who" }, company.name(player)),
    el("span", { class: "points" }, String(company.scores[player] ?? 0).replace("-", "−")),
    ...(own ? [] : [el("span", { class: "count", title: "concealed tiles" }, `${view.concealed[place] ?? 0} tiles`)]),
    ...said.map(word => el("span", { class: "mark" }, word)),
  );
  const down = laid(view, place, company);
  const river = discards(view, place, company);
  const box = el("section", { class: own ? "seat own" : "seat", attributes: { "aria-label": `${company.wind(seat)}, ${company.name(player)}` } }, head);
  if (down.length > 0) box.append(el("div", { class: "laid" }, ...down));
  if (river) box.append(river);
  box.classList.toggle("turn", view.turn === seat);
  return box;
}

/** The line above the table. */
export function middle(view: View, deal: number, company: Company): HTMLElement {
  const facts = [`deal ${deal}`, `${company.wind(view.round)} round`, `${view.draws_left} draws left`];
  if (view.counters > 0) facts.push(`counters ${view.counters}`);
  if (view.deposits > 0) facts.push(`deposits ${view.deposits}`);
  if (view.furiten) facts.push("furiten");
  const line = el("p", { class: "facts-line" }, facts.join(" · "));
  if (view.turned !== "") line.append(" · indicators ", row("indicators", view.turned, company.tileNames));
  if (view.turned_tiles !== "") line.append(" · turned ", row("turned tiles", view.turned_tiles, company.tileNames));
  return line;
}

/** The seats of the others, the next in turn first. */
export function others(view: View): number[] {
  const own = view.seat === null ? 0 : SEATS.indexOf(view.seat);
  return Array.from({ length: view.players - 1 }, (_, step) => (own + step + 1) % view.players);
}
