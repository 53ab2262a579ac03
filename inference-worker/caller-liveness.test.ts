import { describe, expect, it } from 'vitest'
import { CallerLiveness } from './caller-liveness.js'

function at() {
  let now = 0
  const callers = new CallerLiveness(() => now)
  /** Looks every half second, as a worker does. */
  const pass = (ms: number, listening = true) => {
    const gone: string[] = []
    for (const end = now + ms; now < end; ) {
      now += 500
      gone.push(...callers.gone(listening))
    }
    return gone
  }
  return { callers, pass, hang: (ms: number) => (now += ms) }
}

describe('a process that waits for answers', () => {
  it('is gone when it was silent for long, once', () => {
    const { callers, pass } = at()
    callers.heard('a')
    callers.heard('b')
    expect(pass(8000)).toEqual([])
    callers.heard('b')
    expect(pass(5000)).toEqual(['a'])
    expect(pass(4000)).toEqual([])
    expect(pass(4000)).toEqual(['b'])
  })

  it('is there while nobody could hear it', () => {
    const { callers, pass, hang } = at()
    callers.heard('a')
    expect(pass(30_000, false)).toEqual([])
    hang(30_000)
    expect(pass(9000)).toEqual([])
    expect(pass(4000)).toEqual(['a'])
  })
})
