/** Binds the routes about prices. */
import type { Limits, Store } from '../../common/clickhouse/store.js'
import { costCreate, costPurge, costQuery } from '../../common/contract/costs.js'
import { type Bound, serve } from '../../common/http/request.js'
import type { ProjectRegister } from '../../common/projects/register.js'
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
    serve(costQuery, async ({ body }) => ({ results: await costs.query(body) })),
    serve(costPurge, async ({ body }) => {
      await costs.purge(body.project_id, purgedIds(body.query))
      return {}
    }),
  ]
}
