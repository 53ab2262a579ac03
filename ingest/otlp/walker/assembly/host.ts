/** What the walker asks of TypeScript: what it compiles for keys, and values of kinds that are rare. */

/** The plan of the `count` attributes at `attributes`; 0 if there is no room for it. */
export declare function plan(attributes: usize, count: i32, isSpan: bool): usize
/** The op of the span name `[from, to)` in the project at hand; 0 if there is no room for it. */
export declare function op(from: usize, to: usize): usize
/** Says that the op has calls in this batch. */
export declare function meet(op: usize, from: usize, to: usize): void
/** The template of a plan's spans with this head and these cuts; 0 if there is no room for it. */
export declare function template(
  plan: i32,
  kind: i32,
  status: i32,
  hasParent: bool,
  hasEnd: bool,
  inputs: i32,
  output: i32,
): usize
/** The number of a template's text in the block; -1 if the block has too many. */
export declare function shape(template: i32): i32
/** The same of the scope and resource at hand. */
export declare function origin(): i32
/** Writes a value to `at`; returns twice its length, plus 1 if it is a text as on the wire; -1 if there is no room. */
export declare function value(
  kind: i32,
  from: usize,
  to: usize,
  secret: bool,
  isJson: bool,
  at: usize,
  limit: usize,
): i32
/** Writes the JSON value `[from, to)` as text to `at`; returns its length, -1 if it is none, -2 if there is no room. */
export declare function text(from: usize, to: usize, at: usize, limit: usize): i32
/** Looks for a path inside the value `[from, to)`; returns where it stands: its end in the high half; 0: nowhere. */
export declare function inside(from: usize, to: usize, path: i32): u64
/** µs from the start, in µs since the epoch, until the first part of the answer, as the JSON value `[from, to)` says it; 0: it doesn't. */
export declare function firstToken(unit: i32, from: usize, to: usize, started: f64): u32
/** Where the answer begins in the conversation `[from, to)`; 0 if it has none. */
export declare function answer(from: usize, to: usize): usize
/** Writes what the events of the span say to `at`; returns its length, -1 if nothing, -2 if there is no room. */
export declare function content(isOutput: bool, at: usize, limit: usize): i32
/** Why the span failed, by its events; likewise. */
export declare function exception(at: usize, limit: usize): i32
