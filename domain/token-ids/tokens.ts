/** The tokens of completions, kept beside their calls, and added to lines of calls as `token_ids`. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { type AddedToLines, byCall, callIdOf } from '../calls/read/added.js'
import { READ_SETTINGS } from '../calls/read/settings.js'
import type { TokenIds } from '../chat/collect.js'

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
function tokenLines(project: string, ids: readonly string[]): Sql {
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

/** The tokens of so many calls are read at once: one has those of a whole context. */
const CALLS = 16

/** Adds the tokens of completions to lines of calls. */
export function tokensOfLines(store: Store, limits: Limits): AddedToLines {
  return async (lines, project, signal) => {
    const ids = lines.map(callIdOf)
    const found = new Map<string, Buffer[]>()
    for (let at = 0; at < ids.length; at += CALLS) {
      const statement = tokenLines(project, ids.slice(at, at + CALLS))
      const rows = await store.stream(statement, 'TSVRaw', { limits, signal, settings: READ_SETTINGS })
      for (const [id, tokens] of await byCall(rows)) found.set(id, tokens)
    }
    return (same) => same.map((line, i) => withTokens(line, found.get(ids[i]!)))
  }
}

const BEFORE = Buffer.from(',"token_ids":')
const AFTER = Buffer.from('}')

function withTokens(line: Buffer, tokens: readonly Buffer[] | undefined): Buffer {
  if (!tokens) return line
  return Buffer.concat([line.subarray(0, line.length - 1), BEFORE, ...tokens, AFTER])
}
