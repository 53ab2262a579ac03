/**
 * Writes long-running calls of the service itself: their start, and later their end. They look like any client's calls.
 * `record.ts` writes finished calls.
 */
import { bind, commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'
import { CallBlock } from './block.js'
import { OTEL_SPAN } from './otel-span.js'
import { BY_PATCH } from './patch.js'
import { masked, type StartedCall, writeJson, writeStart } from './record.js'
import { type ColumnOf, insertTarget, KIND, type SentColumn, sentColumns } from './schema.js'
import { UNSET_INTEGER_SQL } from './unset.js'
import { announce, type ExpectedRow } from './unsettled.js'

/** The end of a call. JSON is given as text. */
export interface CallEnd {
  /** µs since the epoch */
  endedAt: number
  output: string
  /** an object without the key `weave`, which is derived */
  summary: string
  /** undefined: keeps its exception, if any */
  exception?: string
  /** number of failed descendants; undefined: unchanged */
  descendantErrors?: number
}

/** A stored version of a call that gets an end. */
export interface Ending {
  projectId: string
  id: string
  ver: number
  /** true if it has no end yet; otherwise its end is replaced */
  open: boolean
}

/**
 * Resolves when `calls` are stored and visible as running.
 * @param encode builds their block elsewhere; default: here
 */
export async function startCalls(
  store: Store,
  calls: readonly StartedCall[],
  encode: (calls: readonly StartedCall[]) => Uint8Array | Promise<Uint8Array> = startedBlock,
): Promise<void> {
  if (calls.length === 0) return
  await store.insert(insertTarget('calls_open'), 'Native', [await encode(await masked(store, calls))])
}

/** Encodes `calls` as one Native block. @throws JsonError for text nested too deep */
export function startedBlock(calls: readonly StartedCall[]): Uint8Array {
  const block = new CallBlock('calls_open')
  for (const call of calls) addStart(block, call)
  return block.encode()
}

function addStart(block: CallBlock, call: StartedCall): void {
  writeStart(block, call)
  block.display_name.text(call.displayName ?? '')
  block.kind.int(KIND.start)
  block.endRow()
}

/** A stored call, read to be rewritten. */
export interface StoredRow {
  [column: string]: string | number | number[]
  leaves: number[]
}

type KeptText = Exclude<
  ColumnOf<'text' | 'textOrUnset' | 'json'> & SentColumn,
  'output' | 'summary' | 'otel_span'
>

const SENT = sentColumns('calls')
const REPLACED = ['output', 'summary', 'otel_span']
const TEXTS = SENT.filter(
  ({ name, kind }) => ['text', 'textOrUnset', 'json'].includes(kind) && !REPLACED.includes(name),
).map(({ name }) => name as KeptText)
const INTEGERS = SENT.filter(({ kind }) => kind === 'integerOrUnset').map(
  ({ name }) => name as ColumnOf<'integerOrUnset'>,
)

/** A stored call, its end, and the version that has both. */
export type EndedRow = readonly [StoredRow, CallEnd, ver: number]

/**
 * Ends calls: writes whole rows, then removes the rows that they replace. Readers in between see one of the two. The
 * caller ensures that no other process ends the same calls. Skips deleted calls.
 * @param encode builds the block of the rows elsewhere; default: here
 */
export async function endCalls(
  store: Store,
  ends: readonly (readonly [Ending, CallEnd])[],
  encode: (rows: readonly EndedRow[]) => Uint8Array | Promise<Uint8Array> = endedBlock,
): Promise<void> {
  const endOf = new Map(ends.map((pair) => [keyOf(pair[0].projectId, pair[0].id), pair] as const))
  const ended: EndedRow[] = []
  const tables = [true, false].map((open) => ends.map(([call]) => call).filter((call) => call.open === open))
  for (const calls of tables) {
    if (calls.length === 0) continue
    for (const row of await store.rows<StoredRow>(storedRows(calls))) {
      const [call, sent] = endOf.get(keyOf(String(row.project_id), String(row.id)))!
      const end = await maskedEnd(store, call.projectId, sent)
      ended.push([row, end, Math.max(nextVersion(), call.ver + 1)])
    }
  }
  if (ended.length === 0) return
  const block = await encode(ended)
  const expected = ended.map(([row, , ver]): ExpectedRow => {
    const [projectId, id] = [String(row.project_id), String(row.id)]
    return { projectId, id, ver, kind: endOf.get(keyOf(projectId, id))![0].open ? 'half' : 'whole' }
  })
  await announce(store, expected)
  await store.insert(insertTarget('calls'), 'Native', [block])
  for (const calls of tables) {
    if (calls.length === 0) continue
    const table = calls[0]!.open ? 'calls_open' : 'calls'
    await store.run(sql`DELETE FROM ${store.mutable(table)} WHERE ${exactly(calls)}`, { settings: BY_PATCH })
  }
}

async function maskedEnd(store: Store, project_id: string, end: CallEnd): Promise<CallEnd> {
  const [row] = await store.changed('calls', [{ ...end, project_id }])
  return row!
}

/** Encodes the rows as one Native block. @throws JsonError for text nested too deep */
export function endedBlock(rows: readonly EndedRow[]): Uint8Array {
  const block = new CallBlock()
  for (const [row, end, ver] of rows) addEnded(block, row, end, ver)
  return block.encode()
}

const keyOf = (projectId: string, id: string) => `${projectId} ${id}`

/** Matches exactly these versions, with conditions that indexes can use before the exact one. */
function exactly(calls: readonly Ending[]): Sql {
  const versions = bind.tuples(
    ['String', 'String', 'UInt64'],
    calls.map(({ projectId, id, ver }) => [projectId, id, ver]),
  )
  const kind = calls[0]!.open ? sql` AND kind = 'start'` : sql``
  return sql`project_id IN ${bind.strings([...new Set(calls.map(({ projectId }) => projectId))])}
    AND id IN ${bind.strings(calls.map(({ id }) => id))} AND (project_id, id, ver) IN ${versions}${kind}`
}

/** Selects what an end keeps of calls of one table. */
export function storedRows(calls: readonly Ending[]): Sql {
  const columns = commaList([...TEXTS, 'leaves', 'descendant_errors'].map(ident))
  const integers = INTEGERS.map(
    (name) =>
      sql`if(${ident(name)} = ${UNSET_INTEGER_SQL}, '', toString(${ident(name)})) AS ${ident(`${name}_text`)}`,
  )
  return sql`SELECT ${columns}, ${commaList(integers)}, ${OTEL_SPAN} AS span_text,
      toUnixTimestamp64Micro(started_at) AS started
    FROM ${ident(calls[0]!.open ? 'calls_open' : 'calls')} WHERE ${exactly(calls)} LIMIT 1 BY project_id, id`
}

function addEnded(block: CallBlock, row: StoredRow, end: CallEnd, ver: number): void {
  const texts = end.exception === undefined ? row : { ...row, exception: end.exception }
  for (const name of TEXTS) block[name].text(String(texts[name]))
  // In one piece: it may refer to the output that is replaced.
  block.otel_span.text(String(row.span_text))
  for (const name of INTEGERS) if (row[`${name}_text`] !== '') block[name].number(Number(row[`${name}_text`]))
  block.started_at.number(Number(row.started))
  block.ended_at.number(end.endedAt)
  block.descendant_errors.int(end.descendantErrors ?? Number(row.descendant_errors))
  for (const leaf of row.leaves) block.leaves.add(leaf)
  writeJson(block, 'output', end.output, false)
  block.summary.text(end.summary)
  block.ver.number(ver)
  block.endRow()
}
