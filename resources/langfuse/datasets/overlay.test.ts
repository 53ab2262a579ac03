import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DigestList } from '../../tables/digest-list.js'
import { applyChanges, type Change } from '../../tables/update.js'
import { overlaid, type RowChange, updatesOf } from './overlay.js'

const listOf = (rows: readonly string[]) =>
  DigestList.ofLines(Buffer.from(rows.map((row) => `${row}\n`).join('')))

/** Rows, each at most once, and changes of some of them and of new ones. */
const cases = fc
  .record({
    rows: fc.uniqueArray(fc.stringMatching(/^[a-m]{1,3}$/), { maxLength: 20 }),
    after: fc.uniqueArray(fc.stringMatching(/^[n-z]{1,3}$/), { minLength: 20, maxLength: 30 }),
    kinds: fc.array(fc.constantFrom('keep', 'replace', 'remove', 'same'), { minLength: 20, maxLength: 20 }),
  })
  .map(({ rows, after, kinds }) => {
    const changes = rows.flatMap((before, i): RowChange[] => {
      if (kinds[i] === 'keep') return []
      return [{ before, after: kinds[i] === 'replace' ? after[i]! : kinds[i] === 'same' ? before : '' }]
    })
    const added = after.slice(20).map((row) => ({ before: '', after: row }))
    const gone = { before: 'never', after: '' }
    return { rows, changes: [...changes, ...added, gone] }
  })

it('a reader sees what the next version of the dataset has', () => {
  fc.assert(
    fc.property(cases, ({ rows, changes }) => {
      const list = listOf(rows)
      const texts: string[] = []
      const updates = updatesOf(list, changes, (digest) => JSON.stringify(digest)).map((text): Change => {
        const { append, pop, insert } = JSON.parse(text)
        if (pop) return { kind: 'pop', index: pop.index }
        const row = texts.push((append ?? insert).row) - 1
        return append ? { kind: 'append', row } : { kind: 'insert', index: insert.index, row }
      })
      const { kept, order, positions } = applyChanges(list, updates, { digestOf: (row) => texts[row]! })
      const made: string[] = []
      for (const { range, at } of kept)
        for (let i = range.from; i < range.to; i++) made[at + i - range.from] = list.at(i)
      order.forEach((row, i) => {
        made[positions[i]!] = texts[row]!
      })
      expect(overlaid(list, changes)).toEqual(made)
    }),
  )
})
