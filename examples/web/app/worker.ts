/** Runs an engine beside the page. The first message is the module, each later one a request with its number. */
import { Engine } from "./engine";

let engine: Promise<Engine> | undefined;

self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | { number: number; line: string }>) => {
  if (data instanceof WebAssembly.Module) {
    engine = Engine.load(data);
    return;
  }
  const loaded = await engine;
  if (loaded !== undefined) self.postMessage({ number: data.number, line: loaded.answer(data.line) });
};
