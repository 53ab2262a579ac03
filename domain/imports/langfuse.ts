/** Traces and observations of Langfuse as spans, with the attributes that its own SDKs give theirs. Pure. */
import { createHash } from 'node:crypto'
import type { Attributes, ForeignSpan } from './span.js'

export interface Trace {
  id: string
  timestamp: string
  name?: string | null
  input?: unknown
  output?: unknown
  sessionId?: string | null
  userId?: string | null
  release?: string | null
  version?: string | null
  environment?: string | null
  metadata?: unknown
  tags?: string[] | null
  /** seconds */
  latency?: number | null
}

/** Of the older list and of the newer, which have some fields under other names. */
export interface Observation {
  id: string
  traceId?: string | null
  parentObservationId?: string | null
  type: string
  name?: string | null
  startTime: string
  endTime?: string | null
  completionStartTime?: string | null
  input?: unknown
  output?: unknown
  metadata?: unknown
  level?: string | null
  statusMessage?: string | null
  version?: string | null
  environment?: string | null
  sessionId?: string | null
  userId?: string | null
  model?: string | null
  providedModelName?: string | null
  modelParameters?: unknown
  usage?: { [name: string]: unknown } | null
  usageDetails?: { [name: string]: number } | null
  costDetails?: { [name: string]: number } | null
  calculatedInputCost?: number | null
  calculatedOutputCost?: number | null
  calculatedTotalCost?: number | null
  promptName?: string | null
  promptVersion?: number | null
}

/** The id of the call that a trace becomes. */
export function rootIdOf(traceId: string): string {
  return createHash('sha256').update(`langfuse trace ${traceId}`).digest('hex').slice(0, 16)
}

/** @param end default: by its latency */
export function traceSpan(trace: Trace, ended?: string): ForeignSpan {
  const { id, timestamp, latency } = trace
  const end = () => new Date(Date.parse(timestamp) + (latency ?? 0) * 1000).toISOString()
  return {
    ...{ traceId: id, id: rootIdOf(id), parentId: undefined, name: trace.name || 'trace' },
    ...{ start: timestamp, end: ended ?? end(), status: 'UNSET' },
    attributes: {
      'langfuse.trace.input': textOf(trace.input),
      'langfuse.trace.output': textOf(trace.output),
      'langfuse.trace.metadata': textOf(trace.metadata),
      'langfuse.trace.tags': trace.tags?.length ? trace.tags : undefined,
      'langfuse.release': trace.release,
      ...shared(trace),
    },
  }
}

/** @param running one without an end has not ended */
export function observationSpan(observation: Observation, running = false): ForeignSpan {
  const { id, type, name, startTime, endTime, level, statusMessage } = observation
  const { traceId } = observation
  // Records of other exporters may lack it.
  const kind = typeof type === 'string' && type !== '' ? type.toLowerCase() : 'span'
  const parentId = observation.parentObservationId || (traceId ? rootIdOf(traceId) : undefined)
  return {
    ...{ traceId: traceId || id, id, parentId },
    ...{ name: name || kind, start: startTime, end: endTime ?? (running ? null : undefined) },
    status: level === 'ERROR' ? 'ERROR' : 'UNSET',
    ...(statusMessage && { message: statusMessage }),
    attributes: {
      'langfuse.observation.type': kind,
      'langfuse.observation.input': textOf(observation.input),
      'langfuse.observation.output': textOf(observation.output),
      'langfuse.observation.metadata': textOf(observation.metadata),
      'langfuse.observation.level': level,
      'langfuse.observation.status_message': statusMessage,
      'langfuse.observation.model.name': observation.providedModelName || observation.model,
      'langfuse.observation.model.parameters': textOf(observation.modelParameters),
      'langfuse.observation.usage_details': textOf(usageOf(observation)),
      'langfuse.observation.cost_details': textOf(costsOf(observation)),
      'langfuse.observation.completion_start_time': observation.completionStartTime,
      'langfuse.observation.prompt.name': observation.promptName,
      'langfuse.observation.prompt.version': observation.promptVersion,
      ...shared(observation),
    },
  }
}

function shared({ sessionId, userId, version, environment }: Observation | Trace): Attributes {
  return {
    'langfuse.session.id': sessionId || undefined,
    'langfuse.user.id': userId || undefined,
    'langfuse.version': version,
    'langfuse.environment': environment,
  }
}

function usageOf({ usageDetails, usage }: Observation): object | undefined {
  if (usageDetails && Object.keys(usageDetails).length > 0) return usageDetails
  return counted({
    input: usage?.input ?? usage?.promptTokens,
    output: usage?.output ?? usage?.completionTokens,
    total: usage?.total ?? usage?.totalTokens,
  })
}

function costsOf(observation: Observation): object | undefined {
  const { costDetails, usage } = observation
  if (costDetails && Object.keys(costDetails).length > 0) return costDetails
  return counted({
    input: observation.calculatedInputCost ?? usage?.inputCost,
    output: observation.calculatedOutputCost ?? usage?.outputCost,
    total: observation.calculatedTotalCost ?? usage?.totalCost,
  })
}

/** What is a number and not 0: Langfuse writes 0 where it does not know. */
function counted(all: { [name: string]: unknown }): object | undefined {
  const known = Object.entries(all).filter(([, value]) => typeof value === 'number' && value !== 0)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

/** Values as JSON text, texts as they are: also those that the newer list gives in quotes. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'string') return JSON.stringify(value)
  const inside = value.startsWith('"') ? parsedOf(value) : undefined
  return typeof inside === 'string' ? inside : value
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
