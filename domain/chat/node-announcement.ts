/**
 * A worker's announcement of a node that it is connected to, from which every process knows the available models.
 * Announcements are in Redis, repeated every second, and valid for a few; an expired one still shows that its model is
 * known.
 */
import { z } from 'zod'
import { parsedAs } from '../../platform/json/parse.js'
import { ageOf } from '../../platform/time/age.js'

export const announcement = z.object({
  /** the announcing worker, and the address at which it reaches the node */
  worker: z.string(),
  address: z.string(),
  /** ms since 1970 */
  at: z.number(),
  /** healthy; accepts requests unless paused */
  up: z.boolean(),
  /** a training job has its device: its requests wait until the job ends */
  paused: z.boolean().optional(),
  /** how long it has been down; absent: it is up, or never was */
  downMs: z.number().optional(),
  /** when it came up, in ms since 1970 */
  since: z.number(),
  /** changes at each start of the node */
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
  /** it makes embeddings, and doesn't chat; absent: it chats */
  embeds: z.boolean().optional(),
  embeddingDimensions: z.int().optional(),
  running: z.number(),
  waiting: z.number(),
  adapters: z.array(z.string()),
  memoryBytes: z.number(),
  /** in the last minute; null: nothing was generated */
  tokensPerSecond: z.number().nullable(),
  firstTokenMs: z.number().nullable(),
})
export type Announcement = z.infer<typeof announcement>

/** How long an announcement is valid. */
export const BELIEVED_MS = 4000
/** How long a model stays known after all its nodes are gone: requests for it get "not now" instead of "unknown". */
export const KNOWN_MS = 3_600_000

/** Parses an announcement; undefined if it is of an unknown release. */
export function readAnnouncement(text: string): Announcement | undefined {
  return parsedAs(announcement, text)
}

/**
 * True if the node is worth waiting for: it is up, or went down at most `returnMs` ago, as during a restart.
 * @param now ms since 1970
 */
export function isAwaited({ at, up, downMs }: Announcement, now: number, returnMs: number): boolean {
  const gone = ageOf(at, now) + (up ? 0 : (downMs ?? Number.POSITIVE_INFINITY))
  return gone <= Math.max(returnMs, up ? BELIEVED_MS : 0)
}

/** The nodes that are up, each once even if several workers announce it. @param now ms since 1970 */
export function nodesUp(all: Iterable<Announcement>, now: number): Announcement[] {
  const newest = new Map<string, Announcement>()
  for (const one of all) {
    if (!one.up || ageOf(one.at, now) > BELIEVED_MS) continue
    const other = newest.get(one.node)
    if (other === undefined || one.at > other.at) newest.set(one.node, one)
  }
  return [...newest.values()].sort((a, b) => a.since - b.since || (a.node < b.node ? -1 : 1))
}
