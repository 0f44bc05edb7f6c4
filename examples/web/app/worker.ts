/** Runs an engine beside the page. Messages bring the module or its parts, then requests with their numbers. */
import { Engine } from "./engine";

export type ToWorker = { whole: WebAssembly.Module } | { first: WebAssembly.Module; address: string } | { rest: WebAssembly.Module } | { number: number; line: string };

let engine: Promise<Engine> | undefined;
let rest: WebAssembly.Module | undefined;

/** The rest of the module. Unless the page has sent it, the worker waits for it: the engine goes on only then. */
function fetchedRest(address: string): WebAssembly.Module {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status}`);
  return new WebAssembly.Module(request.response as ArrayBuffer);
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ("whole" in data) engine = Engine.load(data.whole);
  else if ("first" in data) engine = Engine.loadParts(data.first, () => rest ?? fetchedRest(data.address));
  else if ("rest" in data) rest = data.rest;
  else {
    try {
      const line = (await engine)?.answer(data.line);
      if (line !== undefined) self.postMessage({ number: data.number, line });
    } catch (error) {
      // The page stops a worker that has failed.
      reportError(error);
    }
  }
};
