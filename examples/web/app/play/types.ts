/** Answers of the JSON interface about tables. `src/protocol/interface.md` of the library documents their members. */

import type { ActionWords, Table } from "../protocol";

export type { Discard, ShownMeld as Meld, View } from "../protocol";

export type Standing = Table;
export type EndedDeal = NonNullable<Table["ended"]>[number];
export type Legal = ActionWords;

/** The name of a tile. */
export type TileNames = (tile: string) => string;

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
