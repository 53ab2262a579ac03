/** Contract §7: threads, over their turn calls only. */
import { beforeAll, describe, expect, it } from 'vitest'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
const project = freshProject()

function turn(thread: string, start: number, seconds: number) {
  const id = uuid7()
  return complete(project, {
    id,
    turn_id: id,
    thread_id: thread,
    started_at: at(start),
    ended_at: at(start + seconds),
  })
}

const one = [turn('one', 0, 1), turn('one', 10, 3)]
const two = [turn('two', 5, 2)]
const inner = complete(project, {
  thread_id: 'one',
  turn_id: one[0]!.id,
  started_at: at(0.1),
  ended_at: at(99),
})
const running = turn('running', 50, 1)

beforeAll(async () => {
  server = await sharedServer()
  await server.api.ok(v2(project, 'calls/complete'), { batch: [...one, ...two, inner, complete(project)] })
  await server.api.ok('/call/start', { start: halves(running).start })
})

const threads = (more: object = {}) =>
  server.api.lines('/threads/stream_query', { project_id: project, ...more })
const names = async (more: object = {}) => (await threads(more)).map((thread) => thread.thread_id)

describe('threads', () => {
  it('carry statistics of their turns', async () => {
    const [first, second] = await threads()
    expect(first).toEqual({
      thread_id: 'one',
      turn_count: 2,
      start_time: at(0),
      last_updated: at(13),
      first_turn_id: one[0]!.id,
      last_turn_id: one[1]!.id,
      p50_turn_duration_ms: 2000,
      p99_turn_duration_ms: 2980,
    })
    expect(second).toMatchObject({
      thread_id: 'two',
      turn_count: 1,
      p50_turn_duration_ms: 2000,
      p99_turn_duration_ms: 2000,
    })
  })

  const cases: [string, object, string[]][] = [
    ['newest first, those without a finished turn left out', {}, ['one', 'two']],
    ['by id', { filter: { thread_ids: ['two', 'none'] } }, ['two']],
    ['after', { filter: { after_datetime: at(5) } }, ['one']],
    ['before', { filter: { before_datetime: at(6) } }, ['two', 'one']],
    ['between', { filter: { after_datetime: at(4), before_datetime: at(9) } }, ['two']],
    ['limit', { limit: 1 }, ['one']],
    ['offset', { offset: 1 }, ['two']],
    ['by turn count', { sort_by: [{ field: 'turn_count', direction: 'asc' }] }, ['two', 'one']],
    ['by start', { sort_by: [{ field: 'start_time', direction: 'desc' }] }, ['two', 'one']],
    ['by p99', { sort_by: [{ field: 'p99_turn_duration_ms', direction: 'desc' }] }, ['one', 'two']],
    ['by id, descending', { sort_by: [{ field: 'thread_id', direction: 'desc' }] }, ['two', 'one']],
  ]
  it.each(cases)('%s', async (_name, query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it('refuse a field that cannot be sorted by', async () => {
    const answer = await server.api.post('/threads/stream_query', {
      project_id: project,
      sort_by: [{ field: 'nope', direction: 'asc' }],
    })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toHaveProperty('reason')
  })

  it('refuse a direction that is none, and a time that is none', async () => {
    for (const more of [
      { sort_by: [{ field: 'thread_id', direction: 'up' }] },
      { filter: { after_datetime: 'yesterday' } },
    ]) {
      const answer = await server.api.post('/threads/stream_query', { project_id: project, ...more })
      expect(answer.status).toBe(422)
      expect(JSON.parse(answer.text)).toHaveProperty('detail')
    }
  })
})
