/**
 * Items of datasets for Langfuse's routes. An item is a row of the dataset's table; changes are stored one by one first,
 * and versions of the dataset take them up (`folder.ts`). Readers see both.
 */

import type { ItemList } from '../../../contract/langfuse-datasets.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { isId } from '../../../contract/limits.js'
import { Batcher } from '../../../platform/batch/batcher.js'
import { errors } from '../../../platform/errors/catalog.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { uuid7 } from '../../../platform/ids/uuid7.js'
import { treeText } from '../../../platform/json/tree.js'
import { Lru } from '../../../platform/lru/lru.js'
import type { Author } from '../../evaluation/publish.js'
import { wireTexts } from '../../objects/external-refs.js'
import type { Parts } from '../../parts.js'
import { DigestList } from '../../tables/digest-list.js'
import { type Dataset, type Datasets, INPUT_SCHEMA, OUTPUT_SCHEMA } from './datasets.js'
import { type Folder, rowChanges } from './folder.js'
import {
  type Change,
  changed,
  type Item,
  itemOfRow,
  itemText,
  membersIn,
  rowOfItem,
  rowText,
} from './item.js'
import type { ItemStore, Sources } from './item-store.js'
import { overlaid } from './overlay.js'

/** A change by somebody. */
interface Asked {
  author: Author
  change: Change
}

const WRITE = { items: 256, bytes: 16 << 20 }
/** Datasets whose changes are gathered. */
const REMEMBERED = 10_000
const ITEM_ID_LIMIT = 255

export class Items {
  private readonly writes = new Lru<Batcher<Asked, Item>>(REMEMBERED)

  constructor(
    private readonly parts: Parts,
    private readonly datasets: Datasets,
    private readonly items: ItemStore,
    private readonly folder: Folder,
  ) {}

  /** Stores an item, or a change of one. @returns its JSON text */
  async create(author: Author, bytes: Uint8Array): Promise<string> {
    const { body, texts } = await this.parts.workers.run('langfuseItem', bytes)
    const dataset = await this.datasets.named(author.project, body.datasetName)
    const id = body.id ?? uuid7()
    if (!isId(id, ITEM_ID_LIMIT)) throw errors.badRequest('An item id has no control characters.')
    const members = membersIn({
      ...texts,
      sourceTraceId: body.sourceTraceId ? JSON.stringify(body.sourceTraceId) : undefined,
      sourceObservationId: body.sourceObservationId ? JSON.stringify(body.sourceObservationId) : undefined,
    })
    await this.check(dataset, members)
    const item = await this.change(author, dataset.id, { id, status: body.status ?? null, members })
    return itemText(item, dataset.name)
  }

  /** @throws 404 */
  async remove(author: Author, id: string): Promise<void> {
    const { dataset } = await this.item(author.project, id)
    await this.change(author, dataset, { id, status: 'DELETED', members: new Map() })
  }

  /** JSON text of an item. @throws 404 */
  async read(project: string, id: string): Promise<string> {
    const item = await this.item(project, id)
    const dataset = await this.datasets.latest(project, item.dataset)
    return itemText(item, dataset?.name ?? item.dataset)
  }

  /** JSON text of a page of a dataset's items, the newest first. */
  async list(project: string, asked: ItemList): Promise<string> {
    const { page, limit, version } = asked
    const now = await this.datasets.named(project, asked.datasetName)
    const until = version ? Date.parse(version) * 1000 + 999 : undefined
    const dataset = until === undefined ? now : await this.datasets.past(project, now.id, until)
    const rows = dataset ? await this.rows(dataset, asked, until) : []
    rows.reverse()
    const some = rows.slice((page - 1) * limit, page * limit)
    const items = dataset ? await this.ofRows(dataset, some) : []
    const meta = JSON.stringify(pageMeta(asked, rows.length))
    return `{"data":[${items.map((item) => itemText(item, now.name)).join(',')}],"meta":${meta}}`
  }

  /** An item that is not deleted. @throws 404 */
  async item(project: string, id: string): Promise<Item> {
    const stored = await this.items.item(projectIdOf(project), id)
    const found = stored?.status === 'DELETED' ? undefined : (stored ?? (await this.foreign(project, id)))
    if (found) return found
    throw errors.notFound(`The dataset item "${id.slice(0, 200)}"`)
  }

  /** The digests of a dataset's rows in order, with the changes that are not taken up. */
  private async rows(
    dataset: Dataset,
    { sourceTraceId, sourceObservationId }: ItemList,
    until: number | undefined,
  ): Promise<string[]> {
    const key = { project: projectIdOf(dataset.project), dataset: dataset.id }
    const sources: Sources = {
      ...(sourceTraceId && { source_trace_id: sourceTraceId }),
      ...(sourceObservationId && { source_observation_id: sourceObservationId }),
    }
    const isFiltered = Object.keys(sources).length > 0
    const [base, changes, chosen] = await Promise.all([
      this.parts.tableReader.rowDigests(dataset.table),
      this.items.changedRows(key, dataset.through, until),
      isFiltered ? this.items.rowsFrom(key, sources, until) : undefined,
    ])
    const rows = overlaid(DigestList.ofLines(base), rowChanges(changes))
    return chosen ? rows.filter((row) => chosen.has(row)) : rows
  }

  /** The items that are these rows, in order. */
  private async ofRows(dataset: Dataset, digests: readonly string[]): Promise<Item[]> {
    const key = { project: projectIdOf(dataset.project), dataset: dataset.id }
    const known = await this.items.ofRows(key, digests)
    const others = digests.filter((digest) => !known.has(digest))
    const texts = await this.texts(dataset, others)
    return digests.flatMap((digest) => {
      const text = texts.get(digest)
      const foreign = text === undefined ? [] : [itemOfRow(dataset.id, digest, text, dataset.created)]
      return known.get(digest) ?? foreign
    })
  }

  /** The texts of rows in wire form. */
  private async texts({ table }: Dataset, digests: readonly string[]): Promise<Map<string, string>> {
    const { tableReader, register } = this.parts
    if (digests.length === 0) return new Map()
    const keys = digests.map((digest) => ({ project: table.project, table: table.digest, digest }))
    const stored = await tableReader.texts(keys)
    const texts = await wireTexts(
      register,
      stored.map((text) => text ?? null),
    )
    return new Map(digests.flatMap((digest, i): [string, string][] => (texts[i] ? [[digest, texts[i]]] : [])))
  }

  /** The item that is a row of others. */
  private async foreign(project: string, id: string): Promise<Item | undefined> {
    const place = rowOfItem(id)
    const dataset = place && (await this.datasets.latest(project, place.dataset))
    if (!dataset) return undefined
    const list = DigestList.ofLines(await this.parts.tableReader.rowDigests(dataset.table))
    for (const digest of list.texts())
      if (digest === place.digest) return (await this.ofRows(dataset, [digest]))[0]
    return undefined
  }

  private async change(author: Author, dataset: string, change: Change): Promise<Item> {
    const name = `${author.project} ${dataset}`
    const known = this.writes.get(name)
    const batcher =
      known ??
      new Batcher<Asked, Item>((asked) => this.write(author.project, dataset, asked), {
        items: WRITE.items,
        weight: WRITE.bytes,
        weigh: ({ change: { members } }) => [...members.values()].reduce((sum, text) => sum + text.length, 0),
      })
    if (!known) this.writes.set(name, batcher)
    const item = await batcher.ask({ author, change })
    this.folder.note(author, dataset)
    return item
  }

  /** Stores changes of a dataset as one version, while nobody else changes it. */
  private write(project: string, dataset: string, asked: readonly Asked[]): Promise<Item[]> {
    return this.datasets.changing(project, dataset, async (ver) => {
      const key = { project: projectIdOf(project), dataset }
      const ids = [...new Set(asked.map(({ change }) => change.id))]
      const items = await this.items.items(key, ids)
      for (const id of ids) {
        const place = items.has(id) ? undefined : rowOfItem(id)
        const foreign = place?.dataset === dataset ? await this.foreign(project, id) : undefined
        if (foreign) items.set(id, foreign)
      }
      const after = asked.map(({ change }) => {
        const item = changed(items.get(change.id), dataset, change, ver)
        items.set(change.id, item)
        return item
      })
      const rows = new Map(await Promise.all(ids.map((id) => this.withRow(items.get(id)!))))
      await this.items.write(key.project, [...rows.values()], asked.at(-1)!.author.userId)
      return after
    })
  }

  private async withRow(item: Item): Promise<[string, Item]> {
    const text = rowText(item)
    const row = text === '' ? '' : await this.parts.workers.run('rowDigest', Buffer.from(text))
    return [item.id, { ...item, row }]
  }

  /** @throws 400 if a value doesn't match the dataset's schema */
  private async check({ fields }: Dataset, members: ReadonlyMap<string, string>): Promise<void> {
    const pairs = [
      [INPUT_SCHEMA, 'input'],
      [OUTPUT_SCHEMA, 'expected_output'],
    ] as const
    const list = pairs.flatMap(([key, member]) => {
      const [schema, value] = [fields.get(key), members.get(member)]
      return schema instanceof Map && value !== undefined ? [{ member, schema: treeText(schema), value }] : []
    })
    if (list.length === 0) return
    const bytes = list.reduce((sum, { value }) => sum + value.length, 0)
    const { verdict, at } = await this.parts.workers.run('values', list, bytes)
    if (verdict !== 'fits')
      throw errors.badRequest(`The ${list[at]!.member} does not match the dataset's schema for it.`)
  }
}
