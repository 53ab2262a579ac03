/**
 * Reads the prices for a project: its own and the default level. The default level is thousands of rows that change with
 * releases, so each process remembers them, and reads only those that came since.
 */
import { bind, commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { byModel, type Price, Prices } from './pricing.js'
import { RATES } from './rule.js'

interface Row extends Price {
  ver: number
}

/** The default level as far as it was read. */
interface Known {
  ver: number
  prices: ReadonlyMap<string, Price[]>
}

const known = new WeakMap<Store, Known>()
const NONE: Known = { ver: 0, prices: new Map() }

/** @param projectId internal id */
export async function readPrices(
  store: Store,
  projectId: string,
  options: StatementOptions = {},
): Promise<Prices> {
  const before = known.get(store) ?? NONE
  const rows = await store.rows<Row>(pricesStatement(projectId, before.ver), options)
  const fresh = rows.filter(({ level }) => level === 'default')
  const now = fresh.length === 0 ? before : withFresh(before, fresh)
  if ((known.get(store) ?? NONE).ver < now.ver) known.set(store, now)
  return new Prices([byModel(rows.filter(({ level }) => level === 'project')), now.prices])
}

function withFresh({ ver, prices }: Known, fresh: readonly Row[]): Known {
  const all = byModel(fresh)
  for (const [model, rows] of prices) all.set(model, [...rows, ...(all.get(model) ?? [])])
  return { ver: fresh.reduce((newest, row) => Math.max(newest, row.ver), ver), prices: all }
}

/** @param after the version of default prices from which on they are wanted; rows of a list have one, and no older ones follow */
function pricesStatement(projectId: string, after = 0): Sql {
  const rates = commaList(RATES.map((rate) => ident(rate)))
  return sql`SELECT llm_id AS model, if(project_id = '', 'default', 'project') AS level, id, provider_id AS provider,
    toUnixTimestamp64Micro(effective_date) AS effective, ${rates}, steps, prompt_unit, completion_unit,
    toUnixTimestamp64Micro(created_at) AS created, created_by, ver
  FROM costs FINAL WHERE project_id IN ('', ${bind.string(projectId)}) AND deleted = 0
    AND (project_id != '' OR ver > ${bind.uint(after)})`
}
