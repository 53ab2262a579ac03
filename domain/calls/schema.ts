/**
 * What a call is made of: a row a column of the tables `calls` and `calls_open`, in the order in which a call's line has
 * them. Blocks, the fields that clients may write, the join of halves, the fields of queries and the lines of answers
 * are all made of this table; `migrations/*.sql` must agree with it, and a test holds that.
 */

/** What a column holds. Each room says by kind how it is written, read and asked for. */
export type Kind = keyof typeof TYPES

/** The type that each kind has in the tables, and in a block's header where {@link SENT_TYPES} has no other. */
const TYPES = {
  /** never empty */
  text: 'String',
  /** empty where there is nothing; `unset.ts` says what else is */
  textOrUnset: 'String',
  /** JSON text, or empty */
  json: 'String',
  /** a text that many rows share */
  sharedText: 'LowCardinality(String)',
  time: "DateTime64(6, 'UTC')",
  timeOrUnset: "DateTime64(6, 'UTC')",
  integerOrUnset: 'Int64',
  uint8: 'UInt8',
  uint32: 'UInt32',
  uint64: 'UInt64',
  hashes: 'Array(UInt32)',
  half: "Enum8('start' = 1, 'end' = 2)",
  /** in seconds */
  expiry: 'DateTime',
} as const

const SENT_TYPES: Partial<Record<Kind, string>> = { half: 'Int8' }

/** What clients may write in a field. `unset` kinds may also be null, missing, or (texts and ids) empty. */
export type InputKind =
  | 'project'
  | 'id'
  /** the service makes one where there is none */
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

/** Which way a call was written. */
export type HalfKind = 'start' | 'end' | 'whole'

interface ColumnSpec {
  readonly kind: Kind
  /** the half that brings it: when halves are joined its newest value counts. `both`: joined in a way of its own */
  readonly side: 'start' | 'end' | 'both'
  /** its type in the tables where that is not the kind's; a block sends the kind's, and the engine converts */
  readonly type?: string
  /** its name in requests and answers; default: the column's; null: it is none of their fields */
  readonly field?: string | null
  /** what clients may write there, in each way to write a call; a single kind: in those of the column's side */
  readonly input?: InputKind | Readonly<Record<HalfKind, InputKind>>
  /** its name in what clients write, where that is not the field */
  readonly inputName?: string
  /** its leaves are indexed */
  readonly indexed?: true
  /** credentials under their keys are not stored */
  readonly redacted?: true
  /** values may be wide, and a line may hold one so many times */
  readonly wide?: number
  /** a block leaves it out, so that the table's default holds */
  readonly unsent?: true
  /** the only table that has it */
  readonly table?: CallTable
}

/** Texts of which there are few different ones. */
const FEW = 'LowCardinality(String)'

const COLUMNS = {
  id: { kind: 'text', side: 'both', input: { start: 'idOrMade', end: 'id', whole: 'id' } },
  project_id: {
    kind: 'text',
    side: 'both',
    type: FEW,
    input: { start: 'project', end: 'project', whole: 'project' },
  },
  op_name: { kind: 'text', side: 'start', type: FEW, input: 'opName' },
  trace_id: { kind: 'text', side: 'start', input: { start: 'idOrMade', end: 'idOrUnset', whole: 'id' } },
  started_at: { kind: 'time', side: 'start', input: { start: 'time', end: 'timeOrUnset', whole: 'time' } },
  display_name: { kind: 'textOrUnset', side: 'start', input: 'displayName' },
  parent_id: { kind: 'textOrUnset', side: 'start', input: 'idOrUnset' },
  thread_id: { kind: 'textOrUnset', side: 'start', input: 'threadIdOrUnset' },
  turn_id: { kind: 'textOrUnset', side: 'start', input: 'idOrUnset' },
  ended_at: { kind: 'timeOrUnset', side: 'end', input: 'time' },
  exception: { kind: 'textOrUnset', side: 'end', input: 'text', wide: 1 },
  attributes: { kind: 'json', side: 'start', input: 'object', indexed: true, redacted: true, wide: 1 },
  // A span's text may hold inputs and output once more.
  inputs: { kind: 'json', side: 'start', input: 'object', indexed: true, redacted: true, wide: 2 },
  output: { kind: 'json', side: 'end', input: 'any', indexed: true, wide: 2 },
  summary: { kind: 'json', side: 'end', input: 'summary', wide: 1 },
  user_id: { kind: 'textOrUnset', side: 'start', type: FEW, field: 'platform_user_id', input: 'text' },
  run_id: { kind: 'textOrUnset', side: 'start', type: FEW, field: 'platform_run_id', input: 'runIdOrUnset' },
  run_step: { kind: 'integerOrUnset', side: 'start', field: 'platform_run_step', input: 'integer' },
  run_step_end: { kind: 'integerOrUnset', side: 'end', field: 'platform_run_step_end', input: 'integer' },
  expire_at: { kind: 'expiry', side: 'both', unsent: true },
  // Together the text of an exporter's span, a member of the attributes: see `otel-span.ts`.
  otel_span: {
    kind: 'json',
    side: 'start',
    field: null,
    input: 'objectOrUnset',
    inputName: 'otel_dump',
    redacted: true,
    wide: 1,
  },
  otel_shape: { kind: 'sharedText', side: 'start', field: null },
  otel_origin: { kind: 'sharedText', side: 'start', field: null },
  // What is known of an exporter's span as one of an agent: see `domain/agents/keys.ts`.
  span_kind: { kind: 'uint8', side: 'start', field: null },
  span_status: { kind: 'uint8', side: 'start', field: null },
  own_conversation: { kind: 'uint8', side: 'start', field: null },
  operation_name: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  provider_name: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  agent_name: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  agent_version: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  request_model: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  response_model: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  tool_name: { kind: 'textOrUnset', side: 'start', type: FEW, field: null },
  input_tokens: { kind: 'uint32', side: 'start', field: null },
  output_tokens: { kind: 'uint32', side: 'start', field: null },
  reasoning_tokens: { kind: 'uint32', side: 'start', field: null },
  cache_creation_input_tokens: { kind: 'uint32', side: 'start', field: null },
  cache_read_input_tokens: { kind: 'uint32', side: 'start', field: null },
  descendant_errors: { kind: 'uint32', side: 'end', field: null },
  leaves: { kind: 'hashes', side: 'both', field: null },
  bytes: { kind: 'uint64', side: 'both', field: null },
  ver: { kind: 'uint64', side: 'both', field: null },
  kind: { kind: 'half', side: 'both', field: null, table: 'calls_open' },
} as const satisfies Record<string, ColumnSpec>

type Columns = typeof COLUMNS

/** Which table a block is for. */
export type CallTable = 'calls' | 'calls_open'

/**
 * The table whose inserts the embedded engine logs, what no two of its rows have in common, and the column by which
 * statements say which rows they read: see `calls-of.ts`.
 */
export const LOGGED = {
  table: 'calls',
  key: ['project_id', 'started_at', 'id', 'ver'],
  readKey: 'project_id',
}

/** Values of `calls_open.kind`. */
export const KIND = { start: 1, end: 2 } as const

/** The name of a column of either table. */
export type CallColumn = keyof Columns
export type KindOf<Name extends CallColumn> = Columns[Name]['kind']
/** The columns of some kinds. */
export type ColumnOf<K extends Kind> = { [N in CallColumn]: KindOf<N> extends K ? N : never }[CallColumn]
/** The columns that a block sends. */
export type SentColumn = { [N in CallColumn]: Columns[N] extends { unsent: true } ? never : N }[CallColumn]
/** The columns that are a field of requests and answers, by its name there. */
export type CallField = {
  [N in CallColumn]: Columns[N] extends { field: infer F } ? Exclude<F, null> & string : N
}[CallColumn]
/** The name of a field that clients may write. */
export type InputField = {
  [N in CallColumn]: Columns[N] extends { inputName: infer I extends string }
    ? I
    : Columns[N] extends { input: unknown }
      ? Columns[N] extends { field: infer F extends string }
        ? F
        : N
      : never
}[CallColumn]

/** A column, with all that is left out in its row above. */
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

/** What a block for `table` is inserted into: columns are named, so that one the block leaves out has its default. */
export function insertTarget(table: CallTable): string {
  return `${table} (${sentColumns(table)
    .map(({ name }) => name)
    .join(', ')})`
}
