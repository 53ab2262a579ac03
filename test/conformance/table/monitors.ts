/** Monitors: made with the scorers of their signals, started and stopped, tried, and applied to the past. */
import { expect } from 'vitest'
import { stored } from './calls.js'
import { json, operation, type World } from './operation.js'

/** Others may be in the same project. */
const nameOf = (secret: string) => `refusals-${secret}`

/** A monitor's request, with the secret in it; it scores nothing. */
const monitorOf = ({ project, secret }: World) => ({
  ...{ project_id: project, name: nameOf(secret), description: secret, signals: ['refusal'], active: false },
})

async function made(world: World): Promise<string> {
  const { ref } = await world.api.ok('/monitors/create', monitorOf(world))
  return String(ref)
}

async function own({ api, project, secret }: World) {
  const { monitors } = await api.ok('/monitors/query', { project_id: project })
  return (monitors as { name: string }[]).find(({ name }) => name === nameOf(secret))
}

export const monitors = [
  operation('POST', '/monitors/create', 'write', async (world) => {
    const body = monitorOf(world)
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toMatchObject({ active: false }),
      invalid: [
        { why: 'no such signal', body: { ...body, signals: ['mood'] }, status: 422, at: 'body.signals.0' },
        { why: 'nothing to score', body: { ...body, signals: [] }, status: 400 },
      ],
    }
  }),

  operation('POST', '/monitors/activate', 'write', async (world) => {
    await made(world)
    const body = { project_id: world.project, monitor: nameOf(world.secret), active: true }
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toMatchObject({ active: true }),
      invalid: [
        { why: 'no such monitor', body: { ...body, monitor: 'nope' }, status: 404 },
        { why: 'active is a text', body: { ...body, active: 'yes' }, status: 422, at: 'body.active' },
      ],
    }
  }),

  operation('POST', '/monitors/delete', 'write', async (world) => {
    await made(world)
    const body = { project_id: world.project, monitor: nameOf(world.secret) }
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toBeUndefined(),
      invalid: [{ why: 'no such monitor', body: { ...body, monitor: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', '/signals/query', 'read', ({ project }) => ({
    valid: { body: { project_id: project } },
    effect: (answer) =>
      expect(json<{ signals: object[] }>(answer).signals).toContainEqual({
        ...{ signal: 'refusal', on: true, found_today: 0 },
      }),
    invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
  })),

  operation('POST', '/signals/update', 'write', ({ api, project }) => {
    const body = { project_id: project, off: ['pii'] }
    const on = async () => {
      const { signals } = await api.ok('/signals/query', { project_id: project })
      return (signals as { signal: string; on: boolean }[]).find(({ signal }) => signal === 'pii')?.on
    }
    return {
      valid: { body },
      effect: async () => {
        expect(await on()).toBe(false)
        await api.ok('/signals/update', { ...body, off: [] })
        expect(await on()).toBe(true)
      },
      invalid: [{ why: 'no such signal', body: { ...body, off: ['mood'] }, status: 422, at: 'body.off.0' }],
    }
  }),

  operation('POST', '/monitors/query', 'read', async (world) => {
    const ref = await made(world)
    const body = { project_id: world.project }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json<{ monitors: object[] }>(answer).monitors).toContainEqual(
          expect.objectContaining({ ref, matched: 0, problem: null }),
        ),
      invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
    }
  }),

  operation('POST', '/monitors/preview', 'read', async (world) => {
    const now = new Date().toISOString()
    await stored(world, { started_at: now, ended_at: now })
    const body = { project_id: world.project, hours: 1, signals: ['refusal'] }
    const result = expect.objectContaining({ value: expect.any(Boolean) })
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          matched: expect.any(Number),
          calls: expect.arrayContaining([
            expect.objectContaining({ scores: [{ scorer: 'refusal', result, problem: null }] }),
          ]),
          not_tried: [],
        }),
      invalid: [
        {
          why: 'a share above all',
          body: { ...body, sampling_rate: 2 },
          status: 422,
          at: 'body.sampling_rate',
        },
      ],
    }
  }),

  operation('POST', '/monitors/backfill', 'write', async (world) => {
    await made(world)
    const body = { project_id: world.project, monitor: nameOf(world.secret) }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toMatchObject({ backfill: { matched: 0 } }),
      invalid: [
        { why: 'no such monitor', body: { ...body, monitor: 'nope' }, status: 404 },
        {
          why: 'the end is before the start',
          body: { ...body, since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
          status: 400,
        },
      ],
    }
  }),

  operation('POST', '/monitors/agreement', 'read', (world) => {
    const people = { feedback_type: 'wandb.reaction.1' }
    const body = { project_id: world.project, monitor: nameOf(world.secret), people }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toMatchObject({ count: 0, kappa: null, confusion: [] }),
      invalid: [
        {
          why: 'whose judgement',
          body: { ...body, people: {} },
          status: 422,
          at: 'body.people.feedback_type',
        },
        { why: 'no time', body: { ...body, days: 0 }, status: 422, at: 'body.days' },
      ],
    }
  }),
]
