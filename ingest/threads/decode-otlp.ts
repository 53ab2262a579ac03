/** The requests of a batch that are OTLP exports. Knows the OTLP decoder and the thread's messages. */

import { workerData } from 'piscina'
import { type Arrival, AS_SENT } from '../../domain/calls/arrival.js'
import { CallBlock } from '../../domain/calls/block.js'
import type { RunnableFeedback } from '../../domain/feedback/runnable.js'
import type { Counts } from '../../domain/masking/counts.js'
import type { RulesByScope } from '../../domain/masking/rules-by-scope.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { encodingNamed } from '../../platform/http/inflation.js'
import { Principal } from '../../platform/http/principal.js'
import { ownOf } from '../../platform/json/object.js'
import { ROW } from '../calls/row-keys.js'
import { type AddedRows, type ExportRequest, type ExportResult, OtlpDecoder } from '../otlp/decode.js'
import type { SpanOp } from '../otlp/projects.js'
import { exportResponse } from '../otlp/response.js'
import { walkerFor } from '../otlp/walker/walker.js'
import { refusal } from './refusal.js'
import type { RowMetadata } from './rows.js'
import type { Outcome, RawWrite } from './task.js'

/** What this thread does with calls before they are stored. */
const arrival: Arrival = (workerData as Arrival | undefined) ?? AS_SENT

const MIB = 1 << 20
/** One body may inflate to this: the thread holds it, its rows and their block at once. */
const MAX_INFLATED = 64 * MIB
/** A block that is larger takes no further request. */
const MAX_BLOCK = 48 * MIB

const TYPES: Record<string, 'protobuf' | 'json'> = {
  'application/x-protobuf': 'protobuf',
  'application/protobuf': 'protobuf',
  'application/octet-stream': 'protobuf',
  '': 'protobuf',
  'application/json': 'json',
}

/** The blocks of this thread; cleared before each batch. */
export const calls = new CallBlock('calls')
export const open = new CallBlock('calls_open')
const decoder = new OtlpDecoder(calls, open, arrival, walkerFor(calls))

/**
 * Appends the rows of the OTLP ones of `requests`, and fills in the outcomes of those that found room.
 * @param rules by which their texts are masked @param counts what is masked is added here
 */
export function decodeOtlp(
  requests: readonly RawWrite[],
  outcomes: (Outcome | undefined)[],
  rules: RulesByScope | undefined,
  counts: Counts,
): {
  calls: RowMetadata[]
  open: RowMetadata[]
  ops: readonly SpanOp[]
  feedback: readonly RunnableFeedback[]
  unwalked: number
} {
  const which: number[] = []
  const readable = requests.flatMap((request, index) => {
    if (request.route !== 'otlp' && request.route !== 'otlp_logs') return []
    const read = exportOf(request)
    if ('status' in read) {
      outcomes[index] = read
      return []
    }
    which.push(index)
    return [read]
  })
  if (readable.length === 0) return { calls: [], open: [], ops: [], feedback: [], unwalked: 0 }
  const before = decoder.unwalked
  const batch = decoder.decodeBatch(readable, {
    ...{ ver: 0, maxInflated: MAX_INFLATED, maxBlock: MAX_BLOCK },
    ...(rules && { masking: { rules, counts } }),
  })
  batch.results.forEach((result, i) => {
    outcomes[which[i]!] = outcomeOf(result, readable[i]!)
  })
  const metadataOf = ({ rows, hashes, born, requests }: AddedRows, kind: number): RowMetadata => ({
    ...{ kinds: new Uint8Array(rows).fill(kind), hashes, born },
    requests: requests.map((request) => which[request]!),
  })
  return {
    calls: [metadataOf(batch, ROW.span)],
    open: [metadataOf(batch.waiting, ROW.log)],
    ops: batch.ops,
    feedback: batch.feedback,
    unwalked: decoder.unwalked - before,
  }
}

function exportOf({
  route,
  body,
  contentType,
  contentEncoding,
  project,
  userId,
  grants,
}: RawWrite): ExportRequest | Outcome {
  const format = ownOf(TYPES, contentType.split(';')[0]!.trim().toLowerCase())
  if (format === undefined) return refusal(errors.badMediaType(contentType))
  const isZstd = contentEncoding.trim().toLowerCase() === 'zstd'
  const encoding = isZstd ? 'zstd' : encodingNamed(contentEncoding)
  if (encoding === undefined) return refusal(errors.badMediaType(contentEncoding))
  const principal = new Principal(userId, '', grants)
  const signal = route === 'otlp_logs' ? 'logs' : 'traces'
  return { body, encoding, format, signal, project, userId, allowed: (name) => principal.may('write', name) }
}

function outcomeOf(result: ExportResult, { format, signal }: ExportRequest): Outcome {
  const { rows, logs, rejected, messages, sampledOut, projects } = result
  if (result.refusal) return { ...refusal(errorOf(result.refusal)), rejected }
  return {
    status: 200,
    contentType: format === 'json' ? 'application/json' : 'application/x-protobuf',
    body: exportResponse(format, rejected, messages, signal),
    headers: {},
    accepted: rows + logs.taken,
    ignored: logs.ignored,
    rejected,
    sampledOut,
    projects,
  }
}

function errorOf({ status, reason }: NonNullable<ExportResult['refusal']>): HeddleError {
  if (status === 413) return errors.tooLarge()
  if (status === 403) return new HeddleError('NO_RIGHT', 403, reason)
  return errors.badRequest(reason)
}
