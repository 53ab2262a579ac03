/**
 * The links, kept in memory for a few seconds, and how often they are followed. Every token that leads nowhere takes the
 * same way and is refused alike: one that was revoked, that expired, that never was.
 */
import type { ShareKind } from '../../contract/sharing.js'
import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { asCaller, service } from '../../platform/fairness/caller.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { Lru } from '../../platform/lru/lru.js'
import { nowMicros } from '../../platform/time/iso.js'
import { RepeatedWork } from '../../platform/time/repeated-work.js'
import { hashOf, lifeOf, newToken, type Share, stateOf } from './share.js'
import { addViews, putShare, sharesOf, sharesWithHashes, shareWithId, type Views } from './share-table.js'

/** A revoked link leads nowhere within 10 s everywhere. */
const TRUST_MS = 5_000
const TIMEOUT_MS = 3_000
const KNOWN_LIMIT = 10_000
/** Look-ups of tokens that are not in memory at a time: anybody can send one. */
const AT_ONCE = 50
/** How often counts are stored. */
const COUNT_MS = 5_000
/** No change, and no clock, undoes it. */
const REVOKED_VERSION = 2 ** 52

interface Known {
  share: Share | undefined
  /** by this process's clock */
  readAt: number
}

/** What a new link is made of. */
export type NewShare = Pick<Share, 'project' | 'target' | 'note' | 'createdBy' | 'userId'> & {
  kind: ShareKind
  /** null: as usual */
  seconds: number | null
}

export class Shares {
  private readonly known = new Lru<Known>(KNOWN_LIMIT)
  private readonly lookups: Batcher<string, Share | undefined>
  private counted = new Map<string, Views>()
  private readonly counting: RepeatedWork
  private reading = 0

  /** @param daysMost that a link may be good for; 0: there are none */
  constructor(
    private readonly store: Store,
    readonly daysMost: number,
  ) {
    this.lookups = new Batcher((hashes: readonly string[]) =>
      sharesWithHashes(store, hashes, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    )
    this.counting = new RepeatedWork(() => this.storeCounts().catch(() => undefined), COUNT_MS)
  }

  start(): void {
    this.counting.start()
  }

  async stop(): Promise<void> {
    await this.counting.stop()
    await asCaller(service('shares'), () => this.storeCounts()).catch(() => undefined)
  }

  /** @returns the link with its token, which is nowhere else. @throws `SHARING_OFF`, 400 for longer than allowed */
  async create({ seconds, ...given }: NewShare): Promise<{ share: Share; token: string }> {
    const life = lifeOf(seconds, this.daysMost)
    const token = newToken()
    const createdAt = nowMicros()
    const share: Share = {
      ...given,
      ...{ hash: hashOf(token), id: uuid7(), createdAt, expiresAt: createdAt + life * 1e6, isRevoked: false },
    }
    await putShare(this.store, share, 1)
    return { share, token }
  }

  /** The newest of a project. */
  list(
    project: string,
    about: { kind: ShareKind | null; target: string | null },
    limit: number,
  ): Promise<(Share & Views)[]> {
    return sharesOf(this.store, project, about, limit)
  }

  /** Revokes a link for good: here at once, elsewhere within 10 s. @throws 404 */
  async revoke(project: string, id: string): Promise<void> {
    const share = await shareWithId(this.store, project, id)
    if (share === undefined) throw errors.notFound(`Link ${id.slice(0, 200)}`)
    if (!share.isRevoked) await putShare(this.store, { ...share, isRevoked: true }, REVOKED_VERSION)
    this.known.delete(share.hash)
  }

  /** The link that a token is of. @throws `NO_SHARE` (404) unless it leads somewhere, `OVERLOADED` */
  async find(token: string): Promise<Share> {
    const share = await this.read(hashOf(token))
    if (share === undefined || stateOf(share, this.daysMost, nowMicros()) !== 'live') throw errors.noShare()
    return share
  }

  /** That somebody opened the page of a link. A process that is killed may forget the last seconds of it. */
  count({ id }: Share): void {
    const views = (this.counted.get(id)?.views ?? 0) + 1
    this.counted.set(id, { views, lastView: nowMicros() })
  }

  private async read(hash: string): Promise<Share | undefined> {
    const known = this.known.get(hash)
    const now = performance.now()
    if (known !== undefined && now - known.readAt < TRUST_MS) return known.share
    if (this.reading >= AT_ONCE) throw errors.overloaded()
    this.reading++
    const share = await this.lookups.ask(hash).finally(() => this.reading--)
    this.known.set(hash, { share, readAt: now })
    return share
  }

  private async storeCounts(): Promise<void> {
    const { counted } = this
    if (counted.size === 0) return
    this.counted = new Map()
    try {
      await addViews(this.store, counted)
    } catch (error) {
      for (const [id, { views, lastView }] of counted) {
        const since = this.counted.get(id)
        this.counted.set(id, {
          views: views + (since?.views ?? 0),
          lastView: Math.max(lastView, since?.lastView ?? 0),
        })
      }
      throw error
    }
  }
}
