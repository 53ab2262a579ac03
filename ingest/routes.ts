/** The routes of the write path, bound to the pipeline. */
import { hash } from 'node:crypto'
import * as calls from '../contract/calls-write.js'
import { langfuseIngestion } from '../contract/langfuse.js'
import {
  exportAgentTrace,
  exportLogs,
  exportMetrics,
  exportTrace,
  exportTraceAtRoot,
  exportTraceOfLangfuse,
} from '../contract/otlp.js'
import { presentedUser } from '../domain/auth/api-key.js'
import { errors } from '../platform/errors/catalog.js'
import { HeddleError } from '../platform/errors/error.js'
import type { Principal } from '../platform/http/principal.js'
import { type Bound, Reply, type Request, serve } from '../platform/http/request.js'
import { RetriedRequests } from '../platform/http/retried-requests.js'
import { isProjectName } from '../platform/ids/project.js'
import type { Log } from '../platform/telemetry/log.js'
import type { Changes } from './changes/changes.js'
import type { LangfuseIngestion } from './langfuse/ingestion.js'
import type { FairBudget } from './pipeline/fair-budget.js'
import type { Pipeline } from './pipeline/pipeline.js'
import type { StoreGate } from './pipeline/store-gate.js'
import { type Tenant, tenantOf } from './pipeline/tenant.js'
import type { WriteRoute } from './threads/task.js'

export interface RouteParts {
  readonly pipeline: Pipeline
  readonly budget: FairBudget
  readonly gate: StoreGate
  readonly changes: Changes
  readonly langfuse: LangfuseIngestion
  readonly log: Log
  /** told the code of each refusal for want of room or store */
  readonly refused: (code: string) => void
}

/** Bytes of answers kept for requests that are sent again. */
const REMEMBERED = 16 * 1024 * 1024

/** The length that a body without a stated one is taken to have until it is there. */
const UNTOLD = 65_536

export function ingestRoutes({
  pipeline,
  budget,
  gate,
  changes,
  langfuse,
  log,
  refused,
}: RouteParts): Bound[] {
  const retried = new RetriedRequests<Reply>(REMEMBERED, ({ body }) =>
    typeof body === 'string' || body instanceof Uint8Array ? body.length : 0,
  )

  const admit: Bound['admit'] = (headers, principal, length, params) => {
    try {
      if (gate.away) throw errors.unavailable()
      return budget.take(payerOf(headers, principal, params), length < 0 ? UNTOLD : length)
    } catch (error) {
      if (error instanceof HeddleError) refused(error.code)
      throw error
    }
  }

  const write = async (route: WriteRoute, request: Request, mustPair = false): Promise<Reply> => {
    const { headers, principal, bytes } = request
    const params = (request.params ?? {}) as Record<string, string>
    const tenant = payerOf(headers, principal, params)
    const untold = headers.has('content-length') ? 0 : bytes.length - UNTOLD
    const giveBack = untold > 0 ? budget.take(tenant, untold) : undefined
    const raw = {
      route,
      body: bytes,
      contentType: headers.get('content-type') ?? '',
      contentEncoding: headers.get('content-encoding') ?? '',
      project: projectOf(headers, params),
      userId: principal.userId,
      grants: principal.grants,
    }
    // Of the body before it is handed to a thread.
    const mark = () => `${principal.keyId} ${route} ${tenant.project} ${hash('sha256', bytes, 'base64')}`
    try {
      return await retried.once(headers.get('x-weave-retry-id'), mark, () =>
        pipeline.submit(tenant, raw, mustPair),
      )
    } catch (error) {
      if (error instanceof HeddleError && error.status === 503) refused(error.code)
      throw error
    } finally {
      giveBack?.()
    }
  }

  let saidOfMetrics = false
  const dropMetrics = ({ headers }: Request): Reply => {
    if (!saidOfMetrics) log.info('metrics of an exporter are taken and dropped, and so are all that follow')
    saidOfMetrics = true
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
    return isJson ? Reply.json({}) : new Reply(200, 'application/x-protobuf', '')
  }

  return [
    ...[exportTrace, exportTraceAtRoot, exportTraceOfLangfuse].map((door) =>
      serve(door, (request) => write('otlp', request), admit),
    ),
    serve(langfuseIngestion, async ({ bytes: batch, headers, principal }) => {
      const project = projectOf(headers, {})
      if (project === undefined) throw errors.noPublicKey()
      principal.must('write', project)
      const { userId, grants } = principal
      const json = { contentType: 'application/json', contentEncoding: '' }
      const submit = (bytes: Uint8Array) =>
        pipeline.submit(tenantOf(project), { route: 'otlp', body: bytes, ...json, project, userId, grants })
      const answer = await langfuse.take(principal, project, batch, submit)
      return answer instanceof Reply ? answer : Reply.json(answer, 207)
    }),
    serve(exportLogs, (request) => write('otlp_logs', request), admit),
    serve(exportMetrics, dropMetrics),
    serve(
      exportAgentTrace,
      async (request) => {
        const reply = await write('otlp', request)
        // The SDK's own exporter need not say whose spans they are, and must not fail for it.
        return reply.status === 400 ? new Reply(200, 'application/x-protobuf', '') : reply
      },
      admit,
    ),
    serve(calls.callStart, (request) => write('start', request), admit),
    serve(calls.callEnd, (request) => write('end', request), admit),
    serve(calls.callUpsertBatch, (request) => write('upsert_batch', request), admit),
    serve(calls.callsComplete, (request) => write('complete', request), admit),
    serve(calls.callStartV2, (request) => write('start', request), admit),
    serve(calls.callEndV2, (request) => write('end', request, true), admit),
    serve(calls.callUpdate, ({ body }) => changes.update(body.project_id, body.call_id, body.display_name)),
    serve(calls.callsDelete, ({ body }) => changes.delete(body.project_id, body.call_ids)),
  ]
}

const SERVICES = 'opentelemetry.proto.collector'

/** The methods of OTLP over gRPC: the same doors, by the services of opentelemetry-proto. */
export function otlpMethods(routes: readonly Bound[]): Map<string, Bound> {
  const doors = { trace: exportTraceAtRoot, logs: exportLogs, metrics: exportMetrics }
  return new Map(
    Object.entries(doors).map(([name, door]) => {
      const service = `${name[0]!.toUpperCase()}${name.slice(1)}Service`
      return [`/${SERVICES}.${name}.v1.${service}/Export`, routes.find(({ spec }) => spec.id === door.id)!]
    }),
  )
}

/** Whom a request is charged to: the project that it names before its body is read, if its key may write there, else its key. */
function payerOf(
  headers: ReadonlyMap<string, string>,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): Tenant {
  const project = projectOf(headers, params)
  if (project !== undefined && principal.may('write', project)) return tenantOf(project)
  return { entity: principal.account, project: `key ${principal.caller}` }
}

function projectOf(
  headers: ReadonlyMap<string, string>,
  { entity, project }: Readonly<Record<string, string>>,
): string | undefined {
  if (entity !== undefined && project !== undefined) return `${entity}/${project}`
  // Exporters that set no headers of their own but those of Basic, such as Langfuse's, name it as the user.
  const named = headers.get('project_id') ?? presentedUser(headers)
  return named !== undefined && isProjectName(named) ? named : undefined
}
