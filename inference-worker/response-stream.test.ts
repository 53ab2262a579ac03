import { describe, expect, it } from 'vitest'
import { WINDOW_BYTES } from '../domain/chat/chat-job.js'
import type { Frame } from '../domain/chat/frames.js'
import { Outbox } from './outbox.js'
import { Reply } from './response-stream.js'

function replyFor(deadline: number) {
  const frames: Frame[] = []
  const outbox = { add: (_: string, frame: Frame) => void frames.push(frame) }
  const job = { api: 'a', request: 1, attempt: 0, deadline }
  const reply = new Reply(job, Object.assign(Object.create(Outbox.prototype) as Outbox, outbox))
  return { reply, frames }
}
const tooMuch = Buffer.alloc(WINDOW_BYTES + 1)

describe('a reply that is ahead of its reader', () => {
  it('waits until enough was read', async () => {
    const { reply } = replyFor(Date.now() + 60_000)
    expect(reply.event(Buffer.alloc(10))).toBeUndefined()
    const near = reply.event(tooMuch)
    reply.progress(11)
    await near
    expect(reply.over).toBe(false)
  })

  it('is over when nobody can want it any more, whatever became of its reader', async () => {
    const { reply, frames } = replyFor(Date.now() + 20)
    let cancelled = 0
    reply.cancelled = () => cancelled++
    await reply.event(tooMuch)
    expect([reply.over, cancelled]).toEqual([true, 1])
    reply.failed({ code: 'X', status: 13, message: '', retriable: false })
    expect(frames).toHaveLength(1)
  })
})
