/** A connection to one GPU node's training: its calls over gRPC. Knows nothing of which node is asked. */
import type { Client, Metadata } from '@grpc/grpc-js'
import type { Codec } from '../../proto/heddle/node/v1/codec.js'
import {
  cancelTrainingRequest,
  cancelTrainingResponse,
  type TrainEvent,
  type TrainerInfo,
  type TrainRequest,
  trainEvent,
  trainerInfoRequest,
  trainerInfoResponse,
  trainRequest,
} from '../../proto/heddle/node/v1/train-messages.js'
import { eventsOf, type NodeAccess, openNode } from './client.js'
import { NodeFailure } from './failure.js'

const SERVICE = '/heddle.node.v1.TrainService/'
const QUICK_MS = 5_000

export class TrainClient {
  private readonly client: Client
  private readonly metadata: Metadata

  /** @param address host:port */
  constructor(
    readonly address: string,
    access: NodeAccess = {},
  ) {
    const { client, metadata } = openNode(address, access)
    this.client = client
    this.metadata = metadata
  }

  /** What it trains, and whether it does at the moment. @throws NodeFailure, `NODE_TOO_OLD` where it does not train */
  info(): Promise<TrainerInfo> {
    return this.call('TrainerInfo', trainerInfoRequest, trainerInfoResponse, {})
  }

  /** Stops a job; false: it does not run there. */
  async cancel(jobId: string): Promise<boolean> {
    return (await this.call('CancelTraining', cancelTrainingRequest, cancelTrainingResponse, { jobId })).found
  }

  /** The events of a job until it is over. Throws {@link NodeFailure}; `signal`, or leaving it, stops the work. */
  async *train(request: TrainRequest, signal: AbortSignal): AsyncGenerator<TrainEvent> {
    const call = this.client.makeServerStreamRequest(
      `${SERVICE}Train`,
      trainRequest.encode,
      (bytes: Buffer) => bytes,
      request,
      this.metadata,
    )
    const stop = () => call.cancel()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      for await (const bytes of eventsOf(call)) yield trainEvent.decode(bytes)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  close(): void {
    this.client.close()
  }

  private call<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>, request: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        SERVICE + name,
        ask.encode,
        answer.decode,
        request,
        this.metadata,
        { deadline: Date.now() + QUICK_MS },
        (error, value) => (error ? reject(NodeFailure.of(error)) : resolve(value!)),
      )
    })
  }
}
