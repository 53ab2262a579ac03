/** The messages of `train.proto` as TypeScript sees them. */
import { codecsOf } from './codec.js'

export interface TrainRequest {
  jobId: string
  attempt: number
  after: number
  baseModel: string
  modelAddress: string
  step: number
  start?: WeightsRef | null
  data: { address: string; sha256: string; bytes: number; count: number }
  sft?: { configJson: string; epochs: number }
  dpo?: { configJson: string; epochs: number }
  kto?: { configJson: string; epochs: number }
  rl?: { configJson: string; groupsPerStep: number }
  lora?: { rank?: number; alpha?: number; dropout?: number; targets?: string[] }
  seed: number
  saveEvery?: number
  rowTokens?: number
  gradientCheckpointing?: boolean
  reference?: WeightsRef | null
  entity: string
}

/** A checkpoint's files, with the hash of their manifest. */
export interface WeightsRef {
  address: string
  manifestSha256: string
}

/** One event of a stream; `event` names the one field that is there. */
export interface TrainEvent {
  /** 0: it is not stored */
  number: number
  event?: 'started' | 'gradientStep' | 'checkpoint' | 'ended' | 'failed' | 'waiting'
  started?: { numSequences: number } | null
  gradientStep?: { step: number; metrics: Record<string, number> } | null
  checkpoint?: WrittenCheckpoint | null
  ended?: Record<string, never> | null
  failed?: TrainingFailed | null
  waiting?: { reason: string } | null
}

export interface WrittenCheckpoint {
  step: number
  address: string
  manifestSha256: string
  bytes: number
  metrics: Record<string, number>
}

export interface TrainingFailed {
  code: string
  message: string
  retriable: boolean
}

export interface TrainerInfo {
  nodeId: string
  model: string
  jobId: string
  devices: number
  sharesWithServing: boolean
  /** 0, of an older node: one */
  maxJobs: number
  jobIds: string[]
}

const codec = codecsOf('train.proto')
export const trainRequest = codec<TrainRequest>('TrainRequest')
export const trainEvent = codec<TrainEvent>('TrainEvent')
export const cancelTrainingRequest = codec<{ jobId: string }>('CancelTrainingRequest')
export const cancelTrainingResponse = codec<{ found: boolean }>('CancelTrainingResponse')
export const trainerInfoRequest = codec<Record<string, never>>('TrainerInfoRequest')
export const trainerInfoResponse = codec<TrainerInfo>('TrainerInfoResponse')
