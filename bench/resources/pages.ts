/** Pages of a large table, and counts of it. */
import type { Chance } from '../load/text.js'
import type { Scenario } from '../read/scenario.js'
import { idOf, rankOf } from './rows.js'
import type { Dataset } from './table.js'

const PAGE = 100
const TARGET = 25

interface Line {
  digest: string
  val: { id: string; rank: number }
  original_index: number
}

/** A hundred rows at a time: by position, in another order, by digest. */
export function pageScenarios(table: Dataset): Scenario[] {
  const { project, digest, rowDigests } = table
  const size = rowDigests.length
  const page = (more: (chance: Chance) => object) => (chance: Chance) => ({
    project_id: project,
    digest,
    limit: PAGE,
    ...more(chance),
  })
  const highest = highestRank(size)
  const any = (chance: Chance) => chance.below(size)
  const query = '/table/query'
  return [
    { name: 'table, first 100 rows', path: query, body: page(() => ({})), problem: inOrder, target: TARGET },
    {
      name: 'table, 100 rows anywhere',
      path: query,
      body: page((chance) => ({ offset: chance.below(size - PAGE) })),
      problem: inOrder,
      target: TARGET,
    },
    {
      name: 'table, 100 rows by digest',
      path: query,
      body: page((chance) => ({
        filter: { row_digests: Array.from({ length: PAGE }, () => rowDigests[any(chance)]) },
      })),
      problem: (text) => {
        const rows = rowsOf(text)
        // A digest may be drawn twice.
        const right = rows.every(({ val, original_index }) => val.id === idOf(original_index))
        return right && rows.length > PAGE / 2 ? undefined : `${rows.length} rows came, or wrong ones`
      },
      target: TARGET,
    },
    {
      name: 'table, 100 highest by a path',
      path: query,
      body: page(() => ({ sort_by: [{ field: 'rank', direction: 'desc' }] })),
      problem: (text) => {
        const ranks = rowsOf(text).map(({ val }) => val.rank)
        const sorted = ranks.every((rank, n) => n === 0 || rank <= ranks[n - 1]!)
        return sorted && ranks[0] === highest && ranks.length === PAGE ? undefined : 'it is not sorted'
      },
      target: TARGET,
    },
    {
      name: 'table, count',
      path: '/table/query_stats',
      body: () => ({ project_id: project, digest }),
      problem: (text) => (JSON.parse(text).count === size ? undefined : `it is not ${size}`),
    },
  ]
}

function rowsOf(text: string): Line[] {
  return (JSON.parse(text) as { rows: Line[] }).rows
}

/** Neighbours by position, each the row that was put there. */
function inOrder(text: string): string | undefined {
  const rows = rowsOf(text)
  const first = rows[0]?.original_index ?? 0
  const right = rows.every(({ val, original_index }, n) => {
    return original_index === first + n && val.id === idOf(original_index)
  })
  return right && rows.length === PAGE ? undefined : `${rows.length} rows came, or not in order`
}

function highestRank(size: number): number {
  let highest = 0
  for (let n = 0; n < size; n++) highest = Math.max(highest, rankOf(n))
  return highest
}
