/** The cells of the matrix: how many connections send how many spans a request, and at which part of the full rate. Pure. */

export interface Cell {
  connections: number
  spans: number
}

/** What a run of the matrix does. */
export interface Extent {
  cells: readonly Cell[]
  /** Parts of the rate that a cell reached at full load, for each cell. */
  rates: readonly number[]
  warmSeconds: number
  seconds: number
  /** Those that run beside other stores. */
  beside: readonly Cell[]
  /** Before the folder is weighed. */
  restSeconds: number
  /** Of the trickle. */
  trickleSeconds: number
  /** Of starts and ends in different requests. */
  halvesSeconds: number
  /** No cell begins later than so many seconds after the first. */
  limitSeconds: number
}

/** The longest wait for merges of the cells before, where little is sent. */
export const REST_SECONDS = 20

const CONNECTIONS = [1, 8, 32, 256]
const SPANS = [1, 10, 100, 512, 1_000]

/** Cells that stand for how exporters send: small batches over many connections, large ones over few. Peers run these. */
export const COMMON: readonly Cell[] = [
  { connections: 32, spans: 100 },
  { connections: 32, spans: 1_000 },
  { connections: 8, spans: 512 },
  { connections: 1, spans: 100 },
]

export const nameOf = ({ connections, spans }: Cell): string => `${connections} × ${spans}`

/** What reads beside the writers: once a second each, the project that is written to. */
export type Reader = 'a list' | 'a page' | 'a tail'

/** Cells with readers: how many connections send, and at which part of the rate without them. */
export const READ_BESIDE: readonly { cell: Cell; part: number; readers: readonly Reader[] }[] = [
  { cell: { connections: 32, spans: 100 }, part: 1, readers: ['a list', 'a page', 'a tail'] },
  { cell: { connections: 32, spans: 1_000 }, part: 1, readers: ['a list'] },
  { cell: { connections: 32, spans: 100 }, part: 0.5, readers: ['a list', 'a page'] },
]
/** Seconds before those: of a load that goes on for as long as this, merges are part. */
export const STEADY_SECONDS = 10

/** All cells, or those of a run of about three minutes; the common ones first, so that a slow machine leaves out others. */
export function extentOf(isShort: boolean): Extent {
  if (isShort) {
    const cells = [...COMMON, { connections: 32, spans: 1 }]
    const beside = COMMON.slice(0, 2)
    const most = { restSeconds: 10, trickleSeconds: 15, halvesSeconds: 5, limitSeconds: 60 }
    return { cells, rates: [0.1], beside, warmSeconds: 1, seconds: 3, ...most }
  }
  const all = CONNECTIONS.flatMap((connections) => SPANS.map((spans) => ({ connections, spans })))
  const isCommon = (cell: Cell) => COMMON.some((common) => nameOf(common) === nameOf(cell))
  const cells = [...COMMON, ...all.filter((cell) => !isCommon(cell))]
  const rates = [0.01, 0.1, 0.5]
  const most = { restSeconds: 60, trickleSeconds: 60, halvesSeconds: 18, limitSeconds: 390 }
  return { cells, rates, beside: COMMON, warmSeconds: 1, seconds: 3, ...most }
}
