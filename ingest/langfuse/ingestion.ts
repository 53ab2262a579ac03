/**
 * Langfuse's ingestion: events become spans, and take the way of spans. A part that comes later replaces the span by one
 * that says both. Knows nothing of HTTP.
 */
import type { LangfuseEvent } from '../../contract/langfuse.js'
import { writeScores } from '../../domain/feedback/scores.js'
import { observationSpan, rootIdOf, type Trace, traceSpan } from '../../domain/imports/langfuse.js'
import { type ForeignSpan, spanIdOf, spanText } from '../../domain/imports/span.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Reply } from '../../platform/http/request.js'
import { derivedId } from '../../platform/ids/derived.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { MAX_MESSAGES } from '../otlp/limits.js'
import { type Batch, merged, readBatch } from './events.js'
import { type StoredCall, storedCalls } from './stored.js'

/** Stores a body of OTLP in JSON. */
export type SubmitSpans = (body: Uint8Array) => Promise<Reply>

/** Spans of one body: an answer names no more rejected ones than these, and the sender hears of each. */
const SPANS = MAX_MESSAGES

export class LangfuseIngestion {
  constructor(private readonly store: Store) {}

  /**
   * Stores a batch. @returns the answer's body, or the reply to spans that were refused altogether
   * @param project `entity/project`
   */
  async take(
    project: string,
    userId: string,
    events: readonly LangfuseEvent[],
    submit: SubmitSpans,
  ): Promise<{ successes: object[]; errors: object[] } | Reply> {
    const batch = readBatch(events)
    const targets = await this.spansOf(project, batch)
    const failed = new Map<string, string>()
    for (let from = 0; from < targets.length; from += SPANS) {
      const some = targets.slice(from, from + SPANS)
      const spans = some.map(({ span }) => spanText(span))
      const reply = await submit(
        Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`),
      )
      if (reply.status !== 200) return reply
      for (const [target, reason] of rejected(reply, some)) failed.set(target, reason)
    }
    await writeScores(
      this.store,
      batch.scores.map(({ id, traceId, observationId, name, value, dataType, comment, metadata }) => ({
        ...{ project, userId, name: `langfuse.${name}`, id: derivedId(`langfuse score ${id} ${project}`) },
        callId: observationId || rootIdOf(traceId),
        payload: JSON.stringify({ value, dataType, comment, metadata }),
      })),
    )
    const good = [...batch.others]
    for (const [target, ids] of batch.events) {
      const reason = failed.get(target)
      if (reason === undefined) good.push(...ids)
      else batch.errors.push(...ids.map((id) => ({ id, status: 400, message: reason })))
    }
    return { successes: good.map((id) => ({ id, status: 201 })), errors: batch.errors }
  }

  /** The spans that the batch makes, each with the id of what it is about. */
  private async spansOf(project: string, { traces, observations }: Batch): Promise<Target[]> {
    const ofTraces = new Set(traces.keys())
    for (const { traceId } of observations.values()) if (traceId) ofTraces.add(traceId)
    const ids = [...observations.keys(), ...Array.from(ofTraces, rootIdOf)]
    const known = await storedCalls(this.store, projectIdOf(project), ids)
    for (const id of observations.keys()) {
      const traceId = known.get(id)?.observation.traceId
      if (traceId) ofTraces.add(traceId)
    }
    const roots = new Map(
      Array.from(ofTraces, (id) => [id, rootOf(id, traces.get(id), known.get(rootIdOf(id)))]),
    )
    const targets: Target[] = []
    for (const [id, said] of observations) {
      const before = known.get(id)?.observation
      // The start tells versions of a span from another one.
      const startTime = before?.startTime ?? said.startTime ?? said.endTime ?? new Date().toISOString()
      const one = { ...merged({ ...before, type: said.type, id }, said), startTime }
      const root = roots.get(one.traceId ?? '')
      const { sessionId, userId } = root?.trace ?? {}
      const isEvent = said.type === 'EVENT'
      const span = observationSpan(merged({ sessionId, userId }, one) as typeof one, !isEvent)
      targets.push({ id, span })
      if (root) root.ended = Math.max(root.ended, Date.parse(one.endTime ?? startTime))
    }
    for (const [id, { trace, ended, before }] of roots)
      if (trace && (traces.has(id) || ended > before))
        targets.unshift({ id, span: traceSpan(trace, new Date(ended).toISOString()) })
    return targets
  }
}

interface Target {
  id: string
  span: ForeignSpan
}

/** A trace as it is known, with its end in ms since 1970, now and before. */
function rootOf(id: string, said: Partial<Trace> | undefined, stored: StoredCall | undefined) {
  const before = (stored?.ended ?? 0) / 1000
  if (!said && !stored) return { trace: undefined, ended: before, before }
  const timestamp = stored?.trace.timestamp ?? said?.timestamp ?? new Date().toISOString()
  const trace: Trace = { ...merged({ ...stored?.trace, id, timestamp }, said ?? {}), timestamp }
  return { trace, ended: Math.max(before, Date.parse(timestamp)), before }
}

/** The targets whose spans were rejected, and why: by what the answer says of their ids. */
function rejected({ body }: Reply, targets: readonly Target[]): [string, string][] {
  // An answer from a thread is a plain array of bytes, whose `toString` lists numbers.
  const text = typeof body === 'string' ? body : bufferOf(body as Uint8Array).toString()
  const answer = JSON.parse(text) as { partialSuccess?: { errorMessage?: string } }
  const message = answer.partialSuccess?.errorMessage
  if (message === undefined) return []
  return targets.flatMap(({ id, span }): [string, string][] =>
    message.includes(`span ${spanIdOf(span.id)}:`) ? [[id, message]] : [],
  )
}
