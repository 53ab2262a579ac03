/** Why a node did not do what was asked, as gRPC says it and as the node does. Knows nothing of HTTP. */
import { type ServiceError, status } from '@grpc/grpc-js'

/**
 * What another node, or the same one later, may well answer differently. Every other status is about the request and
 * final: asked again, it would be the same. Codes that are new here are judged by their status, too.
 */
const TRANSIENT = new Set<number>([status.RESOURCE_EXHAUSTED, status.UNAVAILABLE, status.INTERNAL])

export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'

  constructor(
    /** stable; `NODE_LOST` when the connection broke and the node said nothing */
    readonly code: string,
    /** a number of google.rpc.Code */
    readonly status: number,
    message: string,
    /** the field of the HTTP interface that is at fault */
    readonly field?: string,
  ) {
    super(message)
  }

  /** Another node may do it. */
  get elsewhere(): boolean {
    return TRANSIENT.has(this.status)
  }

  /** The node itself is not well, so that it should be left alone for a while. */
  get sick(): boolean {
    return this.code === 'NODE_LOST' || this.code === 'UNHEALTHY' || this.code === 'DRAINING'
  }

  /** A training job took the device before the answer began. */
  static paused(): NodeFailure {
    return new NodeFailure('NODE_PAUSED', status.UNAVAILABLE, 'The model node is paused while it trains.')
  }

  /** The connection went, and the node said nothing. */
  static lost(): NodeFailure {
    return new NodeFailure('NODE_LOST', status.UNAVAILABLE, 'The model node ended the answer in the middle.')
  }

  /** From what gRPC throws. */
  static of(error: ServiceError): NodeFailure {
    const said = (name: string) => error.metadata?.get(name)[0]?.toString()
    const code = said('heddle-code') ?? fallback(error.code)
    const grpc = code === 'NODE_LOST' ? status.UNAVAILABLE : error.code
    return new NodeFailure(code, grpc, error.details || error.message, said('heddle-field'))
  }
}

/** For what the node did not say itself. A call that is cancelled by us is not looked at any more. */
function fallback(code: number | undefined): string {
  if (code === status.DEADLINE_EXCEEDED) return 'TOO_LATE'
  if (code === status.UNIMPLEMENTED) return 'NODE_TOO_OLD'
  const broken = code === undefined || code === status.UNAVAILABLE || code === status.UNKNOWN
  if (broken || code === status.CANCELLED) return 'NODE_LOST'
  return status[code] ?? 'INTERNAL'
}
