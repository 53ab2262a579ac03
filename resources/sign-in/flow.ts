/** Signs people in: sends browsers to providers, checks what comes back, opens and ends sessions. */
import { hashKey } from '../../domain/auth/api-key.js'
import type { Sessions } from '../../domain/auth/sessions.js'
import type { Cipher } from '../../domain/secrets/cipher.js'
import type { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import { type Person, personFrom, personOfEmail } from '../../domain/sign-in/admission.js'
import {
  ATTEMPT_MS,
  isStateOf,
  newAttempt,
  openAttempt,
  presentedAttempt,
  sealAttempt,
} from '../../domain/sign-in/attempt.js'
import { claimOnce } from '../../domain/sign-in/claims.js'
import { useLink } from '../../domain/sign-in/links.js'
import type { Provider, Tokens } from '../../domain/sign-in/provider.js'
import type { Provisioning } from '../../domain/sign-in/provisioning.js'
import { returnAddress } from '../../domain/sign-in/return-address.js'
import type { SignInSettings } from '../../domain/sign-in/settings.js'
import {
  openTokens,
  putTokens,
  sealTokens,
  sessionsOfProvider,
  tokensOf,
} from '../../domain/sign-in/token-table.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { originOf } from '../../platform/http/forwarded.js'
import type { Principal } from '../../platform/http/principal.js'
import { causesOf, type Log } from '../../platform/telemetry/log.js'
import { type Caller, originOfSession } from './caller.js'

/** What other processes signed is known here after this time. */
const SECRETS_MS = 60_000
const HOUR_MS = 3_600_000

export interface SignInFlowOptions {
  store: Store
  settings: SignInSettings
  providers: ReadonlyMap<string, Provider>
  provisioning: Provisioning
  sessions: Sessions
  cipher: Cipher | undefined
  secrets: SigningSecrets
  /** undefined: browsers come back to where they came from */
  publicUrl: string | undefined
  log: Log | undefined
}

/** The query that a provider sent a browser back with. */
type Answer = Readonly<Record<string, string | undefined>>

/** A person who has signed in. */
export interface SignedIn {
  session: string
  principal: Principal
  /** of the session */
  seconds: number
  /** where the browser goes */
  next: string
}

export class SignInFlow {
  constructor(private readonly options: SignInFlowOptions) {}

  /** Where a browser goes to sign in, and the cookie that it keeps meanwhile. @throws `SIGN_IN_NO_PROVIDER`, `SIGN_IN_PROVIDER_DOWN` */
  async start(
    name: string,
    next: string | undefined,
    headers: Caller['headers'],
  ): Promise<{ address: string; attempt: string }> {
    const provider = this.provider(name)
    const attempt = newAttempt(name, returnAddress(next), Date.now())
    const [secret] = await this.options.secrets.read(SECRETS_MS)
    const address = await provider.startAddress(attempt, this.callback(name, headers))
    return { address, attempt: sealAttempt(attempt, secret!) }
  }

  /** Takes a provider's answer. @throws an error of signing in, `SIGN_IN_…`, or `USER_INACTIVE` */
  async finish(name: string, query: Answer, caller: Caller): Promise<SignedIn> {
    try {
      return await this.taken(name, query, caller)
    } catch (error) {
      // The browser gets a sentence; what exactly was wrong is for the operator.
      this.options.log?.warn({ provider: name, causes: causesOf(error) }, 'somebody could not sign in')
      throw error
    }
  }

  private async taken(name: string, query: Answer, caller: Caller): Promise<SignedIn> {
    const { store, secrets, provisioning } = this.options
    const provider = this.provider(name)
    const { headers } = caller
    const attempt = openAttempt(presentedAttempt(headers), await secrets.read(SECRETS_MS), Date.now())
    if (attempt === undefined) throw errors.signInExpired()
    if (attempt.provider !== name || !isStateOf(attempt, query.state ?? '')) throw errors.signInBadAnswer()
    if (!(await claimOnce(store, `state ${query.state}`, attempt.startedAt + ATTEMPT_MS)))
      throw errors.signInUsed()
    const answer = new URL(this.callback(name, headers))
    for (const [key, value] of Object.entries(query))
      if (value !== undefined) answer.searchParams.set(key, value)
    const tokens = await provider.finish(attempt, answer)
    const person = personFrom(provider.settings, tokens.claims)
    const user = await provisioning.provision(person, name)
    const ms = provider.settings.session_hours * HOUR_MS
    const signedIn = await this.open(user.userId, ms, attempt.next, caller)
    await this.keep(name, person, tokens, signedIn.session, Date.now() + ms)
    return signedIn
  }

  /** Takes the link of a mail. @throws `SIGN_IN_BAD_LINK`, `SIGN_IN_NOT_ALLOWED`, `USER_INACTIVE` */
  async byLink(link: string, caller: Caller): Promise<SignedIn> {
    const { store, settings, provisioning } = this.options
    if (settings.email === undefined) throw errors.signInBadLink()
    const { email, next } = await useLink(store, link)
    const user = await provisioning.provision(personOfEmail(settings, email), undefined)
    return this.open(user.userId, settings.email.session_hours * HOUR_MS, next, caller)
  }

  /**
   * Where a browser goes that signs out, to be signed out of the provider of its session, too. Undefined: nowhere.
   * Never rejects.
   */
  async leave(session: string, headers: Caller['headers']): Promise<string | undefined> {
    const { store, providers, cipher, log } = this.options
    if (providers.size === 0 || session === '') return undefined
    try {
      const row = await tokensOf(store, hashKey(session))
      const provider = row && providers.get(row.provider)
      if (provider === undefined || !provider.settings.sign_out_there) return undefined
      return await provider.endAddress(openTokens(cipher, row!).id, `${this.base(headers)}/signin`)
    } catch (error) {
      log?.warn({ err: error }, 'nobody could be signed out of a provider')
      return undefined
    }
  }

  /** Ends the sessions that a provider says have ended. @throws `SIGN_IN_BAD_ANSWER` unless it signed that */
  async ended(name: string, logoutToken: string): Promise<void> {
    const { store, sessions } = this.options
    const hashes = await sessionsOfProvider(store, name, await this.provider(name).ended(logoutToken))
    for (const hash of hashes) await sessions.endHash(hash)
  }

  private async open(userId: string, ms: number, next: string, caller: Caller): Promise<SignedIn> {
    const { sessions } = this.options
    const expiresAt = Date.now() + ms
    const { session, principal } = await sessions.openUser(userId, originOfSession(caller), expiresAt)
    return { session, principal, seconds: Math.floor(ms / 1000), next }
  }

  /** Keeps what a provider gave for a session. */
  private async keep(
    provider: string,
    { subject }: Person,
    { claims, refresh, id }: Tokens,
    session: string,
    expiresAt: number,
  ): Promise<void> {
    const { store, cipher } = this.options
    const sessionHash = hashKey(session)
    const providerSession = typeof claims.sid === 'string' ? claims.sid : ''
    await putTokens(store, {
      ...{ sessionHash, provider, subject, providerSession, expiresAt, checkedAt: Date.now() },
      sealed: sealTokens(cipher, { refresh, id }, sessionHash),
      canRefresh: cipher !== undefined && refresh !== '',
    })
  }

  private provider(name: string): Provider {
    const provider = this.options.providers.get(name)
    if (provider === undefined) throw errors.signInNoProvider()
    return provider
  }

  private callback(name: string, headers: Caller['headers']): string {
    return `${this.base(headers)}/sign-in/callback/${name}`
  }

  /** Of this service, as browsers reach it. */
  private base(headers: Caller['headers']): string {
    return this.options.publicUrl ?? originOf(headers)
  }
}
