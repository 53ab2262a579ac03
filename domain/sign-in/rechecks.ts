/**
 * Asks providers again, while sessions are used, who their users are: what was taken from somebody there stops working
 * here. A provider that refuses ends the session, as does one that is no longer in the settings; one that is down does not.
 * One process asks for a session at a time, as
 * a refresh token works once at many providers.
 */
import type { Store } from '../../platform/clickhouse/store.js'
import { HeddleError } from '../../platform/errors/error.js'
import { asCaller, service } from '../../platform/fairness/caller.js'
import type { Leases } from '../../platform/leases/lease.js'
import { Lru } from '../../platform/lru/lru.js'
import { causesOf, type Log } from '../../platform/telemetry/log.js'
import type { Cipher } from '../secrets/cipher.js'
import { personFrom } from './admission.js'
import type { Provider } from './provider.js'
import type { Provisioning } from './provisioning.js'
import { openTokens, putTokens, sealTokens, type TokenRow, tokensOf } from './token-table.js'

const KNOWN_LIMIT = 10_000
/** After a provider that was down, it is asked again after this long. */
const DOWN_MS = 30_000

export interface RechecksOptions {
  store: Store
  cipher: Cipher | undefined
  providers: ReadonlyMap<string, Provider>
  provisioning: Provisioning
  leases: Leases
  /** undefined: nothing is logged */
  log: Log | undefined
  /** ends the session with this hash */
  end: (sessionHash: string) => Promise<void>
  /** the user of the session with this hash; undefined: it is over */
  userOf: (sessionHash: string) => Promise<string | undefined>
}

interface Known {
  /** undefined: no provider can be asked about it */
  everyMs: number | undefined
  /** ms since the epoch */
  checkedAt: number
  /** ms since the epoch: not asked before, as the provider was down */
  notBefore: number
}

export class Rechecks {
  private readonly known = new Lru<Known>(KNOWN_LIMIT)
  private readonly underWay = new Map<string, Promise<void>>()

  constructor(private readonly options: RechecksOptions) {}

  /**
   * What the use of a session has to wait for; undefined: nothing. It waits once what is known is twice as old as
   * it should be; before that, the provider is asked beside it. Never rejects.
   */
  due(sessionHash: string): Promise<void> | undefined {
    const known = this.known.get(sessionHash)
    if (known === undefined) return this.check(sessionHash)
    if (known.everyMs === undefined) return undefined
    const now = Date.now()
    const age = now - known.checkedAt
    if (age < known.everyMs || now < known.notBefore) return undefined
    const checking = this.check(sessionHash)
    return age < 2 * known.everyMs ? undefined : checking
  }

  /** Resolves when nothing is asked any more. */
  async stop(): Promise<void> {
    await Promise.all(this.underWay.values())
  }

  private check(sessionHash: string): Promise<void> {
    const running = this.underWay.get(sessionHash)
    if (running !== undefined) return running
    // Whose session it is, is not known yet.
    const check = asCaller(service('sign-in'), () => this.read(sessionHash))
      .catch((error: unknown) => this.options.log?.warn({ err: error }, 'a session could not be checked'))
      .finally(() => this.underWay.delete(sessionHash))
    this.underWay.set(sessionHash, check)
    return check
  }

  private async read(sessionHash: string): Promise<void> {
    const { store, leases, providers, end, log } = this.options
    const row = await tokensOf(store, sessionHash)
    if (row !== undefined && !providers.has(row.provider)) {
      log?.info({ provider: row.provider }, 'a session ended, as its provider is not in the settings')
      await end(sessionHash)
      return
    }
    const known = this.note(sessionHash, row)
    if (known.everyMs === undefined || Date.now() - known.checkedAt < known.everyMs) return
    // If it can't be asked now, it is later.
    known.notBefore = Date.now() + DOWN_MS
    await leases.hold(`session ${sessionHash}`, async () => {
      const newest = await tokensOf(store, sessionHash)
      const { everyMs, checkedAt } = this.note(sessionHash, newest)
      if (everyMs !== undefined && Date.now() - checkedAt >= everyMs) await this.ask(newest!)
    })
  }

  private async ask(row: TokenRow): Promise<void> {
    const { store, cipher, providers, provisioning, log, end, userOf } = this.options
    const { sessionHash, provider: name, subject } = row
    const provider = providers.get(name)!
    let kept = row
    try {
      const userId = await userOf(sessionHash)
      if (userId === undefined) return
      const claims = await provider.refresh(openTokens(cipher, row), subject, async (tokens) => {
        kept = { ...row, sealed: sealTokens(cipher, tokens, sessionHash) }
        await putTokens(store, kept)
      })
      await provisioning.renew(userId, personFrom(provider.settings, claims), name)
      kept = { ...kept, checkedAt: Date.now() }
      await putTokens(store, kept)
      this.note(sessionHash, kept)
    } catch (error) {
      if (!isRefusal(error)) {
        log?.warn(
          { provider: name, causes: causesOf(error) },
          'a provider could not be asked about a session',
        )
        this.note(sessionHash, row).notBefore = Date.now() + DOWN_MS
        return
      }
      log?.info({ provider: name, code: error.code }, 'a provider ended a session')
      await end(sessionHash)
    }
  }

  private note(sessionHash: string, row: TokenRow | undefined): Known {
    const settings = row?.canRefresh ? this.options.providers.get(row.provider)?.settings : undefined
    const everyMs = settings && settings.recheck_seconds * 1000
    const known: Known = { everyMs, checkedAt: row?.checkedAt ?? 0, notBefore: 0 }
    this.known.set(sessionHash, known)
    return known
  }
}

/** The provider, or the operator's settings, no longer let this person in. */
function isRefusal(error: unknown): error is HeddleError {
  return error instanceof HeddleError && ENDING.includes(error.code)
}

const ENDING: readonly string[] = [
  'SIGN_IN_REFUSED',
  'SIGN_IN_DENIED',
  'SIGN_IN_NOT_ALLOWED',
  'SIGN_IN_EMAIL_NOT_VERIFIED',
]
