/** The tokens of completions, kept beside their calls. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { TokenIds } from '../chat/collect.js'

/** The tokens of one call. */
export interface CallTokens extends TokenIds {
  /** entity/project */
  project: string
  callId: string
}

/** Resolves when they are stored. */
export function writeTokens(store: Store, calls: readonly CallTokens[]): Promise<void> {
  const created_at = new Date().toISOString()
  const rows = calls.map(({ project, callId, vocabulary, prompt, completions }) => ({
    ...{ project_id: projectIdOf(project), call_id: callId, vocabulary, prompt, completions, created_at },
  }))
  return store.insertRows('call_tokens', rows)
}

/** The tokens of calls: the id as JSON, a tab, and what a call's line says of them. */
export function tokenLines(project: string, ids: readonly string[]): Sql {
  return sql`SELECT toJSONString(call_id), concat('{"vocabulary":', toJSONString(vocabulary), ',"prompt":', toJSONString(prompt),
      ',"completions":', toJSONString(completions), '}')
    FROM call_tokens FINAL WHERE ${ofCalls(projectIdOf(project), ids)}`
}

/** Deletes the tokens of these calls. */
export async function deleteTokens(store: Store, projectId: string, ids: readonly string[]): Promise<void> {
  const where = ofCalls(projectId, ids)
  // A deletion rewrites parts, and few calls have tokens.
  const some = await store.row(sql`SELECT 1 AS one FROM call_tokens WHERE ${where} LIMIT 1`)
  if (some) await store.run(sql`DELETE FROM ${store.mutable('call_tokens')} WHERE ${where}`)
}

function ofCalls(projectId: string, ids: readonly string[]): Sql {
  return sql`project_id = ${bind.string(projectId)} AND call_id IN ${bind.strings(ids)}`
}
