/** Notification channels, put together: their routes, and the sender. */
import { Secrets } from '../../domain/secrets/secrets.js'
import type { Bound } from '../../platform/http/request.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import type { Parts } from '../parts.js'
import type { ProviderOptions } from '../provider-access.js'
import { Channels } from './channels.js'
import { Mailer, type MailOptions } from './mailer.js'
import { notificationRoutes } from './routes.js'
import { Sender } from './sender.js'

export interface NotificationOptions {
  /** undefined: no mail is sent */
  mail: MailOptions | undefined
  /** of this service, for links, once it is known */
  url: () => string | undefined
}

export interface Notifications {
  channels: Channels
  sender: Sender
  mailer: Mailer
  routes: Bound[]
  /** The address of a page of a project; empty: not known. */
  pageOf(project: string, page: string): string
  /** The address of the page of a call; without an id that of the traces; empty: not known. */
  callOf(project: string, callId: string): string
  stop(): Promise<void>
}

/** Slow receivers are tried again. */
const TELL_MS = 15_000

export function notifications(
  { mail, url }: NotificationOptions,
  { store, register }: Pick<Parts, 'store' | 'register'>,
  { secrets = new Secrets(store, undefined), allowPrivate = [] }: Partial<ProviderOptions> = {},
): Notifications {
  const channels = new Channels(store, secrets)
  const outbound = new Outbound({ allowPrivate, timeoutMs: TELL_MS, maxRedirects: 0 })
  const mailer = new Mailer(mail)
  const sender = new Sender(channels, outbound, mailer)
  const pageOf = (project: string, page: string) => {
    const base = url()
    return base === undefined ? '' : `${base}/${project}/weave/${page}`
  }
  const callOf = (project: string, callId: string) => {
    const base = url()
    if (base === undefined || callId === '') return pageOf(project, 'traces')
    return `${base}/${project.split('/').map(encodeURIComponent).join('/')}/r/call/${encodeURIComponent(callId)}`
  }
  const urlOf = (project: string) => pageOf(project, 'alerts')
  return {
    ...{ channels, sender, mailer, pageOf, callOf },
    routes: notificationRoutes({ channels, sender, register, urlOf }),
    stop: async () => {
      mailer.close()
      await outbound.close()
    },
  }
}
