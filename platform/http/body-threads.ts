/**
 * Parses and validates bodies of JSON: small ones at once, large ones in threads, so that nobody waits for what others
 * send. Knows nothing of routes but their schemas.
 */

import { SMALL, ThreadPool, threadEntry } from '../threads/pool.js'
import { parseJson, validate } from './json-body.js'
import type { RouteSpec } from './route.js'

/** A body that a thread is to read. */
export interface BodyTask {
  /** of the route */
  id: string
  bytes: Uint8Array
}

export class BodyThreads {
  private readonly pool: ThreadPool<BodyTask, unknown> | undefined

  /** @param declarations the module whose `declaredRoutes` gives a thread the schemas of all routes, by their ids */
  constructor(declarations: string) {
    const file = threadEntry(import.meta.url, './body-thread.js')
    this.pool = file === undefined ? undefined : new ThreadPool(file, declarations)
  }

  /**
   * The value of a body of `spec`. The memory of a large one is gone afterwards.
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

/** Parses and validates a body here. */
export function bodyOf(spec: RouteSpec, bytes: Uint8Array): unknown {
  return validate(spec.body!, parseJson(bytes, spec.maxValues) ?? {}, 'body')
}
