/** The errors that only training has, as callers see them. */
import { HeddleError, ValidationError } from '../../platform/errors/error.js'

/** @param param the field that is wrong */
const refusal = (code: string, status: number, reason: string, param: string) =>
  new HeddleError(code, status, reason, { body: { param } })

const later = (code: string, reason: string) =>
  new HeddleError(code, 429, reason, { headers: { 'retry-after': '30' } })

export const trainingProblems = {
  noModel: (id: string) =>
    refusal(
      'UNKNOWN_MODEL',
      404,
      `Model ${JSON.stringify(id.slice(0, 200))} not found; POST /v1/preview/models registers one.`,
      'model_id',
    ),
  noJob: (id: string) =>
    refusal(
      'UNKNOWN_JOB',
      404,
      `Training job ${JSON.stringify(id.slice(0, 200))} not found; GET /v1/preview/training-jobs lists them.`,
      'training_job_id',
    ),
  noCheckpoint: (step: string) =>
    new HeddleError(
      'UNKNOWN_CHECKPOINT',
      404,
      `The model has no checkpoint of step ${step}; list them first.`,
    ),
  badCursor: (id: string) =>
    refusal(
      'BAD_CURSOR',
      400,
      `Unknown cursor in "after": ${JSON.stringify(id.slice(0, 200))}; send the last_id of the previous page.`,
      'after',
    ),
  nameTaken: (name: string) =>
    refusal(
      'NAME_TAKEN',
      409,
      `The model ${name} exists already; send return_existing to get it, or choose another name.`,
      'name',
    ),
  otherBase: (name: string, base: string) =>
    refusal(
      'OTHER_BASE',
      409,
      `The base model of ${name} is ${base}; choose another name for another base model.`,
      'base_model',
    ),
  /** Data that can't be trained on, or can't be read. */
  badData: (reason: string, param = 'training_data_url') =>
    new HeddleError('BAD_TRAINING_DATA', 400, reason, { body: { param } }),
  tooManyJobs: (entity: string, limit: number) =>
    later(
      'TOO_MANY_JOBS',
      `${entity} has ${limit} training jobs waiting or running, the maximum; send the request again when one has finished.`,
    ),
  dataLimit: (owner: string, limit: number) =>
    later(
      'DATA_LIMIT',
      `${owner} has reached its limit of ${Math.floor(limit / 2 ** 20)} MiB of training data in open jobs; send the request again when a job has finished, or send less.`,
    ),
  noArtifacts: () =>
    new HeddleError(
      'NO_ARTIFACTS',
      503,
      'No artifact store is configured; set HEDDLE_ARTIFACTS to one that nodes can reach.',
    ),
}

/** An invalid field of the body: 422. */
export function invalid(path: readonly (string | number)[], msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', ...path.map(String)], msg, type: 'value_error' }])
}
