/**
 * A clock that is set back over a restart: what was stored before is of later times than all that comes. A server is run
 * an hour ahead, killed, and started on the same folder with the machine's clock.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { dataFolder } from '../support/folder.js'
import { freshProject } from '../support/ids.js'
import { createKey, keyIds } from '../support/keys.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const AHEAD = 3600

let server: Server
const folder = mkdtempSync(join(dataFolder(), 'heddle-clock-'))
const library = join(folder, 'clock-ahead.so')
beforeAll(async () => {
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, 'test/crash/clock-ahead.c', '-ldl'])
  server = await Server.start({ env: { LD_PRELOAD: library, CLOCK_AHEAD: String(AHEAD) } })
})
afterAll(async () => {
  await server?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const project = freshProject()
const of = { project_id: project }
const seconds = (shift = 0) => new Date(Date.now() + shift * 1000).toISOString()
const byId = (id: unknown) => ({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } })

const call = (id: string, output: string) =>
  complete(project, { id, output, started_at: seconds(-2), ended_at: seconds(-1) })
const put = (id: string, output: string) =>
  server.api.ok(v2(project, 'calls/complete'), { batch: [call(id, output)] })
const rename = (call_id: string, display_name: string) =>
  server.api.ok('/call/update', { ...of, call_id, display_name })
const price = () =>
  server.api.ok('/cost/create', { ...of, costs: { m: { prompt_token_cost: 1, completion_token_cost: 1 } } })
const feedback = (feedback_id?: string) =>
  server.api.ok(`/feedback/${feedback_id ? 'replace' : 'create'}`, {
    ...{ ...of, feedback_id, weave_ref: `weave:///${project}/call/replaced` },
    ...{ feedback_type: 'note', payload: { note: 'x' } },
  })
const alias = async (name: string, val: unknown) => {
  const obj = { ...of, object_id: 'object', val }
  const { digest } = await server.api.ok('/obj/create', { obj })
  const body = { ...of, digest: digest!, aliases: [name] }
  const { status, text } = await server.api.send('PUT', '/objs/object/aliases', body)
  expect([status, text]).toEqual([200, expect.anything()])
  return digest
}
const outputs = async () =>
  Object.fromEntries(
    (await server.api.calls(project)).map(({ id, output, display_name: name }) => [id, name ?? output]),
  )
const alert = (threshold: number) =>
  server.api.ok('/alerts/save', {
    ...{ ...of, name: 'many', alert_at: threshold },
    source: { type: 'calls', metric: 'call_count', aggregation: 'sum' },
  })

it('what is changed after it is what is read, at once and after another start', async () => {
  await put('replaced', 'before')
  await put('named', 'before')
  await rename('named', 'before')
  await put('deleted', 'before')
  await server.api.ok('/call/start', {
    start: {
      ...of,
      id: 'ended',
      trace_id: 'ended',
      op_name: 'op',
      started_at: seconds(),
      attributes: {},
      inputs: {},
    },
  })
  const { ids } = await price()
  const given = await feedback(String((await feedback()).id))
  await alias('live', 'before')
  await alert(1)
  await server.cli('retention', 'set', project, '50d')
  const key = await createKey(server, project, 'read')
  const { id: queue } = await server.api.ok('/annotation_queues', { ...of, name: 'before', scorer_refs: [] })

  const [{ effective_date: made } = {}] = (await server.api.ok('/cost/query', of)).results as Row[]
  expect(Date.parse(String(made))).toBeGreaterThan(Date.now() + (AHEAD / 2) * 1000)

  await server.kill()
  server = await Server.start({ dataDir: server.dataDir })
  await put('replaced', 'after')
  await rename('named', 'after')
  await put('named', 'again')
  await server.api.ok('/calls/delete', { ...of, call_ids: ['deleted'] })
  await server.api.ok('/call/end', {
    end: { ...of, id: 'ended', ended_at: seconds(1), output: 'after', summary: {} },
  })
  for (const [id] of ids as string[][]) await server.api.ok('/cost/purge', { ...of, query: byId(id) })
  await server.api.ok('/feedback/purge', { ...of, query: byId(given.id) })
  const live = await alias('live', 'after')
  await alert(2)
  await server.cli('retention', 'set', project, '40d')
  await server.cli('keys', 'revoke', (await keyIds(server, project))[0]!)
  const renamed = await server.api.send('PUT', `/annotation_queues/${String(queue)}`, {
    ...of,
    name: 'after',
  })
  expect([renamed.status, renamed.text]).toEqual([200, expect.anything()])

  for (const restarts of [false, true]) {
    if (restarts) {
      await server.kill()
      server = await Server.start({ dataDir: server.dataDir })
    }
    expect(await outputs()).toEqual({ replaced: 'after', named: 'after', ended: 'after' })
    expect(await server.api.ok('/cost/query', of)).toEqual({ results: [] })
    expect(await server.api.ok('/feedback/query', of)).toMatchObject({ result: [] })
    const { obj } = await server.api.ok('/obj/read', { ...of, object_id: 'object', digest: 'live' })
    expect((obj as Row).digest).toBe(live)
    const { alerts } = await server.api.ok('/alerts/query', of)
    expect((alerts as Row[]).map(({ alert_at }) => alert_at)).toEqual([2])
    expect(await server.cli('retention', 'show')).toMatch(new RegExp(`${project}.* 40 days`))
    // A command is another process: this one sees its change within seconds.
    await until(
      'the end of the key',
      async () => (await server.api.as(key).post('/calls/query_stats', of)).status === 401,
    )
    const queues = await server.api.lines('/annotation_queues/query', of)
    expect(queues.map(({ name }) => name)).toEqual(['after'])
    // The version of the revoked key is no time: none of what is written next is of one.
    await alias('last', restarts)
    const { objs } = await server.api.ok('/objs/query', { ...of, filter: { latest_only: true } })
    expect(objs).toMatchObject([{ val: restarts }])
  }
})
