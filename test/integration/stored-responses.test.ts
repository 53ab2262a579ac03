/** Responses and conversations that are stored, by two processes over one store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { events, type Script, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

const node = new ScriptedNode()
let engine: TestEngine
let store: Store
let stack: ChatStack
let other = ''
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('responses')
  stack = await ChatStack.start([node], { store })
  other = await stack.addApi()
}, 60_000)
afterAll(async () => {
  await stack?.stop()
  await engine?.stop()
})

interface Answer {
  id: string
  status: string
  output: { id: string; content?: { text: string }[]; encrypted_content?: string }[]
  data: { id: string; content: unknown }[]
  error: { reason: string }
}

async function ask(
  path: string,
  { method = 'GET', body, url = stack.url, key = 'ann@acme', headers = {} }: Asking = {},
) {
  const answer = await fetch(`${url}/v1/${path}`, {
    method: body ? 'POST' : method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Answer }
}
interface Asking {
  method?: string
  body?: object
  url?: string
  key?: string
  headers?: Record<string, string>
}

const create = (body: object, more: Asking = {}) =>
  ask('responses', { ...more, body: { model: 'scripted', ...body } })
/** The contents of the messages that the node was asked with last. */
const asked = () =>
  (JSON.parse(node.requests.at(-1)!.chat!.messagesJson) as { content: string }[]).map(
    ({ content }) => content,
  )

describe('a response', () => {
  it('is stored when its caller is told that it ended, and found by other processes', async () => {
    const { text } = await create({ input: 'hello world', stream: true, metadata: { a: 'b' } })
    const last = JSON.parse(text.trim().split('\ndata: ').at(-1)!) as { response: Answer }
    const { id } = last.response
    const found = await ask(`responses/${id}`, { url: other })
    expect(found.body).toEqual(last.response)
    const items = await ask(`responses/${id}/input_items`, { url: other })
    expect(items.body.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ text: 'hello world' }] },
    ])
  })

  it('is not stored if the caller says so', async () => {
    const { body } = await create({ input: 'x', store: false })
    expect((await ask(`responses/${body.id}`)).status).toBe(404)
  })

  it('goes on from another, and from that before it', async () => {
    const first = (await create({ input: 'one', instructions: 'be brief' })).body
    const second = (await create({ input: 'two', previous_response_id: first.id }, { url: other })).body
    const third = (await create({ input: 'three', previous_response_id: second.id, store: false })).body
    expect(asked()).toEqual(['one', 'one', 'two', 'two', 'three'])
    expect((await create({ input: 'x', previous_response_id: third.id })).status).toBe(404)
    // What was deleted is not said again.
    expect((await ask(`responses/${first.id}`, { method: 'DELETE' })).body).toMatchObject({ deleted: true })
    await create({ input: 'four', previous_response_id: second.id })
    expect(asked()).toEqual(['two', 'two', 'four'])
  })

  it('lends its items to requests that refer to them', async () => {
    const { output } = (await create({ input: 'said before' })).body
    await create({
      input: [
        { type: 'item_reference', id: output[0]!.id },
        { role: 'user', content: 'now' },
      ],
    })
    expect(asked()).toEqual(['said before', 'now'])
    const unknown = [{ type: 'item_reference', id: 'msg_nobody' }]
    expect((await create({ input: unknown })).body.error.reason).toBe('BAD_INPUT')
  })

  it('is nobody else’s', async () => {
    const { id, output } = (await create({ input: 'mine' })).body
    for (const key of ['eve@other', 'eve@acme/one', 'eve@*']) {
      const statuses = await Promise.all([
        ask(`responses/${id}`, { key }),
        ask(`responses/${id}`, { key, method: 'DELETE' }),
        ask(`responses/${id}/cancel`, { key, method: 'POST' }),
        ask(`responses/${id}/input_items`, { key }),
        create({ input: 'x', previous_response_id: id }, { key }),
      ])
      expect(statuses.map(({ status }) => status)).toEqual(Array(5).fill(404))
      const stolen = [{ type: 'item_reference', id: output[0]!.id }]
      expect((await create({ input: stolen }, { key })).status).toBe(400)
    }
    expect((await ask(`responses/${id}`, { key: 'bob@acme' })).status).toBe(200)
  })

  it('belongs to the project that it is logged to', async () => {
    const { id } = (await create({ input: 'x' }, { headers: { 'x-heddle-project': 'acme/kept' } })).body
    const row = await store.row(sql`SELECT project_id FROM responses FINAL WHERE id = ${bind.string(id)}`)
    expect(row).toEqual({ project_id: projectIdOf('acme/kept') })
  })

  it('is summed up, and goes on from the summary', async () => {
    const { output } = (
      await ask('responses/compact', { body: { model: 'scripted', input: 'a long story' } })
    ).body
    await create({ input: [output[0]!, { role: 'user', content: 'and then?' }] })
    expect(asked()).toEqual([expect.stringContaining('Sum up this conversation'), 'and then?'])
  })
})

describe('a response in the background', () => {
  /** Says one word, and the rest on demand. */
  function gated(): { script: Script; open: () => void } {
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const script: Script = async (call) => {
      call.write(events.started())
      call.write(events.delta({ text: 'first ', tokenIds: [1] }))
      await opened
      call.write(events.delta({ text: 'last', tokenIds: [2], finish: { reason: 'stop' } }))
      call.write(events.done(2))
      call.end()
    }
    return { script, open }
  }
  const says = node.script
  const background = { input: 'x', background: true }

  it('is found at once, can be followed from any event, and ends though nobody waits', async () => {
    const gate = gated()
    node.script = gate.script
    const { id, status } = (await create({ ...background, stream: false })).body
    expect(status).toBe('queued')
    expect((await ask(`responses/${id}`, { url: other })).body.status).toBe('queued')
    const follow = ask(`responses/${id}?stream=true&starting_after=0`)
    const elsewhere = ask(`responses/${id}?stream=true`, { url: other })
    gate.open()
    const numbers = [...(await follow).text.matchAll(/"sequence_number":(\d+)/g)].map(([, n]) => Number(n))
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    expect((await elsewhere).text).toContain('event: response.completed')
    const { body } = await ask(`responses/${id}`, { url: other })
    expect(body).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'first last' }] }] })
    node.script = says
  })

  it('stays cancelled, whichever process is asked', async () => {
    const gate = gated()
    node.script = gate.script
    const { id } = (await create(background)).body
    const elsewhere = (await create(background)).body
    expect((await ask(`responses/${id}/cancel`, { method: 'POST' })).body.status).toBe('cancelled')
    await ask(`responses/${elsewhere.id}/cancel`, { method: 'POST', url: other })
    // The model has more to say, and is not asked for it.
    await expect.poll(() => node.running, { timeout: 20_000 }).toBe(0)
    gate.open()
    for (const one of [id, elsewhere.id])
      expect((await ask(`responses/${one}`)).body.status).toBe('cancelled')
    node.script = says
  })

  it('whose process has ended has failed, for all who ask', async () => {
    const { id } = (await create({ input: 'x' })).body
    const [row] = await store.rows<{ content: string }>(
      sql`SELECT * EXCEPT created_at FROM responses FINAL WHERE id = ${bind.string(id)}`,
    )
    // As such a process leaves it: begun, with a lease that ran out.
    const content = JSON.stringify({ ...(JSON.parse(row!.content) as object), status: 'queued', output: [] })
    const left = `resp_${'0'.repeat(32)}`
    const at = new Date().toISOString()
    await store.insertRows('responses', [
      { ...row, id: left, thread: left, content, status: 'queued', ver: 1, created_at: at },
    ])
    const goOn = await create({ input: 'y', previous_response_id: left }, { url: other })
    expect(goOn.status).toBe(200)
    for (const url of [stack.url, other])
      expect((await ask(`responses/${left}`, { url })).body).toMatchObject({
        status: 'failed',
        error: { reason: 'LOST' },
      })
    expect((await ask(`responses/${left}?stream=true`)).text).toContain('event: response.failed')
  })

  it('that fails says why', async () => {
    node.script = (call) => {
      call.write(events.error('BAD_FIELD', 3, 'Not so.'))
      call.end()
    }
    const { id } = (await create(background)).body
    await expect
      .poll(async () => (await ask(`responses/${id}`)).body)
      .toMatchObject({
        status: 'failed',
        error: { code: 'invalid_prompt', message: 'Not so.', reason: 'BAD_FIELD' },
      })
    node.script = says
  })
})

describe('a conversation', () => {
  it('collects what is sent and answered, until items are removed or it is deleted', async () => {
    const items = [{ type: 'message', role: 'user', content: 'zero' }]
    const { id } = (await ask('conversations', { body: { metadata: { a: 'b' }, items } })).body
    await create({ input: 'one', conversation: id })
    await create({ input: 'two', conversation: { id } }, { url: other })
    expect(asked()).toEqual(['zero', 'one', 'one', 'two'])
    const list = (await ask(`conversations/${id}/items?order=asc&limit=2`)).body
    expect(list).toMatchObject({
      has_more: true,
      data: ['zero', 'one'].map((text) => ({ content: [{ text }] })),
    })
    const [zero] = list.data
    expect((await ask(`conversations/${id}/items/${zero!.id}`)).body).toEqual(zero)
    await ask(`conversations/${id}/items/${zero!.id}`, { method: 'DELETE' })
    expect((await ask(`conversations/${id}/items/${zero!.id}`)).status).toBe(404)
    await ask(`conversations/${id}/items`, { body: { items: [{ role: 'user', content: 'three' }] } })
    await create({ input: 'four', conversation: id })
    expect(asked()).toEqual(['one', 'one', 'two', 'two', 'three', 'four'])
    expect((await ask(`conversations/${id}`, { body: { metadata: { c: 'd' } } })).body).toMatchObject({
      metadata: { c: 'd' },
    })
    for (const key of ['eve@other', 'eve@acme/one'])
      expect((await ask(`conversations/${id}`, { key })).status).toBe(404)
    await ask(`conversations/${id}`, { method: 'DELETE', url: other })
    expect((await ask(`conversations/${id}`)).status).toBe(404)
    expect((await create({ input: 'x', conversation: id })).status).toBe(404)
  })
})

it('counts the tokens of a request without an answer', async () => {
  const body = { model: 'scripted', input: 'how many words are these' }
  expect((await ask('responses/input_tokens', { body })).body).toEqual({
    object: 'response.input_tokens',
    input_tokens: expect.any(Number),
  })
  expect(node.requests.at(-1)?.countOnly).toBe(true)
})
