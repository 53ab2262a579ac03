/** Links items of datasets to what they became in runs. Links that come together are written together. */
import type { RunItemCreate } from '../../../contract/langfuse-runs.js'
import { Batcher } from '../../../platform/batch/batcher.js'
import { errors } from '../../../platform/errors/catalog.js'
import { Lru } from '../../../platform/lru/lru.js'
import { nowMicros } from '../../../platform/time/iso.js'
import type { Author } from '../../evaluation/publish.js'
import { rowText } from '../datasets/item.js'
import type { Items } from '../datasets/items.js'
import { experimentIdOf, type Run, type RunItem } from './item.js'
import type { Recorder } from './recorder.js'

interface Link {
  author: Author
  run: Run
  item: RunItem
}

/** Projects whose links are gathered. */
const REMEMBERED = 10_000

export class Linker {
  private readonly links = new Lru<Batcher<Link, void>>(REMEMBERED)

  constructor(
    private readonly items: Items,
    private readonly recorder: Recorder,
  ) {}

  /** @throws 404 for an unknown item, 400 without a trace or observation */
  async link(author: Author, asked: RunItemCreate): Promise<{ run: Run; item: RunItem }> {
    const { project } = author
    const { runName: name, traceId, observationId } = asked
    if (!traceId && !observationId) throw errors.badRequest('Send a traceId, an observationId, or both.')
    const stored = await this.items.item(project, asked.datasetItemId)
    const key = { project, dataset: stored.dataset, name }
    const run: Run = {
      ...key,
      experiment: experimentIdOf(key),
      description: asked.runDescription ?? null,
      metadata: JSON.stringify(asked.metadata ?? null),
    }
    const item: RunItem = {
      ...{ item: stored.id, trace: traceId ?? '', observation: observationId ?? '', row: stored.row },
      ...{ example: rowText({ ...stored, status: 'ACTIVE' }), started: nowMicros(), answer: undefined },
    }
    await this.of(project).ask({ author, run, item })
    return { run, item }
  }

  private of(project: string): Batcher<Link, void> {
    const known = this.links.get(project)
    if (known) return known
    const made = new Batcher<Link, void>(async (links) => {
      await this.recorder.link(links.at(-1)!.author, links)
      return links.map(() => undefined)
    })
    this.links.set(project, made)
    return made
  }
}
