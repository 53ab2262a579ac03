/** Binds the routes about prices. */
import type { Limits, Store } from '../../common/clickhouse/store.js'
import { costCreate, costPurge, costQuery } from '../../common/contract/costs.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { jsonList, mapPieces } from '../lists/json.js'
import { Costs } from './costs.js'
import { purgedIds } from './purge.js'

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
    serve(costPurge, async ({ body }) => {
      await costs.purge(body.project_id, purgedIds(body.query, { subject: 'Prices are', in: true }))
      return {}
    }),
  ]
}
