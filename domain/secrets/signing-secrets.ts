/** The secrets that sign what callers bring back. They are in the store, so that any process can check what another signed. */
import { randomBytes } from 'node:crypto'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

export class SigningSecrets {
  private secrets: Promise<readonly string[]> | undefined
  private readAt = 0

  constructor(private readonly store: Store) {}

  /** The oldest first, at least one. @param maxAge of what is remembered, in ms */
  read(maxAge = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    if (this.secrets === undefined || Date.now() - this.readAt > maxAge) {
      this.readAt = Date.now()
      this.secrets = this.stored()
      this.secrets.catch(() => {
        this.secrets = undefined
      })
    }
    return this.secrets
  }

  /** Makes one if there is none. Two processes may make one each at once: both stay valid. */
  private async stored(): Promise<readonly string[]> {
    const read = () =>
      this.store.rows<{ secret: string }>(
        sql`SELECT DISTINCT secret FROM signing_secrets ORDER BY created_at, secret`,
      )
    let rows = await read()
    if (rows.length === 0) {
      const secret = randomBytes(32).toString('base64url')
      await this.store.insertRows('signing_secrets', [{ secret, created_at: new Date().toISOString() }])
      rows = await read()
    }
    return rows.map(({ secret }) => secret)
  }
}
