/**
 * Named secrets of model providers, by scope: a project's own precedes its entity's, which precedes the global one.
 * Values are sealed before they are stored, together with the one address that each may be sent to; only code that
 * calls a provider opens them.
 */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Cipher } from './cipher.js'

/** A secret in lists, without its value. */
export interface SecretEntry {
  scope: string
  name: string
  /** `https://api.example.com`; `*`: any */
  origin: string
  created_at: string
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/
const SCOPE = /^(\*|[^/\s]+(\/[^/\s]+)?)$/

export class Secrets {
  /** @param cipher absent if the operator set no HEDDLE_SECRETS_KEY: then nothing can be stored or opened */
  constructor(
    private readonly store: Store,
    private readonly cipher: Cipher | undefined,
  ) {}

  /**
   * Stores `value` under `name` for `scope` (`*`, entity, or entity/project), replacing any previous value.
   * @param address the scheme, host and port that it may be sent to; `*`: any
   */
  async set(scope: string, name: string, value: string, address: string): Promise<void> {
    if (!SCOPE.test(scope))
      throw errors.badName(`"${scope}" is not a scope: use *, an entity, or entity/project.`)
    if (!NAME.test(name))
      throw errors.badName(`"${name}" is not a secret name: use letters, digits, "_", "." and "-".`)
    if (value === '') throw errors.badRequest('A secret must not be empty; delete it instead.')
    const origin = originOf(address)
    await this.write(scope, name, origin, this.needCipher().seal(value, boundTo(scope, name, origin)))
  }

  /** Deletes the secret; returns true if it existed. */
  async remove(scope: string, name: string): Promise<boolean> {
    const had = (await this.list()).some((entry) => entry.scope === scope && entry.name === name)
    if (had) await this.write(scope, name, '', '')
    return had
  }

  /** All secrets by scope and name, without their values. */
  async list(): Promise<SecretEntry[]> {
    const rows = await this.store.rows<Omit<SecretEntry, 'created_at'> & { micros: number }>(sql`
      SELECT scope, name, origin, toUnixTimestamp64Micro(created_at) AS micros FROM secrets FINAL
      WHERE sealed != '' ORDER BY scope, name`)
    return rows.map(({ micros, ...entry }) => ({ ...entry, created_at: isoOfMicros(micros) }))
  }

  /**
   * The secret `name` of `project` (`entity/project`), to be sent to `address`; undefined if there is none.
   * @throws `SECRET_NOT_FOR` if it was set for another address
   */
  async find(project: string, name: string, address: string): Promise<string | undefined> {
    const scopes = [project, project.slice(0, project.indexOf('/')), '*']
    const rows = await this.store.rows<{ scope: string; origin: string; sealed: string }>(sql`
      SELECT scope, origin, sealed FROM secrets FINAL
      WHERE scope IN ${bind.strings(scopes)} AND name = ${bind.string(name)} AND sealed != ''`)
    const nearest = scopes.flatMap((scope) => rows.filter((row) => row.scope === scope))[0]
    if (!nearest) return undefined
    const { scope, origin, sealed } = nearest
    if (origin !== '*' && origin !== originOf(address)) throw errors.secretNotFor(name, origin)
    const value = this.needCipher().open(sealed, boundTo(scope, name, origin))
    if (value === undefined)
      throw errors.badRequest(
        `The secret "${name}" was stored under another HEDDLE_SECRETS_KEY; set it again.`,
      )
    return value
  }

  /** Secrets that the operator's key does not open. @throws if there is no key */
  async unreadable(): Promise<{ scope: string; name: string }[]> {
    const cipher = this.needCipher()
    const rows = await this.store.rows<{ scope: string; name: string; origin: string; sealed: string }>(sql`
      SELECT scope, name, origin, sealed FROM secrets FINAL WHERE sealed != '' ORDER BY scope, name`)
    const closed = rows.filter(
      ({ scope, name, origin, sealed }) => cipher.open(sealed, boundTo(scope, name, origin)) === undefined,
    )
    return closed.map(({ scope, name }) => ({ scope, name }))
  }

  private async write(scope: string, name: string, origin: string, sealed: string): Promise<void> {
    await this.store.insertRows('secrets', [
      { scope, name, origin, sealed, created_at: isoOfMicros(nowMicros()), ver: String(nextVersion()) },
    ])
  }

  private needCipher(): Cipher {
    if (this.cipher) return this.cipher
    throw errors.badRequest(
      'Secrets need a key: set HEDDLE_SECRETS_KEY to a long random text and start again.',
    )
  }
}

/** Scheme, host and port of `address`, or `*`. */
function originOf(address: string): string {
  if (address === '*') return address
  const origin = URL.canParse(address) ? new URL(address).origin : 'null'
  if (/^https?:/.test(origin)) return origin
  throw errors.badRequest(`"${address}" is not an address: write https://api.example.com, or * for any.`)
}

function boundTo(scope: string, name: string, origin: string): string {
  return `${scope}\n${name}\n${origin}`
}
