/** Calls as Langfuse's SDKs read traces and observations. Pure. */
import type {
  LangfuseObservation,
  LangfuseObservationMore,
  LangfuseTrace,
} from '../../../contract/langfuse-reads.js'
import { rootIdOf } from '../../../domain/imports/langfuse.js'
import { isObject } from '../../../platform/json/object.js'
import { INPUT_COSTS, OUTPUT_COST } from '../query/costs.js'

/** A line of a call, as far as it is needed. */
export interface CallLine {
  id: string
  trace_id: string
  parent_id: string | null
  thread_id: string | null
  started_at: string
  ended_at: string | null
  exception: string | null
  attributes: Record<string, unknown>
  inputs: unknown
  output: unknown
  summary: Record<string, unknown>
}

type TraceHead = Omit<LangfuseTrace, 'observations' | 'scores' | 'totalCost'>

/** The group of fields that are read from an observation's trace. */
export const TRACE_CONTEXT = 'trace_context'

/** The fields of each group that a list by cursor may be asked for. */
const GROUPS: Record<string, readonly (keyof (LangfuseObservation & LangfuseObservationMore))[]> = {
  core: [
    'id',
    'traceId',
    'startTime',
    'endTime',
    'projectId',
    'parentObservationId',
    'type',
    'isRootObservation',
  ],
  basic: ['name', 'level', 'statusMessage', 'version', 'environment', 'userId', 'sessionId'],
  time: ['completionStartTime', 'createdAt', 'updatedAt'],
  io: ['input', 'output'],
  metadata: ['metadata'],
  model: ['model', 'modelParameters'],
  usage: ['usageDetails', 'costDetails', 'totalCost'],
  prompt: ['promptName', 'promptVersion'],
  metrics: ['latency', 'timeToFirstToken'],
  [TRACE_CONTEXT]: ['tags', 'release', 'traceName'],
}

/**
 * A call as an observation with the fields of the groups that are asked for; those of `core` always.
 * @param root of its trace, where {@link TRACE_CONTEXT} is asked for and the root is stored
 */
export function grouped(
  project: string,
  call: CallLine,
  groups: readonly string[],
  root: CallLine | undefined,
) {
  const observation = {
    ...observationOf(project, call),
    ...{ createdAt: call.started_at, updatedAt: call.ended_at ?? call.started_at },
    ...(groups.includes(TRACE_CONTEXT) && contextOf(project, call, root)),
  }
  const names = [
    ...GROUPS.core!,
    ...groups.flatMap((group) => (Object.hasOwn(GROUPS, group) ? GROUPS[group]! : [])),
  ]
  return Object.fromEntries(names.map((name) => [name, observation[name as keyof typeof observation]]))
}

/** What a call says itself of its trace precedes what the root says. */
function contextOf(project: string, call: CallLine, root: CallLine | undefined) {
  const own = root && root.id !== call.id ? [call] : []
  const { tags, release, name: traceName } = traceOf(project, root ?? call, own)
  return { tags, release, traceName }
}

/** A call as an observation. */
export function observationOf(project: string, call: CallLine): LangfuseObservation {
  const said = langfuseOf(call)
  const own = objectAt(said, 'observation')
  const prompt = objectAt(own, 'prompt')
  // A trace of the older SDKs is a call, and no observation.
  const parent = call.parent_id === rootIdOf(call.trace_id) ? null : call.parent_id
  const usageDetails = usageOf(call, own)
  const costDetails = costsOf(call, own.cost_details)
  const completionStartTime = timeIn(own.completion_start_time)
  const first = completionStartTime === null ? undefined : Date.parse(completionStartTime)
  const { input = 0, output = 0 } = usageDetails
  return {
    ...{ id: call.id, traceId: call.trace_id, projectId: project },
    ...{ parentObservationId: parent, isRootObservation: parent === null },
    type: (textIn(call.attributes.kind) ?? 'span').toUpperCase(),
    name: textIn(objectAt(call.summary, 'weave').trace_name),
    ...{ startTime: call.started_at, endTime: call.ended_at, completionStartTime },
    level: levelOf(call, own),
    statusMessage: textIn(own.status_message) ?? call.exception,
    ...shared(call, said),
    model: textIn(call.attributes.model),
    modelParameters: call.attributes.model_parameters ?? {},
    input: valueUnder(call.inputs, 'langfuse.observation.input'),
    output: valueUnder(call.output, 'langfuse.observation.output'),
    metadata: metadataIn(own.metadata, encodesMetadata(call)),
    ...{ usageDetails, costDetails, totalCost: costDetails.total ?? 0 },
    usage: { input, output, total: usageDetails.total ?? input + output, unit: 'TOKENS' },
    latency: latencyOf(call),
    timeToFirstToken: first === undefined ? null : (first - Date.parse(call.started_at)) / 1000,
    promptName: textIn(prompt.name),
    promptVersion: Number.isInteger(Number(prompt.version ?? undefined)) ? Number(prompt.version) : null,
  }
}

/**
 * A root call as a trace. Of what several calls say of it the latest counts; tags and metadata of all are put together.
 * @param others calls of the trace, the oldest first; those of lists are not read
 */
export function traceOf(project: string, root: CallLine, others: readonly CallLine[] = []): TraceHead {
  const all = [root, ...others]
  const said = all.map(langfuseOf)
  const ofTrace = said.map((one) => objectAt(one, 'trace'))
  const { input, output, metadata, name } = observationOf(project, root)
  const last = <Value>(values: readonly (Value | null | undefined)[]): Value | null =>
    values.findLast((value) => value !== null && value !== undefined) ?? null
  const first = (key: string) => said.map((one) => textIn(one[key])).find((text) => text !== null) ?? null
  // Spans of other libraries have what this SDK's told them to say.
  const isEncoded = all.some(encodesMetadata)
  const metadatas = all.map((call, i) =>
    metadataIn(ofTrace[i]!.metadata, encodesMetadata(call) || (isEncoded && isOfPython(call))),
  )
  return {
    ...{
      id: root.trace_id,
      projectId: project,
      name: last(ofTrace.map((one) => textIn(one.name))) ?? name,
      timestamp: root.started_at,
    },
    input: last(ofTrace.map((one) => one.input)) ?? valueUnder(root.inputs, 'langfuse.trace.input', input),
    output:
      last(ofTrace.map((one) => one.output)) ?? valueUnder(root.output, 'langfuse.trace.output', output),
    metadata: Object.fromEntries([metadata, ...metadatas].flatMap((one) => Object.entries(one))),
    sessionId: last(all.map((call) => call.thread_id)),
    userId: last(all.map((call) => textIn(call.attributes.user_id))),
    ...{
      release: first('release'),
      version: first('version'),
      environment: first('environment') ?? 'default',
    },
    tags: [...new Set(ofTrace.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : [])))],
    public: false,
    htmlPath: `/${project}/r/call/${encodeURIComponent(root.id)}`,
    latency: latencyOf(root),
  }
}

function shared(call: CallLine, said: Record<string, unknown>) {
  return {
    environment: environmentOf(call),
    version: textIn(said.version),
    userId: textIn(call.attributes.user_id),
    sessionId: call.thread_id,
  }
}

export const environmentOf = (call: CallLine) => textIn(langfuseOf(call).environment) ?? 'default'

/** What Langfuse's attributes say. */
function langfuseOf({ attributes }: CallLine): Record<string, unknown> {
  return objectAt(objectAt(objectAt(attributes, 'otel_span'), 'attributes'), 'langfuse')
}

function objectAt(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const inside = value[key]
  return isObject(inside) ? (inside as Record<string, unknown>) : {}
}

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** @param isEncoded its texts are JSON */
function metadataIn(value: unknown, isEncoded: boolean): Record<string, unknown> {
  if (!isObject(value)) return {}
  const entries = Object.entries(value)
  return Object.fromEntries(isEncoded ? entries.map(([key, one]) => [key, decoded(one)]) : entries)
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Langfuse's SDK for Python since version 5 writes each value of metadata as JSON, texts too. */
function encodesMetadata(call: CallLine): boolean {
  const { name, version } = objectAt(objectAt(call.attributes, 'otel_span'), 'scope')
  return name === 'langfuse-sdk' && Number.parseInt(String(version), 10) >= 5 && isOfPython(call)
}

function isOfPython({ attributes }: CallLine): boolean {
  const resource = objectAt(objectAt(objectAt(attributes, 'otel_span'), 'resource'), 'attributes')
  return objectAt(objectAt(resource, 'telemetry'), 'sdk').language === 'python'
}

/** Some SDKs send times in quotes. */
function timeIn(value: unknown): string | null {
  const time = new Date(String(value ?? '').replaceAll('"', ''))
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** What lies under `key` alone, else the whole value; `otherwise` for nothing of its own. */
function valueUnder(value: unknown, key: string, otherwise: unknown = value): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : otherwise
}

function levelOf({ exception }: CallLine, { level }: Record<string, unknown>): LangfuseObservation['level'] {
  if (level === 'DEBUG' || level === 'WARNING' || level === 'ERROR') return level
  return exception === null ? 'DEFAULT' : 'ERROR'
}

function latencyOf({ started_at, ended_at }: CallLine): number | null {
  return ended_at === null ? null : (Date.parse(ended_at) - Date.parse(started_at)) / 1000
}

function numbersIn(value: unknown): Record<string, number> {
  const entries = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}

/** As it was sent; else the sums of all models. */
function usageOf({ summary }: CallLine, own: Record<string, unknown>): Record<string, number> {
  const sent = numbersIn(own.usage_details)
  if (Object.keys(sent).length > 0) return sent
  const sums = { input: 0, output: 0 }
  for (const usage of Object.values(objectAt(summary, 'usage'))) {
    const { input_tokens = 0, prompt_tokens = 0, output_tokens = 0, completion_tokens = 0 } = numbersIn(usage)
    sums.input += input_tokens || prompt_tokens
    sums.output += output_tokens || completion_tokens
  }
  const total = sums.input + sums.output
  return total === 0 ? {} : { ...sums, total }
}

/** As they were sent; else by our prices. */
function costsOf({ summary }: CallLine, costDetails: unknown): Record<string, number> {
  const sent = numbersIn(costDetails)
  const found = Object.keys(sent).length > 0 ? sent : pricedIn(objectAt(objectAt(summary, 'weave'), 'costs'))
  const { total, ...parts } = found
  const sum = Object.values(parts).reduce((one, other) => one + other, 0)
  return Object.keys(found).length === 0 ? {} : { ...parts, total: total ?? sum }
}

/** What a call cost. @param sent the costs that its sender gave, if any */
export const totalCostOf = (call: CallLine, sent: unknown): number => costsOf(call, sent).total ?? 0

function pricedIn(costs: Record<string, unknown>): Record<string, number> {
  const sums = { input: 0, output: 0 }
  for (const cost of Object.values(costs)) {
    const parts = numbersIn(cost)
    for (const name of INPUT_COSTS) sums.input += parts[name] ?? 0
    sums.output += parts[OUTPUT_COST] ?? 0
  }
  return sums.input + sums.output === 0 ? {} : sums
}
