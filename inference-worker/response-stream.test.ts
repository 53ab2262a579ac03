import { describe, expect, it } from 'vitest'
import { WINDOW_BYTES } from '../domain/chat/chat-job.js'
import type { Frame } from '../domain/chat/frames.js'
import { Outbox } from './outbox.js'
import { ResponseStream } from './response-stream.js'

function streamFor(deadline: number) {
  const frames: Frame[] = []
  const outbox = { add: (_: string, frame: Frame) => void frames.push(frame) }
  const job = { api: 'a', request: 1, attempt: 0, deadline }
  const response = new ResponseStream(job, Object.assign(Object.create(Outbox.prototype) as Outbox, outbox))
  return { response, frames }
}
const tooMuch = Buffer.alloc(WINDOW_BYTES + 1)

describe('a response that is ahead of its reader', () => {
  it('waits until enough was read', async () => {
    const { response } = streamFor(Date.now() + 60_000)
    expect(response.event(Buffer.alloc(10))).toBeUndefined()
    const near = response.event(tooMuch)
    response.progress(11)
    await near
    expect(response.over).toBe(false)
  })

  it('is over when nobody can want it any more, whatever became of its reader', async () => {
    const { response, frames } = streamFor(Date.now() + 20)
    let cancelled = 0
    response.cancelled = () => cancelled++
    await response.event(tooMuch)
    expect([response.over, cancelled]).toEqual([true, 1])
    response.failed({ code: 'X', status: 13, message: '', retriable: false })
    expect(frames).toHaveLength(1)
  })
})
