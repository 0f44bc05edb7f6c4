/** Lines of a log as sentences, for the list of what happened and for screen readers. */

import type { LogLine } from "./types";

/** Names that the sentences use. */
export interface Names {
  /** A player, such as "greedy 2 (S)", in this deal or in that of another dealer. */
  player: (player: number, dealer?: number) => string;
  /** A tile, such as "5 of circles". */
  tile: (tile: string) => string;
  suit: (suit: string) => string;
}

function said(line: LogLine, names: Names): string | undefined {
  const tile = line.pai === undefined ? "" : names.tile(line.pai);
  const tiles = (line.consumed ?? []).map(names.tile).join(", ");
  switch (line.type) {
    case "dahai":
      return `discards ${tile}`;
    case "chi":
    case "pon":
    case "daiminkan":
      return `claims ${tile} with ${tiles}`;
    case "ankan":
      return line.consumed?.[0] === "?" ? "lays a kong face down" : `makes a kong of ${names.tile(line.consumed?.[0] ?? "?")}`;
    case "kakan":
      return `adds ${tile} to a pung`;
    case "lay":
      return `lays down ${tiles}`;
    case "swap":
      return `takes a joker${line.target === undefined ? "" : ` of ${names.player(line.target)}`} for ${tile}`;
    case "flower":
      return `lays down ${tile}`;
    case "nukidora":
      return `sets ${tile} aside`;
    case "reach":
      return "declares riichi";
    case "declare":
      return `announces: ${line.what ?? ""}`;
    case "exchange":
      // Who neither gives nor takes the tile does not see it.
      return line.pai === "?" || line.target === undefined ? undefined : `passes ${tile} to ${names.player(line.target)}`;
    case "show":
      return "shows the hand";
    case "missing":
      return `does without ${names.suit(line.suit ?? "")}`;
    case "challenge":
      return "challenges a kong";
    case "penalty":
      return `is punished: ${line.reason ?? ""}`;
    case "paid":
      return `is paid: ${line.reason ?? ""}`;
    case "hora":
      return line.target !== undefined && line.target !== line.actor
        ? `wins off ${names.player(line.target)} with ${tile}`
        : `wins with ${tile}`;
    default:
      return undefined;
  }
}

/** What a line says, or nothing if the table shows it anyway. */
export function sentence(line: LogLine, names: Names): string | undefined {
  if (line.type === "dora") return `New indicator: ${names.tile(line.dora_marker ?? "?")}`;
  if (line.type === "ryukyoku") return `The deal is drawn: ${line.reason ?? ""}`;
  const words = said(line, names);
  return words === undefined || line.actor === undefined ? undefined : `${names.player(line.actor)} ${words}`;
}

/** A deal in the running totals. */
export interface LedgerRow {
  deal: number;
  /** How the deal ended. */
  end: string;
  /** Points by player. */
  deltas: number[];
}

/** The deals of a log that are over, with the points that each changed. */
export function ledger(lines: LogLine[], names: Names): LedgerRow[] {
  const rows: LedgerRow[] = [];
  let first: LogLine | undefined;
  let ends: string[] = [];
  let scores: number[] = [];
  for (const line of lines) {
    if (line.type === "start_kyoku") {
      first = line;
      ends = [];
    }
    if (line.type === "hora" || line.type === "ryukyoku") {
      const dealer = first?.oya;
      ends.push(sentence(line, { ...names, player: one => names.player(one, dealer) }) ?? "");
    }
    scores = line.scores ?? scores;
    if (line.type === "end_kyoku" && first !== undefined) {
      const before = first.scores ?? [];
      const deltas = scores.map((total, player) => total - (before[player] ?? 0));
      rows.push({ deal: first.hand ?? rows.length + 1, end: ends.join("; "), deltas });
    }
  }
  return rows;
}
