/** What the words of legal actions say about tiles and keys. Nothing here knows a ruleset. */

import { splitTiles } from "../dom";
import type { Legal, TileNames, View } from "./types";

/** The letters of the seats in order. */
export const SEATS = "ESWN56";

/** Verbs of actions that take one tile of the hand away. */
const ONE_TILE = ["dahai", "exchange"];

/** A tile of the own hand, and the action that a tap on it carries out. */
export interface HandTile {
  tile: string;
  drawn: boolean;
  /** True for a tile that was chosen for the exchange. */
  chosen: boolean;
  action: Legal | undefined;
}

function taken(action: string): { tile: string; drawn: boolean } | undefined {
  const [verb, tile, mark] = action.split(" ");
  return verb !== undefined && tile !== undefined && ONE_TILE.includes(verb) ? { tile, drawn: mark !== undefined } : undefined;
}

/** The own hand in order, the drawn tile last. */
export function handOf(view: View): HandTile[] {
  const held = splitTiles(view.hand);
  if (view.drawn !== null) {
    const place = held.lastIndexOf(view.drawn);
    if (place >= 0) held.splice(place, 1);
  }
  const chosen = splitTiles(view.exchanged);
  const of = (tile: string, drawn: boolean): HandTile => {
    const place = chosen.indexOf(tile);
    if (place >= 0) chosen.splice(place, 1);
    const action = view.legal.find(one => {
      const takes = taken(one.action);
      return takes?.tile === tile && takes.drawn === drawn;
    });
    return { tile, drawn, chosen: place >= 0, action };
  };
  const hand = held.map(tile => of(tile, false));
  if (view.drawn !== null) hand.push(of(view.drawn, true));
  return hand;
}

/** The legal actions that are no taps on a tile of the hand. */
export function choicesOf(view: View): Legal[] {
  const tapped = new Set(handOf(view).map(one => one.action));
  return view.legal.filter(one => !tapped.has(one));
}

/** What a tap on a tile of the hand does, as a request. */
export function tapWords(view: View): string {
  return view.legal.some(one => one.action.startsWith("exchange ")) ? "Choose a tile to pass on." : "Choose a tile to discard.";
}

/** True if a seat may also do nothing: somebody else's tile is offered. */
export function isOffer(view: View): boolean {
  return view.legal.some(one => one.action === "none");
}

/** The tiles that an action names, to be drawn on its button. */
export function tilesOfAction(action: string): string[] {
  const [, tiles] = action.split(" ");
  return tiles !== undefined && /^[0-9a-fx]*[tsmA-Z]/.test(tiles) && action.includes(" ") ? splitTiles(tiles) : [];
}

/** An action in words, with the names of its tiles for those who listen. */
export function spoken({ action, words }: Legal, names: TileNames): string {
  const all = tilesOfAction(action).map(names);
  return all.length === 0 ? words : `${words} (${all.join(", ")})`;
}

/** A letter for each of some texts: the first letter of its words that is free, or a digit. */
export function lettersOf(words: string[], reserved: string): string[] {
  const used = new Set(reserved);
  return words.map(text => {
    const initials = text.split(/\s+/).map(word => word[0] ?? "");
    const wanted = [...initials, ...text].map(letter => letter.toLowerCase());
    const free = [...wanted.filter(letter => /[a-z]/.test(letter)), ..."123456789"].find(letter => !used.has(letter)) ?? "";
    used.add(free);
    return free;
  });
}
