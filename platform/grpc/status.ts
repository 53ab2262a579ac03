/** Converts errors to gRPC: a status, a message, and when to retry. */
import type { OutgoingHttpHeaders } from 'node:http2'
import protobuf from 'protobufjs/minimal.js'

/** The gRPC codes used here. */
export const CODE = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const

/** Exporters retry UNAVAILABLE, and RESOURCE_EXHAUSTED with a retry delay. */
const CODES: Readonly<Record<number, number>> = {
  401: CODE.UNAUTHENTICATED,
  403: CODE.PERMISSION_DENIED,
  404: CODE.NOT_FOUND,
  408: CODE.DEADLINE_EXCEEDED,
  413: CODE.RESOURCE_EXHAUSTED,
  415: CODE.UNIMPLEMENTED,
  429: CODE.RESOURCE_EXHAUSTED,
  502: CODE.UNAVAILABLE,
  503: CODE.UNAVAILABLE,
  504: CODE.UNAVAILABLE,
}

/** Fields of google.rpc.Status, of its details, and of RetryInfo, as tags on the wire. */
const STATUS = { code: 8, message: 18, details: 26 } as const
const ANY = { type: 10, value: 18 } as const
const RETRY = { delay: 10, seconds: 8 } as const
const RETRY_TYPE = 'type.googleapis.com/google.rpc.RetryInfo'

/** Longest message sent: headers have little room. */
const MAX_MESSAGE = 2000

/** The gRPC code for an HTTP status. */
export function codeOf(status: number): number {
  if (status < 300) return CODE.OK
  return CODES[status] ?? (status < 500 ? CODE.INVALID_ARGUMENT : CODE.INTERNAL)
}

/** The trailers for a code. @param retryAfter seconds, as in the HTTP header */
export function trailersOf(code: number, message = '', retryAfter?: string): OutgoingHttpHeaders {
  if (code === CODE.OK) return { 'grpc-status': '0' }
  // The cut may split a surrogate pair, which encodeURI rejects.
  const short = Buffer.from(message.slice(0, MAX_MESSAGE)).toString()
  const seconds = Number(retryAfter)
  return {
    'grpc-status': String(code),
    'grpc-message': encodeURI(short),
    ...(seconds > 0 && { 'grpc-status-details-bin': retryDetails(code, short, seconds) }),
  }
}

function retryDetails(code: number, message: string, seconds: number): string {
  const writer = protobuf.Writer.create()
  writer.uint32(STATUS.code).int32(code).uint32(STATUS.message).string(message)
  writer.uint32(STATUS.details).fork().uint32(ANY.type).string(RETRY_TYPE)
  writer.uint32(ANY.value).fork().uint32(RETRY.delay).fork().uint32(RETRY.seconds).int64(seconds)
  const bytes = writer.ldelim().ldelim().ldelim().finish()
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}
