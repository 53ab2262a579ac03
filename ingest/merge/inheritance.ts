/**
 * What spans have of ancestors that came in other requests: thread, turn and user; and which of several that tell of one
 * answer counts for it. By the rules that the decoder has for those of one request (`ingest/otlp/span-tree.ts`). A span
 * that is given something is written again, inside ClickHouse.
 * Works on exact versions of rows, as `merge.ts` does.
 */
import { LEAF_LIMIT, TRUNCATED } from '../../domain/calls/leaves.js'
import { type AnswerSpan, repeating } from '../../domain/calls/one-answer.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { sentColumns } from '../../domain/calls/schema.js'
import type { ExpectedRow } from '../../domain/calls/unsettled.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { piecesOf } from '../../platform/batch/pieces.js'
import { inTurns } from '../../platform/batch/turns.js'
import { pieces, writtenBytes } from '../../platform/clickhouse/pieces.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { bind, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { inheritedUser } from '../otlp/inherited-users.js'
import { spanKey, type TraceId } from './call-change.js'
import { dropCalls, type StoredCall, theseCalls, WHOLE_ROW, weightOf } from './stored.js'
import type { Unsettled } from './unsettled.js'

/** Traces read by one statement. */
const TRACES = 1000
/** Spans read at a time, unless one trace has more: of that the first ones. */
const SPANS = 100_000
/** Spans looked at in one turn of the event loop. */
const TURN = 2_000
/** Of spans that one statement writes again: as many, and as many bytes of parameters. */
const WRITTEN = { items: 500, bytes: 600 << 10 }

/** A stored span, as a node of its trace's tree. */
interface TreeSpan {
  readonly id: string
  readonly parentId: string
  thread: string
  turn: string
  /** JSON text, or empty */
  user: string
}

/** A stored span, as one that gives the usage of an answer. */
interface Answering extends AnswerSpan {
  /** 0: it gives none */
  readonly answer: number
  repeats: 0 | 1
}

type StoredSpan = StoredCall & TreeSpan & Answering

/** Runs `write` while nothing else changes or reconciles calls of the project. */
export type Alone = (projectId: string, write: () => Promise<void>) => Promise<void>

export class Inheritance {
  /**
   * @param alone keeps changes of a project apart. It is asked for a few spans at a time, since a trace may have so many
   * that writing them takes minutes, and others' writes wait for it
   */
  constructor(
    private readonly store: Store,
    private readonly unsettled: Unsettled,
    private readonly alone: Alone,
    private readonly most = SPANS,
  ) {}

  /**
   * Gives the spans of these traces what they have of their ancestors. What is stored meanwhile is left alone: only the
   * versions that were read are replaced. @param isStopping ends it between two statements
   */
  async settle(traces: readonly TraceId[], isStopping = () => false): Promise<void> {
    for (const some of pieces(traces, TRACES, traceWeight)) {
      const sizes = await this.sizes(some)
      const sizeOf = (trace: TraceId) => sizes.get(traceKey(trace)) ?? 0
      // The small ones first: nobody waits for another's that is large.
      const inOrder = some.toSorted((a, b) => sizeOf(a) - sizeOf(b))
      for (const few of pieces(inOrder, TRACES, sizeOf, this.most)) await this.settleSome(few, isStopping)
    }
  }

  private async settleSome(traces: readonly TraceId[], isStopping: () => boolean): Promise<void> {
    const byTrace = new Map<string, Map<string, StoredSpan>>()
    for await (const rows of this.spans(traces))
      await each(rows, (span) => {
        const key = traceKey(span)
        const spans = byTrace.get(key) ?? new Map<string, StoredSpan>()
        byTrace.set(key, spans)
        if ((spans.get(span.id)?.ver ?? 0) < span.ver) spans.set(span.id, span)
      })
    const trees = [...byTrace.values()]
    const said = await this.saidTurns(trees.flatMap(rivals))
    for (const spans of trees) {
      const changed = new Set<StoredSpan>()
      const isTurn = (span: StoredSpan) => said.has(spanKey(span))
      await inherit(spans, isTurn, (span) => changed.add(span))
      await countOnce(spans.values(), (span) => changed.add(span))
      for (const some of piecesOf(changed, statementWeight, WRITTEN)) {
        if (isStopping()) return
        await this.alone(some[0]!.projectId, () => this.write(some))
      }
    }
  }

  /** How many spans each of these traces has, by its key. */
  private async sizes(traces: readonly TraceId[]): Promise<Map<string, number>> {
    const rows = await this.store.rows<{ projectId: string; traceId: string; spans: number }>(sql`
      SELECT project_id AS projectId, trace_id AS traceId, count() AS spans
      FROM ${spansOf(traces)} GROUP BY project_id, trace_id`)
    return new Map(rows.map((row) => [traceKey(row), Number(row.spans)]))
  }

  /** In groups; those of an answer in the order in which {@link repeating} looks at them, which saves the sort. */
  private spans(traces: readonly TraceId[]): AsyncGenerator<StoredSpan[]> {
    return streamRows<StoredSpan>(
      this.store,
      sql`
      SELECT ${WHOLE_ROW}, parent_id AS parentId, thread_id AS thread, turn_id AS turn,
        if(has_user, JSONExtractRaw(attributes, 'user_id'), '') AS user,
        toUnixTimestamp64Micro(started_at) AS started, toUnixTimestamp64Micro(ended_at) AS ended,
        CAST(agent_name != '', 'Bool') AS isOfAgent, answer_hash AS answer, repeats_usage AS repeats
      FROM ${spansOf(traces)} ORDER BY started, calls.id LIMIT ${bind.uint(this.most)} BY project_id, trace_id`,
    )
  }

  /** Those of `spans` that say themselves that they are turns, as keys. */
  private async saidTurns(spans: readonly StoredSpan[]): Promise<Set<string>> {
    const found: StoredCall[] = []
    for (const some of pieces(spans, 1000, weightOf))
      found.push(
        ...(await this.store.rows<StoredCall>(sql`
          SELECT ${WHOLE_ROW} FROM calls WHERE ${theseCalls(some)} AND match(${OTEL_SPAN}, 'is_turn":"?true')`)),
      )
    return new Set(found.map(spanKey))
  }

  private async write(spans: readonly StoredSpan[]): Promise<void> {
    const expected = spans.map(
      ({ projectId, id, ver }): ExpectedRow => ({ projectId, id, ver: ver + 1, kind: 'whole' }),
    )
    await this.unsettled.announce(expected)
    await this.store.run(rewritten(spans))
    await dropCalls(this.store, spans)
    this.unsettled.release(expected)
  }
}

function traceWeight({ projectId, traceId }: TraceId): number {
  return writtenBytes(projectId) + writtenBytes(traceId)
}

function traceKey({ projectId, traceId }: TraceId): string {
  return `${projectId} ${traceId}`
}

function spansOf(traces: readonly TraceId[]): Sql {
  const projects = [...new Set(traces.map(({ projectId }) => projectId))]
  const ids = [...new Set(traces.map(({ traceId }) => traceId))]
  return sql`calls WHERE project_id IN ${bind.strings(projects)} AND trace_id IN ${bind.strings(ids)} AND span_kind > 0`
}

/** Spans that are turns below another span of their thread: they remain turns only if they say so. */
function rivals(spans: ReadonlyMap<string, StoredSpan>): StoredSpan[] {
  return [...spans.values()].filter(({ id, parentId, turn }) => turn === id && spans.has(parentId))
}

/**
 * Gives the spans of one trace what they have of their ancestors, in place.
 * @param isTurn whether a span says itself that it is a turn
 * @param changed called with each that was given something
 */
async function inherit<Span extends TreeSpan>(
  spans: ReadonlyMap<string, Span>,
  isTurn: (span: Span) => boolean,
  changed: (span: Span) => void,
): Promise<void> {
  const done = new Set<Span>()
  const path: Span[] = []
  await each([...spans.values()], (span) => {
    for (let at: Span | undefined = span; at && !done.has(at); at = spans.get(at.parentId)) {
      done.add(at)
      path.push(at)
    }
    while (path.length > 0) {
      const below = path.pop()!
      const above = spans.get(below.parentId)
      if (above && inheritFrom(above, below, isTurn)) changed(below)
    }
  })
}

/** Notes which spans of one trace repeat the usage of another one, in place. @param changed called with each that is new */
async function countOnce<Span extends Answering>(
  spans: Iterable<Span>,
  changed: (span: Span) => void,
): Promise<void> {
  const answers = groupBy(
    [...spans].filter(({ answer }) => answer !== 0),
    ({ answer }) => answer,
  )
  for (const all of answers.values()) {
    const repeated = new Set(repeating(all))
    await each(all, (span) => {
      const repeats = repeated.has(span) ? 1 : 0
      if (span.repeats === repeats) return
      span.repeats = repeats
      changed(span)
    })
  }
}

/** Visits all, with a turn of the event loop now and then. */
async function each<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for await (const { from, to } of inTurns(items.length, TURN))
    for (let i = from; i < to; i++) visit(items[i]!)
}

function inheritFrom<Span extends TreeSpan>(
  above: Span,
  below: Span,
  isTurn: (span: Span) => boolean,
): boolean {
  const { thread, turn, user } = below
  if (user === '' && above.user !== '' && inheritedUser(above.user)) below.user = above.user
  if (above.thread !== '' && (thread === '' || thread === above.thread)) {
    below.thread = above.thread
    if (above.turn !== '' && !(turn === below.id && isTurn(below))) below.turn = above.turn
  }
  return below.thread !== thread || below.turn !== turn || below.user !== user
}

function statementWeight(span: StoredSpan): number {
  return (
    2 * weightOf(span) + writtenBytes(span.thread) + writtenBytes(span.turn) + 2 * writtenBytes(span.user)
  )
}

/** INSERT of the next versions of these spans, with what they were given. */
function rewritten(spans: readonly StoredSpan[]): Sql {
  const users = spans.map(({ user }) => (user === '' ? undefined : inheritedUser(user)))
  const keys = bind.strings(spans.map(spanKey))
  const key = sql`indexOf(${keys}, concat(project_id, ' ', trace_id, ' ', id))`
  const member = sql`${bind.strings(users.map((user) => user?.member ?? ''))}[${key}]`
  const leaf = sql`${bind.hashes(users.map((user) => user?.leaf ?? TRUNCATED))}[${key}]`
  const isGiven = sql`has_user = 0 AND ${member} != ''`
  const open = sql`substring(attributes, 1, length(attributes) - 1)`
  const attributes = sql`if(${isGiven}, concat(${open}, if(length(attributes) > 2, ',', ''), ${member}, '}'), attributes)`
  const limit = bind.uint(LEAF_LIMIT)
  const values: Readonly<Record<string, Sql>> = {
    thread_id: sql`${bind.strings(spans.map(({ thread }) => thread))}[${key}]`,
    turn_id: sql`${bind.strings(spans.map(({ turn }) => turn))}[${key}]`,
    attributes,
    leaves: sql`if(has_user = 1 OR ${leaf} = ${bind.uint(TRUNCATED)} OR length(leaves) >= ${limit}, leaves,
      arrayPushBack(leaves, if(length(leaves) = ${limit} - 1, toUInt32(${bind.uint(TRUNCATED)}), ${leaf})))`,
    bytes: sql`bytes + length(${attributes}) - length(attributes)`,
    has_user: sql`if(${member} != '', 1, has_user)`,
    repeats_usage: sql`${bind.uints(spans.map(({ repeats }) => repeats))}[${key}]`,
    ver: sql`ver + 1`,
  }
  const columns = sentColumns('calls').map(({ name }) => name)
  const comma = sql`, `
  return sql`INSERT INTO calls (${join(columns.map(ident), comma)})
    SELECT ${join(
      columns.map((name) => values[name] ?? ident(name)),
      comma,
    )} FROM calls WHERE ${theseCalls(spans)}`
}
