import { afterEach, describe, expect, it } from 'vitest'
import { events, type Script, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

let stack: ChatStack | undefined
const leaving: AbortController[] = []
afterEach(async () => {
  for (const one of leaving.splice(0)) one.abort()
  await stack?.stop()
  stack = undefined
})

/** A node that answers one request whenever it is told to. */
class Gate {
  readonly node = new ScriptedNode({ slots: 1, priorityScheduling: true })
  private readonly held: (() => void)[] = []
  private opened = 0

  constructor() {
    const script: Script = async (call) => {
      await new Promise<void>((resolve) => this.held.push(resolve))
      call.write(events.started())
      call.write(events.delta({ text: 'x', finish: { reason: 'stop' } }))
      call.write(events.done(1))
      call.end()
    }
    this.node.script = script
  }

  get came(): string[] {
    return this.node.requests.map(({ chat }) => /"(\w+)"\}\]/.exec(chat!.messagesJson)![1]!)
  }

  async open(): Promise<void> {
    await expect.poll(() => this.held.length, { timeout: 10_000 }).toBeGreaterThan(this.opened)
    this.held[this.opened++]!()
  }
}

function post(say: string, key: string, more: object = {}, url = stack!.url): Promise<Response> {
  const gone = new AbortController()
  leaving.push(gone)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = stack!.post(say, more, { headers, signal: gone.signal }, url)
  answer.catch(() => undefined)
  return answer
}

/** Waits until so many requests are in the queue. */
async function waiting(count: number): Promise<void> {
  const detail = async () => {
    const { body } = await stack!.get('/v1/system-check')
    return (body as { checks: { queues: { detail: string } } }).checks.queues.detail
  }
  await expect.poll(detail, { timeout: 10_000 }).toContain(`scripted: ${count} waiting`)
}

describe('entities', () => {
  it('are served in turns, though one asks with the utmost priority, by several processes', async () => {
    const gate = new Gate()
    stack = await ChatStack.start([gate.node])
    const other = await stack.addApi()
    const greedy = (i: number) =>
      post(`greedy${i}`, 'eve@greedy', { priority: -1_000_000 }, i % 2 ? other : stack!.url)
    for (let i = 0; i < 12; i++) void greedy(i)
    await expect.poll(() => gate.came.length, { timeout: 10_000 }).toBe(2)
    await waiting(10)
    const answers = [0, 1].map((i) => post(`modest${i}`, 'ann@modest'))
    await waiting(12)
    for (let i = 12; i < 20; i++) {
      void greedy(i)
      await gate.open()
    }
    expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([200, 200])
    expect(gate.came.slice(2, 6).filter((text) => text.startsWith('modest'))).toEqual(['modest0', 'modest1'])
  })

  it('have priorities on a node only where the key administers everything', async () => {
    const node = new ScriptedNode({ priorityScheduling: true })
    stack = await ChatStack.start([node])
    await post('a', 'ann@acme', { priority: -7 })
    await post('b', 'root@*:admin', { priority: -7 })
    await post('c', 'root@acme:admin', { priority: -7 })
    expect(node.requests.map(({ priority }) => priority ?? 0)).toEqual([0, -7, 0])
  })

  it('share beginnings of prompts with nobody else', async () => {
    const node = new ScriptedNode()
    stack = await ChatStack.start([node])
    const salts: (string | undefined)[] = []
    for (const [key, more] of [
      ['ann@acme', {}],
      ['bob@acme/one:read', {}],
      ['ann@other', {}],
      ['root@*', {}],
      ['ann@acme', { cache_salt: 'mine' }],
      ['ann@other', { cache_salt: 'mine' }],
    ] as const) {
      await post('the same', key, more)
      salts.push(node.requests.at(-1)?.cacheSalt)
    }
    expect(salts.every((salt) => salt && !/acme|other|mine/.test(salt))).toBe(true)
    expect(salts[1]).toBe(salts[0])
    expect(new Set(salts).size).toBe(5)
  })
})

it('a key with too much waiting is told so, over all processes, and others get in', async () => {
  const gate = new Gate()
  stack = await ChatStack.start([gate.node], { waiting: { most: 100, perEntity: 20, perKey: 10 } })
  const urls = [stack.url, await stack.addApi()]
  const statuses: number[] = []
  const greedy = (i: number) =>
    post(`x${i}`, 'eve@greedy', {}, urls[i % 2]).then(
      ({ status }) => statuses.push(status),
      () => undefined,
    )
  for (let i = 0; i < 2; i++) void greedy(i)
  await expect.poll(() => gate.came.length, { timeout: 10_000 }).toBe(2)
  for (let i = 2; i < 40; i++) void greedy(i)
  await waiting(10)
  await expect.poll(() => statuses.length, { timeout: 10_000 }).toBe(28)
  expect(new Set(statuses)).toEqual(new Set([429]))
  const refused = await post('one more', 'eve@greedy')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    error: { reason: 'QUEUE_FULL', message: expect.stringContaining('this key') },
  })
  const answer = post('late', 'ann@modest', {}, urls[1])
  await waiting(11)
  for (let i = 0; i < 4; i++) await gate.open()
  expect((await answer).status).toBe(200)
})
