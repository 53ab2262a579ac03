/** A stored span as a span of an agent: its text read by the table of keys. Pure. */
import type { AgentSpan } from '../../contract/agent-span.js'
import { rawFields } from '../../platform/json/fields.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { AGENT_KEYS, agentOf, operationOf, SPAN_STATUSES } from './keys.js'
import { KnownValues, valueAt } from './known-values.js'
import { instructionsOf, messagesOf, reasoningOf, textOf } from './messages.js'

/** A row as the store has it; times are µs since the epoch. */
export interface SpanRow {
  id: string
  trace_id: string
  parent_id: string
  started: number
  /** 0: it has not ended */
  ended: number
  user_id: string
  run_id: string
  /** of its run, and the one at its end */
  step: number | null
  step_end: number | null
  /** as in {@link SPAN_STATUSES} */
  status: number
  /** why it failed */
  exception: string
  /** another span of its trace counts for its usage */
  repeats: boolean
  /** JSON text of the exporter's span */
  text: string
}

interface SpanJson {
  name?: string
  kind?: AgentSpan['span_kind']
  status?: { message?: string }
  attributes?: Record<string, unknown>
  events?: { name?: string; attributes?: Record<string, unknown> }[]
}

/** What a span says, its costs and custom attributes apart. */
export type SaidBySpan = Omit<
  AgentSpan,
  `${string}_cost_usd` | `custom_attrs_${string}` | 'project_id' | 'raw_span_dump'
>

type Field = keyof typeof AGENT_KEYS
const KEYS = [...new Set(Object.values(AGENT_KEYS).flat())]
const KNOWN = new KnownValues(KEYS)
/** By field, where the values of its keys are. */
const PLACES = new Map(
  Object.entries(AGENT_KEYS).map(([field, keys]) => [field, keys.map((key) => KEYS.indexOf(key))]),
)

/**
 * Written out, so that every span is an object of one form: put together of parts, it costs three times as much to make,
 * copy and read.
 * @param row its text is JSON, as ingest wrote it
 */
export function spanOf(row: SpanRow): SaidBySpan {
  const json = JSON.parse(row.text) as SpanJson
  const { attributes = {}, events = [], status = {} } = json
  const values = KNOWN.of(attributes)
  const first = (field: Field): unknown => {
    for (const place of PLACES.get(field)!) {
      const value = values[place]
      if (value !== undefined && value !== null) return value
    }
    return undefined
  }
  const text = (field: Field) => textOf(first(field))
  const list = (field: Field) => listOf(first(field))
  // Not set is 0, but for a trial, where 0 is the first one.
  const number = (field: Field) => numberOf(first(field)) ?? 0
  const whole = (field: Field) => Math.trunc(number(field))
  const count = (field: Field) => countOf(first(field))
  const name = json.name ?? ''
  const status_code = SPAN_STATUSES[row.status]!
  const failed = status_code === 'ERROR'
  const exception = failed ? exceptionOf(events) : undefined
  const output = messagesOf(first('output_messages') ?? eventValue(events, COMPLETION), 'assistant')
  return {
    trace_id: row.trace_id,
    span_id: row.id,
    parent_span_id: row.parent_id === '' ? null : row.parent_id,
    span_name: name,
    span_kind: json.kind ?? 'UNSPECIFIED',
    started_at: isoOfMicros(row.started),
    ended_at: row.ended === 0 ? null : isoOfMicros(row.ended),
    status_code,
    status_message: failed ? row.exception : (status.message ?? ''),
    operation_name: first('operation_name') === undefined ? operationOf(name) : text('operation_name'),
    provider_name: text('provider_name').toLowerCase(),
    agent_name: first('agent_name') === undefined ? agentOf(name) : text('agent_name'),
    agent_version: text('agent_version'),
    request_model: text('request_model'),
    response_model: text('response_model'),
    tool_name: text('tool_name'),
    conversation_id: text('conversation_id'),
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    reasoning_tokens: count('reasoning_tokens'),
    cache_creation_input_tokens: count('cache_creation_input_tokens'),
    cache_read_input_tokens: count('cache_read_input_tokens'),
    agent_id: text('agent_id'),
    agent_description: text('agent_description'),
    response_id: text('response_id'),
    conversation_name: text('conversation_name'),
    tool_type: text('tool_type'),
    tool_call_id: text('tool_call_id'),
    tool_description: text('tool_description'),
    output_type: text('output_type'),
    error_type: text('error_type') || exception?.type || '',
    server_address: text('server_address'),
    compaction_summary: text('compaction_summary'),
    eval_run_id: text('eval_run_id'),
    eval_predict_and_score_call_id: text('eval_predict_and_score_call_id'),
    eval_kind: text('eval_kind'),
    eval_row_digest: text('eval_row_digest'),
    eval_example_id: text('eval_example_id'),
    eval_evaluation_name: text('eval_evaluation_name'),
    parent_call_id: text('parent_call_id'),
    parent_call_trace_id: text('parent_call_trace_id'),
    finish_reasons: list('finish_reasons'),
    request_stop_sequences: list('request_stop_sequences'),
    content_refs: list('content_refs'),
    artifact_refs: list('artifact_refs'),
    object_refs: list('object_refs'),
    request_temperature: number('request_temperature'),
    request_top_p: number('request_top_p'),
    request_frequency_penalty: number('request_frequency_penalty'),
    request_presence_penalty: number('request_presence_penalty'),
    request_max_tokens: whole('request_max_tokens'),
    request_seed: whole('request_seed'),
    request_choice_count: whole('request_choice_count'),
    server_port: whole('server_port'),
    compaction_items_before: whole('compaction_items_before'),
    compaction_items_after: whole('compaction_items_after'),
    eval_trial_index: numberOf(first('eval_trial_index')) === null ? null : whole('eval_trial_index'),
    tool_definitions: text('tool_definitions'),
    tool_call_arguments: textOf(truthy(first('tool_call_arguments')) ?? eventValue(events, TOOL_INPUT)),
    tool_call_result: textOf(truthy(first('tool_call_result')) ?? eventValue(events, TOOL_OUTPUT)),
    input_messages: messagesOf(first('input_messages'), 'user'),
    output_messages: output,
    system_instructions: instructionsOf(first('system_instructions')),
    reasoning_content: reasoningOf(output),
    platform_user_id: row.user_id,
    wb_user_id: row.user_id,
    platform_run_id: row.run_id,
    wb_run_id: row.run_id,
    platform_run_step: row.step,
    wb_run_step: row.step,
    platform_run_step_end: row.step_end,
    wb_run_step_end: row.step_end,
  }
}

/** JSON text of the attributes of a span's text. */
export function attributesText(text: string): string {
  const bytes = Buffer.from(text)
  const found = rawFields(bytes)?.get('attributes')
  return found === undefined ? '{}' : bytes.toString('utf8', found.from, found.to)
}

/** The event with what the model said where no attribute says it: its name, and its attribute. */
export const COMPLETION = ['gen_ai.content.completion', 'gen_ai.completion'] as const
/** The same of what a tool was given, and what came of it. */
export const TOOL_INPUT = ['gen_ai.tool.input', 'gen_ai.tool.call.arguments'] as const
export const TOOL_OUTPUT = ['gen_ai.tool.output', 'gen_ai.tool.call.result'] as const

/** An attribute of the first event of a name that has it. */
function eventValue(
  events: NonNullable<SpanJson['events']>,
  [name, key]: readonly [string, string],
): unknown {
  return events
    .filter((event) => event.name === name)
    .map(({ attributes }) => valueAt(attributes, key))
    .find((value) => value !== undefined && value !== null)
}

/** What the last event `exception` says that says anything. */
function exceptionOf(events: NonNullable<SpanJson['events']>): { type: string; message: string } | undefined {
  return events
    .filter(({ name }) => name === 'exception')
    .map(({ attributes }) => ({
      type: textOf(valueAt(attributes, 'exception.type')),
      message: textOf(valueAt(attributes, 'exception.message')),
    }))
    .findLast(({ type, message }) => type !== '' || message !== '')
}

const truthy = (value: unknown) => (isEmpty(value) ? undefined : value)
const isEmpty = (value: unknown) =>
  !value || (typeof value === 'object' && Object.keys(value as object).length === 0)

function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Where the table's column ends, a count does. */
function countOf(value: unknown): number {
  return Math.min(Math.max(0, Math.trunc(numberOf(value) ?? 0)), 2 ** 32 - 1)
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf)
  return typeof value === 'string' && value !== '' ? [value] : []
}
