/** The query service: reads of calls, and their prices, over one store. */
import type { AddedToLines } from '../domain/calls/read/added.js'
import { ProjectRegister } from '../domain/projects/register.js'
import type { Resolve } from '../domain/refs/expand.js'
import { READ_LIMITS } from '../platform/clickhouse/read-limits.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import type { Bound } from '../platform/http/request.js'
import { agentRoutes } from './agents/routes.js'
import { callsRoutes } from './calls/routes.js'
import { conventionRoutes } from './conventions/routes.js'
import { costRoutes } from './costs/routes.js'
import { endUsersRoutes } from './end-users/routes.js'
import { ProjectSql } from './sql/project-sql.js'
import { sqlRoutes } from './sql/routes.js'
import { threadsRoutes } from './threads/routes.js'
import { usageRoutes } from './usage/routes.js'

export interface QueryOptions {
  store: Store
  /** default: one of its own */
  register?: ProjectRegister
  /** resource limits of a large read */
  limits?: Limits | undefined
  /** default: one of its own */
  statements?: ProjectSql
  /** resolves refs inside calls; default: none is resolved */
  resolve?: Resolve
  /** adds feedback to lines of calls; default: none */
  feedback?: AddedToLines
}

export function queryRoutes(options: QueryOptions): Bound[] {
  const { store, register = new ProjectRegister(store), statements = new ProjectSql(store) } = options
  const { resolve, feedback } = options
  const calls = { store, limits: { ...READ_LIMITS, ...options.limits } }
  return [
    ...callsRoutes({ ...calls, ...(resolve && { resolve }), ...(feedback && { feedback }) }),
    ...threadsRoutes(calls),
    ...endUsersRoutes(calls),
    ...usageRoutes(calls),
    ...agentRoutes(calls),
    ...conventionRoutes(calls),
    ...costRoutes({ ...calls, register }),
    ...sqlRoutes(statements),
  ]
}
