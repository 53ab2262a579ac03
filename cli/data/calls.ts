/** `heddle calls` and `heddle call`: the newest calls of a project, and one with its trace. */
import { z } from 'zod'
import { opNames } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import { jsonLines, post, projectNamed, type Target } from '../http-client.js'
import { expressionOf, wholeNumber } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'
import { duration, type TreeCall, tree } from '../tree.js'

export interface CallsOptions {
  limit: string
  op?: string
  roots?: boolean
  errors?: boolean
  filter?: string
}

export interface Call extends TreeCall {
  trace_id: string
  display_name: string | null
  inputs?: unknown
  output?: unknown
  summary?: {
    usage?: Record<string, Partial<Record<Tokens, number>>>
    weave?: { costs?: Record<string, Partial<Record<Cost, number>>> }
  }
}

type Tokens = 'prompt_tokens' | 'input_tokens' | 'completion_tokens' | 'output_tokens'
type Cost = 'prompt_tokens_total_cost' | 'completion_tokens_total_cost'

const HEADER = ['STARTED', 'ID', 'OP', 'DURATION', 'ERROR']
const LISTED = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
]
const LONGEST_ERROR = 80

export async function newestCalls(to: Target, project: string, options: CallsOptions): Promise<Shown> {
  const calls = await query(to, project, {
    ...selectionOf(project, options),
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: wholeNumber('--limit', options.limit),
  })
  return list(calls, HEADER, callRow, 'no calls')
}

/**
 * The part of a request that says which calls, and which of their fields lists show.
 * @param more conditions besides those of the options
 */
export function selectionOf(project: string, options: CallsOptions, more: readonly unknown[] = []): object {
  const conditions = [...more]
  // Where a server refuses it, its place is the first.
  if (options.filter !== undefined) conditions.unshift(expressionOf('--filter', options.filter))
  if (options.errors) conditions.push({ $not: [{ $eq: [{ $getField: 'exception' }, { $literal: null }] }] })
  return {
    filter: {
      ...(options.op !== undefined && { op_names: opNames(project, options.op) }),
      ...(options.roots && { trace_roots_only: true }),
    },
    ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } }),
    columns: LISTED,
  }
}

/** @throws CommandError if there is none with this id */
export async function oneCall(to: Target, project: string, id: string): Promise<Shown> {
  const asked = { project_id: projectNamed(project), id, include_costs: true }
  const { call } = (await (await post(to, '/call/read', asked)).json()) as { call: Call | null }
  if (call === null) throw new CommandError(`call not found: ${id}; \`heddle calls ${project}\` lists calls`)
  const trace = await query(to, project, { filter: { trace_ids: [call.trace_id] }, columns: LISTED })
  return { value: call, text: `${tree(trace.map(named), id)}\n${told(call)}` }
}

/** Tokens and cost, then what went in and came out: as a conversation if there is one, else as JSON. */
function told(call: Call): string {
  const usages = Object.entries(call.summary?.usage ?? {})
  const costs = call.summary?.weave?.costs ?? {}
  const used = usages.map(([model, usage]) => {
    const [input = 0, output = 0] = [
      usage.prompt_tokens ?? usage.input_tokens,
      usage.completion_tokens ?? usage.output_tokens,
    ]
    const { prompt_tokens_total_cost: before = 0, completion_tokens_total_cost: after = 0 } =
      costs[model] ?? {}
    const cost = costs[model] === undefined ? 'no price' : `$${(before + after).toFixed(6)}`
    return `${model}: ${input} input tokens, ${output} output tokens, ${cost}\n`
  })
  const parts = [
    ...(call.exception === null ? [] : [`exception  ${call.exception}`]),
    `inputs  ${readable(call.inputs)}`,
    `output  ${readable(call.output)}`,
  ]
  return `${used.join('')}${parts.join('\n\n')}\n\nEverything that is stored of it: --json\n`
}

const Message = z.object({ role: z.string(), content: z.unknown() })
const Messages = z.union([
  z.array(Message).min(1),
  z.object({ messages: z.array(Message).min(1) }).transform(({ messages }) => messages),
  z
    .object({ choices: z.array(z.object({ message: Message })).min(1) })
    .transform(({ choices }) => choices.map(({ message }) => message)),
  Message.transform((message) => [message]),
])

function readable(value: unknown): string {
  const messages = Messages.safeParse(value)
  if (!messages.success) return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  const lines = messages.data.map(({ role, content }) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return `${role}: ${text}`
  })
  return `\n  ${lines.join('\n').replaceAll('\n', '\n  ')}`
}

/** Calls that a request selects. */
export async function query(to: Target, project: string, asked: object): Promise<Call[]> {
  const answer = await post(to, '/calls/stream_query', { project_id: projectNamed(project), ...asked })
  return jsonLines<Call>(answer)
}

/** The cells of a list. */
export function callRow(call: Call): string[] {
  const error = call.exception?.split('\n', 1)[0] ?? ''
  return [
    timeText(call.started_at),
    call.id,
    named(call).op_name,
    duration(call),
    error.length > LONGEST_ERROR ? `${error.slice(0, LONGEST_ERROR)}…` : error,
  ]
}

/** With the name that people know it by. */
function named(call: Call): Call {
  const [, name = call.op_name] = /^weave:\/\/\/.*\/op\/([^/]+):[^:]*$/.exec(call.op_name) ?? []
  return { ...call, op_name: call.display_name || name }
}
