/** Alerts and notification channels, put together: their routes, and the watch that checks and tells. */
import type { AlertValues } from '../../domain/alerts/values.js'
import { Secrets } from '../../domain/secrets/secrets.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { service } from '../../platform/fairness/caller.js'
import type { Bound } from '../../platform/http/request.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { Channels } from '../notifications/channels.js'
import { Mailer, type MailOptions } from '../notifications/mailer.js'
import { notificationRoutes } from '../notifications/routes.js'
import { Sender } from '../notifications/sender.js'
import type { Parts } from '../parts.js'
import type { ProviderOptions } from '../provider-access.js'
import { Measures } from './measure.js'
import { alertingRoutes } from './routes.js'
import { AlertWatch } from './watch.js'

export interface AlertingOptions {
  /** what is measured over a store */
  values: (store: Store) => AlertValues
  /** checks alerts and tells them; undefined: not here */
  watch: { redisUrl: string; log: Log; metrics: Metrics } | undefined
  /** undefined: no mail is sent */
  mail: MailOptions | undefined
  /** of this service, for links, once it is known */
  url: () => string | undefined
}

interface Alerting {
  routes: Bound[]
  start(): void
  stop(): Promise<void>
}

/** Slow receivers are tried again. */
const TELL_MS = 15_000

export function alerting(
  { values, watch: watching, mail, url }: AlertingOptions,
  { store, limits, register }: Parts,
  { secrets = new Secrets(store, undefined), allowPrivate = [] }: Partial<ProviderOptions> = {},
): Alerting {
  const channels = new Channels(store, secrets)
  const outbound = new Outbound({ allowPrivate, timeoutMs: TELL_MS, maxRedirects: 0 })
  const mailer = new Mailer(mail)
  const sender = new Sender(channels, outbound, mailer)
  const urlOf = (project: string) => {
    const base = url()
    return base === undefined ? '' : `${base}/${project}/weave/alerts`
  }
  const measuresOver = (own: Store) => new Measures(own, limits, values(own))
  const background = store.as(service('alerts')).inBackground()
  const watch =
    watching &&
    new AlertWatch({
      ...{ ...watching, sender, urlOf, store: background, measures: measuresOver(background) },
      learn: (ids) => register.learn(ids),
      nameOf: (id) => register.nameOf(id),
    })
  return {
    routes: [
      ...alertingRoutes({ store, register, channels, watch, measures: measuresOver(store) }),
      ...notificationRoutes({ channels, sender, register, urlOf }),
    ],
    start: () => watch?.start(),
    stop: async () => {
      await watch?.stop()
      mailer.close()
      await outbound.close()
    },
  }
}
