/**
 * Notification channels as they are stored. Addresses and keys are sealed beside the secrets of providers, bound to where
 * they may be sent; only the code that sends opens them.
 */
import { randomBytes } from 'node:crypto'
import type { CHANNEL_TYPES, Channel } from '../../contract/notifications.js'
import type { Secrets } from '../../domain/secrets/secrets.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import { SECRET_PREFIX } from './requests.js'

export interface KnownChannel {
  name: string
  type: (typeof CHANNEL_TYPES)[number]
  /** what of it may be shown */
  target: string
  /** µs since the epoch */
  createdAt: number
}

/** A channel with all that is needed to send by it. */
export type OpenChannel = Channel & { signing_secret?: string }

/** The parts of a channel that are sealed, and the address that they may be sent to. */
const SEALED = {
  webhook: ['url', 'signing_secret'],
  slack: ['url'],
  pagerduty: ['routing_key'],
  github: ['token'],
  email: [],
} as const satisfies Record<Channel['type'], readonly string[]>

const MOST = 100

interface Row extends KnownChannel {
  config: string
}

export class Channels {
  constructor(
    private readonly store: Store,
    private readonly secrets: Secrets,
  ) {}

  /** By name. @param projectId internal */
  async list(projectId: string): Promise<KnownChannel[]> {
    const rows = await this.rows(projectId)
    return rows.map(({ config: _, ...known }) => known)
  }

  /** @returns the new secret of a webhook @throws 400 if there are too many, or secrets can't be stored */
  async save(project: string, name: string, channel: Channel, userId: string): Promise<string | null> {
    const projectId = projectIdOf(project)
    const known = await this.rows(projectId)
    if (known.length >= MOST && known.every((one) => one.name !== name))
      throw errors.badRequest(`A project may have ${MOST} notification channels; delete one first.`)
    const signing_secret =
      channel.type === 'webhook' ? `${SECRET_PREFIX}${randomBytes(24).toString('base64')}` : null
    const whole: Record<string, unknown> = { ...channel, ...(signing_secret && { signing_secret }) }
    const isSealed = (key: string) => (SEALED[channel.type] as readonly string[]).includes(key)
    const entries = Object.entries(whole)
    const sealed = Object.fromEntries(entries.filter(([key]) => isSealed(key)))
    const config = Object.fromEntries(entries.filter(([key]) => !isSealed(key)))
    const address = addressOf(channel)
    if (address !== undefined)
      await this.secrets.set(project, secretOf(name), JSON.stringify(sealed), address)
    await this.keep(projectId, userId, {
      ...{ name, type: channel.type, target: targetOf(channel), deleted: 0 },
      config: JSON.stringify({ ...config, origin: address ?? null }),
    })
    return signing_secret
  }

  /** @returns whether there was one */
  async remove(project: string, name: string, userId: string): Promise<boolean> {
    const projectId = projectIdOf(project)
    const known = (await this.rows(projectId)).find((one) => one.name === name)
    if (known === undefined) return false
    await this.keep(projectId, userId, { ...known, config: '{}', deleted: 1 })
    if (addressed(known.type)) await this.secrets.remove(project, secretOf(name))
    return true
  }

  /** @returns undefined: there is none @throws 400 if its secret can't be opened */
  async open(project: string, name: string): Promise<OpenChannel | undefined> {
    const row = (await this.rows(projectIdOf(project))).find((one) => one.name === name)
    if (row === undefined) return undefined
    const { origin, ...config } = JSON.parse(row.config) as { origin: string | null }
    if (origin === null) return config as OpenChannel
    const sealed = await this.secrets.find(project, secretOf(name), origin)
    if (sealed === undefined)
      throw errors.badRequest(`The secret of the channel ${name} is gone; save it again.`)
    return { ...config, ...(JSON.parse(sealed) as object) } as OpenChannel
  }

  private rows(projectId: string): Promise<Row[]> {
    return this.store.rows<Row>(sql`SELECT name, type, target, config, toUnixTimestamp64Micro(created_at) AS createdAt
      FROM notification_channels FINAL WHERE project_id = ${bind.string(projectId)} AND deleted = 0 ORDER BY name`)
  }

  private async keep(
    projectId: string,
    userId: string,
    row: Omit<Row, 'createdAt'> & { deleted: 0 | 1 },
  ): Promise<void> {
    const { name, type, target, config, deleted } = row
    await this.store.insertRows('notification_channels', [
      {
        ...{ project_id: projectId, name, type, target, config, deleted, user_id: userId },
        ...{ created_at: isoOfMicros(nowMicros()), ver: String(nextVersion()) },
      },
    ])
  }
}

const secretOf = (name: string) => `channel.${name}`
const addressed = (type: Channel['type']) => SEALED[type].length > 0

/** Where what is sealed is sent to; undefined: nothing is. */
function addressOf(channel: Channel): string | undefined {
  if (channel.type === 'email') return undefined
  return new URL('url' in channel ? channel.url : channel.api_url).origin
}

function targetOf(channel: Channel): string {
  if (channel.type === 'email') return channel.to.join(', ')
  if (channel.type === 'github') return channel.repository
  return new URL(addressOf(channel)!).host
}
