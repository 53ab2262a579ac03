import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { EVENT_TAG, generateRequest, type TogetherRequest } from '../../proto/heddle/node/v1/messages.js'
import { events, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { NodeClient } from './client.js'
import { WAITING } from './event-queue.js'
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

  it('are held while their reader is far behind, and only then, whatever comes in one turn', async () => {
    type Step = { what: 'sent' | 'read'; who: number; count: number } | { what: 'turn' }
    const who = fc.nat(1)
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ what: fc.constant('sent' as const), who, count: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ what: fc.constant('read' as const), who, count: fc.integer({ min: 1, max: 20 }) }),
      fc.constant({ what: 'turn' as const }),
    )
    const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    const check = async (steps: Step[]) => {
      const held = new Set<number>()
      const numbers: number[] = []
      const call = Object.assign(new EventEmitter(), {
        // As nodes read a message.
        write: ({ begin = [], hold = [], resume = [] }: TogetherRequest) => {
          for (const { number } of begin) numbers.push(number)
          for (const number of hold) held.add(number)
          for (const number of resume) held.delete(number)
        },
      })
      const multiplexer = new Multiplexer(() => call as unknown as MultiplexedCall)
      const readers = [0, 1].map(() =>
        multiplexer.generate(Buffer.from('x'), Date.now() + 60_000, undefined)[Symbol.asyncIterator](),
      )
      await turn()
      const waiting = [0, 0]
      for (const one of [...steps, { what: 'turn' } as const]) {
        if (one.what === 'turn') {
          await turn()
          for (const [i, number] of numbers.entries()) {
            if (waiting[i]! >= WAITING.most) expect(held, `${waiting[i]} wait`).toContain(number)
            if (waiting[i]! < WAITING.few) expect(held).not.toContain(number)
          }
        } else if (one.what === 'sent') {
          const sent = { number: numbers[one.who]!, event: Buffer.from([EVENT_TAG.delta]) }
          call.emit('data', { events: Array.from({ length: one.count }, () => sent) })
          waiting[one.who]! += one.count
        } else
          for (let left = one.count; left > 0 && waiting[one.who]! > 0; left--) {
            await readers[one.who]!.next()
            waiting[one.who]!--
          }
      }
      for (const reader of readers) await reader.return!()
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), check), {
      numRuns: 300,
    })
  })
})
