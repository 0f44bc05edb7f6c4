/** A connection to the server that the page comes from. It comes back by itself when it is lost. */
import type { Message, Requests } from "./messages";

/** The time to the next attempt, in milliseconds. */
const AGAIN = 1_000;

export class Connection {
  #socket: WebSocket | undefined;
  #closed = false;
  /** True once the server has answered. */
  #known = false;

  constructor(
    private readonly heard: (message: Message) => void,
    /** The connection is lost, or, with `false`, there is no such server. */
    private readonly lost: (known: boolean) => void,
  ) {
    this.#open();
  }

  #open(): void {
    const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`);
    this.#socket = socket;
    socket.addEventListener("message", event => {
      this.#known = true;
      this.heard(JSON.parse(String(event.data)) as Message);
    });
    socket.addEventListener("close", () => {
      if (this.#closed) return;
      this.lost(this.#known);
      if (this.#known) setTimeout(() => this.#open(), AGAIN);
    });
  }

  send<T extends keyof Requests>(type: T, members: Requests[T]): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type, ...members }));
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }
}
