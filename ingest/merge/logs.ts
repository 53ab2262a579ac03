/**
 * Makes log records part of the span that they belong to: the call is written again with them. What comes of it is the same
 * whichever of them was there first, and however often (`ingest/otlp/log-records.ts`). Their rows stay for a while after
 * that: a span that is sent again replaces the call, and the engine may merge the two before anybody looks. Works on exact
 * versions of rows, as `merge.ts` does.
 */
import { CallBlock } from '../../domain/calls/block.js'
import { indexJson, indexSpan } from '../../domain/calls/json-leaves.js'
import { movedOf, noteMoved } from '../../domain/calls/moved.js'
import { insertTarget, KIND } from '../../domain/calls/schema.js'
import type { ExpectedRow } from '../../domain/calls/unsettled.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import {
  contentOfLogs,
  type Logged,
  type Logs,
  putLogs,
  takeLogs,
  unionOf,
  withLogs,
} from '../otlp/log-records.js'
import { LOGS_OP } from '../otlp/log-rows.js'
import { type SpanId, spanKey } from './call-change.js'
import {
  bytesOf,
  dropCalls,
  dropHalves,
  ROWS,
  type StoredCall,
  type StoredLogs,
  storedById,
  storedLogs,
  sumOf,
  theseCalls,
  theseHalves,
  weightOf,
} from './stored.js'
import type { Unsettled } from './unsettled.js'
import { copyRow, type WholeRow, wholeRows } from './whole-row.js'

/** Bytes of texts that are in memory at once. */
const BYTES = 2 << 20

interface Text {
  readonly projectId: string
  readonly id: string
  readonly traceId: string
  readonly text: string
}

/** What is stored of one span: its versions, and rows with log records. */
interface Stored {
  readonly calls: StoredCall[]
  readonly logs: StoredLogs[]
}

export class LogJoin {
  constructor(
    private readonly store: Store,
    private readonly unsettled: Unsettled,
  ) {}

  /** Joins what is stored of these spans. Those that are not there, or have no records, are left as they are. */
  async join(spans: readonly SpanId[]): Promise<void> {
    const ids = [...new Map(spans.map((span) => [spanKey(span), span])).values()]
    if (ids.length === 0) return
    const stored = await this.stored(ids)
    const met = [...stored.values()].filter(
      ({ calls, logs }) => calls.length > 1 || (calls.length > 0 && logs.length > 0),
    )
    const weight = ({ calls, logs }: Stored) => sumOf([...calls, ...logs], bytesOf)
    for (const some of pieces(met, 500, weight, BYTES)) await this.joinSome(some)
  }

  /** Shows the records of these spans, which have not come, as calls of their own; until they do. */
  async show(spans: readonly SpanId[]): Promise<void> {
    if (spans.length === 0) return
    const stored = await this.stored(spans)
    const alone = [...stored.values()].filter(({ calls, logs }) => calls.length === 0 && logs.length > 0)
    for (const some of pieces(alone, 500, ({ logs }) => sumOf(logs, bytesOf), BYTES)) {
      const records = await this.records(some.flatMap(({ logs }) => logs))
      const block = new CallBlock('calls_open')
      for (const { logs } of some) showLogs(block, logs, records.get(spanKey(logs[0]!))!)
      await this.store.insert(insertTarget('calls_open'), 'Native', [block.encode()])
      await this.settle(some.flatMap(({ logs }) => logs))
    }
  }

  /** Takes away the rows of records that were joined a while ago, once more looked at: nothing replaces their calls now. */
  async forget(spans: readonly SpanId[]): Promise<void> {
    if (spans.length === 0) return
    const rows = await storedLogs(this.store, spans)
    await this.join(spans)
    await dropHalves(
      this.store,
      rows.filter(({ kind, joined }) => kind === KIND.log && joined),
    )
  }

  /** The records of these rows are seen elsewhere: those that wait wait no more, those that were shown go. */
  private async settle(rows: readonly StoredLogs[]): Promise<void> {
    await dropHalves(
      this.store,
      rows.filter(({ kind }) => kind === KIND.start),
    )
    const waiting = rows.filter(({ kind, joined }) => kind === KIND.log && !joined)
    for (const some of pieces(waiting, ROWS, weightOf))
      await this.store.run(
        sql`UPDATE ${this.store.mutable('calls_open')} SET ended_at = now64(6) WHERE ${theseHalves(some)}`,
      )
  }

  private async stored(ids: readonly SpanId[]): Promise<Map<string, Stored>> {
    const stored = new Map<string, Stored>(ids.map((id) => [spanKey(id), { calls: [], logs: [] }]))
    for (const row of await storedLogs(this.store, ids)) stored.get(spanKey(row))?.logs.push(row)
    for (const row of await storedById(this.store, ids)) stored.get(spanKey(row))?.calls.push(row)
    return stored
  }

  private async joinSome(met: readonly Stored[]): Promise<void> {
    const calls = met.flatMap(({ calls }) => calls)
    const logs = met.flatMap(({ logs }) => logs)
    const rows = new Map(
      (await this.store.rows<WholeRow>(wholeRows(theseCalls(calls)))).map((row) => [
        `${spanKey(idOf(row))} ${row.ver}`,
        row,
      ]),
    )
    const records = await this.records(logs)
    const block = new CallBlock()
    const expected: ExpectedRow[] = []
    const replaced: StoredCall[] = []
    const done: StoredLogs[] = []
    for (const { calls, logs } of met) {
      const versions = calls
        .map((call) => rows.get(`${spanKey(call)} ${call.ver}`))
        .filter((row) => row !== undefined)
        .sort((a, b) => Number(b.ver) - Number(a.ver))
      const [newest, ...older] = versions
      // Another process replaced it meanwhile: the next look finds what it wrote.
      if (newest === undefined || versions.length < calls.length) continue
      const key = spanKey(calls[0]!)
      const more = [...older.map((row) => takeLogs(String(row.otel_span)).logs), ...(records.get(key) ?? [])]
      const call = newest as unknown as Logged
      const joined = withLogs(call, more)
      done.push(...logs)
      if (joined.otel_span === call.otel_span) {
        replaced.push(...calls.filter(({ ver }) => ver !== newest.ver))
        continue
      }
      const ver = Math.max(Number(newest.ver), ...logs.map((row) => row.ver)) + 1
      writeJoined(block, newest, joined, ver)
      replaced.push(...calls)
      expected.push({ projectId: calls[0]!.projectId, id: calls[0]!.id, ver, kind: 'whole' })
    }
    await this.unsettled.announce(expected)
    if (expected.length > 0) await this.store.insert(insertTarget('calls'), 'Native', [block.encode()])
    const shown = done.filter(({ kind }) => kind === KIND.start)
    await noteMoved(this.store, movedOf([...replaced, ...shown], [...calls, ...shown]))
    await dropCalls(this.store, replaced)
    await this.settle(done)
    this.unsettled.release(expected)
  }

  /** The records of these rows, by the span. */
  private async records(rows: readonly StoredLogs[]): Promise<Map<string, Logs[]>> {
    const all = new Map<string, Logs[]>()
    for (const some of pieces(rows, 500, bytesOf, BYTES)) {
      const texts = await this.store.rows<Text>(sql`
        SELECT project_id AS projectId, id, trace_id AS traceId, otel_span AS text FROM calls_open
        WHERE ${theseHalves(some)}`)
      for (const row of texts) {
        const key = spanKey(row)
        // One set at a time, so that no more is held than a call may have.
        all.set(key, [unionOf([...(all.get(key) ?? []), takeLogs(row.text).logs])])
      }
    }
    return all
  }
}

function writeJoined(block: CallBlock, row: WholeRow, joined: Logged, ver: number): void {
  copyRow(block, row, ['inputs', 'output', 'otel_span', 'leaves', 'span_indexed', 'bytes', 'ver'])
  writeContent(block, joined)
  const attributes = Buffer.from(String(row.attributes))
  indexJson(block.leaves, 'attributes', attributes, 0, attributes.length)
  indexSpan(block.leaves, Buffer.from(joined.otel_span))
  block.span_indexed.int(1)
  block.ver.number(ver)
  block.endRow()
}

/** One row that reads show, of all rows with records. */
function showLogs(block: CallBlock, rows: readonly StoredLogs[], parts: readonly Logs[]): void {
  const { projectId, id, traceId } = rows[0]!
  const logs = unionOf(parts)
  const { inputs, output } = contentOfLogs(logs)
  block.project_id.text(projectId)
  block.id.text(id)
  block.trace_id.text(traceId)
  block.op_name.text(LOGS_OP)
  block.started_at.number(Math.min(...rows.map(({ startedAt }) => startedAt)))
  block.attributes.text('{}')
  block.summary.text('{}')
  writeContent(block, {
    inputs: inputs?.toString() ?? '{}',
    output: output?.toString() ?? '',
    otel_span: putLogs('', logs),
  })
  block.kind.int(KIND.start)
  block.ver.number(Math.max(...rows.map(({ ver }) => ver)) + 1)
  block.endRow()
}

function writeContent(block: CallBlock, { inputs, output, otel_span }: Logged): void {
  block.inputs.text(inputs)
  block.output.text(output)
  block.otel_span.text(otel_span)
  for (const [root, text] of [
    ['inputs', inputs],
    ['output', output],
  ] as const) {
    const bytes = Buffer.from(text)
    if (bytes.length > 0) indexJson(block.leaves, root, bytes, 0, bytes.length)
  }
}

function idOf(row: WholeRow): SpanId {
  return { projectId: String(row.project_id), id: String(row.id), traceId: String(row.trace_id) }
}
