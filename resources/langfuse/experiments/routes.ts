import * as declared from '../../../contract/langfuse-runs.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { presentedUser } from '../../../domain/auth/api-key.js'
import { deleteCalls } from '../../../domain/calls/delete.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import { isProjectName, projectIdOf } from '../../../platform/ids/project.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { Journal } from '../../evaluation/journal.js'
import { Publisher } from '../../evaluation/publish.js'
import type { Parts } from '../../parts.js'
import type { LangfuseDatasets } from '../datasets/routes.js'
import { authorOf, serveLangfuse } from '../serve.js'
import { Activity } from './activity.js'
import { WantedCalls } from './calls.js'
import { type Run, runIdOf, trialIdOf } from './item.js'
import { Linker } from './linker.js'
import { Recorder } from './recorder.js'
import { type StoredItem, type StoredRun, StoredRuns } from './runs.js'

export interface LangfuseExperiments {
  routes: Bound[]
  /** The same routes; each request tells that spans of an experiment may follow. */
  followed(routes: readonly Bound[]): Bound[]
  stop(): Promise<void>
}

export function langfuseExperiments(parts: Parts, known: LangfuseDatasets): LangfuseExperiments {
  const { store, workers } = parts
  const publisher = new Publisher(parts)
  const runs = new StoredRuns(store)
  const calls = new WantedCalls(store, new Journal(store, workers), publisher)
  const recorder = new Recorder(parts, publisher, calls, runs, known.datasets, known.store)
  const linker = new Linker(known.items, recorder)
  const activity = new Activity(recorder)

  const find = async (project: string, name: string, run: string): Promise<StoredRun> => {
    const { id: dataset } = await known.datasets.named(project, name)
    const found = await runs.run(project, runIdOf({ project, dataset, name: run }))
    if (found) return found
    throw errors.notFound(`The run "${run.slice(0, 200)}" of this dataset`)
  }
  const itemsOf = async (run: StoredRun) =>
    (await runs.items(run.project, run.id)).map((item) => itemView(run, item))

  const routes = [
    serveLangfuse(declared.runItemCreate, async (request) => {
      const { run, item } = await linker.link(authorOf(request), request.body)
      activity.note(authorOf(request), runIdOf(run))
      return itemView(run, item)
    }),
    serveLangfuse(declared.runItemList, async ({ project, query }) => {
      const run = await runs.run(project, runIdOf({ project, dataset: query.datasetId, name: query.runName }))
      const all = run ? await itemsOf(run) : []
      const start = (query.page - 1) * query.limit
      return { data: all.slice(start, start + query.limit), meta: pageMeta(query, all.length) }
    }),
    serveLangfuse(declared.runList, async ({ project, params, query }) => {
      const { id, name } = await known.datasets.named(project, params.name)
      const all = await runs.ofDataset(project, id)
      const start = (query.page - 1) * query.limit
      const some = all.slice(start, start + query.limit)
      return { data: some.map((run) => runView(run, name)), meta: pageMeta(query, all.length) }
    }),
    serveLangfuse(declared.runRead, async ({ project, params }) => {
      const run = await find(project, params.name, params.run)
      return { ...runView(run, params.name), datasetRunItems: await itemsOf(run) }
    }),
    serveLangfuse(declared.runDelete, async ({ project, params }) => {
      const { id } = await find(project, params.name, params.run)
      await recorder.forget(project, id, () => deleteCalls(store, projectIdOf(project), [id]))
      return { message: 'Dataset run successfully deleted' as const }
    }),
  ]
  return {
    routes,
    followed: (others) =>
      others.map((bound) => ({
        ...bound,
        handle: (request) => {
          const project = presentedUser(request.headers) ?? ''
          if (isProjectName(project) && request.principal.may('write', project))
            activity.note({ project, userId: request.principal.userId })
          return bound.handle(request)
        },
      })),
    stop: () => activity.stop(),
  }
}

function itemView(run: Run, item: StoredItem) {
  return {
    id: trialIdOf(runIdOf(run), item),
    ...{ datasetRunId: run.experiment, datasetRunName: run.name, datasetItemId: item.item },
    ...{ traceId: item.trace, observationId: item.observation || null },
    ...{ createdAt: isoOfMicros(item.started), updatedAt: isoOfMicros(item.started) },
  }
}

function runView(run: StoredRun, datasetName: string) {
  return {
    ...{ id: run.experiment, name: run.name, description: run.description },
    metadata: JSON.parse(run.metadata) as unknown,
    ...{ datasetId: run.dataset, datasetName },
    ...{ createdAt: isoOfMicros(run.started), updatedAt: isoOfMicros(run.changed) },
  }
}
