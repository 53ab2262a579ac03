/**
 * The columns of the tables `calls` and `calls_open`, in the order of a call's line. Blocks, writable fields, the
 * joining of halves, query fields and lines all derive from this table; `migrations/*.sql` must agree with it, which a
 * test checks.
 */

/** The kind of a column's values. Each room defines by kind how to write, read and query them. */
export type Kind = keyof typeof TYPES

/** The type of each kind in the tables, and in a block's header unless {@link SENT_TYPES} has another. */
const TYPES = {
  /** never empty */
  text: 'String',
  /** empty if unset; `unset.ts` lists the other unset values */
  textOrUnset: 'String',
  /** JSON text, or empty */
  json: 'String',
  /** text shared by many rows */
  sharedText: 'LowCardinality(String)',
  time: "DateTime64(6, 'UTC')",
  timeOrUnset: "DateTime64(6, 'UTC')",
  integerOrUnset: 'Int64',
  uint8: 'UInt8',
  uint32: 'UInt32',
  uint64: 'UInt64',
  hashes: 'Array(UInt32)',
  /** NaN: none */
  numbers: 'Array(Float64)',
  half: "Enum8('start' = 1, 'end' = 2, 'log' = 3)",
  /** in seconds */
  expiry: 'DateTime',
} as const

const SENT_TYPES: Partial<Record<Kind, string>> = { half: 'Int8' }

/** The values that clients may send. `unset` kinds may also be null, missing, or (texts and ids) empty. */
export type InputKind =
  | 'project'
  | 'id'
  /** generated if missing */
  | 'idOrMade'
  | 'idOrUnset'
  | 'threadIdOrUnset'
  | 'runIdOrUnset'
  | 'opName'
  | 'displayName'
  | 'text'
  | 'time'
  | 'timeOrUnset'
  | 'object'
  | 'objectOrUnset'
  | 'summary'
  | 'integer'
  | 'boolean'
  | 'any'

/** How a call was sent. */
export type HalfKind = 'start' | 'end' | 'whole'

interface ColumnSpec {
  readonly kind: Kind
  /** the half that carries it; its newest value wins when halves are joined. `both`: joined specially */
  readonly half: 'start' | 'end' | 'both'
  /** its type in the tables, if not the kind's; a block sends the kind's, and the engine converts */
  readonly type?: string
  /** its name in requests and answers; default: the column's; null: not a field */
  readonly field?: string | null
  /** the values that clients may send, per way to send a call; a single kind applies to the column's half */
  readonly input?: InputKind | Readonly<Record<HalfKind, InputKind>>
  /** its name in clients' writes, if not the field */
  readonly inputName?: string
  /** its leaves are indexed */
  readonly indexed?: true
  /** credentials in it are redacted */
  readonly redacted?: true
  /** values may be wide; how many times a line may contain one */
  readonly wide?: number
  /** the walker doesn't write it: spans have none, or it is known only when rows are taken */
  readonly walked?: false
  /** not sent in blocks, so the table's default applies */
  readonly unsent?: true
  /** set if only one table has it */
  readonly table?: CallTable
}

/** Texts with few distinct values. */
const FEW = 'LowCardinality(String)'

const COLUMNS = {
  id: { kind: 'text', half: 'both', input: { start: 'idOrMade', end: 'id', whole: 'id' } },
  project_id: {
    kind: 'text',
    half: 'both',
    type: FEW,
    input: { start: 'project', end: 'project', whole: 'project' },
  },
  op_name: { kind: 'text', half: 'start', type: FEW, input: 'opName' },
  trace_id: { kind: 'text', half: 'start', input: { start: 'idOrMade', end: 'idOrUnset', whole: 'id' } },
  started_at: { kind: 'time', half: 'start', input: { start: 'time', end: 'timeOrUnset', whole: 'time' } },
  display_name: { kind: 'textOrUnset', half: 'start', input: 'displayName' },
  parent_id: { kind: 'textOrUnset', half: 'start', input: 'idOrUnset' },
  thread_id: { kind: 'textOrUnset', half: 'start', input: 'threadIdOrUnset' },
  turn_id: { kind: 'textOrUnset', half: 'start', input: 'idOrUnset' },
  ended_at: { kind: 'timeOrUnset', half: 'end', input: 'time' },
  exception: { kind: 'textOrUnset', half: 'end', input: 'text', wide: 1 },
  attributes: { kind: 'json', half: 'start', input: 'object', indexed: true, redacted: true, wide: 1 },
  // A span's text may repeat inputs and output.
  inputs: { kind: 'json', half: 'start', input: 'object', indexed: true, redacted: true, wide: 2 },
  output: { kind: 'json', half: 'end', input: 'any', indexed: true, wide: 2 },
  summary: { kind: 'json', half: 'end', input: 'summary', wide: 1 },
  user_id: { kind: 'textOrUnset', half: 'start', type: FEW, field: 'platform_user_id', input: 'text' },
  run_id: {
    kind: 'textOrUnset',
    half: 'start',
    type: FEW,
    field: 'platform_run_id',
    input: 'runIdOrUnset',
    walked: false,
  },
  run_step: {
    kind: 'integerOrUnset',
    half: 'start',
    field: 'platform_run_step',
    input: 'integer',
    walked: false,
  },
  run_step_end: {
    kind: 'integerOrUnset',
    half: 'end',
    field: 'platform_run_step_end',
    input: 'integer',
    walked: false,
  },
  // Where and by what it was made: see `LABELS` in `domain/conventions/table.ts`.
  environment: { kind: 'textOrUnset', half: 'start', type: FEW, input: 'text' },
  release: { kind: 'textOrUnset', half: 'start', type: FEW, input: 'text' },
  version: { kind: 'textOrUnset', half: 'start', type: FEW, input: 'text' },
  prompt_name: { kind: 'textOrUnset', half: 'start', type: FEW, input: 'text' },
  prompt_version: { kind: 'textOrUnset', half: 'start', type: FEW, input: 'text' },
  /** µs from the start until the first part of an answer; 0: unknown */
  first_token: { kind: 'uint32', half: 'end', field: null },
  expire_at: { kind: 'expiry', half: 'both', unsent: true, walked: false },
  // Together the text of an exporter's span, part of the attributes: see `otel-span.ts`.
  otel_span: {
    kind: 'json',
    half: 'start',
    field: null,
    input: 'objectOrUnset',
    inputName: 'otel_dump',
    redacted: true,
    wide: 1,
  },
  otel_shape: { kind: 'sharedText', half: 'start', field: null },
  otel_origin: { kind: 'sharedText', half: 'start', field: null },
  /** made by the engine: the values of `otel_span` as numbers */
  span_numbers: { kind: 'numbers', half: 'start', field: null, unsent: true, walked: false },
  // What is known of an exporter's span as one of an agent: see `domain/agents/keys.ts`.
  span_kind: { kind: 'uint8', half: 'start', field: null },
  span_status: { kind: 'uint8', half: 'start', field: null },
  own_conversation: { kind: 'uint8', half: 'start', field: null },
  /** 1: the attributes say who the user was */
  has_user: { kind: 'uint8', half: 'start', field: null },
  // Made by the engine of what is sent, so that lists of threads and end users read neither texts nor ids.
  /** whom the observed application served, who is no user of this service */
  end_user: { kind: 'textOrUnset', half: 'start', field: null, unsent: true },
  /** 1: a turn of a thread */
  is_turn: { kind: 'uint8', half: 'start', field: null, unsent: true },
  operation_name: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  provider_name: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  agent_name: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  agent_version: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  request_model: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  response_model: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  tool_name: { kind: 'textOrUnset', half: 'start', type: FEW, field: null },
  input_tokens: { kind: 'uint32', half: 'start', field: null },
  output_tokens: { kind: 'uint32', half: 'start', field: null },
  reasoning_tokens: { kind: 'uint32', half: 'start', field: null },
  cache_creation_input_tokens: { kind: 'uint32', half: 'start', field: null },
  cache_read_input_tokens: { kind: 'uint32', half: 'start', field: null },
  // Of a span that says what an answer of a provider used: see `one-answer.ts`.
  answer_hash: { kind: 'uint32', half: 'start', field: null },
  /** 1: another span of the trace counts for the same answer */
  repeats_usage: { kind: 'uint8', half: 'start', field: null, walked: false },
  descendant_errors: { kind: 'uint32', half: 'end', field: null, walked: false },
  /** 1: `leaves` has those of the span's attributes, or there is no span */
  span_indexed: { kind: 'uint8', half: 'start', field: null },
  leaves: { kind: 'hashes', half: 'both', field: null },
  bytes: { kind: 'uint64', half: 'both', field: null },
  ver: { kind: 'uint64', half: 'both', field: null, walked: false },
  kind: { kind: 'half', half: 'both', field: null, table: 'calls_open', walked: false },
} as const satisfies Record<string, ColumnSpec>

type Columns = typeof COLUMNS

/** The table of a block. */
export type CallTable = 'calls' | 'calls_open'

/**
 * The table whose inserts the embedded engine logs, what no two of its rows have in common, the column by which
 * statements say which rows they read (see `calls-of.ts`), and the one that says which rows are newest.
 */
export const LOGGED = {
  table: 'calls',
  key: ['project_id', 'started_at', 'id', 'ver'],
  readKey: 'project_id',
  newestBy: 'started_at',
  /** of those that blocks don't send: NEVER */
  defaults: { expire_at: 'ffffffff' },
}

/** Values of `calls_open.kind`. */
export const KIND = { start: 1, end: 2, log: 3 } as const

/** The name of a column of either table. */
export type CallColumn = keyof Columns
export type KindOf<Name extends CallColumn> = Columns[Name]['kind']
/** The columns of the given kinds. */
export type ColumnOf<K extends Kind> = { [N in CallColumn]: KindOf<N> extends K ? N : never }[CallColumn]
/** The columns that a block sends. */
export type SentColumn = { [N in CallColumn]: Columns[N] extends { unsent: true } ? never : N }[CallColumn]
/** The columns exposed as fields, by field name. */
export type CallField = {
  [N in CallColumn]: Columns[N] extends { field: infer F } ? Exclude<F, null> & string : N
}[CallColumn]
/** The name of a field that clients may send. */
export type InputField = {
  [N in CallColumn]: Columns[N] extends { inputName: infer I extends string }
    ? I
    : Columns[N] extends { input: unknown }
      ? Columns[N] extends { field: infer F extends string }
        ? F
        : N
      : never
}[CallColumn]

/** A column with all defaults filled in. */
export type CallColumnSpec = ReturnType<typeof complete>

function complete([name, spec]: [string, ColumnSpec]) {
  const field = spec.field === undefined ? name : spec.field
  return {
    ...spec,
    name: name as CallColumn,
    type: spec.type ?? TYPES[spec.kind],
    sentType: SENT_TYPES[spec.kind] ?? TYPES[spec.kind],
    field: field as CallField | null,
    inputName: (spec.inputName ?? field) as InputField,
  }
}

/** All columns, in order. */
export const CALL_COLUMNS: readonly CallColumnSpec[] = Object.entries(COLUMNS).map(complete)

/** The columns of `table`. */
export function columnsOf(table: CallTable): CallColumnSpec[] {
  return CALL_COLUMNS.filter((column) => column.table === undefined || column.table === table)
}

/** The columns that a block for `table` sends, in order. */
export function sentColumns(table: CallTable): (CallColumnSpec & { readonly name: SentColumn })[] {
  return columnsOf(table).filter(
    (column): column is CallColumnSpec & { name: SentColumn } => column.unsent !== true,
  )
}

/** The insert target of a block for `table`: names the columns, so that those not sent get their default. */
export function insertTarget(table: CallTable): string {
  return `${table} (${sentColumns(table)
    .map(({ name }) => name)
    .join(', ')})`
}
