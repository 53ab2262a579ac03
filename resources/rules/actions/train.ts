/**
 * Starts a training job by the training interface, as its callers do: with a key that lives as long as the request, has
 * rights in the project alone, and whose user is of this one run, so that a job is found instead of started again.
 */
import { refText } from '../../../contract/ref.js'
import type { RuleSubject } from '../../../contract/rules.js'
import { TrainingDataSource } from '../../../contract/training-data.js'
import { createRlJob, createSftJob } from '../../../contract/training-jobs.js'
import { userIdOf } from '../../../domain/auth/api-key.js'
import { createKey } from '../../../domain/auth/create-key.js'
import { revokeKey } from '../../../domain/auth/key-table.js'
import { modelNamed } from '../../../domain/training/models.js'
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { errors } from '../../../platform/errors/catalog.js'
import { HeddleError } from '../../../platform/errors/error.js'
import { Api } from '../../../platform/http/api.js'
import { made, trainerOf } from '../match.js'
import type { Perform } from './action.js'

/** @param url of the training interface, read when it is needed */
export function train(store: Store, url: () => string | undefined): Perform<'train'> {
  return async (action, [run], { requester: { project }, projectId, before }) => {
    const user = trainerOf(run!.id)
    const started = await jobOf(store, projectId, userIdOf(user))
    if (started !== undefined) return [{ result: started }]
    const address = url()
    if (address === undefined)
      throw new HeddleError(
        'NO_TRAINING',
        503,
        'This server does not know the training interface; set HEDDLE_TRAINING_URL.',
      )
    const model = await modelNamed(store, projectId, action.model)
    if (model === undefined) throw errors.notFound(`Model ${action.model}`)
    const training_data = action.training_data ?? datasetOf(project, run!.subject)
    const grants = [{ scope: project, right: 'write' }] as const
    const { key, keyId } = await createKey(store, {
      ...{ user, label: `rule ${run!.rule}`, grants, traceProject: '' },
    })
    try {
      await before(made.training(userIdOf(user)))
      const api = new Api(address, { authorization: `Bearer ${key}` })
      const { config, experimental_config } = action
      const body = { model_id: model.id, training_data }
      const job =
        action.method === 'rl'
          ? await api.call(createRlJob, { body: { ...body, experimental_config } })
          : await api.call(createSftJob, { body: { ...body, config } })
      return [{ result: job.id }]
    } finally {
      await revokeKey(store, keyId)
    }
  }
}

function datasetOf(project: string, { name, id: digest }: RuleSubject) {
  return TrainingDataSource.parse({
    dataset: refText({ project, kind: 'object', name, digest, steps: [] }),
  })
}

/** The job that a user started; a user of a run starts one. */
async function jobOf(store: Store, projectId: string, userId: string): Promise<string | undefined> {
  const row = await store.row<{ id: string }>(sql`SELECT id FROM training_jobs FINAL
    WHERE project_id = ${bind.string(projectId)} AND created_by = ${bind.string(userId)} LIMIT 1`)
  return row?.id
}
