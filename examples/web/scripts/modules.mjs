/** The names of the modules in dist/: the whole engine, and the same in two parts. */
export const MODULES = { whole: "paishan.wasm", first: "paishan-first.wasm", rest: "paishan-rest.wasm" };
