/**
 * Takes changes of items up into versions of their datasets: at most one version a second while items come, so that a
 * thousand single changes don't make a thousand lists. Changes that a process left behind are taken up by the next one.
 */
import { Batcher } from '../../../platform/batch/batcher.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { objectText } from '../../../platform/json/members.js'
import { Lru } from '../../../platform/lru/lru.js'
import type { Author } from '../../evaluation/publish.js'
import type { Parts } from '../../parts.js'
import { DigestList } from '../../tables/digest-list.js'
import type { Dataset, Datasets } from './datasets.js'
import { type Item, rowOfItem, rowText } from './item.js'
import type { ChangedRow, ItemStore } from './item-store.js'
import { updatesOf } from './overlay.js'

/** ms between two versions of a dataset. */
const GAP_MS = 1000
/** ms until a failure is tried again. */
const AGAIN_MS = 5000
/** Items and their bytes that one version takes up. */
const MOST_ITEMS = 2000
const MOST_BYTES = 32 << 20
/** Datasets that are remembered as changing. */
const REMEMBERED = 10_000

export class Folder {
  private readonly folds = new Lru<Batcher<Author, void>>(REMEMBERED)
  private readonly running = new Set<Promise<unknown>>()
  private isStopping = false

  constructor(
    private readonly parts: Parts,
    private readonly datasets: Datasets,
    private readonly items: ItemStore,
  ) {}

  /** Takes up what a process that ended left behind. */
  async start(): Promise<void> {
    const { register } = this.parts
    const left = await this.items.recent()
    await register.learn(left.map(({ project }) => project))
    for (const { project, dataset } of left) {
      const name = register.nameOf(project)
      if (name !== undefined) this.note({ project: name, userId: '' }, dataset)
    }
  }

  /** Takes the changes of a dataset up soon. */
  note(author: Author, id: string): void {
    const name = `${author.project} ${id}`
    const known = this.folds.get(name)
    const batcher =
      known ??
      new Batcher<Author, void>(
        async (authors) => {
          await this.fold(authors.at(-1)!, id)
          return authors.map(() => undefined)
        },
        { gapMs: GAP_MS, items: Number.POSITIVE_INFINITY },
      )
    if (!known) this.folds.set(name, batcher)
    const done = batcher.ask(author).catch(() => this.later(author, id))
    this.running.add(done)
    void done.finally(() => this.running.delete(done))
  }

  /** Resolves when all that was noted is taken up, or failed. */
  async stop(): Promise<void> {
    this.isStopping = true
    while (this.running.size > 0) await Promise.all(this.running)
  }

  /** The store was away, or the dataset was being changed for long. */
  private later(author: Author, id: string): void {
    if (!this.isStopping) setTimeout(() => this.note(author, id), AGAIN_MS).unref()
  }

  private async fold(author: Author, id: string): Promise<void> {
    const key = { project: projectIdOf(author.project), dataset: id }
    let isMore = true
    while (isMore) {
      isMore = await this.datasets.changing(author.project, id, async () => {
        const dataset = await this.datasets.latest(author.project, id)
        if (!dataset) return false
        const versions = await this.items.changesSince(key, dataset.through)
        const until = lastOf(versions)
        if (until === undefined) return false
        await this.take(author, dataset, until)
        return until < versions.at(-1)!.ver
      })
    }
  }

  /** Publishes the version with the changes up to `until`. */
  private async take(author: Author, dataset: Dataset, until: number): Promise<void> {
    const { workers, tableReader, tableWriter, register } = this.parts
    const key = { project: projectIdOf(author.project), dataset: dataset.id }
    const changes = rowChanges(await this.items.changedRows(key, dataset.through, until))
    const items = await this.items.items(
      key,
      changes.map(({ id }) => id),
      until,
    )
    const texts = new Map([...items.values()].map((item): [string, Item] => [item.row, item]))
    const base = await tableReader.rowDigests(dataset.table)
    const list = DigestList.ofLines(base.slice())
    const updates = updatesOf(list, changes, (digest) => rowText(texts.get(digest)!))
    let table = dataset.table.digest
    if (updates.length > 0) {
      const body = objectText(
        new Map([
          ['project_id', JSON.stringify(author.project)],
          ['base_digest', JSON.stringify(table)],
          ['updates', `[${updates.join(',')}]`],
        ]),
      )
      const bytes = Buffer.from(body)
      const made = await workers.run('change', { bytes, base }, bytes.length + base.length)
      await register.note([author.project, ...made.projects])
      await tableWriter.change(dataset.table, made, author.userId)
      table = made.digest
    }
    await this.datasets.publish(author, dataset, { table, through: until })
  }
}

/** The changes of rows, with the old row of an item that others published. */
export function rowChanges(changes: readonly ChangedRow[]): ChangedRow[] {
  return changes.map((change) => ({
    ...change,
    before: change.before || (rowOfItem(change.id)?.digest ?? ''),
  }))
}

/** The last version that one fold takes up, and all before it. */
function lastOf(versions: readonly { ver: number; items: number; bytes: number }[]): number | undefined {
  let [items, bytes] = [0, 0]
  let last: number | undefined
  for (const version of versions) {
    items += version.items
    bytes += version.bytes
    if (last !== undefined && (items > MOST_ITEMS || bytes > MOST_BYTES)) break
    last = version.ver
  }
  return last
}
