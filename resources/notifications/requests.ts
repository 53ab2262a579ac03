/**
 * The HTTP requests of each kind of channel. Pure. Wire formats: Standard Webhooks (standardwebhooks.com), Slack's
 * incoming webhooks, PagerDuty's Events API v2, GitHub's repository dispatch.
 */
import { createHmac } from 'node:crypto'
import type { AlertState } from '../../contract/alerts.js'
import { derivedId } from '../../platform/ids/derived.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { type Notice, titleOf } from './notice.js'

export interface Outgoing {
  url: string
  headers: Record<string, string>
  body: string
}

const JSON_TYPE = { 'content-type': 'application/json', 'user-agent': 'Heddle' }

const post = (url: string, content: object, headers: Record<string, string> = {}): Outgoing => ({
  ...{ url, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(content) },
})

export const SECRET_PREFIX = 'whsec_'

/**
 * Signed as Standard Webhooks says.
 * @param secret `whsec_` and base64 @param id the same at each attempt
 * @param seconds now, since the epoch: receivers refuse old ones
 */
export function signedRequest(
  url: string,
  secret: string,
  id: string,
  content: object,
  seconds: number,
): Outgoing {
  const request = post(url, content)
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${request.body}`).digest('base64')
  const signed = {
    ...{ 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` },
  }
  return { ...request, headers: { ...request.headers, ...signed } }
}

/** @param secret `whsec_` and base64 @param seconds now, since the epoch: receivers refuse old ones */
export function webhookRequest(url: string, secret: string, notice: Notice, seconds: number): Outgoing {
  const { id, at, text, project, change, rule } = notice
  const content = {
    type: change ? `alert.${change.state}` : rule ? 'rule.matched' : 'test',
    timestamp: isoOfMicros(at),
    data: {
      project,
      text,
      url: notice.url || null,
      ...(change && { ...change, group: change.group || null }),
      ...rule,
    },
  }
  return signedRequest(url, secret, id, content, seconds)
}

const COLOURS: Record<AlertState, string> = {
  ...{ ok: '#2e7d32', no_data: '#757575', warning: '#f9a825', alert: '#c62828' },
}

export function slackRequest(url: string, notice: Notice): Outgoing {
  const text = slackText(notice.text)
  const link = notice.url === '' ? '' : `\n<${notice.url}|Open in Heddle>`
  return post(url, {
    attachments: [
      {
        color: COLOURS[notice.change?.state ?? 'ok'],
        ...{ fallback: slackText(titleOf(notice)), text: `${text}${link}`, mrkdwn_in: ['text'] },
      },
    ],
  })
}

/** Slack reads `&`, `<` and `>` as its own; a group named `<!channel>` wakes nobody. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const SEVERITY: Record<AlertState, string> = {
  ...{ ok: 'info', no_data: 'error', warning: 'warning', alert: 'critical' },
}

/** A match of a rule is an incident that a person resolves; a test is one that is over at once. */
export function pagerDutyRequests(api: string, key: string, notice: Notice): Outgoing[] {
  const { project, change, rule } = notice
  const dedup_key = derivedId(`incident ${project} ${change?.alert ?? notice.id} ${change?.group ?? ''}`)
  const event = (event_action: 'trigger' | 'resolve', state: AlertState) =>
    post(`${api}/v2/enqueue`, {
      ...{ routing_key: key, event_action, dedup_key },
      payload: {
        ...{ summary: titleOf(notice), source: `heddle ${project}`, severity: SEVERITY[state] },
        ...{ timestamp: isoOfMicros(notice.at), custom_details: { text: notice.text, ...change, ...rule } },
      },
      ...(notice.url !== '' && { links: [{ href: notice.url, text: 'Open in Heddle' }] }),
    })
  if (rule) return [event('trigger', 'warning')]
  if (change === undefined) return [event('trigger', 'ok'), event('resolve', 'ok')]
  return [event(change.state === 'ok' ? 'resolve' : 'trigger', change.state)]
}

export function gitHubRequest(
  api: string,
  repository: string,
  token: string,
  event_type: string,
  notice: Notice,
): Outgoing {
  const { id, text, url, project, change, rule } = notice
  return post(
    `${api}/repos/${repository}/dispatches`,
    { event_type, client_payload: { id, text, url, project, change: change ?? null, ...rule } },
    { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
  )
}
