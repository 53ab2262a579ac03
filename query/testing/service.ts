/**
 * For tests only: the query service on a free port over a real engine, with its own database. Tables come from the
 * shipped migrations; the name that a caller sends as its key identifies it.
 */

import { presentedKey } from '../../domain/auth/api-key.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { App } from '../../platform/http/app.js'
import { type Grant, Principal } from '../../platform/http/principal.js'
import type { Bound } from '../../platform/http/request.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'

/** An answer: its status, its text, and the parsed text if it is JSON. */
export interface Answer {
  status: number
  text: string
  bytes: Uint8Array
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

export interface TestService {
  store: Store
  url: string
  /** Sends `body` (JSON text, bytes, a form, or a value) and reads the answer; the key names the caller, see {@link GRANTS}. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  /** A second instance of the service on the same store, with empty caches. */
  again(others?: Routes): Promise<TestService>
  stop(): Promise<void>
}

/** The callers of tests, by key; `all` if none is sent. */
const GRANTS: Record<string, Grant[]> = {
  all: [{ scope: '*', right: 'admin' }],
  one: [{ scope: 'acme/one', right: 'write' }],
  reader: [{ scope: 'acme', right: 'read' }],
}

/** Makes the routes under test over a store. */
type Routes = (store: Store) => readonly Bound[] | Promise<readonly Bound[]>

/** @param routes makes the routes under test over the store */
export async function startService(routes: Routes): Promise<TestService> {
  const engine = await sharedTestEngine()
  return serveOver(await engine.migrated('service'), routes, () => engine.stop())
}

async function serveOver(store: Store, routes: Routes, after: () => Promise<void>): Promise<TestService> {
  const app = new App(await routes(store), {
    heldBytes: 256 << 20,
    authenticate: (headers, spec) => {
      const key = presentedKey(headers, spec.path) ?? 'all'
      if (key === 'none' && spec.access !== 'public') throw errors.noKey()
      return new Principal(`user-${key}`, key, GRANTS[key] ?? [])
    },
  })
  const base = `http://127.0.0.1:${await app.listen(0)}`
  const send: TestService['send'] = async (method, path, body, headers = {}) => {
    const whole = typeof body === 'string' || body instanceof FormData
    const sent = whole ? body : body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body)
    const response = await fetch(base + path, { method, headers, ...(body !== undefined && { body: sent }) })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = Buffer.from(bytes).toString()
    return { status: response.status, text, bytes, headers: response.headers, json: parsed(text) }
  }
  return {
    store,
    url: base,
    send,
    post: (path, body) => send('POST', path, body),
    again: (others = routes) => serveOver(store, others, async () => undefined),
    stop: async () => {
      await app.stop(1000)
      await after()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
