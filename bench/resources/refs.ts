/** Reading a thousand refs at once. */
import type { Scenario } from '../read/scenario.js'
import { PROJECT, type Published } from './objects.js'
import { idOf } from './rows.js'
import type { Dataset } from './table.js'

const REFS = 1_000
const TARGET = 60

/** Half of the refs are whole objects, half go into one; and refs to rows of a table. */
export function refScenarios(published: readonly Published[], table: Dataset): Scenario[] {
  let expected: string[] = []
  const batch = (each: (n: number) => { ref: string; part: string }) => {
    const drawn = Array.from({ length: REFS }, (_, n) => each(n))
    expected = drawn.map(({ part }) => part)
    return { refs: drawn.map(({ ref }) => ref) }
  }
  const problem = (text: string) => {
    const { vals } = JSON.parse(text) as { vals: unknown[] }
    if (vals.length !== REFS) return `${vals.length} values came`
    const wrong = vals.findIndex((val, n) => !JSON.stringify(val).includes(expected[n]!))
    return wrong < 0 ? undefined : `value ${wrong} is another one's`
  }
  return [
    {
      name: '1,000 refs to objects and into them',
      path: '/refs/read_batch',
      body: (chance) =>
        batch((n) => {
          const { name, digest, description } = published[chance.below(published.length)]!
          const ref = `weave:///${PROJECT}/object/${name}:${digest}`
          return { ref: n % 2 === 0 ? ref : `${ref}/attr/description`, part: description }
        }),
      problem,
      target: TARGET,
    },
    {
      name: '1,000 refs to rows of the table',
      path: '/refs/read_batch',
      body: (chance) =>
        batch(() => {
          const row = chance.below(table.rowDigests.length)
          return { ref: `${table.ref}/attr/rows/id/${table.rowDigests[row]}`, part: idOf(row) }
        }),
      problem,
      target: TARGET,
    },
  ]
}
