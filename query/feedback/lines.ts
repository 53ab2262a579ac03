/**
 * Puts the feedback of calls into their lines of JSON, at `summary.weave.feedback`: one statement for many lines. Bytes
 * are cut and joined, nothing else of a line is touched.
 */
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'
import type { Limits, Store } from '../../common/clickhouse/store.js'
import { projectIdOf } from '../../common/ids/project.js'
import { lookup } from '../../common/json/fields.js'
import { stringAt } from '../../common/json/text.js'
import { READ_SETTINGS } from '../calls/settings.js'
import { lineBatches } from '../line-batches.js'
import { feedbackLine } from './fields.js'

/** Most bytes of feedback that a batch of lines may get. */
const MOST_BYTES = 64 << 20

export type LinesWithFeedback = (
  lines: AsyncIterable<Uint8Array>,
  project: string,
  signal: AbortSignal,
) => AsyncIterable<Uint8Array>

/** Lines of calls with `summary` in them become the same with feedback. */
export function linesWithFeedback(store: Store, limits: Limits): LinesWithFeedback {
  return async function* (lines, project, signal) {
    for await (const batch of lineBatches(lines)) {
      const ids = batch.map(idOf)
      const settings = { ...READ_SETTINGS, max_result_bytes: String(MOST_BYTES) }
      const rows = await store.stream(ofCalls(project, ids), 'TSVRaw', { limits, signal, settings })
      const feedback = await byCall(rows)
      yield Buffer.concat(batch.flatMap((line, i) => withFeedback(line, feedback.get(ids[i]!) ?? NOTHING)))
    }
  }
}

/** Lines of a call's id as JSON, a tab, and its feedback as JSON with commas between, in the order in which it came. */
function ofCalls(project: string, ids: readonly string[]): Sql {
  const rows = sql`SELECT call_id, created_at, id, ${feedbackLine(project, null)} AS line FROM feedback FINAL
    WHERE project_id = ${bind.string(projectIdOf(project))} AND call_id IN ${bind.strings(ids)} AND deleted = 0`
  return sql`SELECT toJSONString(call_id), arrayStringConcat(arrayMap(row -> row.3, arraySort(groupArray((created_at, id, line)))), ',')
    FROM (${rows}) GROUP BY call_id`
}

const TAB = 0x09

/** Inside JSON text there are neither tabs nor line breaks. */
async function byCall(rows: AsyncIterable<Uint8Array>): Promise<Map<string, Buffer>> {
  const feedback = new Map<string, Buffer>()
  for await (const lines of lineBatches(rows))
    for (const line of lines) {
      const tab = line.indexOf(TAB)
      feedback.set(JSON.parse(line.toString('utf8', 0, tab)), line.subarray(tab + 1))
    }
  return feedback
}

function idOf(line: Buffer): string {
  const place = lookup(line, { from: 0, to: line.length }, ['id'])
  return (place && stringAt(line, place)) ?? ''
}

const NEWLINE = Buffer.from('\n')
const NOTHING = Buffer.alloc(0)
const BEFORE = Buffer.from(',"feedback":[')
const AFTER = Buffer.from(']')

/** `weave` has members already, the status of the call at least. */
function withFeedback(line: Buffer, feedback: Buffer): Uint8Array[] {
  const weave = lookup(line, { from: 0, to: line.length }, ['summary', 'weave'])
  if (!weave) return [line, NEWLINE]
  const end = weave.to - 1
  return [line.subarray(0, end), BEFORE, feedback, AFTER, line.subarray(end), NEWLINE]
}
