/** An instance of the compiled walker: its functions, its memory, the addresses of its tables. */
import { readFileSync } from 'node:fs'

/** What {@link Exports.write} returns. */
export const WRITTEN = 0
export const UNSUPPORTED = 1
export const FULL = 2
/** Written, and the rows should be taken before more are. */
export const FLUSH = 3

/** Functions of `assembly/index.ts`. */
interface Exports {
  readonly memory: WebAssembly.Memory
  forget(): void
  clear(): void
  beginBatch(number: number): void
  setUser(length: number): void
  setProject(number: number, from: number, to: number): void
  setOrigin(): void
  setShift(bytes: number): void
  write(from: number, to: number): number
  textStart(address: number): number
  hints(from: number, to: number, out: number): number
  pairs(
    from: number,
    to: number,
    first: number,
    last: number,
    firstCase: number,
    lastCase: number,
    apart: number,
    out: number,
  ): number
}

/** Functions of `assembly/host.ts`. */
export interface Host {
  plan(attributes: number, count: number, isSpan: number): number
  op(from: number, to: number): number
  meet(op: number, from: number, to: number): void
  template(
    plan: number,
    kind: number,
    status: number,
    hasParent: number,
    hasEnd: number,
    inputs: number,
    output: number,
  ): number
  shape(template: number): number
  origin(): number
  value(
    kind: number,
    from: number,
    to: number,
    secret: number,
    isJson: number,
    at: number,
    limit: number,
  ): number
  text(from: number, to: number, at: number, limit: number): number
  inside(from: number, to: number, path: number): bigint
  firstToken(unit: number, from: number, to: number, started: number): number
  answer(from: number, to: number): number
  content(isOutput: number, at: number, limit: number): number
  exception(at: number, limit: number): number
}

export interface Instance {
  readonly call: Exports
  readonly memory: Buffer<ArrayBuffer>
  /** The number that a constant of `assembly/layout.ts` or `literal.ts` has; undefined if there is none. */
  number(name: string): number | undefined
  /** The same of one that must be there. */
  at(name: string): number
}

let module: WebAssembly.Module | undefined

/** Makes an instance. @throws if its code is not there, or this machine can't run it */
export function instantiate(host: Host): Instance {
  module ??= new WebAssembly.Module(readFileSync(new URL('./walker.wasm', import.meta.url)))
  const { exports } = new WebAssembly.Instance(module, { host: { ...host } })
  const call = exports as unknown as Exports
  const memory = Buffer.from(call.memory.buffer)
  const number = (name: string) => {
    const found = exports[name]
    return found instanceof WebAssembly.Global ? Number(found.value) : undefined
  }
  const at = (name: string) => {
    const found = number(name)
    if (found === undefined) throw new Error(`the walker has no ${name}`)
    return found
  }
  if (at('ARENA_END') > memory.length) throw new Error('the walker has less memory than its layout needs')
  return { call, memory, number, at }
}
