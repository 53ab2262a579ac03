/** What `heddle query` serves: reads of calls and all other resources, described in one document. */
import { ProjectRegister } from '../../domain/projects/register.js'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Bound } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { alertValues } from '../../query/alert-values.js'
import { queryRoutes } from '../../query/routes.js'
import { Converted } from '../../query/sql/converted.js'
import { ProjectSql, type SqlLimits } from '../../query/sql/project-sql.js'
import { docsRoutes } from '../../resources/docs/routes.js'
import { createResources, type ResourceOptions } from '../../resources/routes.js'

export interface ReadOptions extends Omit<ResourceOptions, 'alertValues'> {
  /** declarations of other services at the same address, to be documented with these */
  others?: readonly RouteSpec[]
  /**
   * Of statements that callers write, and how many of them run at a time.
   * `folder`: of an embedded engine, for results that are made anew in another format; undefined: a server streams them
   */
  sql?: { limits: SqlLimits; atOnce: number; folder: string | undefined }
}

export interface Reads {
  routes: Bound[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** Builds both services over one store. Stop them after their last request. */
export function createReads({ others = [], sql, ...options }: ReadOptions): Reads {
  const { store, limits, register = new ProjectRegister(store) } = options
  const whole = sql && (sql.folder === undefined ? 'streamed' : new Converted(store, sql.folder))
  const statements = new ProjectSql(store, sql?.limits, sql?.atOnce, whole)
  const values = (own: Store) => alertValues(own, { ...READ_LIMITS, ...limits }, statements)
  const {
    routes: resources,
    resolve,
    feedback,
    linksOver,
    start,
    stop,
  } = createResources({
    ...{ ...options, register, alertValues: values },
  })
  const pages = [...queryRoutes({ store, register, limits, statements, resolve, feedback }), ...resources]
  const routes = [...pages, ...linksOver(pages)]
  const specs = [...others, ...routes.map(({ spec }) => spec)]
  return { routes: [...routes, ...docsRoutes(specs, options.version)], start, stop }
}
