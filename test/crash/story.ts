/**
 * What writers do: stories, each a few requests about calls of its own that must be sent in order. A request
 * comes with its exact bytes (a retry sends the same ones) and its effect on what must read back.
 */
import { at, complete, halves, v2 } from '../support/calls.js'
import { hex, uuid7 } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import type { Effect, Expected } from './ledger.js'
import type { Random } from './random.js'

export interface Step {
  path: string
  body: Uint8Array
  headers: Record<string, string>
  effect: Effect
}

export interface Story {
  steps: Step[]
  /** Sending all its requests once more, in order, must change nothing. */
  repeatable: boolean
}

type Call = Record<string, unknown>

const START_FIELDS = [
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'started_at',
  'attributes',
  'inputs',
]
const FIELDS = [...START_FIELDS, 'ended_at', 'exception', 'output', 'summary']

/** A story of a kind that chance picks. */
export function newStory(random: Random, project: string): Story {
  const kinds = [
    spans,
    spans,
    completes,
    completes,
    startThenEnd,
    startThenEnd,
    endThenStart,
    renamed,
    deleted,
    replaced,
    leftOpen,
  ]
  return random.pick(kinds)(random, project)
}

function spans(random: Random, project: string): Story {
  const effect: Effect = new Map()
  const traceId = hex(16)
  const list = Array.from({ length: random.between(1, 60) }, (_, n) => {
    const spanId = hex(8)
    const start = 1_780_000_000_000_000_000n + BigInt(random.between(0, 1e9)) * 1000n
    const input = { n, text: hex(random.between(10, 200)) }
    effect.set(`${traceId}/${spanId}`, {
      inputs: { 'input.value': input },
      output: { 'output.value': `done ${n}` },
      started_at: instant(start),
      ended_at: instant(start + 2_500_000_000n),
      display_name: null,
      exception: n % 7 === 0 ? 'failed' : null,
    })
    return {
      traceId,
      spanId,
      name: `span ${n % 5}`,
      start,
      end: start + 2_500_000_000n,
      attributes: { 'input.value': JSON.stringify(input), 'output.value': `done ${n}`, other: hex(100) },
      ...(n % 7 === 0 ? { status: { code: 2, message: 'failed' } } : {}),
    }
  })
  // Exporters that name the project are charged to its entity, others to their key's.
  const named: Record<string, string> = random.next() < 0.5 ? { project_id: project } : {}
  const headers = { 'content-type': 'application/x-protobuf', ...named }
  const body = exportRequest({ attributes: inProject(project), spans: list })
  return {
    steps: [{ path: '/otel/v1/traces', body, headers, effect }],
    repeatable: true,
  }
}

function completes(random: Random, project: string): Story {
  const batch = Array.from({ length: random.between(1, 30) }, () => call(random, project))
  return { steps: [completeStep(project, batch)], repeatable: true }
}

function startThenEnd(random: Random, project: string): Story {
  const made = call(random, project)
  const way = random.between(0, 2)
  return {
    steps: [startStep(project, made, way, started(made)), endStep(project, made, way, whole(made))],
    repeatable: true,
  }
}

function endThenStart(random: Random, project: string): Story {
  const made = call(random, project)
  const way = random.between(0, 1)
  return {
    steps: [endStep(project, made, way, null), startStep(project, made, way, whole(made))],
    repeatable: true,
  }
}

function renamed(random: Random, project: string): Story {
  const made = call(random, project)
  const display_name = `renamed ${hex(4)}`
  const update = (effect: Expected) =>
    jsonStep(
      '/call/update',
      { project_id: project, call_id: made.id, display_name },
      new Map([[key(made), effect]]),
    )
  if (random.next() < 0.5)
    return {
      steps: [completeStep(project, [made]), update({ ...whole(made), display_name })],
      repeatable: false,
    }
  const way = random.between(0, 2)
  const steps = [
    startStep(project, made, way, started(made)),
    update({ ...started(made), display_name }),
    endStep(project, made, way, { ...whole(made), display_name }),
  ]
  return { steps, repeatable: false }
}

function deleted(random: Random, project: string): Story {
  const root = call(random, project)
  const child = call(random, project, { trace_id: root.trace_id, parent_id: root.id })
  const open = call(random, project, { trace_id: root.trace_id, parent_id: child.id })
  const gone: Effect = new Map([root, child, open].map((made) => [key(made), null]))
  return {
    steps: [
      completeStep(project, [root, child]),
      startStep(project, open, random.between(0, 2), started(open)),
      jsonStep('/calls/delete', { project_id: project, call_ids: [root.id] }, gone),
    ],
    repeatable: false,
  }
}

function replaced(random: Random, project: string): Story {
  const made = call(random, project)
  const second = { ...call(random, project), id: made.id, trace_id: made.trace_id }
  return { steps: [completeStep(project, [made]), completeStep(project, [second])], repeatable: false }
}

function leftOpen(random: Random, project: string): Story {
  const made = call(random, project)
  return { steps: [startStep(project, made, random.between(0, 2), started(made))], repeatable: true }
}

function call(random: Random, project: string, more: Call = {}): Call {
  const start = random.between(0, 1e9) / 1e6
  return complete(project, {
    op_name: `op ${random.between(0, 9)}`,
    display_name: random.next() < 0.2 ? `name ${hex(3)}` : null,
    parent_id: random.next() < 0.5 ? uuid7() : null,
    thread_id: random.next() < 0.2 ? `thread ${random.between(0, 5)}` : null,
    started_at: at(start),
    ended_at: at(start + random.between(1, 5_000) / 1000),
    inputs: {
      text: hex(random.between(1, 300)),
      n: random.between(0, 1e6),
      deep: { list: [1, 'two', null] },
    },
    output: { answer: hex(random.between(1, 100)) },
    attributes: { env: random.pick(['a', 'b']) },
    exception: random.next() < 0.1 ? 'failed' : null,
    summary: { status_counts: { success: 1, error: 0 } },
    ...more,
  })
}

/** 0: the single routes, 1: a batch, 2: the routes under /v2. */
function startStep(project: string, made: Call, way: number, expected: Expected): Step {
  const effect: Effect = new Map([[key(made), expected]])
  const { start } = halves(made)
  if (way === 1) return jsonStep('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] }, effect)
  return jsonStep(way === 2 ? v2(project, 'call/start') : '/call/start', { start }, effect)
}

function endStep(project: string, made: Call, way: number, expected: Expected): Step {
  const effect: Effect = new Map([[key(made), expected]])
  const { end } = halves(made)
  if (way === 1) return jsonStep('/call/upsert_batch', { batch: [{ mode: 'end', req: { end } }] }, effect)
  return jsonStep(way === 2 ? v2(project, 'call/end') : '/call/end', { end }, effect)
}

function completeStep(project: string, batch: Call[]): Step {
  const effect: Effect = new Map(batch.map((made) => [key(made), whole(made)]))
  return jsonStep(v2(project, 'calls/complete'), { batch }, effect)
}

function jsonStep(path: string, body: object, effect: Effect): Step {
  const headers = { 'content-type': 'application/json', 'x-weave-retry-id': uuid7() }
  return { path, body: Buffer.from(JSON.stringify(body)), headers, effect }
}

function key(made: Call): string {
  return `${made.trace_id}/${made.id}`
}

function whole(made: Call): Expected {
  return Object.fromEntries(FIELDS.map((field) => [field, made[field] ?? null]))
}

function started(made: Call): Expected {
  return {
    ...Object.fromEntries(START_FIELDS.map((field) => [field, made[field] ?? null])),
    ended_at: null,
    output: null,
  }
}

/** Nanoseconds since the epoch as answers spell it. */
function instant(nanos: bigint): string {
  const micros = nanos / 1000n
  const whole = new Date(Number(micros / 1000000n) * 1000).toISOString().slice(0, 19)
  const rest = micros % 1000000n
  return rest === 0n ? `${whole}Z` : `${whole}.${String(rest).padStart(6, '0')}Z`
}
