import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import {
  EVENT_TAG,
  generateEvent,
  generateRequest,
  type TogetherRequest,
} from '../../proto/heddle/node/v1/messages.js'
import { events, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { NodeClient } from './client.js'
import { type MultiplexedCall, Multiplexer } from './multiplexer.js'

let node: ScriptedNode
let client: NodeClient
async function start(): Promise<void> {
  node = new ScriptedNode()
  client = new NodeClient(await node.start())
}
afterEach(() => {
  client.close()
  node.kill()
})

const request = (text: string) =>
  generateRequest.encode({ requestId: text, chat: { messagesJson: JSON.stringify([{ content: text }]) } })
const ask = (text: string, ms = 60_000) => client.generateTogether(request(text), Date.now() + ms)

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const bytes of stream) if (bytes[0] === EVENT_TAG.delta) text += bytes.toString('latin1')
  return text
}

describe('requests in one call', () => {
  it('get their own answers', async () => {
    await start()
    const words = Array.from({ length: 50 }, (_, i) => `word${i}`)
    const texts = await Promise.all(words.map((word) => textOf(ask(word))))
    for (const [i, text] of texts.entries()) expect(text).toContain(words[i])
  })

  it('end with the node, and those that come later reach the next one', async () => {
    await start()
    node.script = (call) => void call.write(events.started())
    const hanging = [ask('a'), ask('b')].map((stream) => textOf(stream))
    const port = Number(node.address.split(':')[1])
    const ends = Promise.allSettled(hanging)
    while (node.running < 2) await new Promise((resolve) => setImmediate(resolve))
    node.kill()
    for (const end of await ends)
      expect(end).toMatchObject({ reason: { code: 'NODE_LOST', elsewhere: true } })
    node = new ScriptedNode()
    await node.start(port)
    for (;;) {
      const text = await textOf(ask('again')).catch(() => '')
      if (text.includes('again')) break
    }
  })

  it('that are too late end by themselves, and the node is told', async () => {
    await start()
    node.script = (call) => void call.write(events.started())
    await expect(textOf(ask('x', 1))).rejects.toMatchObject({ code: 'TOO_LATE', status: 4 })
    while (node.cancelled < 1) await new Promise((resolve) => setImmediate(resolve))
  })

  it('that are left end without an error, before they began, too', async () => {
    await start()
    node.script = (call) => void call.write(events.started())
    const [begun, early] = [ask('a'), ask('b')]
    early.cancel()
    expect(await textOf(early)).toBe('')
    for await (const _ of begun) break
    while (node.cancelled < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(node.running).toBe(0)
  })

  it('are held if their reader falls behind again in the turn in which it caught up', async () => {
    const asked: TogetherRequest[] = []
    const call = Object.assign(new EventEmitter(), {
      write: (message: TogetherRequest) => asked.push(message),
    })
    const multiplexer = new Multiplexer(() => call as unknown as MultiplexedCall)
    const reader = multiplexer.generate(request('x'), Date.now() + 60_000, undefined)[Symbol.asyncIterator]()
    const sent = (count: number) => {
      const event = generateEvent.encode(events.delta({ text: 'x', tokenIds: [1] }))
      call.emit('data', { events: Array.from({ length: count }, () => ({ number: 1, event })) })
    }
    const told = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    sent(16)
    await told()
    expect(asked.at(-1)).toMatchObject({ hold: [1], resume: [] })
    void reader.next()
    sent(1)
    await told()
    expect(asked.at(-1)).toMatchObject({ hold: [1], resume: [] })
    expect(asked).toHaveLength(2)
    await reader.return!()
  })
})
