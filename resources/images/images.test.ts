/** The route over the real engine: which provider is asked, with what key, and what is kept. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReads, type Reads } from '../../cli/serve/reads.js'
import { Cipher } from '../../domain/secrets/cipher.js'
import { Secrets } from '../../domain/secrets/secrets.js'
import { startService, type TestService } from '../../query/testing/service.js'

const PROJECT = 'acme/one'
const KEY = 'sk-secret-of-the-project'
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

let upstream: Server
let asked: { path: string; headers: Record<string, unknown>; body: Record<string, unknown> }[] = []
let base = ''
/** it answers 500 */
let refuses = false
let service: TestService
const queries: Reads[] = []

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    asked.push({ path: request.url!, headers: request.headers, body: text ? JSON.parse(text) : {} })
    if (refuses) return void response.writeHead(500).end('{}')
    const usage = { input_tokens: 10, output_tokens: 200, total_tokens: 210 }
    response.end(JSON.stringify({ created: 1, data: [{ b64_json: PIXEL }], usage }))
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  base = `http://127.0.0.1:${(upstream.address() as { port: number }).port}/v1`
  service = await startService((store) => {
    const secrets = new Secrets(store, new Cipher('a key of enough length'))
    const query = createReads({
      store,
      version: '',
      providers: { secrets, timeoutMs: 10_000, allowPrivate: ['127.0.0.1'] },
    })
    queries.push(query)
    return query.routes
  })
  const secrets = new Secrets(service.store, new Cipher('a key of enough length'))
  await secrets.set('acme/one', 'STUDIO_KEY', `${KEY} `, base)
  await secrets.set('*', 'BROKEN_KEY', 'two\nlines', '*')
  await provider('studio', { base_url: `${base}/`, api_key_name: 'STUDIO_KEY' })
  await provider('open', { base_url: base, api_key_name: '', extra_headers: { 'x-team': 'blue' } })
  await publish('studio-best', 'ProviderModel', { name: 'draw-2', provider: 'studio', max_tokens: 1 })
  await publish('my-model', 'ProviderModel', { name: 'draw-3', provider: 'open', max_tokens: 1 })
})
afterAll(async () => {
  for (const query of queries) await query.stop()
  await service.stop()
  upstream.closeAllConnections()
  upstream.close()
})
beforeEach(() => {
  asked = []
})

const create = (model: string, more: object = {}, inputs: object = {}) =>
  service.post('/image/create', {
    project_id: PROJECT,
    inputs: { model, prompt: 'a cat', ...inputs },
    ...more,
  })

/** An object as a client of its own would write it, without the checks of built-in classes. */
async function publish(id: string, name: string, fields: object): Promise<void> {
  const val = { _type: name, _class_name: name, _bases: ['BaseObject', 'BaseModel'], ...fields }
  await service.post('/obj/create', { obj: { project_id: PROJECT, object_id: id, val } })
}
const provider = (id: string, fields: object) => publish(id, 'Provider', { return_type: 'openai', ...fields })

describe('the provider that a model names', () => {
  it.each([
    ['custom::studio::draw-1', 'draw-1', `Bearer ${KEY}`],
    ['studio/draw-1', 'draw-1', `Bearer ${KEY}`],
    ['studio/best', 'draw-2', `Bearer ${KEY}`],
    ['open/team/draw', 'team/draw', undefined],
    ['my-model', 'draw-3', undefined],
  ])('%s', async (name, model, authorization) => {
    expect((await create(name)).status).toBe(200)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ path: '/v1/images/generations', body: { model, prompt: 'a cat' } })
    expect(asked[0]!.headers.authorization).toBe(authorization)
  })

  it('is sent its own headers, and how many images to make', async () => {
    await create('open/draw', {}, { n: 3 })
    expect(asked[0]).toMatchObject({ headers: { 'x-team': 'blue' }, body: { n: 3 } })
  })

  it.each([
    ['nobody/draw', 'NO_PROVIDER', 404],
    ['my model', 'NO_PROVIDER', 404],
    ['studio', 'NO_PROVIDER', 404],
    ['custom::studio-best::x', 'NO_PROVIDER', 404],
  ])('%s: there is none', async (name, code, status) => {
    const answer = await create(name)
    expect([answer.json.code, answer.status]).toEqual([code, status])
  })

  it.each([
    ['no secret of that name', { base_url: 'http://x', api_key_name: 'OTHER_KEY' }, 'NO_SECRET'],
    ['a secret that is no header', { base_url: 'http://x', api_key_name: 'BROKEN_KEY' }, 'BAD_SECRET'],
    ['no address', { api_key_name: 'K' }, 'BAD_PROVIDER'],
    ['a file', { base_url: 'file:///etc/passwd' }, 'BAD_PROVIDER'],
    ['credentials in the address', { base_url: 'http://me:you@x' }, 'BAD_PROVIDER'],
    ['a query in the address', { base_url: 'http://x/?a=' }, 'BAD_PROVIDER'],
    [
      'a header for metadata',
      { base_url: 'http://x', extra_headers: { 'Metadata-Flavor': 'G' } },
      'BAD_PROVIDER',
    ],
    ['a host', { base_url: 'http://x', extra_headers: { host: 'y' } }, 'BAD_PROVIDER'],
    ['a header of two lines', { base_url: 'http://x', extra_headers: { a: 'b\r\nc: d' } }, 'BAD_PROVIDER'],
    ['headers that are none', { base_url: 'http://x', extra_headers: 1 }, 'BAD_PROVIDER'],
  ])('will not do with %s', async (_, fields, code) => {
    await provider('bad', fields)
    const answer = await create('bad/draw')
    expect([answer.status, answer.json.code]).toEqual([400, code])
    expect(answer.text).not.toContain('two')
  })

  it('is gone when it is deleted', async () => {
    await provider('gone', { base_url: base })
    expect((await create('gone/draw')).status).toBe(200)
    await service.post('/obj/delete', { project_id: PROJECT, object_id: 'gone' })
    expect((await create('gone/draw')).status).toBe(404)
  })

  it('is the latest version of it, also where that is an old one again', async () => {
    const [first, second] = [{ base_url: `${base}/a` }, { base_url: `${base}/b` }]
    for (const fields of [first, second, first]) {
      await provider('moving', fields)
      await create('moving/draw')
    }
    expect(asked.map(({ path }) => path.slice(0, 5))).toEqual(['/v1/a', '/v1/b', '/v1/a'])
  })

  it('is not asked by another project, which has neither it nor its key', async () => {
    const answer = await create('studio/draw-1', { project_id: 'acme/two' })
    expect([answer.status, asked.length]).toEqual([404, 0])
  })
})

describe('what is kept', () => {
  it('the image as files', async () => {
    const { response } = (await create('studio/draw-1')).json
    const { image } = response.data[0]
    const file = await service.post('/file/content', { project_id: PROJECT, digest: image.files.content })
    expect(Buffer.from(file.bytes).toString('base64')).toBe(PIXEL)
  })

  it('the call', async () => {
    const { response, weave_call_id } = (await create('studio/draw-1', {}, { n: 1 })).json
    const { call } = (await service.post('/call/read', { project_id: PROJECT, id: weave_call_id })).json
    expect(call).toMatchObject({
      op_name: 'weave.image_generation_create',
      inputs: { model: 'studio/draw-1', prompt: 'a cat', n: 1 },
      output: response,
      exception: null,
      wb_user_id: 'user-all',
      parent_id: null,
      summary: {
        usage: { 'draw-1': { requests: 1, input_tokens: 10, output_tokens: 200, total_tokens: 210 } },
        weave: { status: 'success' },
      },
    })
  })

  it('nothing but the files where it was not to be tracked', async () => {
    const before = await service.post('/calls/query_stats', { project_id: PROJECT })
    expect((await create('studio/draw-1', { track_llm_call: false })).json.weave_call_id).toBeNull()
    expect((await service.post('/calls/query_stats', { project_id: PROJECT })).text).toBe(before.text)
  })

  it('calls can be found by what is in them', async () => {
    const { weave_call_id } = (await create('studio/draw-1', {}, { prompt: 'a rare bird' })).json
    const $eq = [{ $getField: 'inputs.prompt' }, { $literal: 'a rare bird' }]
    const found = await service.post('/calls/stream_query', {
      project_id: PROJECT,
      query: { $expr: { $eq } },
    })
    expect(JSON.parse(found.text).id).toBe(weave_call_id)
  })
})

describe('a request that is sent again', () => {
  const body = (prompt: string) => ({ project_id: PROJECT, inputs: { model: 'studio/draw-1', prompt } })
  const send = (prompt: string, retry: string) =>
    service.send('POST', '/image/create', body(prompt), { 'x-weave-retry-id': retry })

  it('has the first answer, also while that is under way', async () => {
    const [first, second] = await Promise.all([send('a dog', 'one'), send('a dog', 'one')])
    const third = await send('a dog', 'one')
    expect([second.text, third.text]).toEqual([first.text, first.text])
    expect(asked).toHaveLength(1)
  })

  it('is another one when something else is asked, or by nobody known', async () => {
    const [first, other] = [await send('a dog', 'two'), await send('a bird', 'two')]
    expect(other.json.weave_call_id).not.toBe(first.json.weave_call_id)
    await create('studio/draw-1')
    await create('studio/draw-1')
    expect(asked).toHaveLength(4)
  })

  it('asks again where the provider made nothing', async () => {
    refuses = true
    expect((await send('a dog', 'three')).json.response).toMatchObject({ error: { status: 500 } })
    refuses = false
    expect((await send('a dog', 'three')).json.response).toMatchObject({ data: [{}] })
  })
})

it.each([
  ['no prompt', { inputs: { model: 'm' } }],
  ['an empty prompt', { inputs: { model: 'm', prompt: '' } }],
  ['no images', { inputs: { model: 'm', prompt: 'x', n: 0 } }],
  ['too many', { inputs: { model: 'm', prompt: 'x', n: 11 } }],
  ['no project', { project_id: 'acme', inputs: { model: 'm', prompt: 'x' } }],
])('%s: 422', async (_, body) =>
  expect((await service.post('/image/create', { project_id: PROJECT, ...body })).status).toBe(422),
)

it('who may only read makes no images', async () => {
  const body = { project_id: PROJECT, inputs: { model: 'studio/draw-1', prompt: 'x' } }
  const answer = await service.send('POST', '/image/create', body, { authorization: 'Bearer reader' })
  expect([answer.status, asked.length]).toEqual([403, 0])
})
