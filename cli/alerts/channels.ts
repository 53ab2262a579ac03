/** `heddle channels`: where notifications are sent. */
import { CommandError } from '../command.js'
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { readValue } from '../keys/secrets.js'
import { list, type Shown } from '../shown.js'

export interface ChannelOptions {
  slack?: boolean
  webhook?: boolean
  pagerduty?: boolean
  github?: string
  mail?: string[]
}

interface Channel {
  name: string
  type: string
  target: string
  created_at: string
}

export async function channelList(to: Target, project: string): Promise<Shown> {
  const body = { project_id: projectNamed(project) }
  const { channels } = await sendJson<{ channels: Channel[] }>(to, '/notifications/channels/query', body)
  return list(
    channels,
    ['NAME', 'TYPE', 'TO'],
    ({ name, type, target }) => [name, type, target],
    'none; `heddle channels create` makes one',
  )
}

/** @param input has the address or key: arguments can be seen by every process of a machine */
export async function createChannel(
  to: Target,
  project: string,
  name: string,
  options: ChannelOptions,
  input: AsyncIterable<Uint8Array>,
): Promise<Shown> {
  const channel = await channelOf(options, input)
  const body = { project_id: projectNamed(project), name, channel }
  const made = await sendJson<{ signing_secret: string | null }>(to, '/notifications/channels/save', body)
  const secret = made.signing_secret
  const signed =
    secret === null
      ? ''
      : `Its requests are signed. The receiver checks them by this secret, shown once:\n${secret}\n`
  return { value: made, text: `${name} is made; \`heddle channels test\` tries it\n${signed}` }
}

async function channelOf(options: ChannelOptions, input: AsyncIterable<Uint8Array>) {
  const { slack, webhook, pagerduty, github, mail } = options
  if ([slack, webhook, pagerduty, github, mail].filter(Boolean).length !== 1)
    throw new CommandError('name one kind: --slack, --webhook, --pagerduty, --github or --mail', 2)
  if (mail !== undefined) return { type: 'email', to: mail }
  const value = await readValue(input)
  if (slack) return { type: 'slack', url: value }
  if (webhook) return { type: 'webhook', url: value }
  if (pagerduty) return { type: 'pagerduty', routing_key: value }
  return { type: 'github', repository: github, token: value }
}

export async function testChannel(to: Target, project: string, channel: string): Promise<Shown> {
  const body = { project_id: projectNamed(project), channel }
  const outcome = await sendJson<{ delivered: boolean; problem: string | null }>(
    to,
    '/notifications/channels/test',
    body,
  )
  if (!outcome.delivered) throw new CommandError(`The test was not delivered: ${outcome.problem}`)
  return { value: outcome, text: `${channel} took the test\n` }
}

export async function deleteChannel(to: Target, project: string, channel: string): Promise<Shown> {
  const body = { project_id: projectNamed(project), channel }
  const answer = await sendJson<object>(to, '/notifications/channels/delete', body)
  return { value: answer, text: `${channel} is deleted\n` }
}
