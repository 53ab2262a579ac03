/** Batches over a real store and queue, with a node that says what a test wants. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { insertKey, revokeKey } from '../../domain/auth/key-table.js'
import { openArtifacts } from '../../platform/artifacts/open.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { events, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { until } from '../support/until.js'
import { ChatStack } from './testing/chat-stack.js'

interface Batch {
  id: string
  status: string
  output_file_id: string | null
  error_file_id: string | null
  request_counts: { total: number; completed: number; failed: number }
  errors: { data: { code: string }[] } | null
}

interface Line {
  custom_id: string | null
  response: {
    status_code: number
    body: { choices: { message: { content: string } }[]; error: { reason: string } }
  }
  error: { code: string; line: number } | null
}

let engine: TestEngine
let store: Store
let folder: string
let node: ScriptedNode
let stack: ChatStack

beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('batches')
  folder = mkdtempSync(join(tmpdir(), 'heddle-batches-'))
  for (const keyId of ['tester', 'other', 'revoked', 'twin'])
    await insertKey(store, {
      ...{ hash: keyId, keyId, userId: keyId, username: keyId, label: '' },
      grants: [{ scope: 'acme', right: 'write' }],
    })
  await start()
})

async function start(): Promise<void> {
  node = new ScriptedNode({ slots: 2 })
  const vectors = new ScriptedNode({ ...{ model: 'vectors', embeds: true, together: false }, slots: 2 })
  const storage = { artifacts: openArtifacts(folder), root: folder }
  stack = await ChatStack.start([node, vectors], { store, storage })
}
beforeEach(() => {
  node.script = new ScriptedNode().script
  node.cancelled = 0
})
afterAll(async () => {
  await stack.stop()
  rmSync(folder, { recursive: true, force: true })
  await engine.stop()
})

async function ask(path: string, init: RequestInit = {}, key = 'tester'): Promise<Response> {
  return fetch(`${stack.url}/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  })
}

async function ok<T>(asked: Promise<Response>): Promise<T> {
  const answer = await asked
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, text])
  return JSON.parse(text) as T
}

function upload(content: string, key?: string, fields: Record<string, string> = {}): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ purpose: 'batch', ...fields })) form.set(name, value)
  form.set('file', new Blob([content]), 'lines.jsonl')
  return ask('/files', { method: 'POST', body: form }, key)
}

const line = (id: unknown, say: string, more: object = {}, body: object = {}) =>
  JSON.stringify({
    ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
    body: { model: 'scripted', messages: [{ role: 'user', content: say }], ...body },
    ...more,
  })
const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => line(`r${i}`, `number ${i}`)).join('\n')

interface Begun {
  endpoint?: string
  headers?: Record<string, string>
}

const begin = (file: string, key?: string, { endpoint = '/v1/chat/completions', headers }: Begun = {}) =>
  ask(
    '/batches',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        ...{ input_file_id: file, endpoint, completion_window: '24h' },
        metadata: { of: 'a test' },
      }),
    },
    key,
  )

async function started(content: string, key?: string, more?: Begun): Promise<Batch> {
  const { id } = await ok<{ id: string }>(upload(content, key))
  return ok<Batch>(begin(id, key, more))
}

const batch = (id: string, key?: string) => ok<Batch>(ask(`/batches/${id}`, {}, key))
const ended = (id: string, key?: string) =>
  until('the batch to end', async () => {
    const found = await batch(id, key)
    return !['validating', 'in_progress', 'cancelling'].includes(found.status) && found
  })

async function lines(file: string | null, key?: string): Promise<Line[]> {
  if (file === null) return []
  const answer = await ask(`/files/${file}/content`, {}, key)
  expect(answer.status).toBe(200)
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line)
}
const said = (all: Line[]) => all.map((one) => one.response.body.choices[0]!.message.content)
const ids = (all: Line[]) => all.map(({ custom_id: id }) => id)

/** The node holds requests with these words until they are let go. */
function holding(words: string): { letGo: () => void; held: () => number } {
  const waiting: (() => void)[] = []
  const say = node.script
  let held = 0
  let isOpen = false
  node.script = async (call, of) => {
    if (!isOpen && call.request.chat?.messagesJson.includes(words)) {
      held++
      call.write(events.started())
      call.on('cancelled', () => held--)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    await say(call, of)
  }
  return {
    letGo: () => {
      isOpen = true
      for (const go of waiting) go()
    },
    held: () => held,
  }
}

it('answers every line once, in the order of the input, and says what is wrong with the others', async () => {
  const content = [
    line('a', 'the first'),
    'no JSON',
    '',
    line('b', 'the second'),
    line('a', 'again'),
    line('c', 'x', {}, { model: 'artifact:///acme/p/nobody' }),
    line('d', 'x', { url: '/v1/embeddings' }),
    line('e', 'x', { method: 'GET' }),
    line(7, 'x'),
    '[]',
    line('f', 'x', { body: 'text' }),
    line('g', 'x', {}, { temperature: -1 }),
    line('h', 'x', {}, { stream: true }),
    line('z', 'the last'),
  ].join('\r\n')
  const made = await started(content)
  expect(made).toMatchObject({ object: 'batch', status: 'validating', metadata: { of: 'a test' } })
  const done = await ended(made.id)
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 13, completed: 3, failed: 10 } })
  expect(said(await lines(done.output_file_id))).toEqual(['the first', 'the second', 'the last'])
  const wrong = await lines(done.error_file_id)
  expect(
    wrong.map((one) => [one.custom_id, one.error?.code ?? one.response.status_code, one.error?.line]),
  ).toEqual([
    [null, 'invalid_json_line', 2],
    ['a', 'duplicate_custom_id', 5],
    ['c', 404, undefined],
    ['d', 'invalid_url', 7],
    ['e', 'invalid_method', 8],
    [null, 'invalid_custom_id', 9],
    [null, 'invalid_json_line', 10],
    ['f', 'invalid_body', 11],
    ['g', 422, undefined],
    ['h', 400, undefined],
  ])
  expect(wrong[2]!.response.body.error.reason).toBe('UNKNOWN_MODEL')
})

const routes: [string, object, object, (body: Record<string, never>) => unknown, unknown][] = [
  [
    '/v1/embeddings',
    { model: 'vectors', input: ['a', 'bc'] },
    { model: 'scripted', input: 'x' },
    vectorsOf,
    [
      [1, 0, 0],
      [2, 0, 1],
    ],
  ],
  [
    '/v1/completions',
    { model: 'scripted', prompt: ['a', 'b'] },
    { model: 'scripted', prompt: [] },
    choicesOf,
    ['a', 'b'],
  ],
  [
    '/v1/responses',
    { model: 'scripted', input: 'hello' },
    { previous_response_id: 'resp_1' },
    outputOf,
    ['hello'],
  ],
]
function vectorsOf({ data }: { data?: { embedding: number[] }[] }) {
  return data?.map(({ embedding }) => embedding)
}
function choicesOf({ choices }: { choices?: { text: string }[] }) {
  return choices?.map(({ text }) => text)
}
function outputOf({ output }: { output?: { content: { text: string }[] }[] }) {
  return output?.map(({ content }) => content[0]?.text)
}

it.each(routes)(
  'answers lines of %s, and logs them where that is asked for',
  async (endpoint, body, wrong, found, expected) => {
    node.script = (call, of) => {
      const prompt = call.request.text?.text
      if (prompt === undefined) return new ScriptedNode().script(call, of)
      call.write(events.started())
      call.write(events.delta({ text: prompt, tokenIds: [1], finish: { reason: 'stop' } }))
      call.write(events.done(1))
      call.end()
    }
    const content = [body, wrong, { stream: true, ...body }]
      .map((one, i) => JSON.stringify({ custom_id: `r${i}`, method: 'POST', url: endpoint, body: one }))
      .join('\n')
    const project = `acme/lines${endpoint.replaceAll('/', '-')}`
    const made = await started(content, undefined, { endpoint, headers: { 'x-heddle-project': project } })
    const done = await ended(made.id)
    const streams = endpoint === '/v1/embeddings'
    expect(done.request_counts).toEqual({ total: 3, completed: streams ? 2 : 1, failed: streams ? 1 : 2 })
    const [line] = await lines(done.output_file_id)
    expect(found(line!.response.body as never)).toEqual(expected)
    expect((await lines(done.error_file_id))[0]).toMatchObject({ custom_id: 'r1' })
    const [{ count } = { count: 0 }] = await store.rows<{ count: number }>(
      sql`SELECT count() AS count FROM calls FINAL WHERE project_id = ${bind.string(projectIdOf(project))}
        AND JSONExtractString(attributes, 'batch') = ${bind.string(made.id)}`,
    )
    expect(Number(count)).toBe(endpoint === '/v1/responses' ? 1 : 2)
  },
)

it('gives its place to a live request, and answers the line later', async () => {
  const { letGo, held } = holding('number')
  const { id } = await started(numbered(3))
  await until('both places to be taken', () => held() === 2)
  expect((await stack.post('live')).status).toBe(200)
  expect(node.cancelled).toBe(1)
  letGo()
  const done = await ended(id)
  expect(done.request_counts).toEqual({ total: 3, completed: 3, failed: 0 })
  expect(said(await lines(done.output_file_id))).toEqual(['number 0', 'number 1', 'number 2'])
})

it('ends when it is cancelled, with the answers so far', async () => {
  const { held } = holding('number 2')
  const { id } = await started(numbered(5))
  await until(
    'the lines before',
    async () => held() === 1 && (await batch(id)).request_counts.completed === 4,
  )
  expect(await ok<Batch>(ask(`/batches/${id}/cancel`, { method: 'POST' }))).toMatchObject({
    status: 'cancelling',
  })
  const done = await ended(id)
  expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: 5, completed: 4, failed: 1 } })
  expect(ids(await lines(done.output_file_id))).toEqual(['r0', 'r1', 'r3', 'r4'])
  expect(await lines(done.error_file_id)).toMatchObject([
    { custom_id: 'r2', error: { code: 'batch_cancelled' } },
  ])
  await until('the node to be told', () => node.cancelled === 1)
})

it('fails when its key is revoked', async () => {
  const { id } = await started(numbered(1), 'twin')
  await ended(id, 'twin')
  const { held } = holding('number')
  const next = await started(numbered(1), 'revoked')
  await until('its line to run', () => held() === 1)
  await revokeKey(store, 'revoked')
  const late = await started(numbered(1), 'revoked')
  expect(await ended(late.id, 'revoked')).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'key_revoked' }] },
  })
  await ok(ask(`/batches/${next.id}/cancel`, { method: 'POST' }, 'revoked'))
})

it.each([
  ['an empty file', '\n \n', 'empty_file'],
  ['too many lines', '{}\n'.repeat(50_001), 'too_many_requests'],
])('fails for %s', async (_, content, code) => {
  const { id } = await started(content)
  expect(await ended(id)).toMatchObject({ status: 'failed', errors: { data: [{ code }] } })
})

it('keeps files of keys with other rights apart', async () => {
  const { id } = await ok<{ id: string }>(upload(numbered(1)))
  const made = await ok<Batch>(begin(id))
  await ended(made.id)
  for (const key of ['tester@elsewhere', 'tester@acme:read', 'tester@acme/part']) {
    for (const path of [`/files/${id}`, `/files/${id}/content`, `/batches/${made.id}`])
      expect((await ask(path, {}, key)).status).toBe(404)
    expect((await ask(`/files/${id}`, { method: 'DELETE' }, key)).status).toBe(404)
    expect((await ask(`/batches/${made.id}/cancel`, { method: 'POST' }, key)).status).toBe(404)
    expect((await begin(id, key)).status).toBe(404)
    expect(await ok(ask('/files', {}, key))).toMatchObject({ data: [] })
    expect(await ok(ask('/batches', {}, key))).toMatchObject({ data: [] })
  }
  // Another key with the same rights is the same tenant.
  expect((await ask(`/files/${id}`, {}, 'other')).status).toBe(200)
})

it('stores, lists and deletes files', async () => {
  const key = 'tester@files'
  const first = await ok<{ id: string; expires_at: number; created_at: number }>(
    upload('{}', key, { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' }),
  )
  expect(first).toMatchObject({ object: 'file', purpose: 'batch', filename: 'lines.jsonl', bytes: 2 })
  expect(first.expires_at - first.created_at).toBe(3600)
  const second = await ok<{ id: string }>(upload('{"a":1}', key))
  const list = async (query: string) =>
    (await ok<{ data: { id: string }[] }>(ask(`/files?${query}`, {}, key))).data.map(({ id }) => id)
  expect(await list('')).toEqual([second.id, first.id])
  expect(await list('order=asc&limit=1')).toEqual([first.id])
  expect(await list(`order=asc&after=${first.id}`)).toEqual([second.id])
  expect(await list('purpose=batch_output')).toEqual([])
  expect(await (await ask(`/files/${second.id}/content`, {}, key)).text()).toBe('{"a":1}')
  const before = readdirSync(join(folder, 'batches')).length
  expect(await ok(ask(`/files/${second.id}`, { method: 'DELETE' }, key))).toMatchObject({ deleted: true })
  expect((await ask(`/files/${second.id}/content`, {}, key)).status).toBe(404)
  expect(readdirSync(join(folder, 'batches'))).toHaveLength(before - 1)
})

it('refuses uploads and batches beyond the limits of a key, and what is not a batch', async () => {
  const key = 'limited@limits'
  expect((await upload('x'.repeat(600_000), key)).status).toBe(200)
  expect((await upload('x'.repeat(600_000), key)).status).toBe(429)
  expect((await upload('', key)).status).toBe(422)
  expect((await upload('x', key, { purpose: 'fine-tune' })).status).toBe(422)
  expect((await ask('/files', { method: 'POST', body: 'x' }, key)).status).toBe(415)
  const { letGo } = holding('number')
  const { id } = await ok<{ id: string }>(upload(numbered(1)))
  const made = await Promise.all(Array.from({ length: 5 }, () => begin(id)))
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
  expect((await ask(`/files/${id}`, { method: 'DELETE' })).status).toBe(409)
  letGo()
  const open = (await Promise.all(made.filter((one) => one.ok).map((one) => one.json()))) as Batch[]
  const [done] = await Promise.all(open.map((one) => ended(one.id)))
  expect((await begin(done!.output_file_id!)).status).toBe(400)
})

it('expires after its window, with the answers so far', async () => {
  const { held } = holding('number 1')
  const { id } = await started(numbered(2))
  await until('the line before', async () => held() === 1 && (await batch(id)).request_counts.completed === 1)
  // As if a day had passed, for a process that takes the batch over.
  await store.runTrusted(
    `INSERT INTO batches SELECT * REPLACE (created_at AS expires_at, ver + 1 AS ver) FROM batches FINAL WHERE id = '${id}'`,
  )
  await stack.stop()
  await start()
  const done = await ended(id)
  expect(done).toMatchObject({ status: 'expired', request_counts: { total: 2, completed: 1, failed: 1 } })
  expect(await lines(done.error_file_id)).toMatchObject([
    { custom_id: 'r1', error: { code: 'batch_expired' } },
  ])
})

it('waits for a node that is away, and goes on with what is left', async () => {
  const { held } = holding('number 1')
  const { id } = await started(numbered(3))
  await until('the other lines', async () => held() === 1 && (await batch(id)).request_counts.completed === 2)
  const port = Number(node.address.split(':')[1])
  node.kill()
  const next = new ScriptedNode({ slots: 2 })
  await next.start(port)
  stack.nodes.push(next)
  const done = await ended(id)
  expect(said(await lines(done.output_file_id))).toEqual(['number 0', 'number 1', 'number 2'])
  expect(next.requests).toHaveLength(1)
})
