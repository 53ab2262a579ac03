/** The spans that a batch of Langfuse's ingestion makes, of it and of what is stored. Pure. */
import {
  type Observation,
  observationSpan,
  rootIdOf,
  type Trace,
  traceSpan,
} from '../../domain/imports/langfuse.js'
import { spanIdOf, spanText } from '../../domain/imports/span.js'
import { type Batch, merge, type TracePart } from './events.js'
import { type LangfuseCall, type StoredCall, type StoredRow, storedCall } from './stored.js'

/** A span in OTLP's JSON, and what it is about. */
export interface Target {
  id: string
  spanId: string
  text: string
}

export interface Known {
  traces: Batch['traces']
  observations: Batch['observations']
  /** what is stored of {@link callsIn} */
  rows: readonly StoredRow[]
}

/** The calls of which something may be stored of what a batch is about. */
export function callsIn({ traces, observations }: Batch): LangfuseCall[] {
  const roots = Array.from(tracesOf({ traces, observations }), (traceId) => ({
    id: rootIdOf(traceId),
    traceId,
  }))
  return [
    ...Array.from(observations, ([id, { traceId }]) => ({ id, traceId: traceId ?? undefined })),
    ...roots,
  ]
}

function tracesOf({ traces, observations }: Pick<Batch, 'traces' | 'observations'>): Set<string> {
  const all = new Set(traces.keys())
  for (const { traceId } of observations.values()) if (traceId) all.add(traceId)
  return all
}

/**
 * The spans of a batch that say what is not stored yet; those of traces first. A batch that is sent again makes none. Changes
 * the values of `known`.
 */
export function targetsOf({ traces, observations, rows }: Known): Target[] {
  const known = new Map(rows.map((row) => [row.id, storedCall(row)]))
  const ofTraces = tracesOf({ traces, observations })
  const roots = new Map(
    Array.from(ofTraces, (id) => [id, rootOf(id, traces.get(id), known.get(rootIdOf(id)))]),
  )
  const targets: Target[] = []
  for (const [id, said] of observations) {
    const before = known.get(id)?.observation
    // The start tells versions of a span from another one.
    const startTime = before?.startTime ?? said.startTime ?? said.endTime ?? new Date().toISOString()
    const spanOf = (one: Observation) => spanText(observationSpan(one, said.type !== 'EVENT'))
    const stored = before && spanOf({ type: '', ...before, id, startTime })
    const root = roots.get(said.traceId ?? before?.traceId ?? '')
    const { sessionId, userId } = root?.trace ?? {}
    const one: Observation = { sessionId, userId, type: said.type, id, startTime }
    for (const part of [before, said, { startTime }]) merge(one, part ?? {})
    const text = spanOf(one)
    if (text !== stored) targets.push({ id, spanId: spanIdOf(id), text })
    if (root) root.ended = Math.max(root.ended, Date.parse(one.endTime ?? startTime))
  }
  const ofRoots: Target[] = []
  for (const [id, { trace, ended, before, stored }] of roots) {
    if (!trace || !(traces.has(id) || ended > before)) continue
    const text = traceText(trace, ended)
    if (text !== stored) ofRoots.push({ id, spanId: spanIdOf(rootIdOf(id)), text })
  }
  return [...ofRoots, ...targets]
}

/** @param ended ms since 1970 */
function traceText(trace: Trace, ended: number): string {
  return spanText(traceSpan(trace, new Date(ended).toISOString()))
}

/** A trace as it is known, with its end in ms since 1970, and the span that is stored of it. */
function rootOf(id: string, said: TracePart | undefined, known: StoredCall | undefined) {
  const before = (known?.ended ?? 0) / 1000
  if (!said && !known) return { trace: undefined, ended: before, before }
  const timestamp = known?.trace.timestamp ?? said?.timestamp ?? new Date().toISOString()
  const trace: Trace = { id, timestamp }
  merge(trace, { ...known?.trace, timestamp })
  const stored = known && traceText(trace, before)
  merge(trace, { ...said, timestamp })
  return { trace, ended: Math.max(before, Date.parse(timestamp)), before, stored }
}
