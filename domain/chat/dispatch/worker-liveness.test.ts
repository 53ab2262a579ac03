import { describe, expect, it } from 'vitest'
import { WorkerLiveness } from './worker-liveness.js'

function at() {
  let now = 0
  const workers = new WorkerLiveness(() => now)
  const beat = (waiting: Record<string, number>) => workers.heard({ worker: 'w', stopping: false, waiting })
  return { workers, beat, pass: (ms: number) => (now += ms) }
}

describe('a queue', () => {
  it('was found empty by a later look', () => {
    const { workers, beat, pass } = at()
    pass(1000)
    beat({ q: 0 })
    expect(workers.foundEmpty('q', 1000)).toBe(false)
    pass(500)
    beat({ q: 0 })
    expect(workers.foundEmpty('q', 1000)).toBe(true)
  })

  it('was not, while something is in it, nobody looked, or a sign of life said nothing of it', () => {
    const { workers, beat, pass } = at()
    beat({ q: 0 })
    pass(500)
    workers.seen('w')
    expect(workers.foundEmpty('q', 100)).toBe(false)
    beat({ q: 2 })
    expect(workers.foundEmpty('q', 100)).toBe(false)
    beat({ other: 0 })
    expect(workers.foundEmpty('q', 100)).toBe(false)
  })

  it('was not, as far as a process knows that hung meanwhile', () => {
    const { workers, beat, pass } = at()
    pass(1000)
    beat({ q: 0 })
    pass(5000)
    workers.look()
    expect(workers.foundEmpty('q', 0)).toBe(false)
  })
})
