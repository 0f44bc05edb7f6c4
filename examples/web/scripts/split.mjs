// Splits a module in two: `first` has the functions that are wanted early, `rest` the others. In `first` each function of `rest`
// that it may call is a stub: it asks for the rest once and calls on through a table that the rest fills. In `rest` the
// functions of `first` are imports. Both parts share the memory, the globals and the table of functions.
import binaryen from "binaryen";

const { Features } = binaryen;
const FEATURES = ["SIMD128", "BulkMemory", "BulkMemoryOpt", "NontrappingFPToInt", "SignExt", "MutableGlobals", "ReferenceTypes", "Multivalue"];

function read(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES.reduce((all, name) => all | Features[name], Features.MVP));
  return module;
}

function functionsOf(module) {
  const all = Array.from({ length: module.getNumFunctions() }, (_, index) => module.getFunctionByIndex(index));
  return all.map(reference => ({ reference, ...binaryen.getFunctionInfo(reference) }));
}

/** An unsigned number in LEB128. */
function leb(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** The number at a place, and the place after it. */
function readLeb(bytes, place) {
  let [value, scale] = [0, 1];
  for (; bytes[place] > 0x7f; place++, scale *= 128) value += (bytes[place] & 0x7f) * scale;
  return [value + bytes[place] * scale, place + 1];
}

/** The sections of a module: the id, the content, and all bytes. */
function* sectionsOf(bytes) {
  for (let place = 8; place < bytes.length; ) {
    const [size, start] = readLeb(bytes, place + 1);
    yield { id: bytes[place], content: bytes.subarray(start, start + size), bytes: bytes.subarray(place, start + size) };
    place = start + size;
  }
}

const CUSTOM = 0;
const CODE = 10;
const DATA = 11;
const DATA_COUNT = 12;

/** The module without the sections with these ids. */
function without(bytes, ids) {
  const kept = [...sectionsOf(bytes)].filter(({ id }) => !ids.includes(id));
  return Buffer.concat([bytes.subarray(0, 8), ...kept.map(section => section.bytes)]);
}

/** The module with these names of its functions. Its own names are gone. */
function named(bytes, names) {
  const entries = names.flatMap((name, index) => [...leb(index), ...leb(name.length), ...Buffer.from(name)]);
  const functions = [...leb(names.length), ...entries];
  const content = [4, ...Buffer.from("name"), 1, ...leb(functions.length), ...functions];
  return Buffer.concat([without(bytes, [CUSTOM]), Buffer.from([CUSTOM, ...leb(content.length), ...content])]);
}

/**
 * How often runs call each function of a module, in the order of the functions: a list a run. The module has no imports. Each
 * run gets the exports of an instance of its own.
 */
export async function countCalls(bytes, runs) {
  const module = read(without(bytes, [CUSTOM]));
  const counters = functionsOf(module).map(({ reference, body, results }, index) => {
    const counter = `calls ${index}`;
    module.addGlobal(counter, binaryen.f64, true, module.f64.const(0));
    module.addGlobalExport(counter, counter);
    const count = module.global.set(counter, module.f64.add(module.global.get(counter, binaryen.f64), module.f64.const(1)));
    binaryen.Function.setBody(reference, module.block(null, [count, body], results));
    return counter;
  });
  const counting = await WebAssembly.compile(module.emitBinary());
  module.dispose();
  const lists = [];
  for (const run of runs) {
    const { exports } = await WebAssembly.instantiate(counting);
    run(exports);
    lists.push(counters.map(counter => exports[counter].value));
  }
  return lists;
}

/** The bodies of the functions of a module. */
function bodiesOf(bytes) {
  const { content } = [...sectionsOf(bytes)].find(({ id }) => id === CODE);
  let [count, place] = readLeb(content, 0);
  return Array.from({ length: count }, () => {
    const [size, start] = readLeb(content, place);
    place = start + size;
    return content.subarray(start, place);
  });
}

/** The numbers of bodies in an order in which like ones follow each other. They take less room when they are packed. */
function byLikeness(bodies) {
  // A body is known by a quarter of its sequences of six bytes.
  const sketches = bodies.map(body => {
    const found = new Set();
    for (let place = 0; place + 6 <= body.length; place++) {
      const hash = Math.imul(body.readUInt32LE(place) ^ Math.imul(body.readUInt16LE(place + 4), 0x9e3779b1), 0x85ebca6b) >>> 0;
      if (hash >>> 30 === 0) found.add(hash);
    }
    return [...found];
  });
  const holders = new Map();
  sketches.forEach((sketch, number) => {
    for (const hash of sketch) {
      if (!holders.has(hash)) holders.set(hash, []);
      holders.get(hash).push(number);
    }
  });
  const left = new Set(bodies.keys());
  const order = [];
  while (left.size > 0) {
    const shared = new Map();
    for (const number of order.slice(-6)) {
      for (const hash of sketches[number]) {
        const like = holders.get(hash);
        if (like.length > 200) continue;
        for (const other of like) if (left.has(other)) shared.set(other, (shared.get(other) ?? 0) + 1);
      }
    }
    let [best, most] = [left.values().next().value, 0];
    for (const [other, count] of shared) {
      const likeness = count / (sketches[other].length + 4);
      if (likeness > most) [best, most] = [other, likeness];
    }
    left.delete(best);
    order.push(best);
  }
  return order;
}

function optimized(module) {
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setPassArgument("no-inline", "seldom*");
  module.runPasses(["no-inline"]);
  module.optimize();
  module.runPasses(["reorder-functions-by-name"]);
  if (!module.validate()) throw new Error("The optimized module is invalid.");
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

/**
 * A module as `whole`, and as its parts `first` and `rest`, optimized. The sets have numbers of functions: those in `first`, and
 * those that are worth a copy where they are called.
 */
export function split(bytes, early, often) {
  const names = [];
  byLikeness(bodiesOf(bytes)).forEach((index, place) => {
    names[index] = `${often.has(index) ? "often" : "seldom"}${early.has(index) ? 0 : 1}${String(place).padStart(6, "0")}`;
  });
  const isLate = new Set(names.filter((_, index) => !early.has(index)));
  const late = [...isLate].sort();
  const source = named(bytes, names);

  const whole = optimized(read(source));

  const rest = read(source);
  for (let index = rest.getNumExports() - 1; index >= 0; index--) rest.removeExport(binaryen.getExportInfo(rest.getExportByIndex(index)).name);
  for (let index = rest.getNumElementSegments() - 1; index >= 0; index--) {
    rest.removeElementSegment(binaryen.getElementSegmentInfo(rest.getElementSegmentByIndex(index)).name);
  }
  const table = binaryen.getTableInfo(rest.getTableByIndex(0)).name;
  const globals = Array.from({ length: rest.getNumGlobals() }, (_, index) => binaryen.getGlobalInfo(rest.getGlobalByIndex(index))).filter(({ mutable }) => mutable);
  rest.addMemoryImport("0", "first", "memory");
  rest.addTableImport(table, "first", "table");
  rest.addTableImport("late", "first", "late");
  for (const { name, type } of globals) rest.addGlobalImport(name, "first", name, type, true);
  for (const { name, params, results } of functionsOf(rest)) {
    if (isLate.has(name)) continue;
    rest.removeFunction(name);
    rest.addFunctionImport(name, "first", name.replace(/\D+0*/, ""), params, results);
  }
  rest.addActiveElementSegment("late", "late", late, rest.i32.const(0));
  rest.runPasses(["remove-unused-module-elements"]);
  const imported = functionsOf(rest).filter(({ module }) => module);

  const first = read(source);
  first.addTable("late", late.length, late.length);
  first.addTableExport("late", "late");
  first.addTableExport(table, "table");
  for (const { name } of globals) first.addGlobalExport(name, name);
  for (const { name, base } of imported) first.addFunctionExport(name, base);
  first.addFunctionImport("load", "rest", "load", binaryen.none, binaryen.none);
  first.addGlobal("is whole", binaryen.i32, true, first.i32.const(0));
  const isPart = first.i32.eqz(first.global.get("is whole", binaryen.i32));
  const load = first.block(null, [first.call("load", [], binaryen.none), first.global.set("is whole", first.i32.const(1))]);
  first.addFunction("seldom complete", binaryen.none, binaryen.none, [], first.if(isPart, load));
  const places = new Map(late.map((name, place) => [name, place]));
  for (const { reference, name, params, results } of functionsOf(first)) {
    const place = places.get(name);
    if (place === undefined) continue;
    const operands = binaryen.expandType(params).map((type, index) => first.local.get(index, type));
    const call = first.call_indirect("late", first.i32.const(place), operands, params, results);
    binaryen.Function.setBody(reference, first.block(null, [first.call("seldom complete", [], binaryen.none), call], results));
  }
  // The data are in the first part.
  return { whole, first: optimized(first), rest: without(optimized(rest), [DATA, DATA_COUNT]) };
}
