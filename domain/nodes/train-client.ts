/** A client for a GPU node that trains models. Does not choose nodes. */
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
import { type NodeAccess, NodeConnection } from './connection.js'

const SERVICE = 'heddle.node.v1.TrainService'
const QUICK_MS = 5_000

export class TrainClient {
  private readonly node: NodeConnection

  /** @param address host:port */
  constructor(
    readonly address: string,
    access: NodeAccess = {},
  ) {
    this.node = new NodeConnection(address, access, SERVICE)
  }

  /** The trainer's models and state. @throws NodeFailure, `NODE_TOO_OLD` if the node can't train */
  info(): Promise<TrainerInfo> {
    return this.node.call('TrainerInfo', trainerInfoRequest, trainerInfoResponse, {}, QUICK_MS)
  }

  /** Stops a job; false if it is not running there. */
  async cancel(jobId: string): Promise<boolean> {
    return (
      await this.node.call(
        'CancelTraining',
        cancelTrainingRequest,
        cancelTrainingResponse,
        { jobId },
        QUICK_MS,
      )
    ).found
  }

  /** The events of a job. Throws {@link NodeFailure}; `signal`, or ending the iteration early, stops the job. */
  train(request: TrainRequest, signal: AbortSignal): AsyncGenerator<TrainEvent> {
    return this.node.messages('Train', trainRequest.encode(request), trainEvent, signal)
  }

  close(): void {
    this.node.close()
  }
}
