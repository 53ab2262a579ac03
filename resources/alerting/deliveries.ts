/**
 * Sends the notifications of alerts, by each channel until it is delivered, or for a day. Those of one
 * group of an alert go out in order. A process that dies while it delivers leaves the attempt to the next one, with the
 * same id, so that a receiver can see that it is the same.
 */
import type { ProjectRegister } from '../../domain/projects/register.js'
import type { WatchOptions } from '../../platform/leases/leased-work.js'
import { isDue } from '../../platform/retry/due.js'
import { LONGEST_WAIT, nextTry } from '../../platform/retry/over-a-day.js'
import type { Notice } from '../notifications/notice.js'
import type { Outcome, Sender } from '../notifications/sender.js'
import { type AlertEvent, type Delivery, keepDelivery, toldSince } from './events.js'

/** A day of attempts, and some time in which nobody could make one. */
const REMEMBERED_US = 3 * 86_400e6
/** Channels at a time; each gets one notification after the other, so that one that hangs holds up nobody else. */
const AT_ONCE = 64
/** When our store can't keep how it went. */
const STORE_WAIT_US = 5e6

interface Waiting {
  event: AlertEvent
  delivery: Delivery
}

export interface DeliveryOptions extends Omit<WatchOptions, 'redisUrl'> {
  sender: Sender
  register: ProjectRegister
  /** of the page of a project's alerts; empty: not known */
  urlOf: (project: string) => string
}

export class Deliveries {
  /** in the order of events */
  private waiting: Waiting[] = []
  /** by channel */
  private readonly busy = new Map<string, Promise<void>>()
  private readonly attempts

  constructor(private readonly options: DeliveryOptions) {
    const { metrics } = options
    this.attempts = metrics.counter(
      'alert_deliveries_total',
      'Attempts to deliver a notification, by their result.',
      ['result'],
    )
    metrics.gauge(
      'alert_deliveries_waiting',
      'Notifications that are not delivered yet.',
      () => this.waiting.length,
    )
  }

  /** Reads what another process left. @param now µs since the epoch */
  async load(now: number): Promise<void> {
    const events = await toldSince(this.options.store, now - REMEMBERED_US)
    await this.options.register.learn(events.map(({ projectId }) => projectId))
    this.waiting = []
    for (const { deliveries, ...event } of events.toReversed())
      for (const channel of event.channels) {
        const delivery = deliveries.find((one) => one.channel === channel) ?? fresh(channel)
        if (delivery.state === 'waiting') this.waiting.push({ event, delivery })
      }
  }

  /** Events that were kept. */
  add(events: readonly AlertEvent[]): void {
    for (const event of events)
      if (event.isNotified)
        this.waiting.push(...event.channels.map((channel) => ({ event, delivery: fresh(channel) })))
  }

  forget(): void {
    this.waiting = []
  }

  /** Begins the attempts that are due. @param isMine whether this process still is the one that delivers */
  attempt(isMine: () => boolean): void {
    for (const key of new Set(this.due().map(channelOf))) {
      if (this.busy.size >= AT_ONCE) return
      if (this.busy.has(key)) continue
      const work = this.drain(key, isMine).finally(() => this.busy.delete(key))
      this.busy.set(key, work)
    }
  }

  /** Resolves when no attempt is under way any more. */
  async idle(): Promise<void> {
    await Promise.all(this.busy.values())
  }

  private async drain(key: string, isMine: () => boolean): Promise<void> {
    for (;;) {
      const next = this.due().find((one) => channelOf(one) === key)
      if (next === undefined || !isMine()) return
      await this.once(next).catch((error: unknown) => {
        this.options.log.warn({ err: error }, 'could not keep how a delivery of an alert went')
        next.delivery = { ...next.delivery, nextAt: Date.now() * 1000 + STORE_WAIT_US }
      })
    }
  }

  /** Of each channel and group what comes first, if its time has come. */
  private due(): Waiting[] {
    const now = Date.now() * 1000
    const seen = new Set<string>()
    const isFirst = (one: Waiting) => {
      const key = JSON.stringify([channelOf(one), one.event.alert, one.event.group])
      return !seen.has(key) && seen.add(key)
    }
    return this.waiting.filter(isFirst).filter(({ delivery }) => isDue(delivery.nextAt, now, LONGEST_WAIT))
  }

  private async once(waiting: Waiting): Promise<void> {
    const { event, delivery } = waiting
    const project = this.options.register.nameOf(event.projectId)
    const outcome: Outcome =
      project === undefined
        ? { delivered: false, problem: 'The project is gone.', isFinal: true }
        : await this.options.sender.send(project, delivery.channel, this.noticeOf(project, event))
    const result = resultOf(delivery, outcome, Date.now() * 1000)
    await keepDelivery(this.options.store, event, result)
    this.attempts.inc({
      result: outcome.delivered ? 'delivered' : result.state === 'failed' ? 'gave_up' : 'failed',
    })
    if (result.state === 'waiting') waiting.delivery = result
    else this.waiting = this.waiting.filter((one) => one !== waiting)
  }

  private noticeOf(project: string, event: AlertEvent): Notice {
    const { id, at, text, alert, group, state, previous, value, threshold, reason } = event
    return {
      ...{ id, at, text, project, url: this.options.urlOf(project) },
      change: { alert, group, state, previous_state: previous, value, threshold, reason },
    }
  }
}

const fresh = (channel: string): Delivery => ({
  ...{ channel, state: 'waiting', attempts: 0, nextAt: 0, problem: '' },
})

const channelOf = ({ event, delivery }: Waiting) => `${event.projectId} ${delivery.channel}`

/** What an attempt leaves of a delivery. @param now µs since the epoch */
function resultOf(before: Delivery, { delivered, problem, isFinal }: Outcome, now: number): Delivery {
  const attempts = before.attempts + 1
  const done = { ...before, attempts, problem, nextAt: 0 }
  if (delivered) return { ...done, state: 'delivered' }
  const nextAt = isFinal ? undefined : nextTry(attempts, now)
  if (nextAt === undefined) return { ...done, state: 'failed' }
  return { ...done, state: 'waiting', nextAt }
}
