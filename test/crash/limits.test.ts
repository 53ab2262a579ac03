/** Queries run under limits: past them 502 or 504 with a reason, and nobody else suffers. */
import { afterEach, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex } from '../support/ids.js'
import { signal } from '../support/processes.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
afterEach(async () => {
  for (const pid of server.ended ? [] : server.children()) signal(pid, 'SIGCONT')
  await server.dispose()
})

/** 64 MB of texts that don't compress away. */
async function fill(project: string) {
  for (let n = 0; n < 16; n++)
    await server.api.ok(v2(project, 'calls/complete'), {
      batch: Array.from({ length: 20 }, () => complete(project, { inputs: { text: hex(100_000) } })),
    })
}

it.each([
  ['memory', { HEDDLE_QUERY_MEMORY: '16MiB' }],
  ['bytes read', { HEDDLE_QUERY_READ_BYTES: '4MiB' }],
])('a query past its %s is 502, a small one beside it is fine', async (_name, env) => {
  server = await Server.start({ env })
  const [large, small] = [freshProject(), freshProject()]
  await fill(large)
  const contains = { $contains: { input: { $getField: 'inputs.text' }, substr: { $literal: 'nowhere' } } }
  const sort_by = [{ field: 'inputs.text', direction: 'asc' }]
  const answer = await server.api.post('/calls/stream_query', {
    project_id: large,
    query: { $expr: contains },
    sort_by,
  })
  expect([answer.status, answer.text]).toEqual([502, answer.text])
  expect(JSON.parse(answer.text)).toHaveProperty('reason')
  await server.api.ok(v2(small, 'calls/complete'), { batch: [complete(small)] })
  expect(await server.api.calls(small)).toHaveLength(1)
  expect(await server.api.count(large)).toBe(320)
})

it('a read of a store that stalls is 503 or 504, a tool says so, and reads go on when it does', async () => {
  server = await Server.start({ env: { HEDDLE_QUERY_SECONDS: '2', HEDDLE_SQL_SECONDS: '2' } })
  const project = freshProject()
  await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
  const [engine] = server.children()
  signal(engine!, 'SIGSTOP')
  const params = { name: 'search_calls', arguments: { project } }
  const [tool, ...answers] = await Promise.all([
    server.api.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    server.api.post('/calls/stream_query', { project_id: project }),
    server.api.post('/sql', { project_id: project, query: 'SELECT count() FROM calls', format: 'parquet' }),
  ])
  for (const answer of answers) {
    expect([503, 504]).toContain(answer.status)
    expect(JSON.parse(answer.text)).toHaveProperty('reason')
  }
  expect(JSON.parse(tool!.text)).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringMatching(/^(?:TOO_SLOW|STORE_\w+): /) }] },
  })
  signal(engine!, 'SIGCONT')
  await until('reads to go on', async () => (await server.api.calls(project)).length === 1)
})
