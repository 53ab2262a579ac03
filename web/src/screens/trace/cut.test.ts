import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Cut, cutDown, isCut } from './cut'

/** How much of a value goes to the page. */
function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || isCut(value)) return 1
  return 1 + Object.values(value).reduce((sum: number, one) => sum + nodesIn(one), 0)
}

/** The value again, by opening all that was left out; each answer is small. */
function whole(root: unknown, shown: unknown): unknown {
  expect(nodesIn(shown)).toBeLessThan(8_000)
  if (isCut(shown)) return whole(root, cutDown(root, shown as Cut))
  if (typeof shown !== 'object' || shown === null) return shown
  const entries = Object.entries(shown).map(([key, one]): [string, unknown] => [key, whole(root, one)])
  if (entries.some(([key]) => / … /.test(key))) return Object.assign({}, ...entries.map(([, one]) => one))
  return Object.fromEntries(entries)
}
/** Lists as objects by place, as the page has parts of them. */
const byPlace = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, byPlace(one)]))
    : value

it('all of a value can be opened, whatever its shape, and no answer is large', () => {
  const list = Array.from({ length: 5_000 }, (_, id) => ({ id, tags: ['a', 'b'] }))
  const root = {
    call: {
      inputs: { list },
      keys: Object.fromEntries(list.slice(0, 2_500).map(({ id }) => [`k${id}`, id])),
    },
  }
  expect(whole(root, cutDown(root))).toEqual(byPlace(root))
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(whole(value, cutDown(value))).toEqual(byPlace(value))
    }),
  )
})

it('a long text is cut until it is asked for', () => {
  const root = { text: 'x'.repeat(50_000) }
  const shown = cutDown(root) as { text: Cut }
  expect([isCut(shown.text), shown.text.size]).toEqual([true, 50_000])
  expect(cutDown(root, shown.text)).toBe(root.text)
})

it('a value in a million members is a group of a group', () => {
  const groups = Object.values(cutDown(Array.from({ length: 1_200_000 }, (_, i) => i)) as Record<string, Cut>)
  expect(groups.length).toBeLessThan(1_200)
  expect(groups.at(-1)).toMatchObject({ to: 1_200_000 })
})
