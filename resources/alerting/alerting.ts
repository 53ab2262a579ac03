/** Alerts, put together: their routes, and the watch that checks them. */
import type { AlertValues } from '../../domain/alerts/values.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { service } from '../../platform/fairness/caller.js'
import type { Bound } from '../../platform/http/request.js'
import type { WatchOptions } from '../../platform/leases/leased-work.js'
import type { Notifications } from '../notifications/notifications.js'
import type { Parts } from '../parts.js'
import { Measures } from './measure.js'
import { alertingRoutes } from './routes.js'
import { AlertWatch } from './watch.js'

export interface AlertingOptions {
  /** what is measured over a store */
  values: (store: Store) => AlertValues
  /** checks alerts and notifies people; undefined: not here */
  watch: Omit<WatchOptions, 'store'> | undefined
}

interface Alerting {
  routes: Bound[]
  start(): void
  stop(): Promise<void>
}

export function alerting(
  { values, watch: watching }: AlertingOptions,
  { store, limits, register }: Parts,
  { channels, sender, pageOf }: Notifications,
): Alerting {
  const measuresOver = (own: Store) => new Measures(own, limits, values(own))
  const background = store.as(service('alerts')).inBackground()
  const watch =
    watching &&
    new AlertWatch({
      ...{ ...watching, sender, store: background, measures: measuresOver(background) },
      urlOf: (project) => pageOf(project, 'alerts'),
      register,
    })
  return {
    routes: alertingRoutes({ store, register, channels, watch, measures: measuresOver(store) }),
    start: () => watch?.start(),
    stop: async () => watch?.stop(),
  }
}
