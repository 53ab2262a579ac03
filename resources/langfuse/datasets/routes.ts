import * as declared from '../../../contract/langfuse-datasets.js'
import { type Bound, Reply } from '../../../platform/http/request.js'
import { Publisher } from '../../evaluation/publish.js'
import type { Parts } from '../../parts.js'
import { authorOf, serveLangfuse } from '../serve.js'
import { Datasets } from './datasets.js'
import { Folder } from './folder.js'
import { ItemStore } from './item-store.js'
import { Items } from './items.js'

export interface LangfuseDatasets {
  datasets: Datasets
  items: Items
  store: ItemStore
  routes: Bound[]
  start(): Promise<void>
  /** Resolves when versions of datasets have all changes. */
  stop(): Promise<void>
}

export function langfuseDatasets(parts: Parts): LangfuseDatasets {
  const datasets = new Datasets(parts, new Publisher(parts))
  const store = new ItemStore(parts.store)
  const folder = new Folder(parts, datasets, store)
  const items = new Items(parts, datasets, store, folder)
  return {
    ...{ datasets, items, store, routes: routesOf(datasets, items) },
    start: () => folder.start(),
    stop: () => folder.stop(),
  }
}

function routesOf(datasets: Datasets, items: Items): Bound[] {
  const json = (text: string) => new Reply(200, 'application/json', text)
  return [
    serveLangfuse(declared.datasetCreate, async (request) =>
      datasets.view(await datasets.create(authorOf(request), request.body)),
    ),
    serveLangfuse(declared.datasetList, ({ project, query }) => datasets.list(project, query)),
    serveLangfuse(declared.datasetRead, async ({ project, params }) =>
      datasets.view(await datasets.named(project, params.name)),
    ),
    serveLangfuse(declared.itemCreate, async (request) =>
      json(await items.create(authorOf(request), request.bytes)),
    ),
    serveLangfuse(declared.itemList, async ({ project, query }) => json(await items.list(project, query))),
    serveLangfuse(declared.itemRead, async ({ project, params }) =>
      json(await items.read(project, params.id)),
    ),
    serveLangfuse(declared.itemDelete, async (request) => {
      await items.remove(authorOf(request), request.params.id)
      return { message: 'Dataset item successfully deleted' as const }
    }),
  ]
}
