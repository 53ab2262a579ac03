/**
 * Speaks OpenID Connect with one provider: code flow with PKCE, by `openid-client`. Keeps what it says of itself for an
 * hour, and longer while it is down.
 */
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Outbound } from '../../platform/outbound/fetch.js'
import { type Claims, hasGroups } from './admission.js'
import { type Attempt, secretsOf } from './attempt.js'
import type { ProviderSettings } from './settings.js'

/** How far the provider's clock may be off. */
const SKEW_SECONDS = 60
const TIMEOUT_SECONDS = 10
/** What a provider says of itself is asked for again after this long. */
const DISCOVERY_MS = 3_600_000
/** Asked for in vain, it is not asked again for this long. */
const DOWN_MS = 5_000
/** As in the library. */
const REREAD_SECONDS = 60
/** Keys are read again after this long. */
const KEYS_SECONDS = 300

/** What is kept of what a provider gave. */
export interface KeptTokens {
  /** empty: none */
  refresh: string
  /** tells the provider who signs out; empty: none */
  id: string
}

/** What a provider gives for a code. */
export interface Tokens extends KeptTokens {
  claims: Claims
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** How it went to ask a provider; `failed`: it is down, or does not know this client. */
export type Asked = 'ok' | 'refused' | 'failed'

export class Provider {
  private found: oidc.ServerMetadata | undefined
  private asking: Promise<oidc.ServerMetadata> | undefined
  private askAgainAt = 0
  /** the provider's keys, and when they were read, in seconds since the epoch */
  private keys: oidc.ExportedJWKSCache | undefined
  /** the same for what the provider sends by itself: anybody may send such, so they are reread seldom */
  private keySet: ReturnType<typeof createRemoteJWKSet> | undefined

  /** @param secret undefined: a public client @param outbound reaches the issuer @param counted told how it went to ask the provider */
  constructor(
    readonly settings: ProviderSettings,
    private readonly secret: string | undefined,
    private readonly outbound: Outbound,
    private readonly counted: (result: Asked) => void = () => undefined,
  ) {}

  /** Where a browser is sent to sign in. @throws `SIGN_IN_PROVIDER_DOWN` (503) */
  async startAddress(attempt: Attempt, redirectUri: string): Promise<string> {
    const { state, nonce, verifier } = secretsOf(attempt)
    const challenge = await oidc.calculatePKCECodeChallenge(verifier)
    const address = oidc.buildAuthorizationUrl(this.configured(await this.metadata()), {
      ...this.settings.parameters,
      ...{ redirect_uri: redirectUri, scope: this.settings.scopes.join(' '), state, nonce },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    })
    return address.href
  }

  /**
   * Takes the answer to an attempt: checks it, gives its code back for tokens and checks those.
   * @param answer the address that the browser was sent to @throws an error of signing in, `SIGN_IN_…`
   */
  finish(attempt: Attempt, answer: URL): Promise<Tokens> {
    const { state, nonce, verifier } = secretsOf(attempt)
    return this.ask(async (config) => {
      const tokens = await oidc.authorizationCodeGrant(config, answer, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
        idTokenExpected: true,
      })
      const claims = await this.completed(config, tokens, tokens.claims()!)
      return { claims, refresh: tokens.refresh_token ?? '', id: tokens.id_token ?? '' }
    })
  }

  /**
   * What the provider says now of who signed in as `subject`.
   * @param keep called with new tokens as soon as they are there: what was sent may be worth nothing from then on
   * @throws `SIGN_IN_REFUSED` (401) if it refuses, `SIGN_IN_PROVIDER_DOWN` (503), …
   */
  refresh(sent: KeptTokens, subject: string, keep: (tokens: KeptTokens) => Promise<void>): Promise<Claims> {
    return this.ask(async (config) => {
      const tokens = await oidc.refreshTokenGrant(config, sent.refresh)
      const claims = tokens.claims() ?? { sub: subject }
      if (claims.sub !== subject) throw errors.signInBadAnswer()
      await keep({ refresh: tokens.refresh_token ?? sent.refresh, id: tokens.id_token ?? sent.id })
      return this.completed(config, tokens, claims)
    })
  }

  /** Where a browser goes to sign out of the provider, too; undefined: it has no such address. */
  async endAddress(idToken: string, back: string): Promise<string | undefined> {
    const metadata = await this.metadata()
    if (metadata.end_session_endpoint === undefined) return undefined
    return oidc.buildEndSessionUrl(this.configured(metadata), {
      post_logout_redirect_uri: back,
      ...(idToken !== '' && { id_token_hint: idToken }),
    }).href
  }

  /**
   * Whose sessions a provider says have ended (OpenID Connect Back-Channel Logout 1.0).
   * @throws `SIGN_IN_BAD_ANSWER` (401) unless the provider signed that, `SIGN_IN_PROVIDER_DOWN` (503)
   */
  async ended(logoutToken: string): Promise<{ subject: string; providerSession: string }> {
    const { issuer, jwks_uri: address } = await this.metadata()
    if (address === undefined) throw errors.signInBadAnswer()
    this.keySet ??= createRemoteJWKSet(new URL(address), { [joseFetch]: this.fetch as never })
    const { payload } = await jwtVerify(logoutToken, this.keySet, {
      ...{
        issuer,
        audience: this.settings.client_id,
        clockTolerance: SKEW_SECONDS,
        maxTokenAge: '10 minutes',
      },
      requiredClaims: ['jti', 'events'],
    }).catch((error: unknown) => {
      throw shown(error)
    })
    const { events, nonce, sub = '', sid = '' } = payload
    const isLogout = Object.hasOwn(Object(events) as object, LOGOUT_EVENT) && nonce === undefined
    if (!isLogout || typeof sid !== 'string' || (sub === '' && sid === '')) throw errors.signInBadAnswer()
    return { subject: sub, providerSession: sid }
  }

  /** The claims of an ID token, with those that many providers tell by another request alone. */
  private async completed(
    config: oidc.Configuration,
    { access_token: token }: oidc.TokenEndpointResponse,
    claims: Claims & { sub: string },
  ): Promise<Claims> {
    const { groups_claim: groups, roles } = this.settings
    const lacks = claims.email === undefined || (!hasGroups(claims, groups) && roles.length > 0)
    if (!lacks || config.serverMetadata().userinfo_endpoint === undefined) return claims
    return { ...(await oidc.fetchUserInfo(config, token, claims.sub)), ...claims }
  }

  /** Runs `work` with what is known of the provider, and keeps the keys that it read. */
  private async ask<T>(work: (config: oidc.Configuration) => Promise<T>): Promise<T> {
    const config = this.configured(await this.metadata())
    const now = Math.floor(Date.now() / 1000)
    // The library rereads keys for one that it does not know only if they are a minute old, as tokens may come from
    // anybody. These come from the provider itself: one that it does not know is new.
    const uat = now - REREAD_SECONDS
    if (this.keys !== undefined && now - this.keys.uat < KEYS_SECONDS)
      oidc.setJwksCache(config, { jwks: this.keys.jwks, uat })
    try {
      return await this.checked(() => work(config))
    } finally {
      const keys = oidc.getJwksCache(config)
      if (keys !== undefined && keys.uat !== uat) this.keys = keys
    }
  }

  private configured(metadata: oidc.ServerMetadata): oidc.Configuration {
    const { client_id: clientId } = this.settings
    const client = { [oidc.clockTolerance]: SKEW_SECONDS }
    const config = new oidc.Configuration(metadata, clientId, client, this.authentication(metadata))
    config[oidc.customFetch] = this.fetch
    config.timeout = TIMEOUT_SECONDS
    for (const setUp of this.rules) setUp(config)
    return config
  }

  /** Signatures are checked, although tokens come from the provider itself. */
  private get rules() {
    const isPlain = this.settings.issuer.startsWith('http:')
    return [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])]
  }

  private readonly fetch: oidc.CustomFetch = (address, init) =>
    this.outbound.fetch(address, init as never) as unknown as Promise<Response>

  private async metadata(): Promise<oidc.ServerMetadata> {
    if (this.asking === undefined && Date.now() >= this.askAgainAt) {
      this.askAgainAt = Date.now() + DOWN_MS
      this.asking = this.discover().finally(() => {
        this.asking = undefined
      })
      this.asking.catch(() => undefined)
    }
    if (this.found !== undefined) return this.found
    if (this.asking === undefined) throw errors.signInProviderDown()
    return this.asking
  }

  private async discover(): Promise<oidc.ServerMetadata> {
    const { issuer, client_id: clientId } = this.settings
    const options = { timeout: TIMEOUT_SECONDS, execute: this.rules, [oidc.customFetch]: this.fetch }
    const config = await this.checked(() =>
      oidc.discovery(new URL(issuer), clientId, undefined, undefined, options),
    )
    this.askAgainAt = Date.now() + DISCOVERY_MS
    this.found = config.serverMetadata()
    return this.found
  }

  private authentication({
    token_endpoint_auth_methods_supported: ways = ['client_secret_basic'],
  }: oidc.ServerMetadata): oidc.ClientAuth {
    if (this.secret === undefined) return oidc.None()
    return ways.includes('client_secret_basic')
      ? oidc.ClientSecretBasic(this.secret)
      : oidc.ClientSecretPost(this.secret)
  }

  /** @throws what `work` failed of, as an error that people are shown */
  private async checked<T>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work()
      this.counted('ok')
      return done
    } catch (error) {
      const known = shown(error)
      this.counted(known.status >= 500 ? 'failed' : 'refused')
      throw known
    }
  }
}

/** A failure of the library, as an error that people are shown; the log has its cause. */
function shown(error: unknown): HeddleError {
  const causes: unknown[] = []
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause) causes.push(one)
  const own = causes.find((one) => one instanceof HeddleError)
  if (own?.code.startsWith('SIGN_IN_')) return own
  if (own !== undefined) return caused(errors.signInProviderDown(), error)
  if (error instanceof oidc.AuthorizationResponseError)
    return caused(error.error === 'access_denied' ? errors.signInDenied() : answerOf(error.error), error)
  if (error instanceof oidc.ResponseBodyError)
    return caused(error.status >= 500 ? errors.signInProviderDown() : answerOf(error.error), error)
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return caused(error.status === 401 ? errors.signInRefused() : errors.signInProviderDown(), error)
  const { code } = error as { code?: string }
  const isDown =
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
    code === 'OAUTH_RESPONSE_IS_NOT_JSON'
  return caused(isDown ? errors.signInProviderDown() : errors.signInBadAnswer(), error)
}

/** By the error's name in OAuth. */
function answerOf(name: string): HeddleError {
  if (name === 'invalid_grant') return errors.signInRefused()
  if (['temporarily_unavailable', 'server_error'].includes(name)) return errors.signInProviderDown()
  if (['login_required', 'consent_required', 'interaction_required'].includes(name))
    return errors.signInDenied()
  return errors.signInMisconfigured(name)
}

function caused(error: HeddleError, cause: unknown): HeddleError {
  error.cause = cause
  return error
}
