import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, fairSchedule } from './fair-schedule.js'

const job = (id: string, entity: string): Candidate => ({ job: { id, model_id: `model of ${id}` }, entity })
const ids = (all: readonly Candidate[]) => all.map(({ job: { id } }) => id)

describe('turns', () => {
  it('come from the entity with fewer running jobs, then the one that waited longer, then the older job', () => {
    const many = ['1', '2', '3'].map((id) => job(id, 'many'))
    const few = [job('8', 'few'), job('9', 'few')]
    const all = [...many, ...few]
    expect(ids(fairSchedule(all, new Map(), new Map()))).toEqual(['1', '8', '2', '9', '3'])
    expect(ids(fairSchedule(all, new Map([['many', 1]]), new Map()))).toEqual(['8', '1', '9', '2', '3'])
    const served = new Map([
      ['many', 7],
      ['few', 3],
    ])
    expect(ids(fairSchedule(all, new Map(), served))).toEqual(['8', '1', '9', '2', '3'])
  })

  it('come to every entity, with one node and however many jobs others have', () => {
    const entities = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(entities, (order) => {
        let waiting = order.map((entity, i) => job(String(i).padStart(3, '0'), entity))
        const served = new Map<string, number>()
        const seen: string[] = []
        for (let now = 1; waiting.length > 0; now++) {
          const [next] = fairSchedule(waiting, new Map(), served)
          served.set(next!.entity, now)
          waiting = waiting.filter((one) => one !== next)
          seen.push(next!.entity)
        }
        // Between two turns of one entity, every other waiting entity has one.
        for (const [i, entity] of seen.entries()) {
          const again = seen.indexOf(entity, i + 1)
          const between = seen.slice(i + 1, again < 0 ? i + 1 : again)
          const later = again < 0 ? [] : seen.slice(again)
          for (const other of new Set(later)) if (other !== entity) expect(between).toContain(other)
        }
      }),
    )
  })
})
