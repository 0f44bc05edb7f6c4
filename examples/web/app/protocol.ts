/** Requests of the engine and their answers: those of the library's JSON interface and those of `src/requests.md`. */

/** Rules: the id of a built-in ruleset or a text in TOML, with options. */
export interface Choice {
  ruleset?: string;
  rules?: string;
  options?: Record<string, unknown>;
}

/** A place in the text of a ruleset, counted from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
  message: string;
}

export interface Fault {
  code: string;
  message: string;
  places?: Place[];
  line?: number;
}

export interface Listed {
  id: string;
  name: string;
  players: number;
  langs: string[];
}

export interface TileInfo {
  /** The tile in `ujmj` notation. */
  tile: string;
  name: string;
  copies: number;
  group: "t" | "s" | "m" | "honour" | "joker" | "flower";
}

export interface OptionInfo {
  name: string;
  title: string;
  doc: string;
  kind: "bool" | "int" | "decimal" | "enum" | "ints" | "words" | "pattern-values" | "other";
  min?: number;
  max?: number;
  step?: number;
  len?: number;
  values?: string[];
  patterns?: string[];
  default: unknown;
  value: unknown;
}

export interface About {
  ruleset: string;
  name: string;
  doc: string;
  version: string;
  hash: string;
  langs: string[];
  players: number;
  /** The letters of the seats in order. */
  seats: string[];
  /** The letters of the winds with their names. */
  winds: [string, string][];
  /** The size of a hand between turns. */
  hand: number;
  tiles: TileInfo[];
  flags: { id: string; doc: string }[];
  ways: string[];
  /** Members of a `score` request that the ruleset has. */
  members: string[];
  score: string;
  settles_losers: boolean;
  patterns: { id: string; name: string; doc: string }[];
  options: OptionInfo[];
}

export interface Meld {
  tiles: string;
  open?: boolean;
  added?: boolean;
  from?: string | null;
}

export interface Player {
  seat: string;
  hand: string;
  melds?: Meld[];
  flowers?: string;
  set_aside?: string;
}

export interface Win {
  tile: string;
  by: string;
  from?: string | null;
  flags?: string[];
  quads?: number;
}

/** The members of a `score` request. */
export interface ScoreMembers {
  round?: string;
  player: Player;
  win: Win | null;
  bonus?: string;
  dora?: string;
  ura?: string;
  honba?: number;
  deposits?: number;
  explain?: boolean;
  repair?: (string | null)[];
  why_not?: string[];
  lang?: string;
}

export interface ExplainedGroup {
  tiles: string;
  family: string | null;
  declared: boolean;
  open: boolean;
  winning: boolean;
}

export interface Explanation {
  headline: string;
  points: number;
  wins: boolean;
  split: string | null;
  groups: ExplainedGroup[];
  patterns: { id: string; name: string; times: number; value: string; made_of: string[]; doc: string; src: string }[];
  fu: { id: string; times: number; fu: number; made_of: string[]; doc: string }[];
  steps: { of: string; operation: string; amount: number; value: number; reason: string }[];
  left_out: { id: string; name: string; value: string; reason: string; by: string[] }[];
  runner_up: { groups: ExplainedGroup[]; names: string[]; points: number; sum: string; reason: string } | null;
}

export interface Change {
  change: string;
  from: string | null;
  to: string | number | null;
  words: string;
}

export interface Repair {
  pattern: string | null;
  changes: Change[] | null;
}

export interface Score {
  points: number;
  name?: string | null;
  patterns: { id: string; name?: string; value: number }[];
  arrangement: string[];
  explanation?: Explanation;
  repair?: Repair[];
}

export interface Payments {
  deltas: number[];
  payments: { from: string; to: string; points: number; why: string }[];
}

/** The nearest hand that is worth more. */
export interface Better {
  /** The fewest changes, in words. Null if no two changes do it. */
  changes: string[] | null;
  score: ScoreMembers | null;
  points: number | null;
}

export interface ActionWords {
  action: string;
  words: string;
}

/** How a table stands. */
export interface Table {
  table: string;
  deal: number;
  round: string;
  dealer: number;
  totals: number[];
  waiting: { player: number; seat: string }[];
  over: boolean;
  results?: number[];
  ended?: {
    deal: number;
    dealer: number;
    wins: { player: number; from: number | null; tile: string; explanation: Explanation | null }[];
    payments: string[];
    deltas: number[];
  }[];
  action?: string;
}

/** A meld of a view. */
export interface ShownMeld {
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
  points: number[];
  counters: number;
  deposits: number;
  draws_left: number;
  /** Indicators that lie face up. */
  turned: string;
  /** Tiles that were turned after a win. */
  turned_tiles: string;
  pile: string[];
  concealed: number[];
  melds: ShownMeld[][];
  flowers: string[];
  shown: (string | null)[];
  missing_suits: (string | null)[];
  exchanged: string;
  set_aside: string[];
  discards: Discard[];
  legal: ActionWords[];
}

export interface Lint extends Place {
  kind: string;
}

export interface Linted {
  ruleset: string;
  name: string;
  hash: string;
  lints: Lint[];
  proved: { id: string; doc: string }[];
}

export interface Difference {
  path: string[];
  before: string | null;
  after: string | null;
  words: string;
}

/** Statistics of matches. All members are sums. */
export interface Statistics {
  summary: {
    matches: number;
    deals: number;
    draws: number;
    decisions: number;
    self_draws: number;
    wins: number[];
    seat_wins: number[];
    points: number[];
    seat_points: number[];
    winning_points: number[];
    patterns: number[];
    [member: string]: unknown;
  };
  win_points: Record<string, number>;
  win_discards: Record<string, number>;
  [member: string]: unknown;
}

export interface Simulated {
  statistics: Statistics;
  /** The patterns of the ruleset, in how many winning hands each counted, and what it is worth in `unit`. */
  patterns: { id: string; name: string; wins: number; price: number | null }[];
  unit: string;
  units_per_point: number;
  players: number;
}

/** What one match adds to the measures of a comparison. */
export interface Measures {
  deals: number;
  draws: number;
  decisions: number;
  wins: number;
  self_draws: number;
  win_points: number;
  dealer_wins: number;
  best: number;
  worst: number;
  first_dealer: number;
  gained: number;
}

/** A match under two rulesets on the same walls. */
export interface Pair {
  game: number;
  measures: [Measures, Measures];
  /** The first decision that differs, and what was decided. */
  parted: { decision: number; said: (string | null)[] } | null;
}

export interface Frame {
  /** The parts of the picture, as places in `fragments`. */
  parts: number[];
  told: string;
  /** What happened, for readers who do not see the hand of this player. */
  public: [string, number] | null;
  /** A place in `explanations`. */
  explained: number | null;
  is_win: boolean;
  /** The title of the deal that begins here. */
  deal: string | null;
}

export interface Decision extends ActionWords {
  /** The step after which it was made. */
  frame: number;
  player: number;
}

export interface Replayed {
  ruleset: string;
  name: string;
  games: number;
  names: string[];
  players: number;
  view_box: string;
  hand_box: string;
  fragments: string[];
  explanations: string[];
  frames: Frame[];
  decisions: Decision[];
}

export interface Advice extends ActionWords {
  player: number;
  taken: string;
  weighed: (ActionWords & {
    worth: number | null;
    goals: { goal: string; distance: number; accepts: string[]; left: number }[];
  })[];
}

type InLanguage = { lang?: string };
type AtTable = InLanguage & { table: string };
type OfPlayer = AtTable & { player?: number };

/** The members and the answer of each type of request. */
export interface Requests {
  rulesets: [InLanguage, { rulesets: Listed[] }];
  about: [Choice & InLanguage, About];
  tiles: [{}, { sheet: string }];
  text: [{ ruleset: string }, { ruleset: string; text: string; resolved: string }];
  rulebook: [Choice & InLanguage, { title: string; html: string }];
  ledger: [Choice & InLanguage & { text: string }, { title: string; html: string }];
  payments: [Choice & { score: ScoreMembers; losers?: Record<string, number> }, Payments];
  better: [Choice & { score: ScoreMembers }, Better];
  lint: [Choice & { quick?: boolean }, Linted];
  differences: [{ before: Choice; after: Choice }, { differences: Difference[] }];
  simulate: [Choice & { agents: string[]; seed: number; from: number; to: number }, Simulated];
  compare: [{ before: Choice; after: Choice; agent: string; seed: number; from: number; to: number }, { pairs: Pair[] }];
  replay: [Choice & InLanguage & { text: string; game?: number }, Replayed];
  advice: [{ decision: number; agent: string }, Advice];
  score: [Choice & ScoreMembers, Score];
  parse: [Choice & { tiles: string }, { tiles: string; count: number }];
  distance: [Choice & { hand: string; melds?: Meld[]; [member: string]: unknown }, Record<string, unknown>];
  new: [Choice & InLanguage & { table?: string; seats?: string[]; seed: number | string; agent_seed?: number | string }, Table];
  load: [InLanguage & { table?: string; saved: unknown }, Table];
  view: [OfPlayer, { table: string; player: number; view: View }];
  legal: [OfPlayer, { table: string; player: number; actions: ActionWords[] }];
  act: [OfPlayer & { action: string }, Table];
  default: [OfPlayer, Table];
  undo: [AtTable, Table];
  fork: [AtTable & { as?: string }, Table];
  hint: [OfPlayer & { agent?: string; reasons?: boolean }, ActionWords & { table: string; player: number; weighed?: unknown[] }];
  save: [AtTable, { table: string; saved: unknown }];
  log: [OfPlayer & { from?: number; notation?: string }, { table: string; next: number; lines: unknown[] }];
  spectate: [AtTable, { table: string; player: null; view: View }];
  close: [AtTable, { table: string }];
}

export type Kind = keyof Requests;
export type Members<K extends Kind> = Requests[K][0];
export type AnswerTo<K extends Kind> = Requests[K][1];

/** A request that the engine refuses. */
export class Refused extends Error {
  readonly fault: Fault;
  /** Members of the answer beside the error, such as the score of a hand that is worth too little. */
  readonly beside: Record<string, unknown>;

  constructor(fault: Fault, beside: Record<string, unknown> = {}) {
    super(fault.message);
    this.name = "Refused";
    this.fault = fault;
    this.beside = beside;
  }
}

/** Reads the line of an answer. */
export function readAnswer<K extends Kind>(line: string): AnswerTo<K> {
  const { id: _, ok, error, ...members } = JSON.parse(line);
  if (ok !== true) throw new Refused(error, members);
  return members as AnswerTo<K>;
}
