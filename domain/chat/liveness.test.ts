import { describe, expect, it } from 'vitest'
import { Liveness } from './liveness.js'

function at() {
  let now = 0
  const processes = new Liveness(() => now)
  /** Looks every half second, as every process does. */
  const pass = (ms: number, listening = true) => {
    const gone: string[] = []
    for (const end = now + ms; now < end; ) {
      now += 500
      gone.push(...processes.look(10_000, listening).gone)
    }
    return gone
  }
  return { processes, pass, hang: (ms: number) => (now += ms) }
}

describe('a process', () => {
  it('is gone when it was silent for long, once', () => {
    const { processes, pass } = at()
    processes.heard('a')
    processes.heard('b')
    expect(pass(8000)).toEqual([])
    processes.heard('b')
    expect(pass(5000)).toEqual(['a'])
    expect(pass(4000)).toEqual([])
    expect(pass(4000)).toEqual(['b'])
  })

  it('is there while nobody could hear it', () => {
    const { processes, pass, hang } = at()
    processes.heard('a')
    expect(pass(30_000, false)).toEqual([])
    hang(30_000)
    expect(pass(9000)).toEqual([])
    expect(pass(4000)).toEqual(['a'])
  })

  it('that was never heard of is silent for ever', () => {
    const { processes } = at()
    processes.heard('a')
    expect([processes.silence('a'), processes.silence('b')]).toEqual([0, Number.POSITIVE_INFINITY])
  })
})
