import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { encodedName, LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, longText, maybe, shortText, timeOut } from './shared.js'

const any = z.unknown().optional()

const RunItem = component('LangfuseRunItem', {
  id: z.string(),
  datasetRunId: z.string().describe('as the `experiment` of spans names it'),
  datasetRunName: z.string(),
  datasetItemId: z.string(),
  traceId: z.string(),
  observationId: z.string().nullable(),
  createdAt: timeOut,
  updatedAt: timeOut,
})

export const runItemCreate = route({
  ...langfuseWrite,
  id: 'langfuse_run_item_create',
  path: '/api/public/dataset-run-items',
  summary: 'Link an item of a dataset to the trace or observation that it became in a run',
  maxBytes: 1 << 20,
  body: component('LangfuseRunItemCreate', {
    runName: shortText.min(1).max(1000),
    runDescription: maybe(longText),
    metadata: any,
    datasetItemId: shortText.min(1),
    traceId: maybe(shortText),
    observationId: maybe(shortText),
    datasetVersion: maybe(shortText).describe('ignored: the item is taken as it is'),
  }),
  answer: RunItem,
})
export type RunItemCreate = z.output<NonNullable<typeof runItemCreate.body>>

export const runItemList = route({
  ...langfuseRead,
  id: 'langfuse_run_items',
  path: '/api/public/dataset-run-items',
  summary: 'List the items of a run',
  query: z.object({ datasetId: shortText.min(1), runName: encodedName, ...numberedPage }),
  answer: component('LangfuseRunItems', { data: z.array(RunItem), meta: LangfusePage }),
})

const run = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  metadata: any,
  datasetId: z.string(),
  datasetName: z.string(),
  createdAt: timeOut,
  updatedAt: timeOut,
}
const Run = component('LangfuseRun', run)
const inDataset = { name: encodedName }
const oneRun = {
  path: '/api/public/datasets/{name}/runs/{run}',
  params: z.object({ ...inDataset, run: encodedName }),
} as const

export const runList = route({
  ...langfuseRead,
  id: 'langfuse_runs',
  path: '/api/public/datasets/{name}/runs',
  summary: 'List the runs of a dataset, the newest first',
  params: z.object(inDataset),
  query: z.object(numberedPage),
  answer: component('LangfuseRuns', { data: z.array(Run), meta: LangfusePage }),
})

export const runRead = route({
  ...langfuseRead,
  ...oneRun,
  id: 'langfuse_run',
  summary: 'Read a run of a dataset with its items',
  answer: component('LangfuseRunWithItems', { ...run, datasetRunItems: z.array(RunItem) }),
})

export const runDelete = route({
  ...langfuseWrite,
  ...oneRun,
  id: 'langfuse_run_delete',
  audit: { category: 'deletion', names: ['params.name', 'params.run'] },
  method: 'DELETE',
  summary: 'Delete a run of a dataset; the traces of its items stay',
  answer: component('LangfuseRunDeleted', { message: z.literal('Dataset run successfully deleted') }),
})
