/** A stored span as a span of an agent: its text read by the table of keys. Pure. */
import type { AgentSpan } from '../../contract/agent-span.js'
import { rawFields } from '../../platform/json/fields.js'
import { isObject } from '../../platform/json/object.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import {
  AGENT_KEYS,
  agentOf,
  COLUMN_KEYS,
  LIST_KEYS,
  NUMBER_KEYS,
  operationOf,
  SPAN_STATUSES,
  TEXT_KEYS,
} from './keys.js'
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
  run_step: number | null
  run_step_end: number | null
  /** as in {@link SPAN_STATUSES} */
  status: number
  /** why it failed */
  exception: string
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

/** A dotted key, and what is before and behind each of its dots, the last dot first. */
interface Path {
  readonly key: string
  readonly parts: readonly { readonly head: string; readonly rest: Path }[]
}

/** By key. The same hundred keys are looked up in every span; taking them apart each time is most of what reading it costs. */
const PATHS = new Map<string, Path>()

function pathOf(key: string): Path {
  const known = PATHS.get(key)
  if (known) return known
  const dots = Array.from(key.matchAll(/(?<=.)\./g), ({ index }) => index).reverse()
  const parts = dots.map((dot) => ({ head: key.slice(0, dot), rest: pathOf(key.slice(dot + 1)) }))
  const path = { key, parts }
  PATHS.set(key, path)
  return path
}

/** The value at a dotted key of nested attributes: a key that was kept whole is found, too. @param key one of a few */
export function valueAt(attributes: unknown, key: string): unknown {
  return valueIn(attributes, pathOf(key))
}

function valueIn(attributes: unknown, { key, parts }: Path): unknown {
  if (!isObject(attributes)) return undefined
  if (Object.hasOwn(attributes, key)) return attributes[key]
  for (const { head, rest } of parts) {
    if (!Object.hasOwn(attributes, head)) continue
    const found = valueIn(attributes[head], rest)
    if (found !== undefined) return found
  }
  return undefined
}

/** @param row its text is JSON, as ingest wrote it */
export function spanOf(row: SpanRow): SaidBySpan {
  const json = JSON.parse(row.text) as SpanJson
  const { attributes = {}, events = [], status = {} } = json
  const first = (field: string): unknown => {
    for (const key of AGENT_KEYS[field]!) {
      const value = valueAt(attributes, key)
      if (value !== undefined && value !== null) return value
    }
    return undefined
  }
  const name = json.name ?? ''
  const all = <T>(keys: object, read: (value: unknown) => T): Record<string, T> => {
    const values: Record<string, T> = {}
    for (const field of Object.keys(keys)) values[field] = read(first(field))
    return values
  }
  const status_code = SPAN_STATUSES[row.status]!
  const failed = status_code === 'ERROR'
  const exception = failed ? exceptionOf(events) : undefined
  const output = messagesOf(first('output_messages') ?? eventValue(events, COMPLETION), 'assistant')
  const columns = all(COLUMN_KEYS, textOf) as Record<keyof typeof COLUMN_KEYS, string>
  const texts = all(TEXT_KEYS, textOf) as Record<keyof typeof TEXT_KEYS, string>
  const numbers = all(NUMBER_KEYS, numberOf) as Record<keyof typeof NUMBER_KEYS, number | null>
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
    ...columns,
    operation_name: first('operation_name') === undefined ? operationOf(name) : columns.operation_name,
    agent_name: first('agent_name') === undefined ? agentOf(name) : columns.agent_name,
    provider_name: columns.provider_name.toLowerCase(),
    input_tokens: countOf(first('input_tokens')),
    output_tokens: countOf(first('output_tokens')),
    reasoning_tokens: countOf(first('reasoning_tokens')),
    cache_creation_input_tokens: countOf(first('cache_creation_input_tokens')),
    cache_read_input_tokens: countOf(first('cache_read_input_tokens')),
    ...texts,
    error_type: texts.error_type || exception?.type || '',
    ...(all(LIST_KEYS, listOf) as Record<keyof typeof LIST_KEYS, string[]>),
    ...wholeNumbers(numbers),
    tool_definitions: textOf(first('tool_definitions')),
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
    platform_run_step: row.run_step,
    wb_run_step: row.run_step,
    platform_run_step_end: row.run_step_end,
    wb_run_step_end: row.run_step_end,
  }
}

/** JSON text of the attributes of a span's text. */
export function attributesText(text: string): string {
  const bytes = Buffer.from(text)
  const found = rawFields(bytes)?.get('attributes')
  return found === undefined ? '{}' : bytes.toString('utf8', found.from, found.to)
}

/** Not set is 0, but for a trial, where 0 is the first one. */
function wholeNumbers(numbers: Record<keyof typeof NUMBER_KEYS, number | null>) {
  const number = (field: keyof typeof NUMBER_KEYS) => numbers[field] ?? 0
  const whole = (field: keyof typeof NUMBER_KEYS) => Math.trunc(number(field))
  return {
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
    eval_trial_index: numbers.eval_trial_index === null ? null : whole('eval_trial_index'),
  }
}

const COMPLETION = ['gen_ai.content.completion', 'gen_ai.completion'] as const
const TOOL_INPUT = ['gen_ai.tool.input', 'gen_ai.tool.call.arguments'] as const
const TOOL_OUTPUT = ['gen_ai.tool.output', 'gen_ai.tool.call.result'] as const

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
