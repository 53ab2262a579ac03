/** The errors that only batches and their files have, as callers see them. */
import { HeddleError } from '../../platform/errors/error.js'

const shown = (id: string) => JSON.stringify(id.slice(0, 200))

const refusal = (code: string, status: number, reason: string, param: string) =>
  new HeddleError(code, status, reason, { body: { param } })

const later = (code: string, reason: string) =>
  new HeddleError(code, 429, reason, { headers: { 'retry-after': '30' } })

export const batchProblems = {
  noFile: (id: string) =>
    refusal('UNKNOWN_FILE', 404, `File ${shown(id)} not found; GET /v1/files lists the files.`, 'file_id'),
  noBatch: (id: string) =>
    refusal(
      'UNKNOWN_BATCH',
      404,
      `Batch ${shown(id)} not found; GET /v1/batches lists the batches.`,
      'batch_id',
    ),
  notInput: (id: string) =>
    refusal(
      'NOT_AN_INPUT',
      400,
      `File ${shown(id)} is a result of a batch; upload an input file.`,
      'input_file_id',
    ),
  inUse: (id: string) =>
    refusal(
      'FILE_IN_USE',
      409,
      `File ${shown(id)} is read by a batch that has not ended; cancel the batch, or wait for it.`,
      'file_id',
    ),
  filesFull: (limit: number) =>
    later(
      'FILES_LIMIT',
      `The files of this key would exceed ${Math.floor(limit / 2 ** 20)} MiB; delete some, or let them expire.`,
    ),
  tooManyBatches: (limit: number) =>
    later(
      'TOO_MANY_BATCHES',
      `This key has ${limit} batches that have not ended, the maximum; send the request again when one has.`,
    ),
}

/** Why a whole batch failed. */
export interface BatchError {
  code: string
  message: string
}

export const batchErrors = {
  noInput: { code: 'input_file_missing', message: 'The input file was deleted or has expired.' },
  empty: { code: 'empty_file', message: 'The input file has no lines.' },
  tooManyLines: (most: number) => ({
    code: 'too_many_requests',
    message: `The input file has more than ${most} lines; split it.`,
  }),
  noKey: { code: 'key_revoked', message: 'The key that created the batch was revoked.' },
} as const
