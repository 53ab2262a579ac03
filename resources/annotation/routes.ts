import * as contract from '../../contract/annotation.js'
import { jsonLines, jsonList, mapPieces } from '../../domain/lists/json.js'
import { linesType } from '../../platform/http/accept.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { Annotators } from './annotators.js'
import { Items } from './items.js'
import { Queues } from './queues.js'

export function annotationRoutes({ store, leases, register, limits }: Parts): Bound[] {
  const queues = new Queues(store, leases, limits)
  const items = new Items(store, leases, limits)
  const annotators = new Annotators(store, limits)
  return [
    serve(contract.queueCreate, async ({ body, principal }) => {
      await register.note([body.project_id])
      const { name, description, scorer_refs } = body
      const id = await queues.create(body.project_id, principal.userId, { name, description, scorer_refs })
      return { id }
    }),
    serve(contract.queuesQuery, ({ body, headers, signal }) => {
      const lines = jsonLines(queues.list(body, signal))
      return new Reply(200, linesType(headers.get('accept')), lines)
    }),
    serve(contract.queuesStats, async ({ body }) => ({
      stats: await queues.stats(body.project_id, body.queue_ids),
    })),
    serve(contract.queueRead, async ({ params, query }) => ({
      queue: await queues.read(query.project_id, params.queue_id),
    })),
    serve(contract.queueUpdate, async ({ params, body }) => ({
      queue: await queues.update(body.project_id, params.queue_id, body),
    })),
    serve(contract.queueDelete, async ({ params, query }) => ({
      queue: await queues.remove(query.project_id, params.queue_id),
    })),
    serve(contract.queueAddCalls, async ({ params, body, principal }) => {
      await queues.read(body.project_id, params.queue_id)
      return items.add({
        project: body.project_id,
        queueId: params.queue_id,
        userId: principal.userId,
        callIds: body.call_ids,
        displayFields: body.display_fields,
      })
    }),
    serve(contract.queueItemsQuery, ({ params, body, principal, signal }) => {
      const whose = body.own_progress ? principal.userId : undefined
      const found = items.list(params.queue_id, body, whose, signal)
      const texts = mapPieces(found, (item) => JSON.stringify(item))
      return new Reply(200, 'application/json', jsonList('items', texts))
    }),
    serve(contract.queueAnnotators, async ({ params: { queue_id }, query: { project_id } }) => {
      await queues.read(project_id, queue_id)
      const [progress, agreement] = await Promise.all([
        annotators.progress(project_id, queue_id),
        annotators.agreement(project_id, queue_id),
      ])
      return { annotators: progress, agreement }
    }),
    serve(contract.queueProgress, async ({ params, body, principal }) => {
      const { queue_id, item_id } = params
      const { project_id, annotation_state } = body
      return { item: await items.progress(project_id, queue_id, item_id, principal.userId, annotation_state) }
    }),
  ]
}
