import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatQueueName } from '../../platform/redis/names.js'
import { boundedPriority } from './chat.js'
import { type Frame, type FrameKind, frameBytes, packFrames, unpackFrames } from './frames.js'
import { type Announcement, BELIEVED_MS, isAwaited, nodesUp, readAnnouncement } from './node-announcement.js'

it('priorities keep their order within 32 bits', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
      expect(Math.sign(boundedPriority(a) - boundedPriority(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0)
      expect(boundedPriority(a)).toBe(boundedPriority(a) | 0)
    }),
  )
})

describe('frames', () => {
  const frame = fc.record({
    request: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    attempt: fc.integer({ min: 0, max: 255 }),
    kind: fc.constantFrom<FrameKind>(1, 2, 3),
    seq: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    payload: fc.uint8Array({ maxLength: 300 }),
  })

  it('come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(frame), (frames) => {
        const message = packFrames(frames)
        expect(message.length).toBe(frames.reduce((sum, one) => sum + frameBytes(one), 0))
        const back: Frame[] = unpackFrames(message).map((one) => ({
          ...one,
          payload: Uint8Array.from(one.payload),
        }))
        expect(back).toEqual(frames)
      }),
    )
  })

  it('that are cut off are refused', () => {
    const whole = packFrames([{ request: 1, attempt: 0, kind: 2, seq: 0, payload: new Uint8Array(5) }])
    for (let length = 1; length < whole.length; length++)
      expect(() => unpackFrames(whole.subarray(0, length))).toThrow(RangeError)
  })
})

describe('announcements', () => {
  const one = (more: Partial<Announcement>): Announcement => ({
    ...{
      worker: 'w',
      address: 'a',
      at: 10_000,
      up: true,
      since: 1,
      node: 'n',
      model: 'tiny',
      engine: 'torch',
    },
    ...{ device: 'cpu', contextLength: 512, slots: 8, queueLimit: 64, maxAdapters: 4, priorities: true },
    ...{ unsupported: [], images: false, running: 0, waiting: 0, adapters: [], memoryBytes: 0 },
    ...{ tokensPerSecond: null, firstTokenMs: null },
    ...more,
  })

  it('of a node that several workers reach count once, the newest', () => {
    const up = nodesUp([one({ running: 1 }), one({ worker: 'v', at: 10_500, running: 2 })], 10_600)
    expect(up).toMatchObject([{ worker: 'v', running: 2 }])
  })

  it('are not believed when they are old, or say that the node is down', () => {
    expect(nodesUp([one({}), one({ node: 'm', up: false })], 10_001 + BELIEVED_MS)).toEqual([])
    expect(nodesUp([one({ up: false })], 10_000)).toEqual([])
  })

  it('are not believed when the clock was set back since, or until it catches up', () => {
    const now = 10_000 - 3_600_000
    expect(nodesUp([one({ at: now, worker: 'v' }), one({}), one({ node: 'm' })], now)).toMatchObject([
      { node: 'n', worker: 'v' },
    ])
    expect(isAwaited(one({}), now, 60_000)).toBe(false)
  })

  it('are read, or passed over where they are of another kind', () => {
    expect(readAnnouncement(JSON.stringify(one({})))).toEqual(one({}))
    for (const text of ['', '{', '{}', '[]', 'null']) expect(readAnnouncement(text)).toBeUndefined()
  })
})

it('queues have names that BullMQ takes, one a model', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(chatQueueName(a)).toMatch(/^chat-[0-9a-f]{20}$/)
      expect(chatQueueName(a) === chatQueueName(b)).toBe(a === b)
    }),
  )
})
