/** `heddle channels`: where notifications are sent. */
import * as contract from '../../contract/notifications.js'
import { CommandError } from '../command.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { readValue } from '../keys/secrets.js'
import { list, type Shown } from '../shown.js'

interface ChannelOptions {
  slack?: boolean
  webhook?: boolean
  pagerduty?: boolean
  github?: string
  mail?: string[]
}

/** The channels of a project. */
export async function channelList(to: Target, project: string): Promise<Shown> {
  const { channels } = await answerIn(to, project, contract.channelsQuery)
  return list(
    channels,
    ['NAME', 'TYPE', 'TO'],
    ({ name, type, target }) => [name, type, target],
    'none; `heddle channels create` makes one',
  )
}

/** Makes a channel. Its address or key is read from standard input: every process of a machine can see arguments. */
export async function createChannel(
  to: Target,
  project: string,
  name: string,
  options: ChannelOptions,
): Promise<Shown> {
  const channel = await channelOf(options, process.stdin)
  const made = await answerIn(to, project, contract.channelSave, { name, channel })
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

/** Sends a test. @throws CommandError if it was not delivered */
export async function testChannel(to: Target, project: string, channel: string): Promise<Shown> {
  const outcome = await answerIn(to, project, contract.channelTest, { channel })
  if (!outcome.delivered) throw new CommandError(`The test was not delivered: ${outcome.problem}`)
  return { value: outcome, text: `${channel} took the test\n` }
}

/** Deletes a channel. */
export async function deleteChannel(to: Target, project: string, channel: string): Promise<Shown> {
  const value = await answerIn(to, project, contract.channelDelete, { channel })
  return { value, text: `${channel} is deleted\n` }
}
