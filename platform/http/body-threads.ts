/**
 * Parses and validates JSON bodies: small ones at once, large ones in threads, so that they don't block other requests.
 */

import { isMainThread } from 'node:worker_threads'
import { errors } from '../errors/catalog.js'
import { bounded } from '../threads/bounded.js'
import { SMALL, ThreadPool, threadEntry } from '../threads/pool.js'
import { parseJson, validate } from './json-body.js'
import type { RouteSpec } from './route.js'

/** A body for a thread to parse. */
export interface BodyTask {
  /** the route's id */
  id: string
  bytes: Uint8Array
}

export class BodyThreads {
  private readonly pool: ThreadPool<BodyTask, unknown> | undefined

  /** @param declarations the module whose `declaredRoutes` gives a thread the schemas of all routes by id */
  constructor(declarations: string) {
    const file = threadEntry(import.meta.url, './body-thread.js')
    this.pool = file === undefined ? undefined : new ThreadPool(file, declarations)
  }

  /** Whether a body is for a thread: posting a small one takes longer than to read it. */
  takes(bytes: Uint8Array): boolean {
    return bytes.length >= SMALL && this.pool !== undefined
  }

  /**
   * The parsed body of a request to `spec`, read in the turn of `account`. Transfers its memory to a thread, unless it is
   * small.
   * @throws `BAD_BODY` (400), `TOO_MANY` (413), ValidationError (422)
   */
  read(spec: RouteSpec, bytes: Uint8Array, account: string): unknown | Promise<unknown> {
    if (bytes.length < SMALL || !this.pool) return bodyOf(spec, bytes)
    return this.pool.run({ id: spec.id, bytes }, [bytes.buffer as ArrayBuffer], account)
  }

  async stop(): Promise<void> {
    await this.pool?.stop()
  }
}

/** Below so many bytes no work that a schema could make takes long. */
const SHORT = 16 << 10
/** What reading a body may take, in ms; a thread's may be large. */
const MOST_MS = isMainThread ? 1000 : 60_000

/** Parses and validates a body in this thread. @throws also `TOO_COMPLEX` (413) when that takes too long */
export function bodyOf(spec: RouteSpec, bytes: Uint8Array): unknown {
  const read = () => validate(spec.body!, parseJson(bytes, spec.maxValues) ?? {}, 'body')
  return bytes.length < SHORT ? read() : bounded(MOST_MS, read, errors.tooComplex)
}
