/** Signing in without a key, put together: its routes, and what providers are asked while sessions are used. */
import type { Sessions } from '../../domain/auth/sessions.js'
import type { Directory } from '../../domain/people/directory.js'
import type { Cipher } from '../../domain/secrets/cipher.js'
import { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import { type Asked, Provider } from '../../domain/sign-in/provider.js'
import { Provisioning } from '../../domain/sign-in/provisioning.js'
import { Rechecks } from '../../domain/sign-in/rechecks.js'
import { NO_SIGN_IN, type SignInSettings } from '../../domain/sign-in/settings.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Bound } from '../../platform/http/request.js'
import type { Leases } from '../../platform/leases/lease.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { Mailer } from '../notifications/mailer.js'
import type { NotificationOptions } from '../notifications/notifications.js'
import { SignInFlow } from './flow.js'
import { MailLinks } from './mail-links.js'
import { signInRoutes } from './routes.js'

export interface SignInOptions {
  settings: SignInSettings
  /** client secrets, by the name of the provider */
  clientSecrets: ReadonlyMap<string, string>
  /** undefined: what providers give is not kept, and they are not asked again */
  cipher: Cipher | undefined
  /** private networks that may be reached; the issuers' own hosts may be anywhere */
  allowPrivate: readonly string[]
  /** undefined: browsers come back to where they came from */
  publicUrl: string | undefined
  log: Log
  metrics: Metrics
}

export interface SignIn {
  routes: Bound[]
  flow: SignInFlow
  stop(): Promise<void>
}

const TIMEOUT_MS = 10_000

const askedOf = (metrics: Metrics) =>
  metrics.counter(
    'sign_in_provider_requests_total',
    'What sign-in providers were asked, when people signed in and during their sessions.',
    ['provider', 'result'],
  )

export function signIn(
  options: SignInOptions | undefined,
  told: NotificationOptions,
  parts: { store: Store; directory: Directory; leases: Leases; sessions: Sessions },
): SignIn {
  const { settings = NO_SIGN_IN, allowPrivate = [], cipher } = options ?? {}
  const { store, directory, leases, sessions } = parts
  const outbound = new Outbound({
    ...{ allowPrivate, timeoutMs: TIMEOUT_MS, maxRedirects: 0 },
    trustedHosts: settings.providers.map(({ issuer }) => new URL(issuer).hostname.replace(/^\[|\]$/g, '')),
  })
  const asked = options && askedOf(options.metrics)
  const providers = new Map(
    settings.providers.map((one) => {
      const counted = (result: Asked) => asked?.inc({ provider: one.name, result })
      return [one.name, new Provider(one, options?.clientSecrets.get(one.name), outbound, counted)]
    }),
  )
  const provisioning = new Provisioning(directory, settings)
  // Also without providers: sessions of those that were taken out of the settings end.
  const rechecks = new Rechecks({
    ...{ store, cipher, providers, provisioning, leases, log: options?.log },
    end: (hash) => sessions.endHash(hash),
    userOf: (hash) => sessions.userOf(hash),
  })
  sessions.recheckedBy((hash) => rechecks.due(hash))
  const mailer = new Mailer(told.mail)
  const links =
    options === undefined || settings.email === undefined || !mailer.sends
      ? undefined
      : new MailLinks({ store, provisioning, mailer, url: told.url, log: options.log })
  const flow = new SignInFlow({
    ...{ store, settings, providers, provisioning, sessions, cipher },
    ...{ publicUrl: options?.publicUrl, log: options?.log, secrets: new SigningSecrets(store) },
  })
  return {
    flow,
    routes: signInRoutes({ providers, flow, links }),
    stop: async () => {
      await Promise.all([rechecks.stop(), links?.stop()])
      mailer.close()
      await outbound.close()
    },
  }
}
