/** Asks an engine in a worker, so that a long answer never stops the page. */
import { readAnswer, type AnswerTo, type Kind, type Members } from "./protocol";
import type { ToWorker } from "./worker";

/** The worker took too long, or was stopped. Tables that it held are gone. */
export class Stopped extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Stopped";
  }
}

export interface AskOptions {
  /** Milliseconds after which the worker is stopped. */
  timeout?: number;
}

/** How long an answer may take, in milliseconds, unless the caller says so. */
const PATIENCE = 20_000;

interface Asked {
  resolve(line: string): void;
  reject(error: Error): void;
  timer?: ReturnType<typeof setTimeout>;
}

/** How much of the engine a worker takes from the start. The rest follows the first part. */
export type Part = "first" | "whole";

/** Starts workers. Its parts come with the page, or from beside it. */
export interface Source {
  /** A worker that has the engine, or its first part. */
  start(part: Part): Promise<Worker>;
}

export class Client {
  readonly #source: Source;
  readonly #part: Part;
  #worker: Promise<Worker> | undefined;
  #asked = new Map<number, Asked>();
  #next = 0;

  constructor(source: Source, part: Part) {
    this.#source = source;
    this.#part = part;
  }

  async #start(): Promise<Worker> {
    const worker = await this.#source.start(this.#part);
    worker.onmessage = ({ data }: MessageEvent<{ number: number; line: string }>) => {
      const asked = this.#asked.get(data.number);
      this.#asked.delete(data.number);
      clearTimeout(asked?.timer);
      asked?.resolve(data.line);
    };
    worker.onerror = event => this.stop(`The engine failed: ${event.message}`);
    return worker;
  }

  /** Answers a request. Rejects with `Refused` for one that the engine refuses, with {@link Stopped} after a stop. */
  async ask<K extends Kind>(type: K, members: Members<K>, { timeout = PATIENCE }: AskOptions = {}): Promise<AnswerTo<K>> {
    const number = this.#next++;
    const asked: Asked = { resolve: () => {}, reject: () => {} };
    const line = new Promise<string>((resolve, reject) => Object.assign(asked, { resolve, reject }));
    this.#asked.set(number, asked);
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    if (!this.#asked.has(number)) return readAnswer<K>(await line);
    // Loading the module does not count: a slow device takes its time.
    asked.timer = setTimeout(() => this.stop("This took too long and was stopped."), timeout);
    worker.postMessage({ number, line: JSON.stringify({ type, ...members }) });
    return readAnswer<K>(await line);
  }

  /** Stops the worker. Open requests are rejected; the next one starts a new worker. */
  stop(message = "It was stopped."): void {
    void this.#worker?.then(worker => worker.terminate());
    this.#worker = undefined;
    for (const { reject, timer } of this.#asked.values()) {
      clearTimeout(timer);
      reject(new Stopped(message));
    }
    this.#asked.clear();
  }
}

/** The bytes of a text in base64 that was packed with gzip. */
async function unpacked(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** A module beside the page, loaded when it is wanted for the first time. */
function beside(name: string): () => Promise<WebAssembly.Module> {
  let module: Promise<WebAssembly.Module> | undefined;
  const load = async () => {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  };
  return () => {
    if (module === undefined) {
      module = load();
      // A later try may find the network again.
      module.catch(() => (module = undefined));
    }
    return module;
  };
}

/** The module and the worker within the page, or beside it. */
export function findSource(): Source {
  const post = (worker: Worker, message: ToWorker) => worker.postMessage(message);
  const module = document.getElementById("module")?.textContent;
  const script = document.getElementById("worker")?.textContent;
  if (module == null || script == null) {
    const [first, rest] = [beside("paishan-first.wasm"), beside("paishan-rest.wasm")];
    return {
      async start(part) {
        const loaded = await first();
        if (part === "whole") await rest();
        const worker = new Worker("worker.js");
        post(worker, { first: loaded, address: "paishan-rest.wasm" });
        // The worker asks for the rest itself if it needs it before.
        rest().then(module => post(worker, { rest: module }), () => {});
        return worker;
      },
    };
  }
  // A page in one file has the whole engine once.
  const whole = unpacked(module).then(bytes => WebAssembly.compile(bytes));
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return {
    async start() {
      const loaded = await whole;
      const worker = new Worker(address);
      post(worker, { whole: loaded });
      return worker;
    },
  };
}
