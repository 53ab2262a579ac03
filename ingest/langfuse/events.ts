/**
 * The events of a batch of Langfuse's ingestion: what they say of each trace and observation, put together. Later events
 * win; what they leave out stays. Pure.
 */
import type { LangfuseEvent } from '../../contract/langfuse.js'
import type { Observation, Trace } from '../../domain/imports/langfuse.js'

/** What is known of a trace or an observation. */
export type TracePart = Partial<Trace> & { id: string }
export type ObservationPart = Partial<Observation> & { id: string; type: string }

export interface Score {
  id: string
  traceId: string
  observationId?: string | null
  name: string
  value: unknown
  dataType?: string | null
  comment?: string | null
  metadata?: unknown
}

export interface Batch {
  traces: Map<string, TracePart>
  observations: Map<string, ObservationPart>
  scores: Score[]
  /** ids of the events that said something of a call, by the id of what they are about */
  events: Map<string, string[]>
  /** ids of the other good events */
  others: string[]
  errors: { id: string; status: number; message: string }[]
}

const TYPES: Record<string, string> = {
  'span-create': 'SPAN',
  'span-update': 'SPAN',
  'generation-create': 'GENERATION',
  'generation-update': 'GENERATION',
  'event-create': 'EVENT',
}

export function readBatch(events: readonly LangfuseEvent[]): Batch {
  const batch: Batch = {
    ...{ traces: new Map(), observations: new Map(), scores: [] },
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
  if (type === 'score-create') {
    const { traceId, name } = body
    if (typeof traceId !== 'string' || typeof name !== 'string') return 'a score needs traceId and name'
    batch.scores.push({ ...(body as unknown as Score), id: typeof id === 'string' ? id : eventId })
    batch.others.push(eventId)
    return undefined
  }
  if (!hasTimes(body)) return 'a time should be ISO 8601'
  const target = String(id)
  if (type === 'trace-create') {
    const known = batch.traces.get(target)
    batch.traces.set(target, merged({ timestamp: known?.timestamp ?? timestamp, ...known, id: target }, body))
  } else {
    const kind =
      TYPES[type] ?? (/^observation-(create|update)$/.test(type) ? String(body.type ?? 'SPAN') : undefined)
    if (kind === undefined) return `the type ${type.slice(0, 100)} is unknown`
    const known = batch.observations.get(target)
    const start = type.endsWith('-update') ? {} : { startTime: timestamp }
    batch.observations.set(target, merged({ ...start, ...known, id: target, type: kind }, body))
  }
  batch.events.set(target, [...(batch.events.get(target) ?? []), eventId])
  return undefined
}

const TIMES = ['timestamp', 'startTime', 'endTime', 'completionStartTime']

function hasTimes(body: Readonly<Record<string, unknown>>): boolean {
  return TIMES.every((name) => body[name] == null || !Number.isNaN(Date.parse(String(body[name]))))
}

/** `known` with what `said` says; metadata of both. */
export function merged<Known extends object>(known: Known, said: object): Known {
  const given = Object.entries(said).filter(([, value]) => value !== null && value !== undefined)
  const all = { ...known, ...Object.fromEntries(given) } as Known & { metadata?: unknown }
  const [before, now] = [(known as { metadata?: unknown }).metadata, all.metadata]
  if (isObject(before) && isObject(now)) all.metadata = { ...before, ...now }
  return all
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
