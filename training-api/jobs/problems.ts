/** The errors that only training has: what users read. */
import { HeddleError, ValidationError } from '../../platform/errors/error.js'

export const trainingProblems = {
  noModel: (id: string) =>
    new HeddleError(
      'UNKNOWN_MODEL',
      404,
      `There is no model ${JSON.stringify(id.slice(0, 200))} that this key may see; POST /v1/preview/models registers one.`,
      { body: { param: 'model_id' } },
    ),
  noJob: (id: string) =>
    new HeddleError(
      'UNKNOWN_JOB',
      404,
      `There is no training job ${JSON.stringify(id.slice(0, 200))} that this key may see; GET /v1/preview/training-jobs lists them.`,
      { body: { param: 'training_job_id' } },
    ),
  noCheckpoint: (step: string) =>
    new HeddleError(
      'UNKNOWN_CHECKPOINT',
      404,
      `The model has no checkpoint of step ${step}; list them first.`,
    ),
  badCursor: (id: string) =>
    new HeddleError(
      'BAD_CURSOR',
      400,
      `after names nothing of this list: ${JSON.stringify(id.slice(0, 200))}; send the last_id of the page before.`,
      { body: { param: 'after' } },
    ),
  nameTaken: (name: string) =>
    new HeddleError(
      'NAME_TAKEN',
      409,
      `There is a model ${name} already; send return_existing to get it, or choose another name.`,
      { body: { param: 'name' } },
    ),
  otherBase: (name: string, base: string) =>
    new HeddleError(
      'OTHER_BASE',
      409,
      `The model ${name} is trained from ${base}; register another name for another base model.`,
      { body: { param: 'base_model' } },
    ),
  /** Data that can't be trained on, or can't be had. */
  badData: (reason: string, param = 'training_data_url') =>
    new HeddleError('BAD_TRAINING_DATA', 400, reason, { body: { param } }),
  tooManyJobs: (entity: string, limit: number) =>
    new HeddleError(
      'TOO_MANY_JOBS',
      429,
      `${entity} has ${limit} training jobs that wait or run, which is as many as it may; send yours when one has ended.`,
      { headers: { 'retry-after': '30' } },
    ),
  dataLimit: (owner: string, limit: number) =>
    new HeddleError(
      'DATA_LIMIT',
      429,
      `${owner} has as much training data in jobs that wait or run, and on its way, as it may (${Math.floor(limit / 2 ** 20)} MiB); send yours when a job has ended, or less at once.`,
      { headers: { 'retry-after': '30' } },
    ),
  noArtifacts: () =>
    new HeddleError(
      'NO_ARTIFACTS',
      503,
      'This service has no place for training data; set HEDDLE_ARTIFACTS to one that nodes reach as well.',
    ),
}

/** A field of the body that is not as it should be: 422. */
export function invalid(path: readonly (string | number)[], msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', ...path.map(String)], msg, type: 'value_error' }])
}
