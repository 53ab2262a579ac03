import { afterEach, describe, expect, it } from 'vitest'
import {
  events,
  refusal,
  type Script,
  ScriptedNode,
} from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

let stack: ChatStack | undefined
afterEach(async () => {
  await stack?.stop()
  stack = undefined
})

/** Takes a request and says nothing. */
const silent: Script = (call) => void call.write(events.started())

async function detail(check: 'queues' | 'inference'): Promise<string> {
  const { body } = await stack!.get('/v1/system-check')
  return (body as { checks: Record<string, { detail: string }> }).checks[check]!.detail
}

/** Waits until so many requests are in the queue. */
const waiting = (count: number) =>
  expect.poll(() => detail('queues'), { timeout: 10_000 }).toContain(`scripted: ${count} waiting`)

async function pause(node: ScriptedNode, paused: boolean): Promise<void> {
  node.paused = paused
  node.report()
  const known = expect.poll(() => detail('inference'), { timeout: 10_000 })
  if (paused) await known.toContain('paused')
  else await known.not.toContain('paused')
}

describe('a node that is paused while it trains', () => {
  it('is not chosen', async () => {
    const [paused, other] = [new ScriptedNode({ slots: 1000 }), new ScriptedNode({ slots: 1 })]
    stack = await ChatStack.start([paused, other])
    await pause(paused, true)
    for (let i = 0; i < 4; i++) expect((await stack.post('x')).status).toBe(200)
    expect([paused.requests.length, other.requests.length]).toEqual([0, 4])
    await pause(paused, false)
    expect((await stack.post('another')).status).toBe(200)
    expect(paused.requests.length).toBe(1)
  })

  it('gives what has not begun there to another', async () => {
    const [node, other] = [new ScriptedNode({ slots: 1000 }), new ScriptedNode({ slots: 1 })]
    node.script = silent
    stack = await ChatStack.start([node, other])
    const answer = stack.post('x')
    await expect.poll(() => node.running, { timeout: 10_000 }).toBe(1)
    await pause(node, true)
    expect((await answer).status).toBe(200)
    expect([node.cancelled, other.requests.length]).toEqual([1, 1])
  })

  it('is waited for where there is no other, within the deadline', async () => {
    const node = new ScriptedNode()
    stack = await ChatStack.start([node], { nodeReturnSeconds: 0, chatSeconds: 4 })
    await pause(node, true)
    const late = stack.post('late')
    await waiting(1)
    expect((await late).status).toBe(504)
    const answers = [stack.post('a'), stack.post('b')]
    await waiting(2)
    expect(node.requests.length).toBe(0)
    await pause(node, false)
    expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([200, 200])
  })

  it('is told that requests wait, and serves them between two turns of training', async () => {
    const node = new ScriptedNode()
    stack = await ChatStack.start([node])
    await pause(node, true)
    let asked = 0
    node.wake = () => {
      node.paused = ++asked < 2
      node.report()
    }
    expect((await stack.post('a')).status).toBe(200)
    expect(asked).toBeGreaterThan(1)
  })
})

describe('a node that is started again', () => {
  it('answers what waited for it, what it had before the first token included', async () => {
    let node = new ScriptedNode({ slots: 1 })
    node.script = silent
    stack = await ChatStack.start([node], { nodeReturnSeconds: 60 })
    const port = Number(node.address.split(':')[1])
    const before = [1, 2, 3, 4].map((i) => stack!.post(`before ${i}`))
    await expect.poll(() => node.running, { timeout: 10_000 }).toBe(2)
    await waiting(2)
    node.kill()
    await stack.served(0)
    const after = stack.post('after', { model: 'scripted' })
    const unnamed = stack.post('unnamed')
    // As the models of no node that was ever heard of are not.
    expect((await stack.post('x', { model: 'strange' })).status).toBe(404)
    node = new ScriptedNode({ slots: 4 })
    await node.start(port)
    stack.nodes[0] = node
    const answers = await Promise.all([...before, after, unnamed])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('is given up where it does not come back in its time', async () => {
    const node = new ScriptedNode()
    stack = await ChatStack.start([node], { nodeReturnSeconds: 1 })
    node.kill()
    await stack.served(0)
    const answer = await stack.post('x', { model: 'scripted' })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: { reason: 'NO_NODE' } })
  })
})

it('where no node was ever heard of, a request fails at once', async () => {
  stack = await ChatStack.start([], { nodeReturnSeconds: 3600, chatSeconds: 3600 })
  const answer = await stack.post('x')
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { reason: 'NO_NODE' } })
})

describe('what a node says of a request', () => {
  const refuses =
    (code: string, grpc: number): Script =>
    (call) =>
      void call.emit('error', refusal(code, grpc, 'Not like this.', 'messages'))
  const fails =
    (code: string, grpc: number): Script =>
    (call) => {
      call.write(events.started())
      call.write(events.error(code, grpc, 'Not like this.'))
      call.end()
    }

  it.each([
    ['BAD_STRUCTURE', 3, 400],
    ['OF_A_LATER_RELEASE', 3, 400],
    ['ADAPTER_INVALID', 9, 400],
    ['ADAPTER_NOT_FOUND', 5, 404],
  ])('is final: %s (%i) is answered %i, asked once', async (code, grpc, status) => {
    for (const script of [refuses(code, grpc), fails(code, grpc)]) {
      const nodes = [new ScriptedNode(), new ScriptedNode()]
      for (const node of nodes) node.script = script
      stack = await ChatStack.start(nodes)
      const answer = await stack.post('x')
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { reason: code, message: 'Not like this.' } })
      expect(nodes[0]!.requests.length + nodes[1]!.requests.length).toBe(1)
      await stack.stop()
      stack = undefined
    }
  })

  it('is tried on every node once where it is a fault of the node', async () => {
    const nodes = [new ScriptedNode(), new ScriptedNode()]
    for (const node of nodes) node.script = fails('INTERNAL', 13)
    stack = await ChatStack.start(nodes)
    expect((await stack.post('x')).status).toBe(500)
    expect(nodes.map(({ requests }) => requests.length)).toEqual([1, 1])
  })
})
