/** The ops of a project by the names of spans: what every span of one needs. TypeScript makes them. */
import { op as makeByHost, meet } from './host'
import { CHAINS, OPS } from './layout'
import { murmur3 } from './murmur'
import { FULL, fail, UNSUPPORTED } from './output'

/** Longer names are left to TypeScript. */
const MAX_NAME: usize = 1024

export function refFrom(op: usize): usize {
  return load<u32>(op, 16)
}

export function refTo(op: usize): usize {
  return load<u32>(op, 20)
}

/** The batch that has calls of it, after the places of what its name says: see `agent.ts`. */
function batchOf(op: usize): u32 {
  return load<u32>(op, 40)
}

const NAME: usize = 48

/** The op of the span name `[from, to)`; 0 if it can't be made. */
export function opOf(project: u32, batch: u32, from: usize, to: usize): usize {
  const length = to - from
  if (length > MAX_NAME) {
    fail(UNSUPPORTED)
    return 0
  }
  const hash = murmur3(project, from, to)
  const chain = OPS + <usize>(hash & (CHAINS - 1)) * 4
  let op: usize = load<u32>(chain)
  while (op !== 0 && !isSame(op, hash, project, from, length)) op = load<u32>(op)
  if (op === 0) {
    op = makeByHost(from, to)
    if (op === 0) {
      fail(FULL)
      return 0
    }
    store<u32>(op, load<u32>(chain))
    store<u32>(op, hash, 4)
    store<u32>(chain, <u32>op)
  }
  if (batchOf(op) !== batch) {
    store<u32>(op, batch, 40)
    meet(op, from, to)
  }
  return op
}

function isSame(op: usize, hash: u32, project: u32, from: usize, length: usize): bool {
  return (
    load<u32>(op, 4) === hash &&
    load<u32>(op, 8) === project &&
    load<u32>(op, 12) === length &&
    memory.compare(op + NAME, from, length) === 0
  )
}
