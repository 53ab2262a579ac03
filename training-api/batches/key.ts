/** Who created a batch, a key or a user, with the rights of now: a batch outlives many changes of them. */
import { holderOf, isLive } from '../../domain/auth/key-ring.js'
import { keyWithId } from '../../domain/auth/key-table.js'
import { People } from '../../domain/people/people.js'
import { userOfKeyId } from '../../domain/people/user.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Principal } from '../../platform/http/principal.js'

/** A revoked key stops working within this time, as everywhere. */
const TRUST_MS = 5_000

export class KeyHolder {
  private readAt = Number.NEGATIVE_INFINITY
  private holder: Promise<Principal | undefined> = Promise.resolve(undefined)

  private readonly people: People

  /** @param keyId of a key, or of a user's sessions */
  constructor(
    private readonly store: Store,
    private readonly keyId: string,
  ) {
    this.people = new People(store)
  }

  /** The holder; undefined if the key was revoked or has expired, or the user was deactivated. */
  now(): Promise<Principal | undefined> {
    const at = performance.now()
    if (at - this.readAt < TRUST_MS) return this.holder
    this.readAt = at
    this.holder = this.read()
    this.holder.catch(() => {
      this.readAt = Number.NEGATIVE_INFINITY
    })
    return this.holder
  }

  private async read(): Promise<Principal | undefined> {
    return (await this.whole())?.within('batches')
  }

  private async whole(): Promise<Principal | undefined> {
    const userId = userOfKeyId(this.keyId)
    if (userId !== undefined) return this.user(userId)
    const row = await keyWithId(this.store, this.keyId)
    if (!row || !isLive(row)) return undefined
    if (!row.followsUser) return holderOf(row)
    const user = await this.user(row.userId)
    return user && holderOf(row, user)
  }

  private async user(userId: string): Promise<Principal | undefined> {
    const person = await this.people.personOf(userId)
    return person?.user.active ? person.principal : undefined
  }
}
