/** Answers of the JSON interface about tables. `src/protocol/interface.md` of the library documents their members. */

import type { ActionWords, Table } from "../protocol";

export type Standing = Table;
export type EndedDeal = NonNullable<Table["ended"]>[number];
export type Legal = ActionWords;

/** The name of a tile. */
export type TileNames = (tile: string) => string;

export interface Meld {
  tiles: string;
  open: boolean;
  added: boolean;
  claimed: string | null;
  from: string | null;
}

export interface Discard {
  seat: string;
  tile: string;
  drawn: boolean;
  claimed: boolean;
  riichi: boolean;
}

/** What a player sees. Lists by seat begin with the dealer. */
export interface View {
  seat: string | null;
  players: number;
  dealer: number;
  round: string;
  hand: string;
  drawn: string | null;
  turn: string | null;
  claimable: [string, string] | null;
  challengeable: string | null;
  may_end_match: string | null;
  announced: (string | null)[];
  dead: boolean[];
  riichi: boolean[];
  furiten: boolean;
  counters: number;
  deposits: number;
  draws_left: number;
  turned: string;
  turned_tiles: string;
  concealed: number[];
  melds: Meld[][];
  flowers: string[];
  shown: (string | null)[];
  missing_suits: (string | null)[];
  exchanged: string;
  set_aside: string[];
  discards: Discard[];
  legal: Legal[];
}

/** A line of the log. Members depend on the type. */
export interface LogLine {
  type: string;
  actor?: number;
  target?: number;
  pai?: string;
  consumed?: string[];
  scores?: number[];
  deltas?: number[];
  oya?: number;
  hand?: number;
  bakaze?: string;
  what?: string;
  suit?: string;
  reason?: string;
  dora_marker?: string;
  hora_points?: number;
  tehais?: string[][];
}

export interface Goal {
  goal: string;
  distance: number;
  accepts: string[];
  left: number[];
  total: number;
}

/** An action that an adviser compared with others. */
export interface Weighed extends Legal {
  worth?: number;
  gain?: number;
  risk?: number;
  cost?: number;
  goals: Goal[];
}

export interface Hint extends Legal {
  weighed: Weighed[];
}
