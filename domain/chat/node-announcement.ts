/**
 * What a worker says of a node that it is connected to, so that every process knows which models can be called now.
 * Announcements are in Redis, are said again every second, and are believed for a few; one that is old still tells
 * that its model is known. Knows nothing of nodes' own protocol.
 */
import { z } from 'zod'
import { parsedAs } from '../../platform/json/parse.js'

export const announcement = z.object({
  /** the worker that says it, and the address at which it reaches the node */
  worker: z.string(),
  address: z.string(),
  /** ms since 1970 */
  at: z.number(),
  /** it is well; takes requests unless it is paused */
  up: z.boolean(),
  /** a training job has its device: requests that it has wait until the job ends */
  paused: z.boolean().optional(),
  /** how long it has not been up; absent: it is up, or never was */
  downMs: z.number().optional(),
  /** ms since 1970: when it came up */
  since: z.number(),
  /** another one at each start of the node */
  node: z.string(),
  model: z.string(),
  engine: z.string(),
  device: z.string(),
  contextLength: z.number(),
  slots: z.number(),
  queueLimit: z.number(),
  maxAdapters: z.number(),
  priorities: z.boolean(),
  unsupported: z.array(z.string()),
  images: z.boolean(),
  running: z.number(),
  waiting: z.number(),
  adapters: z.array(z.string()),
  memoryBytes: z.number(),
  /** last minute; null: nothing was generated */
  tokensPerSecond: z.number().nullable(),
  firstTokenMs: z.number().nullable(),
})
export type Announcement = z.infer<typeof announcement>

/** An announcement is believed for so long. */
export const BELIEVED_MS = 4000
/** A model whose nodes are all gone is known for so long: asked for, it is "not now" and not "never heard of". */
export const KNOWN_MS = 3_600_000

/** Reads one; undefined if it is of no release that is known. */
export function readAnnouncement(text: string): Announcement | undefined {
  return parsedAs(announcement, text)
}

/**
 * Whether it is worth waiting for: it is up, or it went `returnMs` ago or less, as one does that is started again.
 * @param now ms since 1970
 */
export function isAwaited({ at, up, downMs }: Announcement, now: number, returnMs: number): boolean {
  const gone = now - at + (up ? 0 : (downMs ?? Number.POSITIVE_INFINITY))
  return gone <= Math.max(returnMs, up ? BELIEVED_MS : 0)
}

/** The nodes that are up, each once though several workers may announce it. @param now ms since 1970 */
export function nodesUp(all: Iterable<Announcement>, now: number): Announcement[] {
  const newest = new Map<string, Announcement>()
  for (const one of all) {
    if (!one.up || now - one.at > BELIEVED_MS) continue
    const other = newest.get(one.node)
    if (other === undefined || one.at > other.at) newest.set(one.node, one)
  }
  return [...newest.values()].sort((a, b) => a.since - b.since || (a.node < b.node ? -1 : 1))
}
