/** Which call each row of a block is, so that whoever commits it can look for what is stored of the call already. */

/** How a row came about. */
export const ROW = {
  /** a start alone */
  start: 1,
  /** an end alone */
  end: 2,
  /** a start and an end */
  pair: 3,
  /** among it a call that was sent whole: it replaces whatever is stored */
  whole: 4,
} as const

/** By row. Typed arrays, so that they pass between threads without copying. */
export interface RowKeys {
  readonly ids: string[]
  /** index into the names of projects */
  readonly projects: Uint32Array
  /** a value of {@link ROW} */
  readonly kinds: Uint8Array
  /** 53 bits of hash over project and id */
  readonly hashes: Float64Array
  /** µs since the epoch; 0: unknown */
  readonly startedAt: Float64Array
  /** index of the last request that wrote to the row */
  readonly requests: Uint32Array
}

/** 53 bits of hash over a project's internal id and a call's id, as a whole number. */
export function callHash(projectId: string, id: string): number {
  const low = fold(fold(0x9e3779b9, projectId), id)
  const high = fold(fold(0x85ebca6b, id), projectId)
  return (high & 0x1fffff) * 0x1_0000_0000 + low
}

function fold(seed: number, text: string): number {
  let hash = seed
  for (let i = 0; i < text.length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995) ^ (hash >>> 15)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
