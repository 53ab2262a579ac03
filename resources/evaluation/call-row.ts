/** Reads whole calls of evaluations by id. Doesn't know their role in an evaluation. */

import { bothTables, everyRow } from '../../domain/calls/read/visible.js'
import { Batcher } from '../../platform/batch/batcher.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { lookup } from '../../platform/json/fields.js'
import { stringAt } from '../../platform/json/text.js'

/** A call; JSON columns are texts, '' for nothing; times µs since the epoch, 0 for none. */
export interface CallRow {
  id: string
  trace_id: string
  parent_id: string
  op_name: string
  started: number
  ended: number
  exception: string
  inputs: string
  output: string
  attributes: string
  summary: string
  user_id: string
  ver: number
  /** 1: it has no end yet */
  open: 0 | 1
}

/**
 * The newest version of each of these calls. Every row of theirs is read, whole ones first: what readers of many calls
 * leave out is twice as much to plan as this statement. @param projectId internal id
 */
export function callRows(projectId: string, ids: readonly string[]): Sql {
  const these = [sql`id IN ${bind.strings(ids)}`]
  const rows = bothTables(
    (table) => sql`SELECT id, trace_id, parent_id, op_name, toUnixTimestamp64Micro(started_at) AS started,
      toUnixTimestamp64Micro(ended_at) AS ended, exception, inputs, output, attributes, summary, user_id, ver,
      ${table === 'calls' ? sql`0` : sql`1`} AS open ${everyRow(table, projectId, these)}`,
  )
  return sql`SELECT * FROM (
  ${rows}) ORDER BY open, ver DESC LIMIT 1 BY id`
}

/** Reads calls by id; concurrent reads share one statement per project. */
export class CallRows {
  private readonly asked: Batcher<{ projectId: string; id: string }, CallRow | undefined>

  constructor(store: Store) {
    this.asked = new Batcher(
      async (keys) => {
        const found = new Map<string, CallRow>()
        for (const projectId of new Set(keys.map((key) => key.projectId))) {
          const ids = keys.filter((key) => key.projectId === projectId).map(({ id }) => id)
          for (const row of await store.rows<CallRow>(callRows(projectId, [...new Set(ids)])))
            found.set(`${projectId} ${row.id}`, row)
        }
        return keys.map(({ projectId, id }) => found.get(`${projectId} ${id}`))
      },
      { concurrency: 2, items: 64 },
    )
  }

  /** The call `id`, or undefined. @param projectId internal id */
  async read(projectId: string, id: string): Promise<CallRow | undefined> {
    return id === '' ? undefined : this.asked.ask({ projectId, id })
  }
}

/** JSON text of the value at `path` inside a JSON text, as written; undefined if there is none. */
export function jsonAt(text: string, path: readonly string[]): string | undefined {
  if (text === '') return undefined
  const buf = Buffer.from(text)
  const slice = lookup(buf, { from: 0, to: buf.length }, path)
  return slice && buf.toString('utf8', slice.from, slice.to)
}

/** The string at `path`, '' for anything else. */
export function textAt(text: string, path: readonly string[]): string {
  const found = jsonAt(text, path)
  if (found === undefined) return ''
  const buf = Buffer.from(found)
  return stringAt(buf, { from: 0, to: buf.length }) ?? ''
}

/** The ref of the object that a call was made on, '' for none: `self` in the Python SDK, `this` in the npm SDK. */
export function subjectOf({ inputs }: Pick<CallRow, 'inputs'>): string {
  return textAt(inputs, ['self']) || textAt(inputs, ['this'])
}
