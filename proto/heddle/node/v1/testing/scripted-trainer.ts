/**
 * For tests alone: a node that speaks the real training protocol and trains nothing. A job of N lines makes N gradient
 * steps, whose metrics follow from the data; it tells the same again when it is resumed.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import type { Codec } from '../codec.js'
import * as messages from '../train-messages.js'
import { refusal } from './scripted-node.js'

type Call = ServerWritableStream<messages.TrainRequest, Partial<messages.TrainEvent>>

/** What happens at a gradient step, before it is reported. */
export type AtStep = (
  step: number,
  request: messages.TrainRequest,
  node: ScriptedTrainer,
) => Promise<void> | void

export class ScriptedTrainer {
  readonly requests: messages.TrainRequest[] = []
  /** jobs that were stopped by their id */
  readonly cancelled: string[] = []
  atStep: AtStep = () => undefined
  /** a refusal before the first event */
  refuse: Error | undefined
  private running: { jobId: string; call: Call; cancelled: boolean } | undefined
  private server = new Server()
  private port = 0

  constructor(readonly model = 'scripted') {}

  async start(port = 0): Promise<string> {
    this.server = new Server()
    this.server.addService(
      {
        Train: method('Train', messages.trainRequest, messages.trainEvent, true),
        CancelTraining: method(
          'CancelTraining',
          messages.cancelTrainingRequest,
          messages.cancelTrainingResponse,
        ),
        TrainerInfo: method('TrainerInfo', messages.trainerInfoRequest, messages.trainerInfoResponse),
      },
      {
        Train: (call: Call) => void this.train(call),
        CancelTraining: (
          call: ServerUnaryCall<{ jobId: string }, unknown>,
          answer: (error: null, value: object) => void,
        ) => {
          this.cancelled.push(call.request.jobId)
          const found = this.running?.jobId === call.request.jobId
          if (found && this.running) this.running.cancelled = true
          answer(null, { found })
        },
        TrainerInfo: (_: unknown, answer: (error: null, value: object) => void) =>
          answer(null, {
            ...{ nodeId: 'scripted', model: this.model, jobId: this.running?.jobId ?? '', devices: 1 },
            sharesWithServing: false,
          }),
      },
    )
    this.port = await new Promise<number>((resolve, reject) =>
      this.server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    )
    return this.address
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  /** Gone at once, every connection cut. */
  kill(): void {
    this.server.forceShutdown()
    this.running = undefined
  }

  /** As another process on the same port. */
  async comeBack(): Promise<void> {
    await this.start(this.port)
  }

  private async train(call: Call): Promise<void> {
    const { request } = call
    this.requests.push(request)
    if (this.refuse) return void call.emit('error', this.refuse)
    if (this.running && this.running.jobId !== request.jobId)
      return void call.emit('error', refusal('TRAINER_BUSY', status.RESOURCE_EXHAUSTED, 'busy'))
    const mine = { jobId: request.jobId, call, cancelled: false }
    this.running = mine
    const over = () => this.running !== mine || mine.cancelled || call.cancelled
    try {
      const lines = readFileSync(request.data.address, 'utf8').trim().split('\n')
      const tell = (number: number, event: Partial<messages.TrainEvent>) => {
        if (number > request.after && !over()) call.write({ number, ...event })
      }
      call.write({ number: 0, waiting: { reason: 'the model is loaded' } })
      tell(1, { started: { numSequences: lines.length } })
      for (const [i, line] of lines.entries()) {
        call.write({ number: 0, waiting: { reason: 'a gradient step is computed' } })
        await this.atStep(i + 1, request, this)
        if (over()) return
        tell(i + 2, { gradientStep: { step: i + 1, metrics: metricsOf(line, i + 1) } })
      }
      tell(lines.length + 2, { checkpoint: write(request, lines) })
      tell(lines.length + 3, { ended: {} })
    } catch (error) {
      const { code = 'INTERNAL', message } = error as Error & { code?: string }
      call.write({ number: 0, failed: { code, message, retriable: code === 'INTERNAL' } })
    } finally {
      if (this.running === mine) this.running = undefined
      if (mine.cancelled && !call.cancelled)
        call.write({ number: 0, failed: { code: 'CANCELLED', message: 'cancelled', retriable: false } })
      call.end()
    }
  }
}

function metricsOf(line: string, step: number): Record<string, number> {
  return { loss: 1 / step, reward: step / 10, num_datums: line.length }
}

/** A checkpoint whose content follows from the data and from what it starts from. */
function write(request: messages.TrainRequest, lines: readonly string[]): messages.WrittenCheckpoint {
  const address = `${request.modelAddress}/checkpoints/step${request.step}-a${request.attempt}`
  mkdirSync(address, { recursive: true })
  const weights = createHash('sha256')
    .update(`${request.seed} ${request.start?.manifestSha256 ?? ''}`)
    .digest('hex')
  writeFileSync(join(address, 'adapter_model.safetensors'), weights)
  const manifest = JSON.stringify({
    files: [{ name: 'adapter_model.safetensors', sha256: sha256(weights), bytes: weights.length }],
  })
  writeFileSync(join(address, 'manifest.json'), manifest)
  return {
    ...{ step: request.step, address, manifestSha256: sha256(manifest), bytes: weights.length },
    metrics: { reward: lines.length / 10 },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function method<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>, responseStream = false) {
  return {
    path: `/heddle.node.v1.TrainService/${name}`,
    requestStream: false,
    responseStream,
    requestSerialize: ask.encode,
    requestDeserialize: ask.decode,
    responseSerialize: answer.encode,
    responseDeserialize: answer.decode,
  }
}
