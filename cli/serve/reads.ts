/** What `heddle query` serves: reads of calls and all other resources, described in one document. */
import { ProjectRegister } from '../../domain/projects/register.js'
import type { Bound } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { type QueryOptions, queryRoutes } from '../../query/routes.js'
import { docsRoutes } from '../../resources/docs/routes.js'
import { createResources, type ResourceOptions } from '../../resources/routes.js'

export interface ReadOptions extends ResourceOptions {
  /** declarations of other services at the same address, to be documented with these */
  others?: readonly RouteSpec[]
  sql?: QueryOptions['sql']
}

export interface Reads {
  routes: Bound[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** Builds both services over one store. Stop them after their last request. */
export function createReads({ others = [], sql, ...options }: ReadOptions): Reads {
  const { store, limits, register = new ProjectRegister(store) } = options
  const { routes: resources, resolve, feedback, start, stop } = createResources({ ...options, register })
  const routes = [...queryRoutes({ store, register, limits, sql, resolve, feedback }), ...resources]
  const specs = [...others, ...routes.map(({ spec }) => spec)]
  return { routes: [...routes, ...docsRoutes(specs, options.version)], start, stop }
}
