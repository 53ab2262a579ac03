/** Runs the statements of this folder and makes answers from their rows. */
import type { AgentSpan } from '../../contract/agent-span.js'
import type { AgentSpansQueryReq } from '../../contract/agents.js'
import { customAttributes } from '../../domain/agents/custom.js'
import { AGENT_KEYS } from '../../domain/agents/keys.js'
import { attributesText, type SaidBySpan, type SpanRow, spanOf } from '../../domain/agents/span.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { withPlaces } from '../../domain/calls/read/places.js'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { readPrices } from '../../domain/costs/price-reader.js'
import type { Prices } from '../../domain/costs/pricing.js'
import { textAt } from '../../domain/expr/json-text.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { type CostRow, costsOfSpan, NO_COSTS } from './costs.js'
import { around, HOUR, identityStatement, ofTraces, spansOf, type Window, windowOf } from './identity.js'
import { narrowed } from './query.js'
import { spanRows } from './span-rows.js'
import {
  at,
  countStatement,
  matches,
  type Place,
  placeName,
  placesStatement,
  rowsStatement,
} from './spans.js'

/** A stored span: its own facts, and its row. */
export interface ReadSpan {
  span: SaidBySpan
  row: SpanRow
  costs: CostRow
}

/** Conditions that few spans match. `early` ones go first: columns of the others are read only where these hold. */
interface Few {
  conditions?: readonly Sql[]
  early?: readonly Sql[]
}

/** Traces may go on for days. A week's are found in half the time of all of a large project's. */
const WEEK = 7 * 24 * HOUR

/** Sorted, the few rows are one block; read along the key, each granule's rows are a block with costs of its own. */
const IN_ONE_PIECE = { optimize_read_in_order: 0 } as const

export class AgentReader {
  constructor(
    private readonly store: Store,
    private readonly limits: Required<Limits>,
  ) {}

  /** Of a statement, at most. */
  get memoryBytes(): number {
    return this.limits.memoryBytes
  }

  rows<Row>(statement: Sql, signal: AbortSignal): Promise<Row[]> {
    return this.store.rows<Row>(statement, { limits: this.limits, signal, settings: READ_SETTINGS })
  }

  /** The same in pieces, for many rows. */
  stream<Row>(statement: Sql, signal: AbortSignal): AsyncIterable<Row[]> {
    return streamRows<Row>(this.store, statement, { limits: this.limits, signal, settings: READ_SETTINGS })
  }

  /** By model, for the costs of spans. */
  prices(window: Window, signal: AbortSignal): Promise<Prices> {
    return readPrices(this.store, window.projectId, { limits: this.limits, signal, settings: READ_SETTINGS })
  }

  /** What `plan` makes of a window that says where attributes are; it is called again if it asks for any. */
  placed<Plan>(window: Window, plan: (window: Window) => Plan, signal: AbortSignal): Promise<Plan> {
    const rows = <Row>(statement: Sql) => this.rows<Row>(statement, signal)
    return withPlaces(window.projectId, rows, (places) => plan({ ...window, places }))
  }

  /** These spans in order of start. @param prices undefined: costs aren't asked for */
  async spansWhere(
    window: Window,
    which: Few,
    prices: Prices | Promise<Prices> | undefined,
    signal: AbortSignal,
  ): Promise<ReadSpan[]> {
    const { conditions = [], early = [] } = which
    const settings = { ...READ_SETTINGS, ...IN_ONE_PIECE }
    const statement = rowsStatement(spansOf(window, conditions, sql``, early))
    const [{ buffer }, known] = await Promise.all([
      this.store.bytes(statement, 'RowBinary', { limits: this.limits, signal, settings }),
      prices,
    ])
    return (await saidBySpans(Buffer.from(buffer))).map((one) => ({
      ...one,
      costs: known ? costsOfSpan(one.span, known) : NO_COSTS,
    }))
  }

  /** The spans at `places`, in that order. */
  async spansAt(
    window: Window,
    places: readonly Place[],
    prices: Prices | Promise<Prices> | undefined,
    signal: AbortSignal,
  ): Promise<ReadSpan[]> {
    if (places.length === 0) return []
    const found = await this.spansWhere(window, { conditions: [at(places)] }, prices, signal)
    const byPlace = new Map(found.map((one) => [placeName(one.row), one]))
    return places.flatMap((place) => byPlace.get(placeName(place)) ?? [])
  }

  async spans(
    request: AgentSpansQueryReq,
    signal: AbortSignal,
  ): Promise<{ spans: AgentSpan[]; total_count: number }> {
    const all = windowOf(request)
    const plan = (window: Window) => {
      const conditions = matches(request.query, window)
      return {
        counting: countStatement(window, conditions),
        placing: request.limit === 0 ? undefined : placesStatement(request, window, conditions),
      }
    }
    const { counting, placing } = await this.placed(narrowed(all, request.query), plan, signal)
    const [[count], places] = await Promise.all([
      this.rows<{ total: number }>(counting, signal),
      placing ? this.rows<Place>(placing, signal) : [],
    ])
    const prices = request.include_costs && places.length > 0 ? this.prices(all, signal) : undefined
    const found = await this.spansAt(all, places, prices, signal)
    const identities = await this.identities(all, found, signal)
    const spans = found.map((one) => answer(request, one, identities.get(one.row.trace_id)))
    return { spans, total_count: count?.total ?? 0 }
  }

  /** By trace, the agent and conversation for its spans that name none. */
  private async identities(
    window: Window,
    spans: readonly ReadSpan[],
    signal: AbortSignal,
  ): Promise<Map<string, Identity>> {
    const lacking = spans.filter(({ span }) => span.agent_name === '' || span.conversation_id === '')
    const traces = [...new Set(lacking.map(({ row }) => row.trace_id))]
    if (traces.length === 0) return new Map()
    const times = lacking.map(({ row }) => row.started)
    const near = around(window, Math.min(...times), Math.max(...times), WEEK)
    const those = ofTraces(sql`${bind.strings(traces)}`, window, near)
    const rows = await this.rows<Identity & { trace_id: string }>(identityStatement(those, AGENT_ID), signal)
    return new Map(rows.map((row) => [row.trace_id, row]))
  }
}

/** Characters of spans that are read in one turn of the event loop: some 6 ms. */
const TURN = 1 << 20

/** What spans say, with their rows. Others have turns meanwhile: each span may be of megabytes. */
async function saidBySpans(bytes: Buffer): Promise<Omit<ReadSpan, 'costs'>[]> {
  const found: Omit<ReadSpan, 'costs'>[] = []
  let read = 0
  for (const row of spanRows(bytes)) {
    found.push({ row, span: spanOf(row) })
    read += row.text.length
    if (read < TURN) continue
    read = 0
    await new Promise(setImmediate)
  }
  return found
}

/** Columns of the span that names a trace's agent. */
const AGENT_ID = sql`argMinIf(coalesce(${commaList(
  AGENT_KEYS.agent_id!.map(
    (key) =>
      sql`nullIf(${textAt({ document: OTEL_SPAN, path: ['attributes', ...key.split('.')], sound: true })}, '')`,
  ),
)}, ''), started_at, agent_name != '') AS trace_agent_id`

interface Identity {
  trace_agent: [string, string]
  trace_agent_id: string
  trace_conversation: string
}

/** The fields that lists omit unless requested. */
const DETAILS = {
  tool_description: null,
  tool_definitions: null,
  tool_call_arguments: null,
  tool_call_result: null,
  reasoning_content: null,
  compaction_summary: null,
  input_messages: [],
  output_messages: [],
  system_instructions: [],
  content_refs: [],
  artifact_refs: [],
  object_refs: [],
} satisfies Partial<AgentSpan>

function answer(
  request: AgentSpansQueryReq,
  { span, row, costs }: ReadSpan,
  identity: Identity | undefined,
): AgentSpan {
  const { project_id, include_details, custom_attr_columns } = request
  const wanted = new Set(custom_attr_columns.map(({ source, key }) => `${source}.${key}`))
  const custom = customAttributes(wanted.size === 0 ? '{}' : attributesText(row.text), (source, key) =>
    wanted.has(`${source}.${key}`),
  )
  const agent =
    span.agent_name === '' && identity !== undefined && identity.trace_agent[0] !== ''
      ? {
          agent_name: identity.trace_agent[0],
          agent_version: identity.trace_agent[1],
          agent_id: identity.trace_agent_id,
        }
      : {}
  return {
    project_id,
    ...span,
    ...agent,
    conversation_id: span.conversation_id || (identity?.trace_conversation ?? ''),
    ...costs,
    ...custom,
    ...(include_details ? { raw_span_dump: row.text } : { ...DETAILS, raw_span_dump: null }),
  }
}
