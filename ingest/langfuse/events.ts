/**
 * The events of a batch of Langfuse's ingestion: what they say of each trace and observation, put together. Later events
 * win; what they leave out stays. Pure.
 */
import { type LangfuseEvent, langfuseIngestion } from '../../contract/langfuse.js'
import { checkedScore, configIdOf, type LangfuseScore } from '../../domain/feedback/langfuse-score.js'
import type { Observation, Trace } from '../../domain/imports/langfuse.js'
import { bodyOf } from '../../platform/http/body-threads.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { isObject } from '../../platform/json/object.js'

/** What is known of a trace or an observation. */
export type TracePart = Partial<Trace> & { id: string }
export type ObservationPart = Partial<Observation> & { id: string; type: string }

export interface Batch {
  traces: Map<string, TracePart>
  observations: Map<string, ObservationPart>
  scores: LangfuseScore[]
  /** those that name a config, by which they are still to be checked */
  configured: { eventId: string; configId: string; given: object }[]
  /** ids of the events that said something of a call, by the id of what they are about */
  events: Map<string, string[]>
  /** ids of the other good events */
  others: string[]
  errors: { id: string; status: number; message: string }[]
}

const TYPES = new Map([
  ['span-create', 'SPAN'],
  ['span-update', 'SPAN'],
  ['generation-create', 'GENERATION'],
  ['generation-update', 'GENERATION'],
  ['event-create', 'EVENT'],
])

/** Parses, validates and reads a body. @throws what {@link bodyOf} throws */
export function readBody(bytes: Uint8Array): Batch {
  const { batch } = bodyOf(langfuseIngestion as unknown as RouteSpec, bytes) as { batch: LangfuseEvent[] }
  return readBatch(batch)
}

/** What `events` say. Takes over their values. */
export function readBatch(events: readonly LangfuseEvent[]): Batch {
  const batch: Batch = {
    ...{ traces: new Map(), observations: new Map(), scores: [], configured: [] },
    ...{ events: new Map(), others: [], errors: [] },
  }
  for (const event of events) {
    const problem = take(batch, event)
    if (problem !== undefined) batch.errors.push({ id: event.id, status: 400, message: problem })
  }
  return batch
}

/** @returns what is wrong with the event */
function take(batch: Batch, { id: eventId, type, timestamp, body }: LangfuseEvent): string | undefined {
  if (type === 'sdk-log') {
    batch.others.push(eventId)
    return undefined
  }
  const id = body?.id
  if (!body || (typeof id !== 'string' && type !== 'score-create')) return 'body.id should be a text'
  const problem = fieldProblem(body)
  if (problem !== undefined) return problem
  if (type === 'score-create') {
    const given = { ...body, timestamp: body.timestamp ?? timestamp }
    const configId = configIdOf(given)
    if (configId !== undefined) {
      batch.configured.push({ eventId, configId, given })
      return undefined
    }
    const score = checkedScore(given, eventId)
    if (typeof score === 'string') return score
    batch.scores.push(score)
    batch.others.push(eventId)
    return undefined
  }
  const target = String(id)
  if (type === 'trace-create') {
    const known = madeIn(batch.traces, target, () => ({ id: target, timestamp }))
    merge(known, body)
  } else {
    const kind =
      TYPES.get(type) ?? (/^observation-(create|update)$/.test(type) ? (body.type ?? 'SPAN') : undefined)
    if (typeof kind !== 'string') return `the type ${type.slice(0, 100)} is unknown`
    const known = madeIn(batch.observations, target, (): ObservationPart => ({ id: target, type: kind }))
    known.type = kind
    if (!type.endsWith('-update')) known.startTime ??= timestamp
    merge(known, body)
  }
  madeIn(batch.events, target, () => []).push(eventId)
  return undefined
}

function madeIn<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const TIMES = ['timestamp', 'startTime', 'endTime', 'completionStartTime']
const TEXTS = ['traceId', 'parentObservationId', 'observationId', 'type']

/** What is wrong with fields that a span's place and times are made of; others may be anything. */
function fieldProblem(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of TIMES) {
    const value = body[name] ?? undefined
    if (value !== undefined && (typeof value !== 'string' || Number.isNaN(Date.parse(value))))
      return 'a time should be ISO 8601'
  }
  const wrong = TEXTS.find((name) => body[name] != null && typeof body[name] !== 'string')
  return wrong && `body.${wrong} should be a text`
}

/**
 * Adds to `known` what `said` says, which is not null; metadata of both are put together. Changes `known` and its
 * metadata in place: many events may be about one id.
 */
export function merge(known: object, said: object): void {
  const into = known as Record<string, unknown>
  for (const [key, value] of Object.entries(said)) {
    if (value === null || value === undefined) continue
    const before = key === 'metadata' ? into.metadata : undefined
    if (isObject(before) && isObject(value))
      for (const [name, one] of Object.entries(value)) put(before, name, one)
    else put(into, key, value)
  }
}

/** `object[key] = value`, also for a key that would set the prototype. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
