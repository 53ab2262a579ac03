/**
 * Starts a training job by the training interface, as its callers do: with a key that lives as long as the request, has
 * rights in the project alone, and whose user is of this one run, so that a job is found instead of started again.
 */
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
import type { Auditor } from '../../../platform/http/audit.js'
import { refOf } from '../../evaluation/publish.js'
import { auditedRule } from '../audited.js'
import { made, trainerOf } from '../match.js'
import type { Perform } from './action.js'

/**
 * @param url of the training interface, read when it is needed
 * @param auditor undefined: there is no audit log
 */
export function train(
  store: Store,
  url: () => string | undefined,
  auditor: Auditor | undefined,
): Perform<'train'> {
  return async (action, [run], { requester, projectId, before }) => {
    const { project } = requester
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
    await before(made.training(userIdOf(user)))
    const { config, experimental_config, method } = action
    const body = { model_id: model.id, training_data }
    const start = (api: Api) =>
      method === 'rl'
        ? api.call(createRlJob, { body: { ...body, experimental_config } })
        : api.call(createSftJob, { body: { ...body, config } })
    const event = {
      action: 'train',
      category: 'training',
      target: { model: action.model, username: user },
    } as const
    const { id } = await auditedRule(auditor, run!, requester, event, () =>
      withKey(store, { user, project, label: `rule ${run!.rule}` }, (key) =>
        start(new Api(address, { authorization: `Bearer ${key}` })),
      ),
    )
    return [{ result: id }]
  }
}

/** Does `work` with a key of its own, which is revoked afterwards. */
async function withKey<T>(
  store: Store,
  { user, project, label }: { user: string; project: string; label: string },
  work: (key: string) => Promise<T>,
): Promise<T> {
  const grants = [{ scope: project, right: 'write' }] as const
  const { key, keyId } = await createKey(store, { user, label, grants, traceProject: '' })
  try {
    return await work(key)
  } finally {
    await revokeKey(store, keyId)
  }
}

function datasetOf(project: string, { name, id: digest }: RuleSubject) {
  return TrainingDataSource.parse({
    dataset: refOf(project, 'object', name, digest),
  })
}

/** The job that a user started; a user of a run starts one. */
async function jobOf(store: Store, projectId: string, userId: string): Promise<string | undefined> {
  const row = await store.row<{ id: string }>(sql`SELECT id FROM training_jobs FINAL
    WHERE project_id = ${bind.string(projectId)} AND created_by = ${bind.string(userId)} LIMIT 1`)
  return row?.id
}
