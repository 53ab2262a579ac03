/** Tools that find calls, and show a trace as an outline. */
import { z } from 'zod'
import { callRead, callsStreamQuery, timeIn } from '../../contract/calls-read.js'
import { Query } from '../../contract/query-expr.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { isObject } from '../../platform/json/object.js'
import {
  cursorIn,
  cursorOf,
  cursorOut,
  fitting,
  glimpse,
  lean,
  maxTokens,
  offsetOf,
  pageOf,
  placeOf,
} from '../budget.js'
import { name, project, tool } from '../tool.js'

/** Most spans of an outline. */
const MOST_SPANS = 10_000
const ERROR_LENGTH = 300
const GLIMPSE_LENGTH = 240

type Expression = Record<string, unknown>
const field = (path: string) => ({ $getField: path })
const literal = (value: unknown) => ({ $literal: value })
const contains = (path: string, text: string): Expression => ({
  $contains: { input: field(path), substr: literal(text), case_insensitive: true },
})

export const where = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'a condition: {"$gt": [{"$getField": "summary.usage.gpt-4o.total_tokens"}, {"$literal": 1000}]}; also $and $or $not $eq $gte $lt $lte $in $contains; fields are columns or paths into inputs, output, attributes and summary',
  )

/** `where` as routes take it. @throws HeddleError (422) for what is no condition */
export function queryOf(expression: Record<string, unknown> | undefined): Query | undefined {
  if (expression === undefined) return undefined
  const { data, error } = Query.safeParse({ $expr: expression })
  if (data) return data
  const [problem] = error.issues
  throw new HeddleError('BAD_WHERE', 422, `where: ${problem?.path.join('.')}: ${problem?.message}`)
}

/** The name of an op, without project and version. */
export const opName = (ref: string): string => /^weave:\/\/\/.*\/op\/([^/]+):[^:]*$/.exec(ref)?.[1] ?? ref

/** How long a call took. */
export function durationOf({ started_at, ended_at }: { started_at: string; ended_at: string | null }) {
  return ended_at === null ? undefined : Math.max(0, Date.parse(ended_at) - Date.parse(started_at))
}

/** Tokens of all models in a summary. */
function tokensOf(summary: Record<string, unknown> | null): number | undefined {
  if (!isObject(summary?.usage)) return undefined
  const usages = Object.values(summary.usage).filter(isObject)
  const counts = usages.map(
    ({ total_tokens, prompt_tokens, input_tokens, completion_tokens, output_tokens }) => {
      const [total, before, after] = [
        total_tokens,
        prompt_tokens ?? input_tokens,
        completion_tokens ?? output_tokens,
      ]
      return Number(total ?? 0) || Number(before ?? 0) + Number(after ?? 0)
    },
  )
  const sum = counts.reduce((all, one) => all + (Number.isFinite(one) ? one : 0), 0)
  return sum === 0 ? undefined : sum
}

const Found = z.object({
  id: z.string(),
  trace_id: z.string(),
  op: z.string(),
  started_at: z.string(),
  ms: z.number().optional(),
  error: z.string().optional(),
  tokens: z.number().optional(),
  inputs: z.string().optional(),
  output: z.string().optional(),
  thread_id: z.string().optional(),
})

const Place = z.object({ offset: z.int().min(0), until: z.string() })

export const searchCalls = tool({
  name: 'search_calls',
  title: 'Search calls',
  description:
    'Find calls (spans) of a project, the newest first, by text, op, error, time, thread, end user or a condition. Shows how inputs and output begin; read_call shows all. Runs of evaluations are calls of the op Evaluation.evaluate.',
  effect: 'reads',
  input: z.object({
    project,
    text: z.string().max(1000).optional().describe('in inputs or output, in upper or lower case'),
    op: name.optional().describe('name of an op, such as openai.chat.completions.create'),
    errors_only: z.boolean().default(false),
    roots_only: z.boolean().default(false).describe('only the first call of each trace'),
    since: timeIn.optional().describe('started then or later, ISO 8601'),
    until: timeIn.optional(),
    thread_id: name.optional(),
    end_user: name.optional().describe('whom the observed application served'),
    where,
    limit: z.int().min(1).max(100).default(20),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({ calls: z.array(Found), next_cursor: cursorOut }),
  run: async (asked, api) => {
    const { project: project_id, text, op, since, limit, max_tokens } = asked
    const place = asked.cursor === undefined ? undefined : placeOf(Place, asked.cursor)
    const until = place?.until ?? asked.until
    const offset = place?.offset ?? 0
    const conditions: unknown[] = [
      ...(text === undefined ? [] : [{ $or: [contains('inputs', text), contains('output', text)] }]),
      ...(asked.errors_only ? [{ $not: [{ $eq: [field('exception'), literal(null)] }] }] : []),
      ...(since === undefined ? [] : [{ $gte: [field('started_at'), literal(since)] }]),
      ...(until === undefined ? [] : [{ $lte: [field('started_at'), literal(until)] }]),
      ...(asked.end_user === undefined ? [] : [{ $eq: [field('end_user'), literal(asked.end_user)] }]),
      ...(asked.where === undefined ? [] : [asked.where]),
    ]
    const calls = await api.lines(callsStreamQuery, {
      body: {
        project_id,
        filter: {
          ...(op !== undefined && { op_names: [op, `weave:///${project_id}/op/${op}:*`] }),
          ...(asked.roots_only && { trace_roots_only: true }),
          ...(asked.thread_id !== undefined && { thread_ids: [asked.thread_id] }),
        },
        query: queryOf(conditions.length === 0 ? undefined : { $and: conditions }) ?? null,
        sort_by: [{ field: 'started_at', direction: 'desc' }],
        offset,
        limit: limit + 1,
        columns: [
          ...['id', 'trace_id', 'thread_id', 'op_name', 'display_name', 'started_at', 'ended_at'],
          ...['exception', 'inputs', 'output', 'summary'],
        ],
        cut_texts_at: GLIMPSE_LENGTH,
      },
    })
    const found = calls.slice(0, limit).map((call) => ({
      id: call.id,
      trace_id: call.trace_id,
      op: call.display_name || opName(call.op_name),
      started_at: call.started_at,
      ...lean({
        ms: durationOf(call),
        error: glimpse(call.exception, ERROR_LENGTH),
        tokens: tokensOf(call.summary),
        inputs: glimpse(call.inputs, GLIMPSE_LENGTH),
        output: glimpse(call.output, GLIMPSE_LENGTH),
        thread_id: call.thread_id,
      }),
    }))
    const page = fitting(found, max_tokens)
    if (page.length === calls.length || page.length === 0) return { calls: page }
    // Calls that start meanwhile don't move those that follow.
    const next = { offset: offset + page.length, until: until ?? page[0]!.started_at }
    return { calls: page, next_cursor: cursorOf(next) }
  },
})

interface Spanned {
  id: string
  parent_id: string | null
}

/** Spans in the order of the tree, with how deep each is. Spans whose parent is missing are at the top. */
function outlined<T extends Spanned>(spans: readonly T[]): { span: T; depth: number }[] {
  const ids = new Set(spans.map(({ id }) => id))
  const below = new Map<string | null, T[]>()
  for (const span of spans) {
    const parent = span.parent_id !== null && ids.has(span.parent_id) ? span.parent_id : null
    const siblings = below.get(parent)
    if (siblings) siblings.push(span)
    else below.set(parent, [span])
  }
  const found: { span: T; depth: number }[] = []
  const waiting = (below.get(null) ?? []).map((span) => ({ span, depth: 0 })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    const depth = next.depth + 1
    for (const child of (below.get(next.span.id) ?? []).toReversed()) waiting.push({ span: child, depth })
  }
  return found
}

export const readTrace = tool({
  name: 'read_trace',
  title: 'Read a trace',
  description:
    'Outline of a trace: every span in order, how deep it is, how long it took, tokens and errors. Then read_call shows one in full.',
  effect: 'reads',
  input: z.object({
    project,
    trace_id: name.optional(),
    call_id: name.optional().describe('any call of the trace, instead of trace_id'),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    trace_id: z.string(),
    span_count: z.int(),
    spans: z.array(
      z.object({
        depth: z.int(),
        id: z.string(),
        op: z.string(),
        started_at: z.string(),
        ms: z.number().optional(),
        tokens: z.number().optional(),
        error: z.string().optional(),
      }),
    ),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, trace_id, call_id, cursor, max_tokens }, api) => {
    if ((trace_id === undefined) === (call_id === undefined))
      throw errors.badRequest('Give trace_id or call_id, one of both.')
    const trace = trace_id ?? (await oneCall(api, project_id, call_id!)).trace_id
    const calls = await api.lines(callsStreamQuery, {
      body: {
        project_id,
        filter: { trace_ids: [trace] },
        limit: MOST_SPANS,
        columns: [
          ...['id', 'parent_id', 'op_name', 'display_name'],
          ...['started_at', 'ended_at', 'exception', 'summary'],
        ],
        cut_texts_at: ERROR_LENGTH,
      },
    })
    if (calls.length === 0) throw errors.notFound(`The trace ${trace} in ${project_id}`)
    const offset = offsetOf(cursor)
    const rows = outlined(calls)
      .slice(offset)
      .map(({ span, depth }) => ({
        depth,
        id: span.id,
        op: span.display_name || opName(span.op_name),
        started_at: span.started_at,
        ...lean({
          ms: durationOf(span),
          tokens: tokensOf(span.summary),
          error: glimpse(span.exception, ERROR_LENGTH),
        }),
      }))
    const { page, ...next } = pageOf(rows, offset, max_tokens)
    return { trace_id: trace, span_count: calls.length, spans: page, ...next }
  },
})

/** A call by its id. @throws `NOT_FOUND` */
export async function oneCall(api: Parameters<typeof searchCalls.run>[1], project_id: string, id: string) {
  const { call } = await api.call(callRead, { body: { project_id, id, include_costs: true } })
  if (call === null) throw errors.notFound(`The call ${id} in ${project_id}`)
  return call
}
