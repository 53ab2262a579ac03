/** Annotation queues: the Python SDK works through one, and many annotators at once through another. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api, dig, type Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { freshProject } from '../support/ids.js'
import { runPython } from '../support/program.js'
import { rounds } from '../support/rounds.js'
import { Server } from '../support/server.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

describe('the Python SDK', () => {
  let found: Row
  beforeAll(async () => {
    found = await runPython<Row>(server, 'weave_annotation', { PROJECT: freshProject() })
  })

  it.each([
    ['reads a queue', 'read', ['first', 'look closely']],
    ['lists queues, newest first', 'listed', ['second', 'first']],
    ['finds one by name', 'named', [true]],
    ['sorts them', 'sorted', ['second']],
    ['renames one', 'updated', 'renamed'],
    ['adds calls, each once', 'added', [5, 0, 0, 1]],
    ['lists items', 'items', [1, 2, 3, 4, 5].map((position) => [true, position, 'unstarted', true])],
    ['moves items on', 'moved', ['in_progress', 'completed', 'skipped', 'in_progress']],
    ['counts by state', 'unstarted', 2],
    [
      'counts what is done',
      'stats',
      [
        [5, 2],
        [0, 0],
      ],
    ],
    ['deletes one', 'deleted', true],
    ['sees it no more', 'left', ['renamed']],
  ])('%s', (_, key, expected) => expect(found[key]).toEqual(expected))

  it('is told why a move is refused', () => expect(found.refused).toContain('An item that is completed'))
})

describe('many annotators at once', () => {
  const project = freshProject()
  const ANNOTATORS = 6
  /** Each is a race of all annotators, and of two moves of each. */
  const CALLS = rounds(10)
  const calls = Array.from({ length: CALLS }, () => complete(project))
  let queueId = ''
  let items: Row[] = []
  let people: Api[] = []
  const users: string[] = []
  /** What each annotator was told about each item: the last state that was acknowledged. */
  const acknowledged = new Map<string, string>()

  const send = (api: Api, item: Row, annotation_state: string) =>
    api.post(`/annotation_queues/${queueId}/items/${item.id}/progress`, {
      project_id: project,
      annotation_state,
    })
  const list = () =>
    server.api
      .ok(`/annotation_queues/${queueId}/items/query`, { project_id: project })
      .then((answer) => answer.items)

  /** One annotator's way through the queue: begins anywhere, finishes each item in one way or the other. */
  async function work(api: Api, person: number): Promise<void> {
    for (let i = 0; i < items.length; i++) {
      const item = items[(i + person * 3) % items.length]!
      const end = (i + person) % 2 === 0 ? 'completed' : 'skipped'
      const moves = await Promise.all([send(api, item, 'in_progress'), send(api, item, end)])
      // The end may have come first: then there is no way back.
      expect([200, 400]).toContain(moves[0].status)
      expect(moves[1].status).toBe(200)
      acknowledged.set(`${person} ${item.id}`, end)
    }
  }

  async function check(): Promise<void> {
    for (const [person, api] of people.entries()) {
      const answers = await Promise.all(
        items.map((item) => {
          const state = acknowledged.get(`${person} ${item.id}`)!
          const other = state === 'completed' ? 'skipped' : 'completed'
          return Promise.all([send(api, item, state), send(api, item, other)])
        }),
      )
      expect(answers.map(([same, other]) => [same.status, other.status])).toEqual(items.map(() => [200, 400]))
    }
    const { stats } = await server.api.ok('/annotation_queues/stats', {
      project_id: project,
      queue_ids: [queueId],
    })
    expect(stats).toEqual([{ queue_id: queueId, total_items: CALLS, completed_items: CALLS }])
  }

  beforeAll(async () => {
    await server.api.ok(v2(project, 'calls/complete'), { batch: calls })
    for (let person = 0; person < ANNOTATORS; person++) {
      const key = await server.cli(
        'keys',
        'create',
        '--user',
        `annotator-${person}`,
        '--grant',
        `${project}:write`,
      )
      const api = new Api(server.url, key.trim())
      const { id } = await api.ok('/annotation_queues', { project_id: project, name: 'own', scorer_refs: [] })
      const own = await api.get(`/annotation_queues/${id}?project_id=${encodeURIComponent(project)}`)
      people = [...people, api]
      users.push(JSON.parse(own.text).queue.created_by)
    }
    const made = await server.api.ok('/annotation_queues', {
      project_id: project,
      name: 'busy',
      scorer_refs: [],
    })
    queueId = String(made.id)
  })

  it('put the same calls in, each of which is counted once', async () => {
    const path = `/annotation_queues/${queueId}/items`
    const body = { project_id: project, call_ids: calls.map(({ id }) => id), display_fields: [] }
    const answers = await Promise.all(people.map((api) => api.ok(path, body)))
    const sum = (key: string) => answers.reduce((total, answer) => total + Number(answer[key]), 0)
    expect([sum('added_count'), sum('duplicates')]).toEqual([CALLS, CALLS * (ANNOTATORS - 1)])
    items = (await list()) as Row[]
    expect(new Set(items.map((item) => item.call_id))).toEqual(new Set(calls.map(({ id }) => id)))
  })

  it('lose none of what they did', async () => {
    const renames = Array.from({ length: 5 }, (_, i) => [
      { name: `busy ${i}` },
      { description: `no ${i}` },
    ]).flat()
    await Promise.all([
      ...people.map(work),
      ...renames.map((change) =>
        server.api.send('PUT', `/annotation_queues/${queueId}`, { project_id: project, ...change }),
      ),
    ])
    await check()
    const { queue } = JSON.parse(
      (await server.api.get(`/annotation_queues/${queueId}?project_id=${encodeURIComponent(project)}`)).text,
    )
    expect([queue.name, queue.description]).toEqual([
      expect.stringMatching(/busy \d/),
      expect.stringMatching(/no \d/),
    ])
  })

  it('are shown who was the last', async () => {
    const shown = (await list()) as Row[]
    for (const item of shown) {
      const person = users.indexOf(String(item.annotator_user_id))
      expect(item.annotation_state).toBe(acknowledged.get(`${person} ${item.id}`))
    }
  })

  it('lose none of it when everything is killed', async () => {
    const before = await list()
    await server.kill()
    server = await Server.start({ dataDir: server.dataDir, ports: server.ports })
    expect(await list()).toEqual(before)
    await check()
    expect(dig(await list(), 0, 'queue_id')).toBe(queueId)
  })
})
