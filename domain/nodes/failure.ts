/** Why a node failed a request, from gRPC's status and the node's own code. */
import { type ServiceError, status } from '@grpc/grpc-js'

/**
 * Statuses that another node, or the same node later, may answer differently. All others are final: a retry would give
 * the same. Unknown codes are classified by their status, too.
 */
const TRANSIENT = new Set<number>([status.RESOURCE_EXHAUSTED, status.UNAVAILABLE, status.INTERNAL])

/** Codes of a node that is itself unhealthy. */
const UNHEALTHY = new Set(['NODE_LOST', 'UNHEALTHY', 'ENGINE_DIED', 'DRAINING'])

export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'

  constructor(
    /** stable; `NODE_LOST` if the connection broke without an answer */
    readonly code: string,
    /** a number of google.rpc.Code */
    readonly status: number,
    message: string,
    /** the HTTP interface's field at fault */
    readonly field?: string,
  ) {
    super(message)
  }

  /** True if another node may succeed. */
  get elsewhere(): boolean {
    return TRANSIENT.has(this.status)
  }

  /** True if the node itself is unhealthy and should be left alone for a while. */
  get unhealthy(): boolean {
    return UNHEALTHY.has(this.code)
  }

  /** True if the engine ended while it worked on the request, which may be what ended it. */
  get isSuspect(): boolean {
    return this.code === 'ENGINE_DIED'
  }

  /** A training job took the device before the answer began. */
  static paused(): NodeFailure {
    return new NodeFailure('NODE_PAUSED', status.UNAVAILABLE, 'The model node is paused while it trains.')
  }

  /** The connection broke and the node sent no reason. */
  static lost(): NodeFailure {
    return new NodeFailure('NODE_LOST', status.UNAVAILABLE, 'The model node ended the answer in the middle.')
  }

  /** Converts an error of gRPC. */
  static of(error: ServiceError): NodeFailure {
    const header = (name: string) => error.metadata?.get(name)[0]?.toString()
    const code = header('heddle-code') ?? fallback(error.code)
    const grpc = code === 'NODE_LOST' ? status.UNAVAILABLE : error.code
    return new NodeFailure(code, grpc, error.details || error.message, header('heddle-field'))
  }
}

/** The code for failures without one from the node. Calls cancelled by us never get here. */
function fallback(code: number | undefined): string {
  if (code === status.DEADLINE_EXCEEDED) return 'TOO_LATE'
  if (code === status.UNIMPLEMENTED) return 'NODE_TOO_OLD'
  const broken = code === undefined || code === status.UNAVAILABLE || code === status.UNKNOWN
  if (broken || code === status.CANCELLED) return 'NODE_LOST'
  return status[code] ?? 'INTERNAL'
}
