/** Several workers that share the matches of a play-test. */
import { Stopped, type Client } from "../client";

/** The aim for the time of one request, in milliseconds: short enough that plots grow, long enough to be worth a message. */
const AIM = 400;
/** How long one request may take before its worker is stopped, in milliseconds. */
const PATIENCE = 60_000;

/** The number of workers: one core is left for the page. */
export function workers(): number {
  return Math.min(Math.max((navigator.hardwareConcurrency || 2) - 1, 1), 8);
}

export class Pool {
  readonly #make: () => Client;
  #clients: Client[] = [];

  constructor(make: () => Client) {
    this.#make = make;
  }

  /** Runs `ask` for parts of the matches until all are played, and hands each answer to `got`. Rejects when it is stopped. */
  async run<T>(games: number, ask: (client: Client, from: number, to: number, timeout: number) => Promise<T>, got: (answer: T, played: number) => void): Promise<void> {
    this.stop();
    const clients = Array.from({ length: Math.min(workers(), games) }, () => this.#make());
    this.#clients = clients;
    let next = 0;
    let played = 0;
    let size = 1;
    const work = async (client: Client) => {
      while (next < games) {
        const from = next;
        const to = Math.min(games, from + size);
        next = to;
        const began = performance.now();
        const answer = await ask(client, from, to, PATIENCE);
        const time = performance.now() - began;
        size = Math.max(1, Math.min(2 * size, 500, Math.round(((to - from) * AIM) / Math.max(time, 1))));
        played += to - from;
        got(answer, played);
      }
    };
    try {
      await Promise.all(clients.map(work));
    } finally {
      for (const client of clients) client.stop();
      if (this.#clients === clients) this.#clients = [];
    }
  }

  /** Stops all workers. */
  stop(): void {
    for (const client of this.#clients) client.stop();
    this.#clients = [];
  }

  get isRunning(): boolean {
    return this.#clients.length > 0;
  }
}

export { Stopped };
