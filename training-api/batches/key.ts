/** The holder of the key that created a batch, as its rights are now: a batch outlives many changes of them. */
import { keyWithId } from '../../domain/auth/key-table.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { Principal } from '../../platform/http/principal.js'

/** A revoked key stops working within this time, as everywhere. */
const TRUST_MS = 5_000

export class KeyHolder {
  private readAt = Number.NEGATIVE_INFINITY
  private holder: Promise<Principal | undefined> = Promise.resolve(undefined)

  constructor(
    private readonly store: Store,
    private readonly keyId: string,
  ) {}

  /** The holder; undefined if the key was revoked. */
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
    const row = await keyWithId(this.store, this.keyId)
    if (!row || row.revokedAt !== undefined) return undefined
    return new Principal(row.userId, row.username, row.grants, row.keyId, row.traceProject)
  }
}
