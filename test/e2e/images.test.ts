/** Images through a provider that is a process of its own, well-behaved and not; and that its key stays where it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { dig } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import { runPython } from '../support/program.js'
import { Server } from '../support/server.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

const KEY = 'sk-e2e-0123456789-never-to-be-seen'
const env = {
  HEDDLE_SECRETS_KEY: 'the key under which secrets are kept',
  HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
  HEDDLE_PROVIDER_SECONDS: '2',
  HEDDLE_LOG_LEVEL: 'trace',
}
const project = freshProject()
let server: Server
let stub: Stub
/** Everything that anyone was answered. */
const said: string[] = []

beforeAll(async () => {
  stub = await Stub.start('image-provider')
  server = await Server.start({ env })
  await server.cliWith(`${KEY}\n`, 'secrets', 'set', project, 'STUDIO_KEY', '--for', stub.url)
  await provider(server, 'studio', `${stub.url}/v1`)
})
afterAll(async () => {
  await server?.dispose()
  await stub?.stop()
})

/** As the built-in class has it. */
async function provider(
  at: Server,
  id: string,
  base_url: string,
  api_key_name = 'STUDIO_KEY',
): Promise<void> {
  const obj = {
    project_id: project,
    object_id: id,
    builtin_object_class: 'Provider',
    val: { name: id, base_url, api_key_name },
  }
  await at.api.ok('/obj/create', { obj })
}

async function create(model: string, inputs: object = {}, at = server): Promise<Row> {
  const answer = await at.api.post('/image/create', {
    project_id: project,
    inputs: { model: `custom::studio::${model}`, prompt: 'a cat', ...inputs },
  })
  said.push(answer.text)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.text) as Row
}

async function callOf({ weave_call_id }: Row): Promise<Row> {
  const answer = await server.api.post('/call/read', { project_id: project, id: weave_call_id })
  said.push(answer.text)
  return JSON.parse(answer.text).call as Row
}

async function seen(): Promise<{ path: string; authorization: string }[]> {
  return (await (await fetch(`${stub.url}/seen`)).json()) as { path: string; authorization: string }[]
}

describe('images', () => {
  it.each([
    ['inline', 1],
    ['inline', 3],
    ['linked', 2],
    ['moved', 1],
  ])('%s, %i of them, are files that can be read', async (model, n) => {
    const made = await create(model, { n })
    const data = dig(made, 'response', 'data') as Row[]
    expect(data).toHaveLength(n)
    for (const item of data) {
      expect(item).not.toHaveProperty('b64_json')
      const digest = dig(item, 'image', 'files', 'content')
      const file = await server.api.post('/file/content', { project_id: project, digest })
      expect([file.status, file.bytes.toString('latin1', 1, 4)]).toEqual([200, 'PNG'])
    }
    const call = await callOf(made)
    expect(call).toMatchObject({
      op_name: 'weave.image_generation_create',
      output: made.response,
      exception: null,
    })
  })

  it('cost what the prices of the model say', async () => {
    const price = { prompt_token_cost: 0.5, completion_token_cost: 2 }
    await server.api.ok('/cost/create', { project_id: project, costs: { inline: price } })
    const { weave_call_id } = await create('inline')
    const [call] = await server.api.calls(project, {
      filter: { call_ids: [weave_call_id] },
      include_costs: true,
    })
    expect(dig(call, 'summary', 'weave', 'costs', 'inline')).toMatchObject({
      prompt_tokens_total_cost: 500,
      completion_tokens_total_cost: 4000,
    })
  })

  it('are asked for with the key, which goes to nobody else', async () => {
    const requests = await seen()
    const keyed = requests.filter(({ authorization }) => authorization === `Bearer ${KEY}`)
    expect(new Set(keyed.map(({ path }) => path))).toEqual(
      new Set(['/v1/images/generations', '/files/moved', '/v1/again']),
    )
    const files = requests.filter(({ path }) => path.endsWith('.png'))
    expect(files.map(({ authorization }) => authorization)).toEqual(files.map(() => ''))
  })
})

describe('a provider that', () => {
  it.each([
    ['refuses the prompt', '400', 'PROVIDER_REFUSED', 'this prompt is not allowed'],
    [
      'refuses the key and repeats it',
      '401',
      'PROVIDER_KEY_REFUSED',
      'Incorrect key provided: Bearer REDACTED',
    ],
    ['fails', '500', 'PROVIDER_FAILED', 'Traceback: Bearer REDACTED'],
    ['never answers', 'hang', 'PROVIDER_TIMEOUT', 'within 2 seconds'],
    ['stops in the middle', 'half', 'PROVIDER_TIMEOUT', 'within 2 seconds'],
    ['answers rubbish', 'rubbish', 'PROVIDER_BAD_ANSWER', 'is not JSON'],
    ['answers without images', 'empty', 'PROVIDER_BAD_ANSWER', 'no list of images'],
    ['answers with no image', 'no-image', 'PROVIDER_BAD_ANSWER', 'no image that is known in data.0'],
    ['answers without end', 'endless', 'PROVIDER_TOO_LARGE', '33554432 bytes'],
    ['points at nothing', 'linked-missing', 'PROVIDER_BAD_ANSWER', 'answered 404'],
    ['points at a text', 'linked-text', 'PROVIDER_BAD_ANSWER', 'no image that is known in data.0'],
    ['redirects to a private address', 'inward', 'BAD_ADDRESS', '127.0.0.2'],
    ['redirects to the metadata of a cloud', 'metadata', 'BAD_ADDRESS', '169.254.169.254'],
    ['points at a private address', 'linked-inward', 'BAD_ADDRESS', '127.0.0.2'],
    ['points at what redirects to one', 'linked-moved', 'BAD_ADDRESS', '127.0.0.2'],
  ])('%s: an error of its own, and a call that failed', async (_, model, code, message) => {
    const made = await create(model)
    expect(made.response).toMatchObject({ error: { code, message: expect.stringContaining(message) } })
    const call = await callOf(made)
    expect(call).toMatchObject({ output: made.response, exception: expect.stringContaining(code) })
    expect(dig(call, 'summary', 'weave', 'status')).toBe('error')
  })

  it('repeats the key in a good answer has it taken out', async () => {
    const made = await create('echo')
    expect(dig(made, 'response', 'data', 0)).toMatchObject({
      revised_prompt: 'Bearer REDACTED',
      'Bearer REDACTED': 1,
    })
    await callOf(made)
  })

  it('is not there', async () => {
    await provider(server, 'away', 'http://127.0.0.1:39/v1', '')
    expect(dig(await create('x', { model: 'away/x' }), 'response', 'error', 'code')).toBe(
      'PROVIDER_UNREACHABLE',
    )
  })
})

describe('a caller that goes away', () => {
  it('ends the request to the provider; the call tells', async () => {
    const before = (await seen()).length
    const caller = new AbortController()
    const body = JSON.stringify({
      project_id: project,
      inputs: { model: 'studio/hang', prompt: 'never mind' },
    })
    const headers = { ...server.api.authorization, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, signal: caller.signal }
    const asked = fetch(`${server.url}/image/create`, init).catch(() => 'gone')
    await until('the provider to be asked', async () => (await seen()).length > before)
    caller.abort()
    expect(await asked).toBe('gone')
    const $eq = [{ $getField: 'inputs.prompt' }, { $literal: 'never mind' }]
    const [call] = await until('the call', async () => {
      const calls = await server.api.calls(project, { query: { $expr: { $eq } } })
      return calls.length > 0 && calls
    })
    expect(call?.exception).toMatch(/^CANCELLED: /)
  })
})

describe('the Python SDK', () => {
  it('makes images and reads them back', async () => {
    const found = await runPython<Row>(server, 'weave_images', { PROJECT: project, PROVIDER_URL: stub.url })
    said.push(JSON.stringify(found))
    expect(found).toMatchObject({
      prompts: ['number 0', 'number 1'],
      images: [
        [true, 'image/png', 'PNG'],
        [true, 'image/png', 'PNG'],
      ],
      inputs: { model: 'custom::studio::best', prompt: 'a cat, żółć 🧵', n: 2 },
      usage: { requests: 1, input_tokens: 1000, output_tokens: 2000, total_tokens: 3000 },
      error: 'PROVIDER_FAILED',
    })
    expect(String(found.exception)).toMatch(/^PROVIDER_FAILED: /)
  })
})

describe('the key', () => {
  it('is in no answer, list, log or metric', async () => {
    const calls = await server.api.calls(project)
    const objects = await server.api.ok('/objs/query', { project_id: project })
    const metrics = await (await fetch(`${server.metricsUrl}/metrics`)).text()
    const listed = await server.cli('secrets', 'list')
    expect(listed).toContain('STUDIO_KEY')
    expect(calls.length).toBeGreaterThan(15)
    const all = [...said, JSON.stringify(calls), JSON.stringify(objects), metrics, listed, server.output]
    for (const text of all) expect(text).not.toContain(KEY)
    expect(server.output).not.toContain(env.HEDDLE_SECRETS_KEY)
  })

  it('can be changed while the server runs', async () => {
    await server.cliWith('another-key', 'secrets', 'set', project, 'STUDIO_KEY', '--for', stub.url)
    await create('inline')
    expect((await seen()).at(-1)?.authorization).toBe('Bearer another-key')
  })

  it('goes to the address that it was set for alone', async () => {
    await provider(server, 'elsewhere', stub.url.replace('127.0.0.1', 'localhost'))
    const before = (await seen()).length
    const inputs = { model: 'elsewhere/inline', prompt: 'x' }
    const answer = await server.api.post('/image/create', { project_id: project, inputs })
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'SECRET_NOT_FOR'])
    expect(await seen()).toHaveLength(before)
  })

  it('that is deleted is asked for', async () => {
    await server.cli('secrets', 'delete', project, 'STUDIO_KEY')
    const body = { project_id: project, inputs: { model: 'studio/inline', prompt: 'x' } }
    const answer = await server.api.post('/image/create', body)
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'NO_SECRET'])
  })
})

describe('a server that its operator told nothing', () => {
  it('asks no private address, and opens no key', async () => {
    await server.cliWith(KEY, 'secrets', 'set', project, 'STUDIO_KEY', '--for', stub.url)
    await server.stop()
    const plain = await Server.start({ dataDir: server.dataDir })
    try {
      const ask = (model: string) =>
        plain.api.post('/image/create', { project_id: project, inputs: { model, prompt: 'x' } })
      const keyless = await ask('studio/inline')
      expect([keyless.status, keyless.text]).toEqual([400, expect.stringContaining('HEDDLE_SECRETS_KEY')])
      const val = { name: 'near', base_url: `${stub.url}/v1`, api_key_name: '' }
      const obj = { project_id: project, object_id: 'near', builtin_object_class: 'Provider', val }
      await plain.api.ok('/obj/create', { obj })
      const before = (await seen()).length
      const near = JSON.parse((await ask('near/inline')).text) as Row
      expect(dig(near, 'response', 'error', 'code')).toBe('BAD_ADDRESS')
      expect(await seen()).toHaveLength(before)
    } finally {
      await plain.stop()
    }
  })
})
