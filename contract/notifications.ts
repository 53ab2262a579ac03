/** Declarations of notification channels: where notifications are sent. Addresses and keys go in and never come out. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, projectId, readInBody, shortText, timeOut, writeInBody } from './shared.js'

const tag = 'Notifications'

const address = z.string().max(2000).describe('an address; it is stored encrypted and never shown')
const api = z.string().max(2000)

const Channel = z.discriminatedUnion('type', [
  component('WebhookChannel', { type: z.literal('webhook'), url: address }),
  component('SlackChannel', { type: z.literal('slack'), url: address }),
  component('PagerDutyChannel', {
    type: z.literal('pagerduty'),
    routing_key: shortText.min(1),
    api_url: api.default('https://events.pagerduty.com'),
  }),
  component('EmailChannel', { type: z.literal('email'), to: z.array(z.email().max(320)).min(1).max(50) }),
  component('GitHubChannel', {
    type: z.literal('github'),
    repository: z
      .string()
      .regex(/^[\w.-]+\/[\w.-]+$/, 'Should be owner/name')
      .max(200),
    token: shortText.min(1),
    event_type: z.string().min(1).max(100).default('heddle-alert'),
    api_url: api.default('https://api.github.com'),
  }),
])
export type Channel = z.output<typeof Channel>
export const CHANNEL_TYPES = Channel.options.map(({ shape }) => shape.type.value)

const channelName = z.string().regex(/^[\w.-]{1,64}$/, 'Should be of letters, digits, "_", "." and "-"')
const named = { project_id: projectId, channel: channelName.describe('its name') }

export const channelSave = route({
  ...writeInBody,
  id: 'channel_save',
  audit: { category: 'automation', names: ['body.name', 'body.channel.type'] },
  path: '/notifications/channels/save',
  tag,
  summary: 'Make a notification channel, or replace the one of this name',
  body: component('ChannelSaveReq', { project_id: projectId, name: channelName, channel: Channel }),
  answer: component('ChannelSaveRes', {
    name: z.string(),
    signing_secret: z
      .string()
      .nullable()
      .describe('of a webhook: by it the receiver checks signatures. It is shown this once'),
  }),
})

export const channelsQuery = route({
  ...readInBody,
  id: 'channels_query',
  path: '/notifications/channels/query',
  tag,
  summary: 'List the notification channels of a project, without addresses and keys',
  body: component('ChannelsQueryReq', { project_id: projectId }),
  answer: component('ChannelsQueryRes', {
    channels: z.array(
      component('ChannelStatus', {
        name: z.string(),
        type: z.enum(CHANNEL_TYPES),
        target: z.string().describe('the host, the repository, or who gets mail'),
        created_at: timeOut,
      }),
    ),
  }),
})

export const channelDelete = route({
  ...writeInBody,
  id: 'channel_delete',
  audit: { category: 'automation', names: ['body.channel'] },
  path: '/notifications/channels/delete',
  tag,
  summary: 'Delete a notification channel, with what waits to be sent by it',
  body: component('ChannelDeleteReq', named),
  answer: component('ChannelDeleteRes', { name: z.string() }),
})

export const channelTest = route({
  ...writeInBody,
  id: 'channel_test',
  audit: { category: 'automation', names: ['body.channel'] },
  path: '/notifications/channels/test',
  tag,
  summary: 'Send a test by a notification channel, and say how it went',
  body: component('ChannelTestReq', named),
  answer: component('ChannelTestRes', {
    delivered: z.boolean(),
    problem: z.string().nullable(),
  }),
})
