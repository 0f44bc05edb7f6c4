/** Shares and means with their intervals, from sums that can be added. */
import type { Simulated } from "../protocol";

/** The normal quantile of 95 % intervals. */
const Z = 1.959963984540054;

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** A share with its Wilson interval. */
export function share(part: number, whole: number): Estimate {
  if (whole === 0) return { value: 0, low: 0, high: 1 };
  const p = part / whole;
  const z = (Z * Z) / whole;
  const middle = (p + z / 2) / (1 + z);
  const half = (Z * Math.sqrt((p * (1 - p)) / whole + z / (4 * whole))) / (1 + z);
  return { value: p, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** A mean with its interval, from the sum and the sum of squares. */
export function mean(sum: number, squares: number, count: number): Estimate {
  if (count === 0) return { value: 0, low: 0, high: 0 };
  const value = sum / count;
  const variance = count > 1 ? Math.max(0, squares / count - value * value) * (count / (count - 1)) : 0;
  const half = Z * Math.sqrt(variance / count);
  return { value, low: value - half, high: value + half };
}

/** The sum of two values of the same shape: numbers add up, lists and objects member by member. */
export function added<T>(one: T, other: T): T {
  if (typeof one === "number" && typeof other === "number") return (one + other) as T;
  if (Array.isArray(one) && Array.isArray(other)) {
    const length = Math.max(one.length, other.length);
    return Array.from({ length }, (_, place) => added(one[place], other[place])) as T;
  }
  if (typeof one === "object" && one !== null && typeof other === "object" && other !== null) {
    const sum = { ...one } as Record<string, unknown>;
    for (const [key, value] of Object.entries(other)) sum[key] = key in sum ? added(sum[key], value) : value;
    return sum as T;
  }
  return one === undefined ? other : one;
}

/** Two parts of a play-test, put together. */
export function joined(one: Simulated | undefined, other: Simulated): Simulated {
  if (one === undefined) return other;
  const patterns = one.patterns.map((pattern, place) => ({ ...pattern, wins: pattern.wins + (other.patterns[place]?.wins ?? 0) }));
  return { ...other, patterns, statistics: added(one.statistics, other.statistics) };
}

/** What a play-test says, ready to be shown. */
export interface Facts {
  deals: number;
  wins: number;
  draws: Estimate;
  selfDraws: Estimate;
  /** Turns of a player before a win. */
  turn: number;
  /** The points of wins with their counts, in order. */
  points: [number, number][];
  median: number;
  mean: number;
  /** Points a deal for each seat, from the dealer on. */
  seats: Estimate[];
  patterns: { id: string; name: string; share: Estimate }[];
}

function counts(map: Record<string, number>): [number, number][] {
  return Object.entries(map).map(([key, count]): [number, number] => [Number(key), count]).sort((one, other) => one[0] - other[0]);
}

export function factsOf({ statistics, patterns, units_per_point, players }: Simulated): Facts {
  const { summary } = statistics;
  const wins = summary.wins.reduce((sum, count) => sum + count, 0);
  const points = counts(statistics.win_points);
  const discards = counts(statistics.win_discards).reduce((sum, [number, count]) => sum + number * count, 0);
  const squares = statistics["seat_squares"] as number[];
  const half = wins / 2;
  let before = 0;
  const median = points.find(([, count]) => (before += count) >= half)?.[0] ?? 0;
  const scaled = ({ value, low, high }: Estimate) => ({ value: value / units_per_point, low: low / units_per_point, high: high / units_per_point });
  return {
    deals: summary.deals,
    wins,
    draws: share(summary.draws, summary.deals),
    selfDraws: share(summary.self_draws, wins),
    turn: discards / Math.max(wins, 1) / players,
    points,
    median,
    mean: points.reduce((sum, [value, count]) => sum + value * count, 0) / Math.max(wins, 1),
    seats: Array.from({ length: players }, (_, seat) => scaled(mean(summary.seat_points[seat] ?? 0, squares[seat] ?? 0, summary.deals))),
    patterns: patterns.map(({ id, name, wins: hands }) => ({ id, name, share: share(hands, wins) })),
  };
}
