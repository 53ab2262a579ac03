import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Row, TableUpdate } from '../../api/datasets'
import { type Edits, editCount, NO_EDITS, updatesOf, withRow } from './edits'

/** What the service makes of updates. */
function applied(rows: readonly Row[], updates: readonly TableUpdate[]): Row[] {
  const now = [...rows]
  for (const one of updates) {
    if ('pop' in one) now.splice(one.pop.index, 1)
    else if ('insert' in one) now.splice(one.insert.index, 0, one.insert.row as Row)
    else now.push(one.append.row as Row)
  }
  return now
}

it('updates make of the rows what one sees', () => {
  const edit = fc.tuple(fc.nat(11), fc.option(fc.record({ n: fc.nat() })))
  fc.assert(
    fc.property(fc.array(edit), fc.array(fc.record({ n: fc.nat() }), { maxLength: 3 }), (changes, added) => {
      const rows = Array.from({ length: 9 }, (_, n): Row => ({ n: -n }))
      let edits: Edits = { ...NO_EDITS, added }
      for (const [index, row] of changes)
        if (index < rows.length + edits.added.length) edits = withRow(edits, rows.length, index, row)
      const seen = [
        ...rows.map((row, i) => (edits.changed.has(i) ? edits.changed.get(i)! : row)),
        ...edits.added,
      ]
      expect(applied(rows, updatesOf(edits))).toEqual(seen.filter((row) => row !== null))
      expect(editCount(edits)).toBe(edits.changed.size + edits.added.length)
    }),
  )
})
