/**
 * Resolves the model name of a request to a served base model and an adapter on it. Caches what it reads briefly, so
 * that a busy model needs no query per request, yet a new checkpoint is served within seconds.
 */

import type { Store } from '../../platform/clickhouse/store.js'
import type { Principal } from '../../platform/http/principal.js'
import { Lru } from '../../platform/lru/lru.js'
import { parseModelName } from '../training/model-name.js'
import type { StoredModel } from '../training/models.js'
import { namedCheckpoint } from '../training/named-checkpoint.js'
import type { ChatJob } from './chat-job.js'
import type { NodeBoard } from './node-board.js'
import { problems } from './problem.js'

/** What a request runs on. */
export interface Target {
  base: string
  adapter: ChatJob['adapter']
  /** whose adapter it is; absent: the base model itself */
  model?: StoredModel
  /** as the caller wrote it, or the name of the default */
  name: string
}

interface Trained {
  model: StoredModel
  adapter: ChatJob['adapter']
}

const REMEMBERED_MS = 1000
const LIMIT = 10_000

export class ModelResolver {
  private readonly found = new Lru<{ at: number; trained: Promise<Trained | undefined> }>(LIMIT)

  constructor(
    private readonly store: Store,
    private readonly board: NodeBoard,
  ) {}

  /** @throws 404 for a model unknown to this caller, 503 if no node serves it now */
  async resolve(given: string | null | undefined, principal: Principal): Promise<Target> {
    if (given === null || given === undefined || given === '') {
      const first = [...this.board.up(), ...this.board.awaited()].find(({ embeds }) => !embeds)
      if (!first) throw problems.noNode(undefined)
      return { base: first.model, adapter: undefined, name: first.model }
    }
    // A base model's name need not match any other naming rule.
    if (this.board.awaited(given).length > 0) return { base: given, adapter: undefined, name: given }
    const name = parseModelName(given)
    if (!name) throw problems.unknownModel(given)
    if (name.kind === 'base') {
      const known = this.board.known()
      throw known.has(given) || known.size === 0 ? problems.noNode(given) : problems.unknownModel(given)
    }
    const trained = await this.trained(given)
    if (!trained || !principal.may('read', `${trained.model.entity}/${trained.model.project}`))
      throw problems.unknownModel(given)
    const base = trained.model.base_model
    if (this.board.awaited(base).length === 0) throw problems.noNode(base)
    return { base, ...trained, name: given }
  }

  private trained(given: string): Promise<Trained | undefined> {
    const now = performance.now()
    const before = this.found.get(given)
    if (before && now - before.at < REMEMBERED_MS) return before.trained
    const trained = this.read(given)
    this.found.set(given, { at: now, trained })
    trained.catch(() => this.found.delete(given))
    return trained
  }

  private async read(given: string): Promise<Trained | undefined> {
    const found = await namedCheckpoint(this.store, given)
    if (!found?.checkpoint) return found && { model: found.model, adapter: undefined }
    const { id, address, manifest_sha256: manifest } = found.checkpoint
    return { model: found.model, adapter: { id, address, manifest } }
  }
}
