/** Erasure: what a user or a pattern has left, in all tables, and nothing else; and what the guide says of masking. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finished, main } from '../support/command.js'
import { shellIn } from '../support/guide.js'
import { freshProject, hex } from '../support/ids.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'
import { columnsWith, rowsIn, uploadText } from '../support/stored-texts.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

const cli = async (...args: string[]) => {
  const { code, stdout, stderr } = await finished(process.execPath, [main, ...args], server.env, 120, root)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}

interface Report {
  erased: { table: string; rows: number; how: string }[]
  left: { where: string }[]
}

/** What a user has in a project: a trace whose root alone names them, a running call, feedback, a copied row. */
async function filled(project: string, user: string): Promise<string[]> {
  const { api } = server
  const attributes = { user_id: user }
  const text = `${user} says ${user}-word`
  const base = { project_id: project, inputs: { text }, op_name: 'op' }
  const trace = hex(16)
  const [root_, child, open] = [hex(16), hex(16), hex(16)]
  const times = { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z', summary: {} }
  const whole = (id: string, more: object) => ({ ...base, ...times, id, trace_id: trace, ...more })
  await api.ok(`/v2/${project}/calls/complete`, {
    batch: [whole(root_, { attributes, output: text }), whole(child, { attributes: {}, parent_id: root_ })],
  })
  const started = { ...base, id: open, trace_id: hex(16), started_at: times.started_at, attributes }
  await api.ok('/call/start', { start: started })
  const weave_ref = `weave:///${project}/call/${child}`
  const note = { project_id: project, weave_ref, feedback_type: 'note.1', payload: { note: text } }
  await api.ok('/feedback/create', note)
  return [root_, child, open]
}

describe('erasure', () => {
  it('of a user takes what is theirs, says what it takes, and leaves everybody else alone', async () => {
    const project = freshProject()
    await filled(project, 'zqann')
    const bobs = await filled(project, 'zqbob')
    const others = await filled(freshProject(), 'zqcarl')
    const dry = JSON.parse(await cli('erase', '--project', project, '--user', 'zqann', '--json')) as Report
    expect(dry.erased).toEqual([
      { table: 'feedback', rows: 1, how: 'deleted' },
      { table: 'calls', rows: 2, how: 'deleted' },
      { table: 'calls_open', rows: 1, how: 'deleted' },
    ])
    expect((await columnsWith(server, 'zqann')).size).toBeGreaterThan(0)

    const done = await cli('erase', '--project', project, '--user', 'zqann', '--yes', '--json')
    expect((JSON.parse(done) as Report).erased).toEqual(dry.erased)
    expect(await columnsWith(server, 'zqann')).toEqual(new Set())
    const ids = await rowsIn<{ id: string }>(
      server,
      'SELECT id FROM calls UNION ALL SELECT id FROM calls_open',
    )
    expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining([...bobs, ...others]))
    expect(await rowsIn(server, "SELECT id FROM feedback WHERE position(payload, 'zqbob') > 0")).toHaveLength(
      1,
    )
    expect(await cli('erase', '--project', project, '--user', 'zqann', '--yes')).toMatch(/Nothing was found/)
    const audited = await server.api.ok('/audit/query', { scope: project, category: 'deletion' })
    expect(JSON.stringify(audited)).not.toMatch(/zqann/)
    expect(audited.entries).toMatchObject([{ action: 'erase' }, { action: 'erase', target: { by: 'user' } }])
  })

  it('of a pattern masks it in every text, which stays what it was otherwise', async () => {
    const [project, other] = [freshProject(), freshProject()]
    const ids = await filled(project, 'zqdora')
    await filled(other, 'zqdora')
    const csv = 'zqdora,1\n'.repeat(10)
    await server.api.ok('/obj/create', {
      obj: { project_id: project, object_id: 'o', val: { a: 'zqdora', n: 1.0 } },
    })
    await server.api.ok('/table/create', { table: { project_id: project, rows: [{ a: 'a zqdora' }] } })
    await uploadText(server, project, 'zqdora.csv', csv)
    const erased = await cli('erase', '--project', project, '--pattern', 'zqdora(-word)?', '--yes')
    expect(erased).toMatch(/calls +2 +masked/)
    const left = await rowsIn<{ project_id: string; n: number }>(
      server,
      ['calls', 'calls_open', 'feedback', 'objects', 'table_rows']
        .map(
          (name) => `SELECT project_id, toUInt32(count()) AS n FROM ${name}
          WHERE position(toString(tuple(*)), 'zqdora') > 0 GROUP BY project_id`,
        )
        .join(' UNION ALL '),
    )
    expect(new Set(left.map((one) => one.project_id)).size).toBe(1)
    const shown = await server.api.calls(project)
    expect(shown.filter(({ id }) => ids.includes(String(id)))).toHaveLength(3)
    expect(shown[0]).toMatchObject({ inputs: { text: '[ERASED] says [ERASED]' } })
    expect(await server.api.ok('/feedback/query', { project_id: project })).toMatchObject({
      result: [{ payload: { note: '[ERASED] says [ERASED]' } }],
    })
  })
})

it('the guide’s commands mask, and erase', async () => {
  const guide = readFileSync(join(root, 'docs/operate/masking.md'), 'utf8')
  const [rules, erasing] = shellIn(guide)
  const run = async (lines: string) => {
    const script = `heddle() { '${process.execPath}' '${main}' "$@"; }\n${lines}`
    const { code, stdout, stderr } = await finished('bash', ['-euc', script], server.env, 120, root)
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    return stdout
  }
  const listed = await run(rules!)
  expect(listed).toMatch(/^acme +mails +email +hash +PERSON$/m)
  expect(listed).toContain('0 of the newest 0 calls would be stored otherwise')
  await filled('acme/one', 'ann@example.com')
  const shown = await server.api.calls('acme/one')
  expect(JSON.stringify(shown)).toMatch(/\[PERSON:[\da-f]{12}\] says \[PERSON:[\da-f]{12}\]-word/)
  expect(await run(erasing!)).toContain('Nothing was found.')
})
