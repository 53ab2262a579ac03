/** The ingest service on an engine of its own, over HTTP, for tests: what is stored is read from the tables. */

import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { App } from '../../platform/http/app.js'
import { Principal } from '../../platform/http/principal.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { openLog } from '../../platform/telemetry/log.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { until } from '../../test/support/until.js'
import { createIngest, type IngestOptions } from '../ingest.js'

/** A row as a test looks at it. */
export interface StoredRow {
  id: string
  trace_id: string
  op_name: string
  display_name: string
  inputs: string
  output: string
  exception: string
  started_at: string
  leaves: number
  bytes: number
  ver: number
}

export class TestService {
  private constructor(
    readonly url: string,
    readonly store: Store,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(store: Store, options: Partial<IngestOptions> = {}): Promise<TestService> {
    const metrics = new Metrics()
    const log = openLog({ level: 'silent', format: 'json', role: 'test' })
    const ingest = createIngest({ store, metrics, log, threads: 1, ...options })
    await ingest.start()
    const app = new App(ingest.routes, {
      heldBytes: 256 << 20,
      authenticate: (headers) => {
        const user = headers.get('x-user') ?? 'tester'
        const scope = headers.get('x-scope') ?? 'acme'
        return new Principal(user, user, [{ scope, right: 'write' }], user)
      },
    })
    const url = `http://127.0.0.1:${await app.listen(0)}`
    return new TestService(url, store, async () => {
      await app.stop(5000)
      await ingest.stop()
    })
  }

  async post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown; headers: Headers }> {
    const bytes = body instanceof Uint8Array ? body : JSON.stringify(body)
    const answer = await fetch(this.url + path, {
      method: 'POST',
      body: bytes as string,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type') === 'application/json'
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers }
  }

  /** Whole calls of a project as they are stored, each version that is live. */
  whole(project: string, id?: string): Promise<StoredRow[]> {
    const one = id === undefined ? sql`1` : sql`id = ${bind.string(id)}`
    return this.store.rows<StoredRow>(sql`
      SELECT id, trace_id, op_name, display_name, inputs, output, exception, toString(started_at) AS started_at,
        length(leaves) AS leaves, bytes, ver
      FROM calls WHERE project_id = ${bind.string(projectIdOf(project))} AND ${one} ORDER BY id, ver`)
  }

  /** Halves of a project as they are stored, when those of whole calls have gone: `start` or `end` and the id. */
  async halves(project: string): Promise<string[]> {
    const mine = sql`project_id = ${bind.string(projectIdOf(project))}`
    await until('the halves of whole calls to go', async () => {
      const [joined] = await this.store.rows(
        sql`SELECT 1 FROM calls_open WHERE ${mine} AND kind != 'log' AND id IN (SELECT id FROM calls WHERE ${mine}) LIMIT 1`,
      )
      return joined === undefined
    })
    const rows = await this.store.rows<{ kind: string; id: string }>(sql`
      SELECT kind, id FROM calls_open WHERE project_id = ${bind.string(projectIdOf(project))} ORDER BY id, kind, ver`)
    return rows.map(({ kind, id }) => `${kind} ${id}`)
  }
}

let projects = 0

/** A project that no other test writes to. */
export function newProject(): string {
  return `acme/test-${process.pid}-${++projects}`
}

/** The start of a call, as clients send it. */
export function aStart(project: string, more: Record<string, unknown> = {}) {
  return {
    project_id: project,
    id: uuid7(),
    trace_id: uuid7(),
    op_name: 'work',
    started_at: new Date().toISOString(),
    attributes: {},
    inputs: { n: 'one' },
    ...more,
  }
}

/** The end of a call. */
export function anEnd(project: string, id: string, more: Record<string, unknown> = {}) {
  return { project_id: project, id, ended_at: new Date().toISOString(), output: 'done', summary: {}, ...more }
}
