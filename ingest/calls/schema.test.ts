/** The checks by hand and the schemas in the contract take and refuse the same bodies, and name the same places. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CompletedCallSchemaForInsert,
  EndedCallSchemaForInsert,
  StartedCallSchemaForInsert,
} from '../../contract/call-insert.js'
import {
  callEnd,
  callEndV2,
  callStart,
  callStartV2,
  callsComplete,
  callUpsertBatch,
} from '../../contract/calls-write.js'
import { CallBlock } from '../../domain/calls/block.js'
import { ValidationError } from '../../platform/errors/error.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { rounds } from '../../test/support/rounds.js'
import { decodeCalls } from './decode.js'
import type { CallsRoute } from './read.js'
import { RULES } from './slots.js'

const anything = fc.constantFrom(null, true, 0, 1.5, '', 'x', [], {}, ['x'], { a: { b: 1 } })
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'a\u0000',
    '\u007f',
    'é',
    '\ud800',
    'x'.repeat(128),
    'x'.repeat(129),
    '😀'.repeat(128),
  ),
  fc.constantFrom('y'.repeat(256), 'y'.repeat(257), '😀'.repeat(1024), 'z'.repeat(1025), '😀'.repeat(129)),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const project = fc.constantFrom('a/b', 'é/ü', 'a', 'a/b/c', '/b', 'a b/c', `a/${'b'.repeat(300)}`)
const time = fc.oneof(
  fc.constantFrom(
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01 01:02:03.4567891+05:30',
    '1970-01-01T00:00:00Z',
  ),
  fc.constantFrom('2300-01-01T00:00:00Z', '2026-02-30', 'now', '2026-01-01T25:00', '1767225600'),
)
const opName = fc.oneof(
  text,
  fc.constantFrom(
    'weave:///a/b/op/f:1',
    'weave:///a/b/op/f%20g:*',
    'weave:///a/b/object/f:1',
    'weave:///a/b/op/f',
  ),
  fc.constantFrom(`weave:///a/b/op/${'f'.repeat(200)}:1`, `weave:///a/b/op/${'f'.repeat(3000)}:1`),
)
const integer = fc.constantFrom(0, -0, 1, -5, 2 ** 53 - 1, 2 ** 53, 1.5, 1e300, '1')
const summary = fc.oneof(
  fc.record(
    {
      usage: fc.oneof(
        anything,
        fc.dictionary(
          fc.constantFrom('m', 'n'),
          fc.oneof(
            anything,
            fc.dictionary(
              fc.constantFrom('prompt_tokens', 'requests', 'details'),
              fc.oneof(anything, integer),
            ),
          ),
        ),
      ),
      status_counts: fc.oneof(
        anything,
        fc.dictionary(fc.constantFrom('success', 'error', 'running', 'descendant_error', 'ok'), integer),
      ),
      weave: anything,
      other: anything,
    },
    { requiredKeys: [] },
  ),
)

/** A value that is mostly right for its field. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  project_id: project,
  id: text,
  trace_id: text,
  parent_id: text,
  thread_id: text,
  turn_id: text,
  op_name: opName,
  display_name: text,
  started_at: time,
  ended_at: time,
  exception: text,
  inputs: fc.constantFrom({}, { a: 1 }),
  attributes: fc.constantFrom({}, { a: 1 }),
  output: anything,
  summary,
  otel_dump: fc.constantFrom({}, { a: 1 }, null),
  platform_user_id: text,
  platform_run_id: text,
  platform_run_step: integer,
  platform_run_step_end: integer,
  is_eval: fc.boolean(),
}

/** A call that is fine, so that one wrong field decides often enough. */
const fine: Record<string, unknown> = {
  project_id: 'a/b',
  id: 'i',
  trace_id: 't',
  op_name: 'f',
  started_at: '2026-01-01',
  ended_at: '2026-01-02',
  inputs: {},
  attributes: {},
  summary: {},
}

const change = fc
  .constantFrom(...Object.keys(values))
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 4, arbitrary: values[name]! },
        { weight: 1, arbitrary: anything },
        fc.constant(undefined),
      ),
    ),
  )
const call = fc
  .array(change, { maxLength: 3 })
  .map((changes) => ({ ...fine, ...Object.fromEntries(changes) }))
const maybeCall = fc.oneof({ weight: 9, arbitrary: call }, { weight: 1, arbitrary: anything })

/** What is wrong with a body by hand: the places, or nothing. */
function byHand(route: CallsRoute, body: string): string[] {
  const request = { route, body: Buffer.from(body), userId: 'u', mayWrite: () => true }
  const [outcome] = decodeCalls([request], new CallBlock('calls'), new CallBlock('calls_open')).outcomes
  if (!outcome || !('error' in outcome)) return []
  if (!(outcome.error instanceof ValidationError)) throw outcome.error
  return outcome.error.violations.map(({ loc }) => loc.slice(1).join('.')).sort()
}

/** The same by the schema of the route. */
function bySchema({ body: schema }: RouteSpec, body: string): string[] {
  const result = schema!.safeParse(JSON.parse(body))
  if (result.success) return []
  const places = result.error.issues.flatMap((issue) => {
    const place = issue.path.join('.')
    return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => `${place}.${key}`) : [place]
  })
  return [...new Set(places)].sort()
}

describe('the fields of a call that clients may send', () => {
  it.each([
    ['start', StartedCallSchemaForInsert],
    ['end', EndedCallSchemaForInsert],
    ['whole', CompletedCallSchemaForInsert],
  ] as const)('are the same by hand and by schema: %s', (way, schema) => {
    expect(RULES[way].map(({ name }) => name).sort()).toEqual(Object.keys(schema.shape).sort())
  })
})

describe('by hand and by schema', () => {
  it.each([
    ['start', 'start', callStart],
    ['start', 'start', callStartV2],
    ['end', 'end', callEnd],
    ['end', 'end', callEndV2],
  ] as const)('/call/%s', (route, key, schema) => {
    fc.assert(
      fc.property(maybeCall, fc.nat(2), (value, indent) => {
        const body = JSON.stringify({ [key]: value }, null, indent)
        expect(byHand(route, body)).toEqual(bySchema(schema, body))
      }),
      { numRuns: rounds(500, 1500) },
    )
  })

  it('/calls/complete', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(maybeCall, { maxLength: 3 }), anything), (batch) => {
        const body = JSON.stringify({ batch })
        expect(byHand('complete', body)).toEqual(bySchema(callsComplete, body).slice(0, 20))
      }),
      { numRuns: rounds(500, 1500) },
    )
  })

  it('/call/upsert_batch: taken or refused', () => {
    const item = fc.oneof(
      { weight: 8, arbitrary: call.map((start) => ({ mode: 'start', req: { start } })) },
      { weight: 8, arbitrary: call.map((end) => ({ mode: 'end', req: { end } })) },
      call.map((start) => ({ req: { start } })),
      call.map((end) => ({ req: { end } })),
      fc.record({
        mode: fc.constantFrom('start', 'end', 'x', null),
        req: fc.oneof(anything, fc.record({ end: maybeCall })),
      }),
      anything,
    )
    fc.assert(
      fc.property(fc.array(item, { maxLength: 2 }), (batch) => {
        const body = JSON.stringify({ batch })
        expect(byHand('upsert_batch', body).length === 0).toBe(bySchema(callUpsertBatch, body).length === 0)
      }),
      { numRuns: rounds(500, 1500) },
    )
  })
})

describe('bytes that are no request', () => {
  const routes = fc.constantFrom<CallsRoute>('start', 'end', 'upsert_batch', 'complete')
  const decode = (route: CallsRoute, body: Uint8Array) => {
    const calls = new CallBlock('calls')
    const open = new CallBlock('calls_open')
    const { outcomes } = decodeCalls([{ route, body, userId: 'u', mayWrite: () => true }], calls, open)
    return { refused: 'error' in outcomes[0]!, rows: calls.rows + open.rows }
  }

  it('are refused, never crash, and leave no rows', () => {
    fc.assert(
      fc.property(routes, fc.uint8Array({ maxLength: 60 }), (route, body) => {
        expect(decode(route, body)).toEqual({ refused: true, rows: 0 })
      }),
      { numRuns: rounds(500, 1000) },
    )
  })

  it('the same for requests with bytes cut, changed or put in', () => {
    const body = fc.oneof(
      fc.array(call, { maxLength: 3 }).map((batch) => ({ batch })),
      call.map((start) => ({ batch: [{ mode: 'start', req: { start } }], start, end: start })),
    )
    const edit = fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }))
    fc.assert(
      fc.property(routes, body, fc.array(edit, { minLength: 1, maxLength: 3 }), (route, json, edits) => {
        let bytes = Buffer.from(JSON.stringify(json))
        for (const [at, drop, put] of edits) {
          const p = at % (bytes.length + 1)
          bytes = Buffer.concat([bytes.subarray(0, p), put, bytes.subarray(p + drop)])
        }
        const { refused, rows } = decode(route, bytes)
        if (refused) expect(rows).toBe(0)
      }),
      { numRuns: rounds(500, 1500) },
    )
  })
})
