/** What a GPU node that trains can be asked. Knows nothing of which node is asked. */
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

  /** What it trains, and whether it does at the moment. @throws NodeFailure, `NODE_TOO_OLD` where it does not train */
  info(): Promise<TrainerInfo> {
    return this.node.call('TrainerInfo', trainerInfoRequest, trainerInfoResponse, {}, QUICK_MS)
  }

  /** Stops a job; false: it does not run there. */
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

  /** The events of a job until it is over. Throws {@link NodeFailure}; `signal`, or leaving it, stops the work. */
  train(request: TrainRequest, signal: AbortSignal): AsyncGenerator<TrainEvent> {
    return this.node.messages('Train', trainRequest.encode(request), trainEvent, signal)
  }

  close(): void {
    this.node.close()
  }
}
