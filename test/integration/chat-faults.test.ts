import { once } from 'node:events'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import { textsIn } from '../../cli/testing/redis-texts.js'
import {
  events,
  refusal,
  type Script,
  ScriptedNode,
} from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ALL_FAILED, begunStreams } from '../support/interface-streams.js'
import { ChatStack, parseStream } from './testing/chat-stack.js'

let stack: ChatStack | undefined
afterEach(async () => {
  await stack?.stop()
  stack = undefined
})

/** Says one word and nothing more. */
const hangs: Script = (call) => {
  call.write(events.started())
  call.write(events.delta({ text: 'first ', tokenIds: [1] }))
}
const silent: Script = (call) => void call.write(events.started())

/** How a worker asks a node: older nodes know only the one. */
const ways = [
  { way: 'in one call with others', together: true },
  { way: 'in a call of its own', together: false },
]

async function until(what: string, probe: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (await probe()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`waited ${seconds} s for ${what}`)
}

/** A streamed request that has said its first word. */
async function begun(running: ChatStack) {
  const answer = await running.post('x', { stream: true })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('first ')) text += (await reader.read()).value ?? ''
  return {
    reader,
    rest: async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
      return parseStream(text)
    },
  }
}

/** A stream through each interface that has said its first word. */
const begunByAll = ({ url }: ChatStack) =>
  begunStreams(url, {
    ...{ headers: { authorization: 'Bearer tester' }, said: /first / },
    more: { model: 'scripted' },
  })

/** What the system check says of the queues. */
async function lineOf(running: ChatStack): Promise<string> {
  const { body } = await running.get('/v1/system-check')
  return (body as { checks: { queues: { detail: string } } }).checks.queues.detail
}

const last = (chunks: Record<string, unknown>[]) => chunks.at(-1)?.error as { code: number; message: string }

describe('a caller who goes away', () => {
  it.each(ways)('ends the work on the node, $way', async ({ together }) => {
    const node = new ScriptedNode({ together })
    node.script = hangs
    stack = await ChatStack.start([node])
    const { reader } = await begun(stack)
    await reader.cancel()
    await until('the node to be told', () => node.cancelled === 1)
  })

  it('and does not wait for an answer in one piece, too', async () => {
    const node = new ScriptedNode()
    node.script = silent
    stack = await ChatStack.start([node])
    const leaving = new AbortController()
    const answer = stack.post('x', {}, { signal: leaving.signal }).catch(() => undefined)
    await until('the node to have it', () => node.running === 1)
    leaving.abort()
    await answer
    await until('the node to be told', () => node.cancelled === 1)
  })
})

describe('a caller who goes away while the request is being queued', () => {
  it.each([false, true])('ends it, too; as a stream: %s', async (stream) => {
    const node = new ScriptedNode()
    node.script = silent
    stack = await ChatStack.start([node])
    const redis = new Redis(stack.redis.url)
    await redis.call('CLIENT', 'PAUSE', '500', 'ALL')
    redis.disconnect()
    await stack.post('x', { stream }, { signal: AbortSignal.timeout(200) }).catch(() => undefined)
    await until(
      'nothing to be under way',
      async () => node.running === 0 && (await lineOf(stack!)).startsWith('0 requests in flight'),
    )
  })
})

describe('a node', () => {
  it('that dies in the middle ends the streams it carried with an error; others take what comes next', async () => {
    const [dying, other] = [new ScriptedNode({ nodeId: 'dying' }), new ScriptedNode({ nodeId: 'other' })]
    dying.script = hangs
    other.script = hangs
    stack = await ChatStack.start([dying, other])
    const streams = await Promise.all(Array.from({ length: 6 }, () => begun(stack!)))
    expect(dying.running + other.running).toBe(6)
    const lost = dying.running
    expect(lost).toBeGreaterThan(0)
    const ends = Promise.allSettled(streams.map(({ rest }) => rest()))
    dying.kill()
    await until('the streams of the dead node to be over', () => dying.running === 0)
    other.script = new ScriptedNode().script
    const next = await stack.post('hello again')
    expect(next.status).toBe(200)
    expect(other.running).toBe(6 - lost)
    for (const { reader } of streams) await reader.cancel().catch(() => undefined)
    await ends
  })

  it.each(ways)('that dies in the middle is told of in the stream, $way', async ({ together }) => {
    const node = new ScriptedNode({ together })
    node.script = hangs
    stack = await ChatStack.start([node])
    const { rest } = await begun(stack)
    const ends = await begunByAll(stack)
    node.kill()
    const chunks = await rest()
    expect(last(chunks)).toMatchObject({ code: 503, message: expect.stringContaining('died in the middle') })
    expect(await ends()).toEqual(ALL_FAILED)
    const refused = await stack.post('hello')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('that dies, with no other there, leaves no prompt in the queue', async () => {
    const node = new ScriptedNode({ slots: 1 })
    node.script = hangs
    stack = await ChatStack.start([node])
    const secret = 'the recipe of our grandmother'
    const answers = [1, 2].map(async () => (await stack!.post(secret)).status)
    await until('the node to be full', () => node.running === 2)
    node.kill()
    expect(await Promise.all(answers)).toEqual([503, 503])
    await until('the queue to forget them', async () =>
      (await textsIn(stack!.redis.url)).every((text) => !text.includes(secret)),
    )
  })

  it('that dies before the first token is no matter while there is another', async () => {
    const [dying, other] = [new ScriptedNode({ slots: 1000 }), new ScriptedNode({ slots: 1 })]
    dying.script = silent
    stack = await ChatStack.start([dying, other])
    const answer = stack.post('still here')
    await until('the node to have it', () => dying.running + other.requests.length === 1)
    dying.kill()
    expect(await (await answer).json()).toMatchObject({ choices: [{ message: { content: 'still here' } }] })
  })

  it('whose engine ends over a request ends no more than one other', async () => {
    const nodes = Array.from({ length: 4 }, () => new ScriptedNode())
    for (const node of nodes)
      node.script = (call) => {
        call.write(events.started())
        call.write(events.error('ENGINE_DIED', 14, 'gone'))
        call.end()
      }
    stack = await ChatStack.start(nodes)
    const answer = await stack.post('poison')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ error: { reason: 'POISON' } })
    expect(nodes.reduce((sum, { requests }) => sum + requests.length, 0)).toBe(2)
  })

  it('whose engine ends over a request of somebody else is replaced by another', async () => {
    const [dying, other] = [new ScriptedNode({ slots: 1000 }), new ScriptedNode({ slots: 1 })]
    dying.script = (call) => void call.emit('error', refusal('ENGINE_DIED', 14, 'gone'))
    stack = await ChatStack.start([dying, other])
    expect((await stack.post('innocent')).status).toBe(200)
  })

  it('that is full, or has no memory left, is passed over', async () => {
    const [full, other] = [new ScriptedNode({ slots: 1000 }), new ScriptedNode({ slots: 1 })]
    full.script = (call) => void call.emit('error', refusal('NODE_FULL', 8, 'full'))
    stack = await ChatStack.start([full, other])
    expect((await stack.post('a b')).status).toBe(200)
    full.script = (call) => {
      call.write(events.started())
      call.write(events.error('OUT_OF_MEMORY', 8, 'shed'))
      call.end()
    }
    expect((await stack.post('a b')).status).toBe(200)
  })

  it('that is sick gets nothing until it has generated a token', async () => {
    const node = new ScriptedNode()
    node.script = (call) => void call.emit('error', refusal('UNHEALTHY', 14, 'hangs'))
    node.healthy = true
    stack = await ChatStack.start([node])
    node.healthy = false
    expect((await stack.post('a')).status).toBe(503)
    expect(node.requests.length).toBe(1)
    expect((await stack.post('a')).status).toBe(503)
    expect(node.requests.length).toBe(1)
    node.script = new ScriptedNode().script
    node.healthy = true
    await until('it to be asked again', async () => (await stack!.post('a')).status === 200)
  })

  it.each(ways)('says what is wrong with a request in its own words, $way', async ({ together }) => {
    const node = new ScriptedNode({ together })
    node.script = (call) =>
      void call.emit('error', refusal('PROMPT_TOO_LONG', 3, 'The prompt is too long.', 'messages'))
    stack = await ChatStack.start([node])
    const answer = await stack.post('x', { stream: true })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: {
        message: 'The prompt is too long.',
        type: 'BadRequestError',
        param: 'messages',
        code: 400,
        reason: 'PROMPT_TOO_LONG',
      },
    })
  })
})

describe('Redis', () => {
  it('that dies ends what is under way within seconds, and when it is back all is well', async () => {
    const node = new ScriptedNode()
    node.script = hangs
    stack = await ChatStack.start([node])
    const { rest } = await begun(stack)
    const ends = await begunByAll(stack)
    const waiting = stack.post('y')
    await until('the node to have all', () => node.running === 6)
    await stack.redis.kill()
    expect(last(await rest())).toMatchObject({ code: 503 })
    expect(await ends()).toEqual(ALL_FAILED)
    expect((await waiting).status).toBe(503)
    expect((await stack.post('z')).status).toBe(503)
    await until('the node to be free again', () => node.running === 0)
    node.script = new ScriptedNode().script
    await stack.redis.up()
    await stack.served(1)
    expect((await stack.post('hello')).status).toBe(200)
  })
})

describe('a worker', () => {
  it('that takes a request and is never heard of it again is no matter: it is queued once more', async () => {
    const node = new ScriptedNode({ slots: 1 })
    node.script = silent
    stack = await ChatStack.start([node])
    const leaving = new AbortController()
    const before = [1, 2].map(() => stack!.post('x', {}, { signal: leaving.signal }).catch(() => undefined))
    await until('the node to be full', () => node.running === 2)
    const answer = stack.post('lost on the way')
    await until('it to wait', async () => (await lineOf(stack!)).includes('scripted: 1 waiting'))
    // As if a worker had died between taking it and saying so.
    const redis = new Redis(stack.redis.url)
    const [list = ''] = await redis.keys('{heddle}:chat-*:prioritized')
    expect(await redis.zcard(list)).toBe(1)
    await redis.del(list)
    redis.disconnect()
    node.script = new ScriptedNode().script
    leaving.abort()
    await Promise.all(before)
    expect(await (await answer).json()).toMatchObject({
      choices: [{ message: { content: 'lost on the way' } }],
    })
  })

  it('that stops lets what runs end, and gives back what has not begun', async () => {
    const node = new ScriptedNode()
    node.script = silent
    stack = await ChatStack.start([node])
    const answer = stack.post('given back')
    await until('the node to have it', () => node.running === 1)
    node.script = new ScriptedNode().script
    stack.addWorker()
    await stack.workers[0]!.stop()
    expect((await answer).status).toBe(200)
    expect(node.requests.length).toBe(2)
  })
})

describe('many callers', () => {
  it('half of whom leave early leave nothing behind', async () => {
    const node = new ScriptedNode({ slots: 40 })
    node.script = async (call) => {
      call.write(events.started())
      for (let i = 0; i < 20 && !call.cancelled; i++) {
        call.write(events.delta({ text: `word${i} `, tokenIds: [i] }))
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      call.write(events.delta({ finish: { reason: 'stop' } }))
      call.write(events.done(20))
      call.end()
    }
    stack = await ChatStack.start([node], { waiting: { most: 1000, perEntity: 1000, perKey: 1000 } })
    const ends = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const leaving = new AbortController()
        const answer = await stack!
          .post('x', { stream: i % 4 < 2 }, { signal: leaving.signal })
          .catch(() => undefined)
        if (!answer) return 'left'
        if (i % 2 === 1) return (await answer.text()).length > 0 && answer.status === 200 ? 'whole' : 'odd'
        const reader = answer.body!.getReader()
        await reader.read()
        leaving.abort()
        return 'left'
      }),
    )
    expect(ends.filter((end) => end === 'whole').length).toBe(100)
    await until('the node to be free', () => node.running === 0)
    const redis = new Redis(stack.redis.url)
    await until('the queue to be empty', async () => {
      const jobs = (await redis.keys('{heddle}:chat-*')).filter(
        (key) => !/:(meta|stalled-check|events|id|pc|marker)$/.test(key),
      )
      return jobs.length === 0
    })
    redis.disconnect()
    await until(
      'nothing to be counted',
      async () => (await lineOf(stack!)) === '0 requests in flight here; scripted: 0 waiting',
    )
  })

  it.each(ways)('who read slowly hold up their own answers, and memory stays, $way', async ({ together }) => {
    const node = new ScriptedNode({ together })
    let written = 0
    // Several times what the kernel may hold in the buffers of the connections on the way.
    const all = 300_000_000
    node.script = async (call) => {
      call.write(events.started())
      const text = 'x'.repeat(20_000)
      while (written < all && !call.cancelled) {
        written += text.length
        if (call.write(events.delta({ text, tokenIds: [1] }))) continue
        const waits = new AbortController()
        await Promise.race([once(call, 'drain', waits), once(call, 'cancelled', waits)])
        waits.abort()
      }
      call.end()
    }
    stack = await ChatStack.start([node])
    const leaving = new AbortController()
    const answer = await stack.post('x', { stream: true }, { signal: leaving.signal })
    await answer.body!.getReader().read()
    let before = -1
    await until('the node to be held up', async () => {
      const same = written === before
      before = written
      await new Promise((resolve) => setTimeout(resolve, 300))
      return same
    })
    expect(written).toBeLessThan(all / 2)
    leaving.abort()
    await until('the node to be told', () => node.cancelled === 1)
  })
})

describe('limits', () => {
  it('of requests a minute, by key', async () => {
    stack = await ChatStack.start([new ScriptedNode()], { requestsPerMinute: 2 })
    const statuses = [await stack.post('a'), await stack.post('a'), await stack.post('a')].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([200, 200, 429])
    const refused = await stack.post('a')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await stack.post('a', {}, { headers: { authorization: 'Bearer someone-else' } })
    expect(other.status).toBe(200)
  })

  it('of tokens a minute', async () => {
    stack = await ChatStack.start([new ScriptedNode()], { tokensPerMinute: 5 })
    expect((await stack.post('one two three')).status).toBe(200)
    await until('the tokens to be counted', async () => (await stack!.post('x')).status === 429)
  })

  it('of the queue', async () => {
    const node = new ScriptedNode({ slots: 1 })
    node.script = silent
    stack = await ChatStack.start([node], { waiting: { most: 100, perEntity: 100, perKey: 2 } })
    const leaving = new AbortController()
    const two = () =>
      [1, 2].map(() => stack!.post('x', {}, { signal: leaving.signal }).catch(() => undefined))
    const waiting = two()
    await until('the node to be full', () => node.running === 2)
    waiting.push(...two())
    await until('the others to wait', async () => (await lineOf(stack!)).includes('scripted: 2 waiting'))
    const refused = await stack.post('x')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    leaving.abort()
    await Promise.all(waiting)
  })

  it('of time', async () => {
    const node = new ScriptedNode()
    node.script = silent
    stack = await ChatStack.start([node], { chatSeconds: 1 })
    expect((await stack.post('x')).status).toBe(504)
    await until('the node to be free', () => node.running === 0)
  })
})

describe('priorities', () => {
  it('are refused where no node has them', async () => {
    stack = await ChatStack.start([new ScriptedNode()])
    const answer = await stack.post('x', { priority: 1 })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'priority' } })
    expect((await stack.post('x', { priority: 0 })).status).toBe(200)
  })

  it('decide who comes first: lower is earlier', async () => {
    const node = new ScriptedNode({ slots: 1, priorityScheduling: true })
    const held: (() => void)[] = []
    node.script = async (call) => {
      await new Promise<void>((resolve) => held.push(resolve))
      call.write(events.started())
      call.write(events.delta({ text: 'x', finish: { reason: 'stop' } }))
      call.write(events.done(1))
      call.end()
    }
    stack = await ChatStack.start([node])
    const first = [stack.post('a'), stack.post('b')]
    await until('the node to be full', () => held.length === 2)
    const order = [5, -3, 0, 2 ** 40, -(2 ** 40)]
    const later: Promise<Response>[] = []
    for (const priority of order) {
      later.push(stack.post(`p${priority}`, { priority }))
      await until('it to wait', async () =>
        (await lineOf(stack!)).endsWith(`scripted: ${later.length} waiting`),
      )
    }
    for (let i = 0; i < 7; i++) {
      await until('the next to come', () => held.length > i)
      held[i]!()
    }
    await Promise.all([...first, ...later])
    const came = node.requests.slice(2).map(({ chat }) => /p(-?\d+)/.exec(chat!.messagesJson)![1])
    expect(came).toEqual([...order].sort((a, b) => a - b).map(String))
  })
})
