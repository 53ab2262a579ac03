/**
 * The views that statements may read: their names and columns, and the SELECT of each over one project's rows. What a
 * column is comes from where it is defined for all other reads. Pure.
 */
import { canonicalName } from '../../contract/aliases.js'
import { projectPart } from '../../contract/ref.js'
import { METHODS } from '../../contract/training-methods.js'
import { COUNTS as USAGE_COUNTS } from '../../contract/usage-counts.js'
import { COLUMN_KEYS } from '../../domain/agents/keys.js'
import { OWN_CONVERSATION } from '../../domain/agents/own-conversation.js'
import { callsOf } from '../../domain/calls/calls-of.js'
import { FIELDS, type FieldType } from '../../domain/calls/listed-fields.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { callFields, LATENCY_MS, TRACE_NAME } from '../../domain/calls/read/fields.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { CALL_COLUMNS } from '../../domain/calls/schema.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { costParts, isPriced, pricesOf, promptOfRequest, ratesOf } from '../../domain/costs/expression.js'
import { COSTS } from '../../domain/costs/rule.js'
import { modelsOf, OWN_USAGE } from '../../domain/costs/usages.js'
import { IS_RUN, IS_TRIAL, mark, RUN } from '../../domain/evaluation/ops-sql.js'
import { versions } from '../../domain/objects/versions-sql.js'
import { allOf, bind, commaList, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { spanField } from '../agents/fields.js'

export interface Column {
  name: string
  /** as ClickHouse names it */
  type: string
  doc: string
}

export interface View {
  name: string
  doc: string
  columns: readonly Column[]
  /** a SELECT of the columns, in order. @param project `entity/project` */
  select: (project: string, selection?: Selection) => Sql
}

export interface Selection {
  /** the columns of these names, one at least; default: all */
  only?: ReadonlySet<string> | undefined
}

/** A view whose rows are stored ones: they have a time, and some can be read without the others. */
export interface StoredView extends View {
  /** the column that says when a row is from */
  time: Sql
  /** stored columns, of which one changes whenever the row does */
  state: Sql
  /** a SELECT of expressions over the stored rows that meet the conditions */
  rows: (project: string, expressions: Sql, conditions: readonly Sql[]) => Sql
  /** @param conditions on the stored rows */
  select: (project: string, selection?: Selection, conditions?: readonly Sql[]) => Sql
}

/** A column with its value over the columns of what the view reads. */
type Defined = Column & { value: Sql }

const column = (name: string, type: string, doc: string, value: Sql = ident(name)): Defined => ({
  ...{ name, type, doc, value },
})

const TEXT = 'String'
const TIME = "DateTime64(6, 'UTC')"
const OR_NULL = (type: string) => `Nullable(${type})`

/**
 * Selects the columns of the rows that `from` makes of a list of expressions. Their values get neutral names first: under
 * its own name a value would be meant where another one names the stored column.
 */
function selected(
  all: readonly Defined[],
  only: ReadonlySet<string> | undefined,
  from: (expressions: Sql) => Sql,
): Sql {
  // Those that nobody names would be planned all the same. A count names none.
  const named = only === undefined ? all : all.filter(({ name }) => only.has(name))
  const columns = named.length > 0 ? named : all.slice(0, 1)
  const inner = commaList(columns.map(({ value }, i) => sql`${value} AS ${ident(`value_${i}`)}`))
  const outer = commaList(columns.map(({ name }, i) => sql`${ident(`value_${i}`)} AS ${ident(name)}`))
  return sql`SELECT ${outer} FROM (${from(inner)})`
}

/** A view over calls, running ones among them. */
function ofCalls(
  name: string,
  doc: string,
  columns: readonly Defined[],
  those: readonly Sql[] = [],
): StoredView {
  const rows = (project: string, expressions: Sql, conditions: readonly Sql[]) =>
    rowsOfBoth(expressions, projectIdOf(project), [...those, ...conditions])
  const select: StoredView['select'] = (project, { only } = {}, conditions = []) =>
    selected(columns, only, (values) => rows(project, values, conditions))
  // A new name and another time to expire are patched into the row.
  const state = sql`id, ver, display_name, expire_at`
  return { name, doc, columns, time: sql`started_at`, state, rows, select }
}

const CALL_TYPES: Partial<Record<(typeof CALL_COLUMNS)[number]['kind'], string>> = {
  ...{
    text: TEXT,
    textOrUnset: TEXT,
    json: TEXT,
    time: TIME,
    timeOrUnset: OR_NULL(TIME),
    expiry: OR_NULL(TIME),
  },
  integerOrUnset: OR_NULL('Int64'),
}

const FIELD_TYPES: Partial<Record<FieldType, string>> = {
  ...{ text: TEXT, number: OR_NULL('UInt64'), length: OR_NULL('Float64') },
}

const CALL_DOCS: Readonly<Record<string, string>> = {
  id: 'the id of the call',
  op_name: 'a name, or the ref of an op',
  trace_id: 'the trace that the call is part of',
  started_at: 'when it began; filter by it',
  display_name: 'the name that a user gave it',
  parent_id: 'the call that made it; empty: a root',
  thread_id: 'the conversation',
  turn_id: 'the turn of the conversation',
  ended_at: 'NULL: it is running',
  exception: 'the error; empty: none',
  attributes: 'JSON',
  inputs: 'JSON',
  output: 'JSON; empty: none',
  summary: 'JSON; usage by model among it',
  platform_user_id: 'who logged it',
  platform_run_id: 'the run of a training or experiment',
  platform_run_step: 'its step when the call began',
  platform_run_step_end: 'its step when the call ended',
  expire_at: 'when it will be deleted; NULL: never',
}

/** The fields of calls as all reads have them, without the project: it is the request's. */
const CALLS: readonly Defined[] = (() => {
  const fields = callFields('-/-')
  const value = (name: string): Sql => {
    const field = fields(name)!
    return field.kind === 'json' ? field.document : (field as { sql: Sql }).sql
  }
  return [
    ...CALL_COLUMNS.flatMap(({ field, kind }) =>
      field === null || field === 'project_id'
        ? []
        : [column(field, CALL_TYPES[kind]!, CALL_DOCS[field] ?? '', value(field))],
    ),
    column('status', TEXT, 'success, error, running or descendant_error', value('summary.weave.status')),
    column('latency_ms', OR_NULL('Int64'), 'NULL: it is running', LATENCY_MS),
    column('trace_name', TEXT, 'the name of the op, without its ref', TRACE_NAME),
  ]
})()

const field = (name: string, type: string, doc: string) =>
  column(name, type, doc, (spanField(name, undefined) as { sql: Sql }).sql)

const SPANS: readonly Defined[] = [
  field('trace_id', TEXT, ''),
  field('span_id', TEXT, 'the id of the call, too'),
  field('parent_span_id', TEXT, 'empty: a root'),
  column('name', TEXT, 'as in the call: the name of the op', TRACE_NAME),
  field('span_kind', TEXT, 'INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER or UNSPECIFIED'),
  field('status_code', TEXT, 'UNSET, OK or ERROR'),
  field('status_message', TEXT, 'the error'),
  field('started_at', TIME, 'when it began; filter by it'),
  field('ended_at', OR_NULL(TIME), 'NULL: it has not ended'),
  field('duration_ms', OR_NULL('Float64'), ''),
  ...Object.keys(COLUMN_KEYS).map((name) =>
    name === 'conversation_id'
      ? column(name, TEXT, 'the conversation that the span names itself', OWN_CONVERSATION)
      : name.endsWith('_tokens')
        ? column(name, 'UInt32', `the attribute ${COLUMN_KEYS[name as 'input_tokens'][1]}`)
        : column(name, TEXT, `the attribute ${COLUMN_KEYS[name as 'tool_name'][1]}`),
  ),
  field('error_type', TEXT, ''),
  field('tool_call_arguments', TEXT, 'what a tool was called with'),
  field('tool_call_result', TEXT, 'what it answered'),
  column(
    'span',
    TEXT,
    "JSON: the span as it was exported; JSONExtractString(span, 'attributes', 'http', 'route')",
    OTEL_SPAN,
  ),
]

/** The first member of a JSON object that is a list of messages, as a list of their texts. */
const listIn = (text: Sql) =>
  sql`JSONExtractArrayRaw(arrayFirst(raw -> JSONHas(raw, 1, 'role'), JSONExtractKeysAndValuesRaw(${text}).2))`
const ANSWERS = sql`multiIf(
  JSONHas(output, 1, 'role'), JSONExtractArrayRaw(output),
  JSONHas(output, 'choices'), arrayMap(choice -> JSONExtractRaw(choice, 'message'), JSONExtractArrayRaw(output, 'choices')),
  JSONHas(output, 'role'), [output],
  ${listIn(sql`output`)})`
/** The texts of the parts of a message, each in one of the members that conventions have for it. */
const partTexts = (list: Sql) =>
  sql`arrayStringConcat(arrayMap(part -> if(JSONHas(part, 'text'), JSONExtractString(part, 'text'), JSONExtractString(part, 'content')), ${list}), ' ')`
const MESSAGE_TEXT = sql`multiIf(
  JSONHas(message.3, 'parts'), ${partTexts(sql`JSONExtractArrayRaw(message.3, 'parts')`)},
  JSONType(message.3, 'content') = 'Array', ${partTexts(sql`JSONExtractArrayRaw(message.3, 'content')`)},
  JSONExtractString(message.3, 'content'))`

const MESSAGES: readonly Defined[] = [
  column('call_id', TEXT, 'the call of a model'),
  column('trace_id', TEXT, ''),
  column('thread_id', TEXT, 'the conversation'),
  column('started_at', TIME, 'when the call began; filter by it'),
  column('op_name', TEXT, ''),
  column('direction', TEXT, 'input: sent to the model; output: its answer', sql`message.1`),
  column('position', 'UInt32', 'from 1, among those of its direction', sql`message.2`),
  column('role', TEXT, 'system, user, assistant or tool', sql`JSONExtractString(message.3, 'role')`),
  column('text', TEXT, 'what it says', MESSAGE_TEXT),
  column('message', TEXT, 'JSON: the whole message, tool calls among it', sql`message.3`),
]

const messagesView: View = {
  name: 'messages',
  doc: 'What was said to models and by them: a row for each message in the inputs and the output of a call.',
  columns: MESSAGES,
  select: (project, { only } = {}) => {
    const rows = rowsOfBoth(
      sql`id AS call_id, trace_id, thread_id, started_at, op_name,
        arrayConcat(arrayMap((m, n) -> ('input', toUInt32(n), m), ${listIn(sql`inputs`)} AS sent, arrayEnumerate(sent)),
          arrayMap((m, n) -> ('output', toUInt32(n), m), ${ANSWERS} AS answers, arrayEnumerate(answers))) AS messages`,
      projectIdOf(project),
      [],
    )
    return selected(
      MESSAGES,
      only,
      (values) => sql`SELECT ${values} FROM (${rows}) ARRAY JOIN messages AS message`,
    )
  },
}

/** A call's usage of a model: what {@link OWN_USAGE} counts, by name. */
const OWN = {
  requests: sql`own.2`,
  prompt_tokens: sql`own.3`,
  completion_tokens: sql`own.4`,
  total_tokens: sql`own.5`,
  cache_read_input_tokens: sql`own.6`,
  cache_creation_input_tokens: sql`own.7`,
} satisfies Record<(typeof USAGE_COUNTS)[number], Sql>
const PARTS = costParts(OWN, sql`price`)
const priced = (value: Sql) => sql`if(${isPriced(sql`price`)}, ${value}, NULL)`
const TOTAL_COST = join(Object.values(PARTS), sql` + `)

const COUNT_COLUMNS = USAGE_COUNTS.map((name) =>
  column(name, 'UInt64', name === 'requests' ? '' : 'cached ones are part of the prompt', OWN[name]),
)

const COST_COLUMNS: readonly Defined[] = [
  column('call_id', TEXT, 'the call that says what it used', sql`id`),
  column('trace_id', TEXT, ''),
  column('thread_id', TEXT, 'the conversation'),
  column('started_at', TIME, 'when the call began; filter by it'),
  column('op_name', TEXT, 'without its ref', sql`op`),
  column('platform_user_id', TEXT, 'who logged it', sql`user_id`),
  column('model', TEXT, '', sql`own.1`),
  ...COUNT_COLUMNS.map((one) => (/cache|prompt/.test(one.name) ? one : { ...one, doc: '' })),
  ...COSTS.map((name) =>
    column(name, OR_NULL('Float64'), 'dollars; NULL: the model has no price', priced(PARTS[name])),
  ),
  column(
    'total_cost',
    OR_NULL('Float64'),
    'dollars, all parts; NULL: the model has no price',
    priced(TOTAL_COST),
  ),
]

/** Usages of models by calls, each with the price in force: `from` of a SELECT of {@link COST_COLUMNS}. */
function pricedUsages(projectId: string, expressions: Sql): Sql {
  const rows = rowsOfBoth(
    sql`id, trace_id, thread_id, started_at, ${TRACE_NAME} AS op, user_id, ${OWN_USAGE} AS usages`,
    projectId,
    [COUNTS, sql`summary != ''`],
  )
  const price = ratesOf(
    sql`prices`,
    sql`own.1`,
    sql`started_at`,
    promptOfRequest(OWN.prompt_tokens, OWN.requests),
  )
  // With the prices of all models that there are, a statement would need more memory than it may have.
  const summaries = rowsOfBoth(sql`summary`, projectId, [sql`summary != ''`])
  const models = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model FROM (${summaries})`
  return sql`WITH ${pricesOf(projectId, models)} AS prices SELECT ${expressions} FROM (
    SELECT id, trace_id, thread_id, started_at, op, user_id, own, ${price} AS price FROM (${rows}) ARRAY JOIN usages AS own)`
}

const costsView: View = {
  name: 'costs',
  doc: 'What models were used for and what that cost, by the prices of the project: a row for each call and model. A usage that several spans tell of is there once.',
  columns: COST_COLUMNS,
  select: (project, { only } = {}) =>
    selected(COST_COLUMNS, only, (values) => pricedUsages(projectIdOf(project), values)),
}

const HOURS: readonly Defined[] = [
  column('hour', "DateTime('UTC')", 'when the calls began; filter by it', sql`toStartOfHour(started_at)`),
  column('op_name', TEXT, 'without its ref'),
  column('model', TEXT, ''),
  column('calls', 'UInt64', '', sql`count()`),
  ...USAGE_COUNTS.map((name) => column(name, 'UInt64', '', sql`sum(${ident(name)})`)),
  column('total_cost', OR_NULL('Float64'), 'dollars; NULL: the model has no price', sql`sum(total_cost)`),
]

const hoursView: View = {
  name: 'usage_by_hour',
  doc: 'The sums of costs by hour, op and model.',
  columns: HOURS,
  // It groups by the first of its columns, so all are there.
  select: (project) =>
    selected(
      HOURS,
      undefined,
      (values) =>
        sql`SELECT ${values} FROM (${costsView.select(project)}) GROUP BY value_0, value_1, value_2`,
    ),
}

const FEEDBACK: readonly Defined[] = [
  column('id', TEXT, ''),
  column('call_id', TEXT, 'the call that it is about; empty: it is about something else'),
  column('weave_ref', TEXT, 'what it is about'),
  column('feedback_type', TEXT, 'as it was sent'),
  column('payload', TEXT, 'JSON'),
  column('creator', TEXT, ''),
  column('platform_user_id', TEXT, '', sql`user_id`),
  column('created_at', TIME, ''),
  column('annotation_ref', TEXT, 'the field of an annotation'),
  column('runnable_ref', TEXT, 'the scorer'),
  column('call_ref', TEXT, 'the call of the scorer'),
  column('trigger_ref', TEXT, ''),
  column('queue_id', TEXT, 'the annotation queue that it was given in'),
  column('scorer', TEXT, 'JSON: what a scorer says beside the payload; empty: nothing'),
]

const RUNS: readonly Defined[] = [
  column('id', TEXT, 'the id of the run, and of its root call'),
  column('name', TEXT, 'the name that it was given', sql`display_name`),
  column('evaluation', TEXT, 'a ref', RUN.evaluation),
  column('model', TEXT, 'a ref, or what the caller named it', RUN.model),
  column('status', TEXT, 'running, completed or failed', RUN.status),
  column('started_at', TIME, 'filter by it'),
  column('ended_at', OR_NULL(TIME), 'NULL: it is running', sql`nullIf(ended_at, ${EPOCH})`),
  column('scores', TEXT, 'JSON: the means of its scores', sql`output`),
  column('platform_user_id', TEXT, '', sql`user_id`),
]

const PREDICTIONS: readonly Defined[] = [
  column('id', TEXT, 'the call that holds a prediction and its scores'),
  column('evaluation_id', TEXT, 'the run', sql`parent_id`),
  column('model', TEXT, 'a ref', sql`JSONExtractString(inputs, 'model')`),
  column('started_at', TIME, 'filter by it'),
  column('ended_at', OR_NULL(TIME), 'NULL: it is running', sql`nullIf(ended_at, ${EPOCH})`),
  column('latency_ms', OR_NULL('Int64'), 'the scores’ time among it', LATENCY_MS),
  column('exception', TEXT, 'the error; empty: none'),
  column(
    'example',
    TEXT,
    'JSON, or the ref of the row of a dataset',
    sql`if(JSONType(inputs, 'example') = 'String', JSONExtractString(inputs, 'example'), JSONExtractRaw(inputs, 'example'))`,
  ),
  column('row_digest', TEXT, 'empty: not known', mark('row_digest')),
  column('output', TEXT, 'JSON: what the model answered', sql`JSONExtractRaw(output, 'output')`),
  column(
    'scores',
    TEXT,
    "JSON by scorer; JSONExtractFloat(scores, 'exact')",
    sql`JSONExtractRaw(output, 'scores')`,
  ),
]

const OBJECTS: readonly Defined[] = [
  column('object_id', TEXT, 'its name'),
  column('digest', TEXT, 'of the version'),
  column('version_index', 'UInt64', 'from 0', sql`toUInt64(version_index)`),
  column('is_latest', 'UInt8', '1: the newest version'),
  column('kind', TEXT, 'object or op', sql`toString(kind)`),
  column('base_class', TEXT, 'Dataset, Model, Prompt, …; empty: none', sql`toString(base_class)`),
  column('leaf_class', TEXT, '', sql`toString(leaf_class)`),
  column('created_at', TIME, '', sql`fromUnixTimestamp64Micro(created_at, 'UTC')`),
  column('platform_user_id', TEXT, '', sql`user_id`),
  column('bytes', 'UInt64', 'of its value', sql`toUInt64(bytes)`),
  column('value', TEXT, 'JSON', sql`wire`),
]

const objectsView: View = {
  name: 'objects',
  doc: 'The versions of objects that were not deleted: datasets, models, prompts, evaluations, scorers, ops.',
  columns: OBJECTS,
  select: (project, { only } = {}) => {
    const projectId = projectIdOf(project)
    const here = sql`project_id = ${bind.string(projectId)}`
    const [own, other] = [`weave-trace-internal:///${projectId}/`, 'weave-trace-internal:///[^/"]*/']
    // Refs into other projects keep what is behind the project: its internal id is nobody's business.
    const wire = sql`replaceRegexpAll(replaceAll(val, ${bind.string(own)}, ${bind.string(`weave:///${projectPart(project)}/`)}),
      ${bind.string(other)}, 'weave-private:///')`
    return selected(
      OBJECTS,
      only,
      (values) => sql`SELECT ${values} FROM (${versions(here)}) AS versions
        LEFT ANY JOIN (SELECT object_id, digest, ${wire} AS wire FROM (
          SELECT object_id, digest, max(val) AS val FROM objects WHERE ${here} GROUP BY object_id, digest)) AS texts
        USING (object_id, digest) WHERE live`,
    )
  },
}

/** A view over a table that is read with FINAL. */
function ofTable(
  name: string,
  doc: string,
  columns: readonly Defined[],
  those: readonly Sql[] = [],
): Omit<StoredView, 'time' | 'state'> {
  const rows: StoredView['rows'] = (project, expressions, conditions) => {
    const here = sql`project_id = ${bind.string(projectIdOf(project))}`
    return sql`SELECT ${expressions} FROM ${ident(name)} FINAL WHERE ${allOf([here, ...those, ...conditions])}`
  }
  const select: StoredView['select'] = (project, { only } = {}, conditions = []) =>
    selected(columns, only, (values) => rows(project, values, conditions))
  return { name, doc, columns, rows, select }
}

const timeOrNull = (name: string, doc: string) =>
  column(name, OR_NULL(TIME), doc, sql`nullIf(${ident(name)}, ${EPOCH})`)

const JOBS: readonly Defined[] = [
  column('id', TEXT, ''),
  column('model_id', TEXT, 'the model that it trains'),
  column('kind', TEXT, `${METHODS.join(', ')} or rl`, sql`toString(kind)`),
  column('status', TEXT, 'queued, running, completed, failed or cancelled', sql`toString(status)`),
  column('config', TEXT, 'JSON, as it was asked for; empty: none'),
  column('data_count', 'UInt64', 'examples'),
  column('data_bytes', 'UInt64', ''),
  column('created_at', TIME, ''),
  column('created_by', TEXT, ''),
  timeOrNull('started_at', 'NULL: not yet'),
  timeOrNull('finished_at', 'NULL: not yet'),
  column('attempt', 'UInt32', 'how often it was begun'),
  column('step', 'UInt32', 'of the checkpoint that it makes'),
  column('error_code', TEXT, 'empty: none'),
  column('error_message', TEXT, ''),
]

const EVENTS: readonly Defined[] = [
  column('job_id', TEXT, ''),
  column('number', 'UInt64', 'from 1, without gaps'),
  column('type', TEXT, 'gradient_step and others', sql`toString(type)`),
  column('data', TEXT, "JSON; JSONExtractFloat(data, 'metrics', 'loss')"),
  column('created_at', TIME, ''),
]

/** What people choose by in the pages that is neither a column of calls nor among those above. */
const DERIVED: readonly Defined[] = FIELDS.flatMap(({ path = '', type, title }) => {
  const name = canonicalName(path.slice(path.lastIndexOf('.') + 1))
  const field = callFields('-/-')(path)
  const isKnown = CALLS.some((one) => one.name === name) || field === undefined || !('sql' in field)
  return isKnown || !FIELD_TYPES[type] ? [] : [column(name, FIELD_TYPES[type], title, field.sql)]
})

const callsView = ofCalls('calls', 'Calls: a row for each, with its newest values.', [...CALLS, ...DERIVED])
const feedbackView: StoredView = {
  ...ofTable('feedback', 'Feedback, scores and annotations.', FEEDBACK, [sql`deleted = 0`]),
  ...{ time: sql`created_at`, state: sql`id, ver` },
}
const runsView = ofCalls('evaluations', 'Runs of evaluations.', RUNS, [IS_RUN])
const predictionsView = ofCalls('predictions', 'The predictions of runs, with their scores.', PREDICTIONS, [
  IS_TRIAL,
])

/** The views that are exported as files. Calls have all that they came with, so that they can be imported again. */
export const EXPORTED: readonly StoredView[] = [
  ofCalls(callsView.name, callsView.doc, [
    ...CALLS,
    column('otel_span', TEXT, 'JSON: the span as it was exported; empty: it was none', OTEL_SPAN),
  ]),
  feedbackView,
  runsView,
  predictionsView,
]

/** All views, in the order of the docs. */
export const VIEWS: readonly View[] = [
  callsView,
  ofCalls(
    'spans',
    'Calls that came as OpenTelemetry spans, with what their attributes say of models, tools and agents.',
    SPANS,
    [sql`span_kind > 0`],
  ),
  messagesView,
  feedbackView,
  costsView,
  hoursView,
  runsView,
  predictionsView,
  objectsView,
  ofTable('training_jobs', 'Training jobs.', JOBS),
  ofTable('training_events', 'What training jobs told: a row for each step and more.', EVENTS, [
    sql`type != 'checkpoint'`,
  ]),
]

/** The stored tables that the views read, each with the condition for a project's rows. */
export function rowsOfProject(projectId: string): Readonly<Record<string, string>> {
  const own = `project_id = '${projectId}'`
  const ofProject = [
    'calls',
    'calls_open',
    'calls_unsettled',
    'feedback',
    'objects',
    'training_jobs',
    'training_events',
  ]
  return {
    ...Object.fromEntries(ofProject.map((table) => [table, own])),
    costs: `project_id IN ('', '${projectId}')`,
  }
}

/** A name in a statement over a project: that of the logged table says whose rows are meant, wherever it stands. */
export function namedIn(project: string, name: string, quoted: (name: string) => Sql): Sql {
  return name === 'calls' ? callsOf(projectIdOf(project)) : quoted(name)
}
