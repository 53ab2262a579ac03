import { costCreate, costDefaults, costPurge, costQuery } from '../../contract/costs.js'
import { purgedIds } from '../../contract/purge.js'
import { jsonList, mapPieces } from '../../domain/lists/json.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { Costs } from './costs.js'
import { defaultPrices } from './default-prices.js'

export interface CostParts {
  store: Store
  register: ProjectRegister
  limits: Limits
}

export function costRoutes({ store, register, limits }: CostParts): Bound[] {
  const costs = new Costs(store, limits)
  return [
    serve(costCreate, async ({ body, principal }) => {
      await register.note([body.project_id])
      return { ids: await costs.create(body.project_id, principal.userId, body.costs) }
    }),
    serve(costQuery, ({ body, signal }) => {
      const texts = mapPieces(costs.query(body, signal), (price) => JSON.stringify(price))
      return new Reply(200, 'application/json', jsonList('results', texts))
    }),
    serve(costDefaults, () => defaultPrices(store)),
    serve(costPurge, async ({ body, note }) => {
      const ids = purgedIds(body.query, { subject: 'Prices are', in: true })
      note?.({ target: { cost_ids: ids } })
      await costs.purge(body.project_id, ids)
      return {}
    }),
  ]
}
