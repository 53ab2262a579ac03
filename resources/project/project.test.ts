import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { applyRetention } from '../../domain/retention/apply.js'
import { setPolicy } from '../../domain/retention/policies.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
}, 120_000)
afterAll(() => service.stop())

const create = (project_id: string, object_id: string, val: unknown) =>
  service.post('/obj/create', { obj: { project_id, object_id, val } })

describe('the bytes of a project', () => {
  const project_id = 'acme/sizes'
  it('are summed by kind, each thing once', async () => {
    await create(project_id, 'o', { n: 1 })
    await create(project_id, 'o', { n: 1 })
    await create(project_id, 'gone', { n: 1 })
    await service.post('/obj/delete', { project_id, object_id: 'gone' })
    for (const rows of [[{ a: 1 }, { a: 2 }], [{ a: 2 }]])
      await service.post('/table/create', { table: { project_id, rows } })
    const form = new FormData()
    form.append('project_id', project_id)
    form.append('file', new Blob(['12345']), 'f')
    await service.post('/file/create', form)
    const call = { project_id: projectIdOf(project_id), id: '1', bytes: 100 }
    await service.store.insert('calls', 'JSONEachRow', [Buffer.from(JSON.stringify(call))])
    expect((await service.post('/project/stats', { project_id })).json).toEqual({
      trace_storage_size_bytes: 100,
      spans_storage_size_bytes: 0,
      objects_storage_size_bytes: 7,
      tables_storage_size_bytes: 14,
      files_storage_size_bytes: 5,
    })
    const some = { project_id, include_trace_storage_size: false, include_file_storage_size: false }
    expect((await service.post('/project/stats', some)).json).toMatchObject({
      trace_storage_size_bytes: 0,
      objects_storage_size_bytes: 7,
      files_storage_size_bytes: 0,
    })
  })

  it('of a project that stores nothing are 0', async () =>
    expect(Object.values((await service.post('/project/stats', { project_id: 'acme/none' })).json)).toEqual([
      0, 0, 0, 0, 0,
    ]))
})

describe('the list of projects', () => {
  const names = ['list/a%b', 'list/Ärger', 'list/beta', 'other/list', 'acme/sought']
  const page = async (query: Record<string, string>, key = 'all') => {
    const path = `/projects?${new URLSearchParams(query)}`
    const { json } = await service.send('GET', path, undefined, { authorization: `Bearer ${key}` })
    return [json.projects?.map((one: { project_id: string }) => one.project_id), json.next_cursor]
  }
  beforeAll(async () => {
    for (const name of names) await create(name, 'o', {})
  })

  it('is read in pages that miss none', async () => {
    const found: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 20; pages++) {
      const [ids, next] = (await page({ limit: '2', cursor })) as [string[], string | null]
      expect(ids.length === 2 || next === null).toBe(true)
      found.push(...ids)
      cursor = next
    }
    expect(found).toEqual((await page({}))[0])
    expect(found).toEqual(expect.arrayContaining(names))
    expect(new Set(found).size).toBe(found.length)
  })

  it.each<[string, string[]]>([
    ['LIST/', ['list/a%b', 'list/beta', 'list/Ärger']],
    ['ärg', ['list/Ärger']],
    ['%', ['list/a%b']],
    ["' OR 1", []],
  ])('is searched for %s', async (search, found) => expect(await page({ search })).toEqual([found, null]))

  it('has what the key may read alone', async () => {
    expect(await page({ search: 'sought' }, 'reader')).toEqual([['acme/sought'], null])
    expect(await page({ search: 'list' }, 'reader')).toEqual([[], null])
    expect(await page({ search: 'sought' }, 'one')).toEqual([[], null])
  })

  it.each<Record<string, string>>([
    { limit: '0' },
    { limit: '10001' },
    { limit: 'x' },
    { cursor: 'x'.repeat(301) },
  ])('refuses %j', async (query) => expect((await page(query))[0]).toBeUndefined())
})

describe('the registry', () => {
  let digest = ''
  const link = (ref: string, portfolio_name = 'best', more = {}, key = 'all') =>
    service.send(
      'POST',
      '/link_to_registry',
      { ref, target: { entity_name: 'acme', project_name: 'registry', portfolio_name }, ...more },
      { authorization: `Bearer ${key}` },
    )
  const ref = (version = digest) => `weave:///acme/one/object/model:${version}`
  beforeAll(async () => {
    digest = (await create('acme/one', 'model', { v: 1 })).json.digest
  })

  it('links versions under a name, each once', async () => {
    expect(await link(ref(), 'best', { aliases: ['prod'] })).toMatchObject({
      status: 200,
      json: { version_index: 0 },
    })
    expect((await link(ref('latest'))).json).toEqual({ version_index: 0 })
    await create('acme/one', 'model', { v: 2 })
    expect((await link(ref('latest'))).json).toEqual({ version_index: 1 })
    const read = (name: string) =>
      service.post('/obj/read', { project_id: 'acme/registry', object_id: 'best', digest: name })
    expect((await read('prod')).json.obj.val).toEqual({ _type: 'RegistryLink', ref: ref() })
    expect((await read('latest')).json.obj.val.ref).not.toContain('latest')
  })

  it.each([
    ['no ref', 'x', 'best', {}, 'all', 400],
    ['a ref of a call', 'weave:///acme/one/call/1', 'best', {}, 'all', 400],
    ['what is not there', 'weave:///acme/one/object/model:nothing', 'best', {}, 'all', 404],
    ['a bad name', undefined, 'a b', {}, 'all', 422],
    ['a bad alias', undefined, 'best', { aliases: ['latest'] }, 'all', 400],
    ['a registry that the key may not write', undefined, 'best', {}, 'reader', 403],
  ])('refuses %s', async (_what, given, name, more, key, status) =>
    expect((await link(given ?? ref(), name, more, key)).status).toBe(status),
  )
})

describe('how long a project keeps its calls', () => {
  const project_id = 'acme/kept'
  const set = (retention_days: number | null) =>
    service.post('/project/ttl_settings/update', { project_id, retention_days })
  const read = async () => (await service.post('/project/ttl_settings/read', { project_id })).json

  it('is what the project sets, at most what the operator does; the older ones are deleted', async () => {
    const { store } = service
    const calls = [10, 40].map((days) => ({
      project_id: projectIdOf(project_id),
      id: `${days} days`,
      started_at: new Date(Date.now() - days * 86_400_000).toISOString(),
    }))
    await store.insertRows('calls', calls)
    await setPolicy(store, 'acme', 90)
    expect(await read()).toEqual({ retention_days: 90 })
    const refused = await set(91)
    expect([refused.status, refused.json.reason]).toEqual([400, expect.stringContaining('90 days')])
    expect((await set(30)).json).toEqual({ retention_days: 30 })
    expect(await read()).toEqual({ retention_days: 30 })

    await applyRetention(store)
    const left = await store.rows<{ id: string }>(
      sql`SELECT id FROM calls WHERE project_id = ${bind.string(projectIdOf(project_id))}`,
    )
    expect(left).toEqual([{ id: '10 days' }])

    expect((await set(null)).json).toEqual({ retention_days: 90 })
    // What the operator set for this very project is not the project's to change.
    await setPolicy(store, project_id, 7)
    const longer = await set(30)
    expect([longer.status, longer.json.reason]).toEqual([400, expect.stringContaining('7 days')])
    expect((await set(5)).json).toEqual({ retention_days: 5 })
    expect((await set(null)).json).toEqual({ retention_days: 7 })
    expect(await read()).toEqual({ retention_days: 7 })
    // The operator's later limit holds for what the project set before.
    expect((await set(6)).status).toBe(200)
    await setPolicy(store, project_id, 3)
    expect(await read()).toEqual({ retention_days: 3 })
    await set(null)
    for (const scope of ['acme', project_id]) await setPolicy(store, scope, undefined)
    expect(await read()).toEqual({ retention_days: null })
  })
})
