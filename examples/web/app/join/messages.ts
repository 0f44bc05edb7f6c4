/** Messages of the server. `examples/server/PROTOCOL.md` describes them. */
import type { EndedDeal, View } from "../play/types";

export interface Seat {
  sitter: string;
  name: string | null;
  connected: boolean;
}

export interface Room {
  room: string;
  ruleset: string;
  ruleset_name: string;
  ruleset_hash: string;
  options: Record<string, unknown>;
  units_per_point: number;
  commitment: string;
  clock: { claim_ms: number; turn_ms: number; bank_ms: number };
  stage: "waiting" | "playing" | "over";
  seats: Seat[];
  spectators: number;
}

/** Something that happened. Members depend on the type. */
export interface TableEvent {
  type: string;
  seat?: string;
  tile?: string | null;
  from?: string;
  owner?: string;
  kind?: string | null;
  suit?: string;
  announcement?: string;
  win?: { tile: string; from: string | null };
}

export interface Over {
  room: string;
  totals: number[];
  results: number[];
  seed: string;
  commitment: string;
  log: string;
}

export type Message =
  | { type: "welcome"; protocol: number; rulesets: string[] }
  | { type: "rooms"; rooms: Room[] }
  | { type: "created"; room: string; ruleset_hash: string }
  | { type: "seated"; room: string; player: number; token: string }
  | { type: "watching"; room: string }
  | ({ type: "room" } & Room)
  | { type: "update"; number: number; deal: number; events: TableEvent[] | null; view: View }
  | { type: "ask"; question: number; ms: number; bank_ms: number; view: View }
  | { type: "accepted"; question: number }
  | { type: "defaulted"; question: number; action: string }
  | ({ type: "ended"; number: number; totals: number[] } & EndedDeal)
  | ({ type: "over" } & Over)
  | { type: "left" }
  | { type: "error"; code: string; message: string };

export interface Requests {
  rooms: object;
  create: { ruleset: string; seats: string[]; clock: { claim_ms: number }; listed: boolean };
  join: { room: string; name: string; ruleset_hash?: string; lang: string };
  rejoin: { room: string; token: string; lang: string };
  watch: { room: string; lang: string };
  act: { question: number; action: string };
  leave: object;
}
