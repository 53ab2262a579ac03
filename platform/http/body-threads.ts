/**
 * Parses and validates JSON bodies: small ones at once, large ones in threads, so that they don't block other requests.
 * Knows nothing of routes but their schemas.
 */

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

  /**
   * The parsed body of a request to `spec`. Transfers the memory of a large body to the thread.
   * @throws `BAD_BODY` (400), `TOO_MANY` (413), ValidationError (422)
   */
  read(spec: RouteSpec, bytes: Uint8Array): unknown | Promise<unknown> {
    if (bytes.length < SMALL || !this.pool) return bodyOf(spec, bytes)
    return this.pool.run({ id: spec.id, bytes }, [bytes.buffer as ArrayBuffer])
  }

  async stop(): Promise<void> {
    await this.pool?.stop()
  }
}

/** Parses and validates a body in this thread. */
export function bodyOf(spec: RouteSpec, bytes: Uint8Array): unknown {
  return validate(spec.body!, parseJson(bytes, spec.maxValues) ?? {}, 'body')
}
