import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { encodedName, LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, longText, maybe, shortText, timeOut } from './shared.js'

const any = z.unknown().optional()
const ITEM_ID_LIMIT = 255
const status = z.enum(['ACTIVE', 'ARCHIVED']).meta({ id: 'LangfuseItemStatus' })
const schema = maybe(z.record(z.string(), z.unknown()))

const Dataset = component('LangfuseDataset', {
  id: z.string().describe('the object id of the dataset'),
  name: z.string(),
  description: z.string().nullable(),
  metadata: any,
  inputSchema: any,
  expectedOutputSchema: any,
  projectId: z.string().describe('the entity/project'),
  createdAt: timeOut,
  updatedAt: timeOut,
})
export type LangfuseDataset = z.output<typeof Dataset>

export const datasetCreate = route({
  ...langfuseWrite,
  id: 'langfuse_dataset_create',
  path: '/api/public/v2/datasets',
  // The JavaScript SDK before version 4.
  aliases: ['/api/public/datasets'],
  summary: 'Create a dataset, or change the one of this name',
  maxBytes: 1 << 20,
  body: component('LangfuseDatasetCreate', {
    name: shortText.min(1).max(1000),
    description: maybe(longText),
    metadata: any,
    inputSchema: schema.describe('JSON schema that the inputs of new items must match'),
    expectedOutputSchema: schema.describe('JSON schema that the expected outputs of new items must match'),
  }),
  answer: Dataset,
})
export type DatasetCreate = z.output<NonNullable<typeof datasetCreate.body>>

export const datasetList = route({
  ...langfuseRead,
  id: 'langfuse_datasets',
  path: '/api/public/v2/datasets',
  summary: 'List the datasets of the project, the newest first',
  query: z.object(numberedPage),
  answer: component('LangfuseDatasets', { data: z.array(Dataset), meta: LangfusePage }),
})

export const datasetRead = route({
  ...langfuseRead,
  id: 'langfuse_dataset',
  path: '/api/public/v2/datasets/{name}',
  summary: 'Read a dataset without its items',
  params: z.object({ name: encodedName }),
  answer: Dataset,
})

const Item = component('LangfuseDatasetItem', {
  id: z.string(),
  status,
  input: any,
  expectedOutput: any,
  metadata: any,
  sourceTraceId: z.string().nullable(),
  sourceObservationId: z.string().nullable(),
  datasetId: z.string(),
  datasetName: z.string(),
  createdAt: timeOut,
  updatedAt: timeOut,
  version: timeOut.describe('when this version of the item became current'),
  mediaReferences: z.array(z.unknown()),
})

export const itemCreate = route({
  ...langfuseWrite,
  id: 'langfuse_dataset_item_create',
  path: '/api/public/dataset-items',
  summary: 'Create an item of a dataset, or change the one with this id',
  // A thread reads it: values pass as they are written.
  raw: true,
  maxBytes: 5 << 20,
  body: component('LangfuseDatasetItemCreate', {
    datasetName: shortText.min(1),
    id: maybe(z.string().min(1).max(ITEM_ID_LIMIT)),
    input: any,
    expectedOutput: any,
    metadata: any,
    sourceTraceId: maybe(shortText),
    sourceObservationId: maybe(shortText),
    status: maybe(status),
  }),
  answer: Item,
})

export const itemList = route({
  ...langfuseRead,
  id: 'langfuse_dataset_items',
  path: '/api/public/dataset-items',
  summary: 'List the active items of a dataset, the newest first, as they are or as they were at `version`',
  query: z.object({
    datasetName: encodedName,
    sourceTraceId: maybe(shortText),
    sourceObservationId: maybe(shortText),
    version: maybe(z.iso.datetime({ offset: true })),
    ...numberedPage,
  }),
  answer: component('LangfuseDatasetItems', { data: z.array(Item), meta: LangfusePage }),
})
export type ItemList = z.output<NonNullable<typeof itemList.query>>

const oneItem = { path: '/api/public/dataset-items/{id}', params: z.object({ id: encodedName }) } as const

export const itemRead = route({
  ...langfuseRead,
  ...oneItem,
  id: 'langfuse_dataset_item',
  summary: 'Read an item of a dataset, also an archived one',
  answer: Item,
})

export const itemDelete = route({
  ...langfuseWrite,
  ...oneItem,
  id: 'langfuse_dataset_item_delete',
  audit: { category: 'deletion', names: ['params.id'] },
  method: 'DELETE',
  summary: 'Delete an item from its dataset; earlier versions of the dataset keep it',
  answer: component('LangfuseDatasetItemDeleted', {
    message: z.literal('Dataset item successfully deleted'),
  }),
})
