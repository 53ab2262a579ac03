/** Alerts and notification channels: made, tried, muted and deleted. */
import { expect } from 'vitest'
import { stored } from './calls.js'
import { json, operation, type World } from './operation.js'

/** What a server needs to keep channels. */
export const SECRETS = { HEDDLE_SECRETS_KEY: 'a key that only tests have' }

/** Others may be in the same project. */
const nameOf = (secret: string) => `a-${secret}`

const source = { type: 'calls', metric: 'error_count', aggregation: 'avg' }

/** An alert's request, with the secret in it. */
const alertOf = ({ project, secret }: World) => ({
  ...{ project_id: project, name: nameOf(secret), description: secret, source, alert_at: 0.1 },
})

const saved = (world: World) => world.api.ok('/alerts/save', alertOf(world))

async function own({ api, project, secret }: World) {
  const { alerts } = await api.ok('/alerts/query', { project_id: project })
  return (alerts as { name: string }[]).find(({ name }) => name === nameOf(secret))
}

/** A channel that reaches nobody. */
const channelOf = ({ project, secret }: World) => ({
  ...{ project_id: project, name: nameOf(secret) },
  channel: { type: 'webhook', url: `https://hooks.invalid/${secret}` },
})

async function channel(world: World) {
  await world.api.ok('/notifications/channels/save', channelOf(world))
  return { project_id: world.project, channel: nameOf(world.secret) }
}

async function channels({ api, project }: World) {
  const { channels: all } = await api.ok('/notifications/channels/query', { project_id: project })
  return (all as { name: string }[]).map(({ name }) => name)
}

export const alerts = [
  operation('POST', '/alerts/save', 'write', async (world) => {
    const body = alertOf(world)
    const grouped = { ...body, source: { ...source, group_by: 'op' }, no_data: 'alert' }
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toMatchObject({ state: 'ok', groups: [], source }),
      invalid: [
        { why: 'no such comparison', body: { ...body, comparison: '!' }, status: 422, at: 'body.comparison' },
        { why: 'no such channel', body: { ...body, channels: ['nope'] }, status: 404 },
        { why: 'it warns too late', body: { ...body, warn_at: 1 }, status: 400 },
        { why: 'groups that are not there', body: grouped, status: 400 },
        { why: 'no such text to fill in', body: { ...body, message: '{{nope}}' }, status: 400 },
      ],
    }
  }),

  operation('POST', '/alerts/query', 'read', async (world) => {
    await saved(world)
    return {
      valid: { body: { project_id: world.project } },
      effect: (answer) =>
        expect(json<{ alerts: object[] }>(answer).alerts).toContainEqual(
          expect.objectContaining({ name: nameOf(world.secret), description: world.secret }),
        ),
      invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
    }
  }),

  operation('POST', '/alerts/mute', 'write', async (world) => {
    await saved(world)
    const body = { project_id: world.project, alert: nameOf(world.secret), until: '2099-01-01T00:00:00Z' }
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toMatchObject({ muted_until: '2099-01-01T00:00:00Z' }),
      invalid: [
        { why: 'no such alert', body: { ...body, alert: 'nope' }, status: 404 },
        { why: 'no time', body: { ...body, until: 'soon' }, status: 422, at: 'body.until' },
      ],
    }
  }),

  operation('POST', '/alerts/delete', 'write', async (world) => {
    await saved(world)
    const body = { project_id: world.project, alert: nameOf(world.secret) }
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toBeUndefined(),
      invalid: [{ why: 'no such alert', body: { ...body, alert: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', '/alerts/preview', 'read', async (world) => {
    await stored(world)
    const body = { project_id: world.project, source, alert_at: 0.1, windows: 2 }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ points: [{ state: 'ok' }, { count: expect.any(Number) }] }),
      invalid: [
        {
          why: 'a window of a second',
          body: { ...body, window_seconds: 1 },
          status: 422,
          at: 'body.window_seconds',
        },
        {
          why: 'SQL without a value',
          body: { ...body, source: { type: 'sql', query: 'SELECT 1 AS one' } },
          status: 400,
        },
      ],
    }
  }),

  operation('POST', '/alerts/history', 'read', (world) => ({
    valid: { body: { project_id: world.project } },
    effect: (answer) => expect(json(answer)).toEqual({ events: [] }),
    invalid: [
      { why: 'too many', body: { project_id: world.project, limit: 1001 }, status: 422, at: 'body.limit' },
    ],
  })),

  operation('POST', '/notifications/channels/save', 'write', (world) => {
    const body = channelOf(world)
    const at = (url: string) => ({ ...body, channel: { type: 'slack', url } })
    return {
      valid: { body },
      effect: async () => expect(await channels(world)).toContain(nameOf(world.secret)),
      invalid: [
        { why: 'in a private network', body: at('http://10.0.0.1/'), status: 400 },
        { why: 'a file', body: at('file:///etc/passwd'), status: 400 },
        {
          why: 'no mail from here',
          body: { ...body, channel: { type: 'email', to: ['a@b.cd'] } },
          status: 400,
        },
        { why: 'no channel', body: { ...body, channel: null }, status: 422, at: 'body.channel' },
      ],
    }
  }),

  operation('POST', '/notifications/channels/query', 'read', async (world) => {
    await channel(world)
    return {
      valid: { body: { project_id: world.project } },
      effect: (answer) =>
        expect(json<{ channels: object[] }>(answer).channels).toContainEqual(
          expect.objectContaining({ name: nameOf(world.secret), type: 'webhook', target: 'hooks.invalid' }),
        ),
      invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
    }
  }),

  operation('POST', '/notifications/channels/test', 'write', async (world) => {
    const body = await channel(world)
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toMatchObject({ delivered: false }),
      invalid: [{ why: 'no such channel', body: { ...body, channel: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', '/notifications/channels/delete', 'write', async (world) => {
    const body = await channel(world)
    return {
      valid: { body },
      effect: async () => expect(await channels(world)).not.toContain(nameOf(world.secret)),
      invalid: [{ why: 'no such channel', body: { ...body, channel: 'nope' }, status: 404 }],
    }
  }),
]
