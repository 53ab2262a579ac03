/** Sends a notification by a channel, once. */
import type { Channel } from '../../contract/notifications.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Outbound } from '../../platform/outbound/fetch.js'
import type { Channels, OpenChannel } from './channels.js'
import type { Mailer } from './mailer.js'
import type { Notice } from './notice.js'
import { gitHubRequest, type Outgoing, pagerDutyRequests, slackRequest, webhookRequest } from './requests.js'

/** How it went. */
export interface Outcome {
  delivered: boolean
  /** empty: there is none */
  problem: string
  /** it would fail again */
  isFinal: boolean
}

const DELIVERED: Outcome = { delivered: true, problem: '', isFinal: true }
const failed = (problem: string, isFinal = false): Outcome => ({ delivered: false, problem, isFinal })

export class Sender {
  /** @param outbound follows no redirect */
  constructor(
    private readonly channels: Channels,
    private readonly outbound: Outbound,
    private readonly mailer: Mailer,
  ) {}

  /** @throws 400 for an address that may not be reached, or mail that can't be sent */
  check(channel: Channel): void {
    if (channel.type === 'email') this.mailer.check()
    else this.outbound.check('url' in channel ? channel.url : channel.api_url)
  }

  /** @param project `entity/project` @throws only what our store throws */
  async send(project: string, channel: string, notice: Notice): Promise<Outcome> {
    try {
      const open = await this.channels.open(project, channel)
      if (open === undefined) return failed('There is no such channel any more.', true)
      if (open.type === 'email') return await this.mail(open.to, notice)
      for (const request of requestsOf(open, notice)) {
        const status = await this.post(request)
        if (status < 200 || status > 299) return failed(`The receiver answered ${status}.`, status === 410)
      }
      return DELIVERED
    } catch (error) {
      if (error instanceof HeddleError && error.status < 500) return failed(error.message)
      if (error instanceof HeddleError && error.code === 'UPSTREAM') return failed(error.message)
      throw error
    }
  }

  private async mail(to: readonly string[], notice: Notice): Promise<Outcome> {
    this.mailer.check()
    try {
      await this.mailer.send(to, notice)
      return DELIVERED
    } catch (error) {
      // Its message may repeat what was sent.
      return failed(`The mail server failed: ${(error as { code?: string }).code ?? 'unknown error'}.`)
    }
  }

  private async post({ url, headers, body }: Outgoing): Promise<number> {
    const answer = await this.outbound.fetch(url, { method: 'POST', headers, body })
    await answer.body?.cancel()
    return answer.status
  }
}

function requestsOf(channel: Exclude<OpenChannel, { type: 'email' }>, notice: Notice): Outgoing[] {
  switch (channel.type) {
    case 'webhook':
      return [
        webhookRequest(channel.url, channel.signing_secret ?? '', notice, Math.floor(Date.now() / 1000)),
      ]
    case 'slack':
      return [slackRequest(channel.url, notice)]
    case 'pagerduty':
      return pagerDutyRequests(channel.api_url, channel.routing_key, notice)
    case 'github':
      return [gitHubRequest(channel.api_url, channel.repository, channel.token, channel.event_type, notice)]
  }
}
