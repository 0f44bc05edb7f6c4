/**
 * The mahjong engine paishan as an ES module. It takes requests in JSON and answers them at once, in the thread of the caller:
 *
 * ```js
 * import { Engine } from "paishan-web";
 * const engine = await Engine.load(await fetch("paishan.wasm"));
 * const score = engine.ask("score", { ruleset: "woo", round: "E", player: { seat: "N", hand: "111234567s55s67s" }, win: { tile: "8s", by: "wall" } });
 * ```
 */
import { readAnswer, type AnswerTo, type Kind, type Members } from "./protocol";

export * from "./protocol";

/** What an instance of the module exports. */
export interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  paishan_allocate(len: number): number;
  paishan_answer(request: number, len: number): bigint;
  paishan_free(bytes: number, len: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  readonly #exports: Exports;

  /** An engine over an instance that has been loaded. */
  constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Loads the module from its bytes, from the response to a fetch, or compiled. */
  static async load(source: BufferSource | WebAssembly.Module | Response): Promise<Engine> {
    if (source instanceof WebAssembly.Module) {
      const instance = await WebAssembly.instantiate(source);
      return new Engine(instance.exports as Exports);
    }
    const bytes = "arrayBuffer" in source && typeof source.arrayBuffer === "function" ? await source.arrayBuffer() : (source as BufferSource);
    const { instance } = await WebAssembly.instantiate(bytes);
    return new Engine(instance.exports as Exports);
  }

  /**
   * Loads the module in its two parts. The first has what starting, playing and scoring take. When it calls a function of the
   * rest for the first time it asks for it, and must have it at once.
   */
  static async loadParts(first: WebAssembly.Module, rest: () => WebAssembly.Module): Promise<Engine> {
    const load = () => void new WebAssembly.Instance(rest(), { first: exports });
    const { exports } = await WebAssembly.instantiate(first, { rest: { load } });
    return new Engine(exports as Exports);
  }

  /** Answers a line of JSON with a line of JSON. */
  answer(line: string): string {
    const { memory, paishan_allocate, paishan_answer, paishan_free } = this.#exports;
    const request = encoder.encode(line);
    const address = paishan_allocate(request.length);
    new Uint8Array(memory.buffer, address, request.length).set(request);
    const answer = BigInt.asUintN(64, paishan_answer(address, request.length));
    const [start, length] = [Number(answer >> 32n), Number(answer & 0xffffffffn)];
    const text = decoder.decode(new Uint8Array(memory.buffer, start, length));
    paishan_free(start, length);
    return text;
  }

  /** Answers a request. Throws {@link Refused} for one that the engine refuses. */
  ask<K extends Kind>(type: K, members: Members<K>): AnswerTo<K> {
    return readAnswer<K>(this.answer(JSON.stringify({ type, ...members })));
  }
}
