import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashesOf } from './id-hash.js'
import { RecentIds } from './recent-ids.js'

const hash = fc.integer({ min: 0, max: 0xffffffff })

describe('recent ids', () => {
  it('are all known, until two generations later', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(hash, hash), { maxLength: 2000, selector: String }), (ids) => {
        const recent = new RecentIds(4000)
        for (const [place, print] of ids) recent.add(place, print)
        for (const [place, print] of ids) expect(recent.add(place, print)).toBe(true)
      }),
    )
  })

  it('tell what may have been written, a span by its trace', () => {
    const recent = new RecentIds(100)
    const [span, trace] = ['0af7651916cd43dd', 'a trace']
    recent.add(...hashesOf('project', 'whole'))
    recent.add(...hashesOf('project', span, trace))
    expect(recent.mayHave('project', 'whole', undefined)).toBe(true)
    expect(recent.mayHave('other', 'whole', undefined)).toBe(false)
    expect(recent.mayHave('project', span, trace)).toBe(true)
    expect(recent.mayHave('project', span, 'another')).toBe(false)
    // Nobody knows of which trace it is.
    expect(recent.mayHave('project', span, undefined)).toBe(true)
    recent.add(...hashesOf('project', 'b7ad6b7169203331'))
    expect(recent.mayHave('project', 'b7ad6b7169203331', trace)).toBe(true)
  })

  it('that were never added are not known', () => {
    const recent = new RecentIds(100_000)
    let wrong = 0
    for (let i = 0; i < 100_000; i++) {
      if (recent.add(Math.imul(i, 0x9e3779b1) >>> 0, Math.imul(i ^ 0x5bd1e995, 0x85ebca6b) >>> 0)) wrong++
    }
    expect(wrong).toBeLessThan(3)
  })

  it('cover the time since the older generation began', () => {
    let now = 1000
    const recent = new RecentIds(16, () => now)
    expect(recent.since).toBe(1000)
    recent.coverFrom(400)
    expect(recent.since).toBe(400)
    let added = 0
    const fill = (until: () => boolean) => {
      while (!until()) recent.add(Math.imul(++added, 0x9e3779b1) >>> 0, added)
    }
    now = 2000
    fill(() => recent.since !== 400)
    expect(recent.since).toBe(1000)
    now = 3000
    fill(() => recent.since !== 1000)
    expect(recent.since).toBe(2000)
    // Of three generations' worth of ids the first are forgotten.
    expect(recent.add(Math.imul(1, 0x9e3779b1) >>> 0, 1)).toBe(false)
  })
})
