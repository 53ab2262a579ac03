/** Binds the annotation queue routes. */
import type { Store } from '../../common/clickhouse/store.js'
import * as contract from '../../common/contract/annotation.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import type { Leases } from '../../common/leases/lease.js'
import { Items } from './items.js'
import { Queues } from './queues.js'

export function annotationRoutes(store: Store, leases: Leases): Bound[] {
  const queues = new Queues(store, leases)
  const items = new Items(store, leases)
  return [
    serve(contract.queueCreate, async ({ body, principal }) => ({
      id: await queues.create(body.project_id, principal.userId, body),
    })),
    serve(contract.queuesQuery, async ({ body }) => {
      const { name, limit, offset } = body
      const list = await queues.list(body.project_id, { name, limit, offset, orders: body.sort_by ?? [] })
      return new Reply(200, 'application/jsonl', list.map((queue) => `${JSON.stringify(queue)}\n`).join(''))
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
      return items.add(body.project_id, params.queue_id, principal.userId, body.call_ids, body.display_fields)
    }),
    serve(contract.queueItemsQuery, async ({ params, body }) => ({
      items: await items.list(body.project_id, params.queue_id, {
        filter: body.filter ?? {},
        orders: body.sort_by ?? [],
        limit: body.limit,
        offset: body.offset,
        positions: body.include_position,
      }),
    })),
    serve(contract.queueProgress, async ({ params, body, principal }) => {
      const { queue_id, item_id } = params
      return {
        item: await items.progress(
          body.project_id,
          queue_id,
          item_id,
          principal.userId,
          body.annotation_state,
        ),
      }
    }),
  ]
}
