/** Makes a node's request from a job's row. Pure. */

import { addressOf, modelPrefix } from '../domain/training/artifact-keys.js'
import { type JobRow, klReference } from '../domain/training/jobs.js'
import type { StoredModel } from '../domain/training/models.js'
import type { TrainRequest } from '../proto/heddle/node/v1/train-messages.js'

/** The operator's settings for every job; absent: the node's defaults. */
export interface TrainSettings {
  loraRank?: number | undefined
  loraTargets?: readonly string[] | undefined
  saveEvery?: number | undefined
}

/** @param root the artifact store's @param after number of the last stored event */
export function requestOf(
  job: JobRow,
  model: Pick<StoredModel, 'id' | 'base_model' | 'entity'>,
  root: string,
  after: number,
  { loraRank, loraTargets, saveEvery }: TrainSettings,
): TrainRequest {
  const config = job.config === '' ? {} : (JSON.parse(job.config) as Record<string, unknown>)
  const reference = klReference(job)
  return {
    jobId: job.id,
    attempt: job.attempt,
    after,
    baseModel: model.base_model,
    entity: model.entity,
    modelAddress: addressOf(root, modelPrefix(model.id)),
    step: job.step,
    ...(job.start_address !== '' && {
      start: { address: job.start_address, manifestSha256: job.start_manifest },
    }),
    ...(reference && {
      reference: { address: reference.address, manifestSha256: reference.manifest_sha256 },
    }),
    data: {
      address: job.data_address,
      sha256: job.data_sha256,
      bytes: job.data_bytes,
      count: job.data_count,
    },
    ...(job.kind === 'rl'
      ? { rl: { configJson: job.config, groupsPerStep: whole(config.groups_per_step) } }
      : { [job.kind]: { configJson: job.config, epochs: whole(config.epochs) } }),
    ...((loraRank !== undefined || loraTargets !== undefined) && {
      lora: {
        ...(loraRank !== undefined && { rank: loraRank }),
        ...(loraTargets !== undefined && { targets: [...loraTargets] }),
      },
    }),
    seed: seedOf(job),
    ...(saveEvery !== undefined && { saveEvery }),
  }
}

/** The seed depends on the data and the step, not on the job's id, so that a run can be repeated. */
function seedOf({ data_sha256, step }: Pick<JobRow, 'data_sha256' | 'step'>): number {
  return Number.parseInt(data_sha256.slice(0, 12), 16) + step
}

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}
