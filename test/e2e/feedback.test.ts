/**
 * Feedback over the wire: what was acknowledged is there at once and after a kill, many writers at a time, retries; and the
 * published weave SDKs, Python and npm, as processes of their own.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { runNode, runPython } from '../support/program.js'
import { Server } from '../support/server.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const note = (project: string, id: string, text: string) => ({
  id,
  project_id: project,
  weave_ref: `weave:///${project}/call/${id}`,
  feedback_type: 'platform.note.1',
  payload: { note: text },
})
const list = async (project: string, more: object = {}) =>
  server.api.ok('/feedback/query', { project_id: project, ...more })
const byId = (id: string) => ({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } })

describe('what was acknowledged', () => {
  it('is read at once, by many writers at a time', async () => {
    const project = freshProject()
    const writer = async (name: string) => {
      for (let n = 0; n < 10; n++) {
        const id = `${name}-${n}`
        await server.api.ok('/feedback/create', note(project, id, id))
        const { result } = await list(project, { query: byId(id) })
        expect((result as Row[]).map((row) => dig(row, 'payload', 'note'))).toEqual([id])
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(writer))
    expect((await list(project)).total_count).toBe(40)
  })

  it('is there after a kill, once, and purged feedback is not', async () => {
    const mine = await Server.start()
    const project = freshProject()
    const batch = Array.from({ length: 500 }, (_, n) => note(project, `f${n}`, `note ${n}`))
    await mine.api.ok('/feedback/batch/create', { batch })
    await mine.api.ok('/feedback/purge', { project_id: project, query: byId('f7') })
    await mine.api.ok('/feedback/replace', { ...note(project, 'f8', 'new'), feedback_id: 'f8' })
    await mine.kill()
    const again = await Server.start({ dataDir: mine.dataDir })
    try {
      // Sent again by a client that never saw the answer.
      const kept = batch.filter(({ id }) => id !== 'f7' && id !== 'f8')
      await again.api.ok('/feedback/batch/create', { batch: kept })
      const { result, total_count } = await again.api.ok('/feedback/query', { project_id: project })
      expect(total_count).toBe(499)
      const notes = new Map((result as Row[]).map((row) => [row.id, dig(row, 'payload', 'note')]))
      expect(notes.get('f7')).toBeUndefined()
      expect(notes.get('f8')).toBe('new')
      expect(notes.get('f499')).toBe('note 499')
    } finally {
      await again.dispose()
    }
  })

  it('goes with its calls in lists of any length', async () => {
    const project = freshProject()
    const calls = Array.from({ length: 1200 }, (_, n) => {
      const at = new Date(Date.UTC(2026, 0, 1) + n).toISOString()
      const made = {
        op_name: 'op',
        trace_id: uuid7(),
        attributes: {},
        inputs: {},
        started_at: at,
        ended_at: at,
      }
      return { ...made, id: `c${n}`, project_id: project, summary: {}, output: n }
    })
    await server.api.ok(`/v2/${project}/calls/complete`, { batch: calls })
    const batch = calls.map(({ id, output }) => ({
      ...note(project, id, `about ${output}`),
      id: `f-${id}`,
    }))
    await server.api.ok('/feedback/batch/create', { batch })
    const rows = await server.api.calls(project, { include_feedback: true })
    expect(rows.map((row) => dig(row, 'summary', 'weave', 'feedback', 0, 'payload', 'note'))).toEqual(
      calls.map(({ output }) => `about ${output}`),
    )
    const field = { $getField: 'feedback.[platform.note.1].payload.note' }
    const query = { $expr: { $eq: [field, { $literal: 'about 700' }] } }
    expect((await server.api.calls(project, { query })).map(({ id }) => id)).toEqual(['c700'])
    const sort_by = [{ field: 'feedback.[platform.note.1].payload.note', direction: 'desc' }]
    expect((await server.api.calls(project, { sort_by, limit: 1 }))[0]?.id).toBe('c999')
  })
})

describe('bad feedback', () => {
  it.each<[string, object | string, number]>([
    ['no JSON', '{', 400],
    ['a list', [], 422],
    ['a payload deeper than any reader', `{"payload":${'['.repeat(5000)}`, 400],
    ['no emoji', { feedback_type: 'wandb.reaction.1', payload: { emoji: 'no' } }, 400],
    ['a payload over 1 MiB', { feedback_type: 'x', payload: { x: 'y'.repeat((1 << 20) + 1) } }, 400],
    ['a body over the limit', { feedback_type: 'x', payload: { x: 'y'.repeat(9 << 20) } }, 413],
    [
      'an annotation of a spec that is not there',
      { feedback_type: 'wandb.annotation.x', payload: { value: 1 } },
      400,
    ],
  ])('%s', async (_name, wrong, status) => {
    const project = freshProject()
    const whole = typeof wrong === 'string' || Array.isArray(wrong)
    const body = whole ? wrong : { ...note(project, 'bad', 'x'), ...wrong }
    const answer = await server.api.post('/feedback/create', body)
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    expect(JSON.parse(answer.text)).toMatchObject(
      status === 422 ? { detail: expect.anything() } : { reason: expect.anything() },
    )
    expect((await list(project)).total_count).toBe(0)
  })
})

// Versions of today, of half a year ago and of a year ago: the older two refuse feedback with fields that came later.
describe.each([
  ['.venv', [[['🎉'], 't1']]],
  ['.venv/weave-0.53', [[[], '']]],
  ['.venv/weave-0.52', undefined],
  ['.venv/weave-0.52.17', undefined],
])('the Python SDK, from %s', (place, agent) => {
  const project = freshProject()
  let found: Record<string, unknown>
  beforeAll(async () => {
    found = await runPython(server, 'weave_feedback', { PROJECT: project }, 120, place)
  })
  const reaction = {
    emoji: '👍🏽',
    alias: ':thumbs_up_medium_skin_tone:',
    detoned: '👍',
    detoned_alias: ':thumbs_up:',
  }

  it.each<[string, string, unknown]>([
    [
      'reactions, notes and own types',
      'rows',
      [
        ['wandb.reaction.1', reaction, null],
        ['wandb.note.1', { note: 'well said' }, 'Ann'],
        ['correctness', { score: 5, exact: 1 }, null],
      ],
    ],
    ['numbers as they were', 'kinds_of_numbers', ['int', 'float']],
    ['a query by reaction', 'by_reaction', [true]],
    ['a query by id', 'by_id', ['well said']],
    ['pages', 'pages', [2, 1]],
    ['annotations, those that fit their spec', 'annotations', [{ value: 4 }]],
    [
      'scores',
      'scores',
      { 'wandb.runnable.length': { long: true, length: 4 }, 'wandb.runnable.is_loud': true },
    ],
    ['calls by their scorer', 'scored_by', [true]],
    ['calls by the ref of their scorer', 'scored_by_ref', [true]],
    ['calls by a scorer that scored none', 'scored_by_nobody', 0],
    [
      'calls with feedback',
      'with_calls',
      [
        [
          'correctness',
          'wandb.annotation.quality',
          'wandb.note.1',
          'wandb.reaction.1',
          'wandb.runnable.is_loud',
          'wandb.runnable.length',
        ],
        ['👎'],
      ],
    ],
    ['calls by a note', 'by_note', [true]],
    ['calls in the order of a score', 'sorted', true],
    ['reactions to an agent', 'agent', agent],
  ])('%s', (_name, key, expected) => expect(found[key]).toEqual(expected))
})

describe('the npm SDK', () => {
  it('scores predictions, reacts and purges', async () => {
    const found = await runNode(server, 'weave-feedback', { PROJECT: freshProject() })
    expect(found).toEqual({
      scores: [
        ['wandb.runnable.exact', { output: true }],
        ['wandb.runnable.exact', { output: false }],
      ],
      made: ':party_popper:',
      found: ['🎉'],
      left: 2,
    })
  })
})
