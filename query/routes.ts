/** The query service: every route of the tracing interface that is not a hot write, over one store. */
import type { Chat } from '../domain/chat/chat.js'
import { ProjectRegister } from '../domain/projects/register.js'
import { service } from '../platform/clickhouse/caller.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import type { Bound } from '../platform/http/request.js'
import type { RouteSpec } from '../platform/http/route.js'
import type { Leases } from '../platform/leases/lease.js'
import { LocalLeases } from '../platform/leases/local.js'
import { annotationRoutes } from '../resources/annotation/routes.js'
import { completionRoutes } from '../resources/completions/routes.js'
import { docsRoutes } from '../resources/docs/routes.js'
import { evaluationRoutes } from '../resources/evaluation/routes.js'
import { EvaluationBells } from '../resources/evaluation/server/bells.js'
import { feedbackOfLines } from '../resources/feedback/lines.js'
import { feedbackRoutes } from '../resources/feedback/routes.js'
import { fileRoutes } from '../resources/files/routes.js'
import { FileStore, type Outside } from '../resources/files/store.js'
import { imageRoutes } from '../resources/images/routes.js'
import type { ModelNodes } from '../resources/inference/nodes.js'
import { inferenceRoutes } from '../resources/inference/routes.js'
import { Names } from '../resources/names.js'
import { VersionFinder } from '../resources/objects/find.js'
import { labelRoutes } from '../resources/objects/label-routes.js'
import { LabelStore } from '../resources/objects/labels.js'
import { ObjectReader } from '../resources/objects/reader.js'
import { objectRoutes } from '../resources/objects/routes.js'
import { objectNames } from '../resources/objects/versions.js'
import { ObjectWriter } from '../resources/objects/writer.js'
import { projectRoutes } from '../resources/project/routes.js'
import { type ProviderOptions, providerAccess } from '../resources/provider-access.js'
import { resolver } from '../resources/refs/expander.js'
import { RefReader } from '../resources/refs/resolve.js'
import { refRoutes } from '../resources/refs/routes.js'
import { registryRoutes } from '../resources/registry/routes.js'
import { Health } from '../resources/service/health.js'
import { serviceRoutes } from '../resources/service/routes.js'
import { TableReader } from '../resources/tables/reader.js'
import { tableRoutes } from '../resources/tables/routes.js'
import { rowNames } from '../resources/tables/sql.js'
import { TableWriter } from '../resources/tables/writer.js'
import { trainingPageRoutes } from '../resources/training/routes.js'
import { Workers } from '../resources/workers/workers.js'
import { callsRoutes } from './calls/routes.js'
import { costRoutes } from './costs/routes.js'
import { threadsRoutes } from './threads/routes.js'
import { usageRoutes } from './usage/routes.js'

export interface QueryOptions {
  store: Store
  /** of this program */
  version: string
  /** no other process stores objects here; default: false */
  alone?: boolean
  /** default: within this process */
  leases?: Leases
  /** where large files lie; default: in the store */
  outside?: Outside | undefined
  /** what one statement may use that reads much */
  limits?: Limits
  /** default: none has a key, and none in private networks is asked */
  providers?: ProviderOptions
  /** the Redis of the workers that run evaluations; default: there are none */
  evaluationQueue?: string | undefined
  /** default: none are up */
  nodes?: ModelNodes
  /** of the models that are served here; default: none are */
  chat?: Chat
  /** address of the training interface, read when it is needed; default: there is none */
  trainingUrl?: () => string | undefined
  /** declarations of other services on the same address, to be described with ours */
  others?: readonly RouteSpec[]
}

export interface Query {
  routes: Bound[]
  stop(): Promise<void>
}

/** Of rows of tables there are more than of objects: 8 MiB. */
const ROW_BITS = 2 ** 26

/** What one read may use where the operator says nothing. */
const LIMITS: Required<Limits> = { seconds: 300, memoryBytes: 4 * 2 ** 30, readBytes: 2 ** 40 }

/** Builds the service. Stop it when its last request is answered. */
export function createQuery(options: QueryOptions): Query {
  const { store, version, leases = new LocalLeases(), nodes = async () => [], others = [] } = options
  const register = new ProjectRegister(store)
  const reader = new ObjectReader(store)
  const labels = new LabelStore(store)
  const finder = new VersionFinder(reader, labels)
  const writer = new ObjectWriter(store, {
    names: options.alone ? new Names(store, objectNames) : undefined,
    onStored: (creation) => reader.note(creation),
  })
  const tables = new TableReader(store, options.limits)
  const tableWriter = new TableWriter(store, options.alone ? new Names(store, rowNames, ROW_BITS) : undefined)
  const refs = new RefReader(finder, reader, (keys) => tables.texts(keys), register)
  const workers = new Workers()
  const files = new FileStore(store, options.outside)
  const access = providerAccess(store, options.providers)
  const limits = { ...LIMITS, ...options.limits }
  const bells =
    options.evaluationQueue === undefined ? undefined : new EvaluationBells(options.evaluationQueue)
  const calls = { store, limits }
  const routes = [
    ...callsRoutes({
      ...calls,
      resolve: resolver(refs, register),
      feedback: feedbackOfLines(store, limits),
    }),
    ...threadsRoutes(calls),
    ...usageRoutes(calls),
    ...costRoutes({ store, register, limits }),
    ...feedbackRoutes({ store, refs, register, workers, limits }),
    ...objectRoutes({ store, reader, writer, finder, labels, register, workers, limits: options.limits }),
    ...labelRoutes({ finder, labels }),
    ...fileRoutes({ files, register }),
    ...refRoutes({ refs, register }),
    ...tableRoutes({ reader: tables, writer: tableWriter, workers, register }),
    ...annotationRoutes({ store, leases, register, limits }),
    ...evaluationRoutes({
      ...{ ...calls, leases, files, reader, finder, writer, register, workers },
      tables: tableWriter,
      resolve: resolver(refs, register),
      ...{ providers: access.providers, bells },
    }),
    ...registryRoutes({ finder, writer, labels, register }),
    ...imageRoutes({ ...access, store, files, register }),
    ...completionRoutes({
      ...{ ...access, store, register, chat: options.chat },
      resolve: resolver(refs, register),
    }),
    ...projectRoutes(store),
    ...inferenceRoutes(nodes),
    ...trainingPageRoutes(options.trainingUrl ?? (() => undefined)),
    ...serviceRoutes({ health: new Health(store.as(service('health'))), register, version }),
  ]
  const specs = [...others, ...routes.map(({ spec }) => spec)]
  return {
    routes: [...routes, ...docsRoutes(specs, version)],
    stop: async () => void (await Promise.all([workers.stop(), access.outbound.close(), bells?.close()])),
  }
}
