/**
 * Inserts the feedback of calls into their lines of JSON, at `summary.weave.feedback`, with one statement for many
 * lines. It splices bytes and leaves the rest of a line unchanged.
 */

import { type AddedToLines, byCall, callIdOf } from '../../domain/calls/read/added.js'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { lookup } from '../../platform/json/fields.js'
import { feedbackLine } from './fields.js'

/** The most bytes of feedback for a batch of lines. */
const MOST_BYTES = 64 << 20

/** Inserts feedback into lines of calls, which must have `summary`. */
export function feedbackOfLines(store: Store, limits: Limits): AddedToLines {
  return async (lines, project, signal) => {
    const ids = lines.map(callIdOf)
    const settings = { ...READ_SETTINGS, max_result_bytes: String(MOST_BYTES) }
    const rows = await store.stream(ofCalls(project, ids), 'TSVRaw', { limits, signal, settings })
    const feedback = await byCall(rows)
    return (same) => same.map((line, i) => withFeedback(line, feedback.get(ids[i]!) ?? []))
  }
}

/** Lines of a call's id as JSON, a tab, and one feedback of it as JSON, oldest first. */
function ofCalls(project: string, ids: readonly string[]): Sql {
  return sql`SELECT toJSONString(call_id), ${feedbackLine(project, null)} FROM feedback FINAL
    WHERE project_id = ${bind.string(projectIdOf(project))} AND call_id IN ${bind.strings(ids)} AND deleted = 0
    ORDER BY created_at, id`
}

const BEFORE = Buffer.from(',"feedback":[')
const AFTER = Buffer.from(']')

/** `weave` already has members, at least the call's status. */
function withFeedback(line: Buffer, feedback: readonly Buffer[]): Buffer {
  const weave = lookup(line, { from: 0, to: line.length }, ['summary', 'weave'])
  if (!weave) return line
  const end = weave.to - 1
  return Buffer.concat([line.subarray(0, end), BEFORE, ...feedback, AFTER, line.subarray(end)])
}
