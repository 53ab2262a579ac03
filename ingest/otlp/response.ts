/** The answer to an export, in protobuf and in JSON: empty when everything was taken. */
import protobuf from 'protobufjs/minimal.js'
import { PARTIAL_SUCCESS, RESPONSE } from '../../proto/otlp/tags.js'
import { SIGNALS, type Signal } from './signal.js'

/** Longest message that an answer carries, in characters. */
const MAX_MESSAGE = 8192

/**
 * An ExportTraceServiceResponse or ExportLogsServiceResponse: how many were rejected, and why (`messages`, joined by `; `).
 * Nothing rejected and nothing to say: full success, which in protobuf is an empty body.
 */
export function exportResponse(
  format: 'protobuf' | 'json',
  rejected: number,
  messages: readonly string[],
  signal: Signal = 'traces',
): Uint8Array {
  const message = messages.join('; ').slice(0, MAX_MESSAGE)
  const isFull = rejected === 0 && message === ''
  if (format === 'json') {
    // 64-bit integers are strings in protobuf's JSON.
    const partialSuccess = { [SIGNALS[signal].rejected]: String(rejected), errorMessage: message }
    return Buffer.from(isFull ? '{}' : JSON.stringify({ partialSuccess }))
  }
  const writer = protobuf.Writer.create()
  if (isFull) return writer.finish()
  writer.uint32(RESPONSE.partialSuccess).fork()
  if (rejected > 0) writer.uint32(PARTIAL_SUCCESS.rejectedSpans).int64(rejected)
  if (message !== '') writer.uint32(PARTIAL_SUCCESS.errorMessage).string(message)
  return writer.ldelim().finish()
}
