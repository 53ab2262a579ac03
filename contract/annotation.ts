/** Declarations of the annotation queue routes. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy } from './calls-read.js'
import { page, projectId, timeOut, userIdIn } from './shared.js'

const tag = 'Annotation queues'
const queuePath = z.object({ queue_id: z.string() })
const ofProject = z.object({ project_id: projectId })
const sortBy = z.array(SortBy).nullable().default(null)

export const AnnotationQueueSchema = z
  .object({
    id: z.string(),
    project_id: projectId,
    name: z.string(),
    description: z.string(),
    scorer_refs: z.array(z.string()),
    created_at: timeOut,
    created_by: z.string(),
    updated_at: timeOut,
    deleted_at: timeOut.nullable(),
  })
  .meta({ id: 'AnnotationQueueSchema' })
export type AnnotationQueue = z.output<typeof AnnotationQueueSchema>

export const AnnotationState = z.enum(['unstarted', 'in_progress', 'completed', 'skipped'])
export type AnnotationState = z.output<typeof AnnotationState>

export const AnnotationQueueItemSchema = z
  .object({
    id: z.string(),
    project_id: projectId,
    queue_id: z.string(),
    call_id: z.string(),
    call_started_at: timeOut,
    call_ended_at: timeOut.nullable(),
    call_op_name: z.string(),
    call_trace_id: z.string(),
    display_fields: z.array(z.string()),
    added_by: z.string().nullable(),
    annotation_state: AnnotationState,
    annotator_user_id: z.string().nullable(),
    created_at: timeOut,
    created_by: z.string(),
    updated_at: timeOut,
    deleted_at: timeOut.nullable(),
    position_in_queue: z.int().nullable(),
  })
  .meta({ id: 'AnnotationQueueItemSchema' })
export type AnnotationQueueItem = z.output<typeof AnnotationQueueItemSchema>

const oneQueue = (id: string) => z.object({ queue: AnnotationQueueSchema }).meta({ id })

export const queueCreate = route({
  id: 'annotation_queue_create',
  method: 'POST',
  path: '/annotation_queues',
  tag,
  summary: 'Create a queue of calls for people to annotate',
  access: 'write',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      name: z.string().min(1).max(256),
      description: z.string().max(10_000).default(''),
      scorer_refs: z.array(z.string()).max(100),
      platform_user_id: userIdIn,
    })
    .meta({ id: 'AnnotationQueueCreateReq' }),
  answer: z.object({ id: z.string() }).meta({ id: 'AnnotationQueueCreateRes' }),
})

const QueuesQuery = z
  .object({
    project_id: projectId,
    name: z.string().nullable().default(null).describe('Part of the name, in any case.'),
    sort_by: sortBy,
    ...page,
  })
  .meta({ id: 'AnnotationQueuesQueryReq' })
export type QueuesQuery = z.output<typeof QueuesQuery>

export const queuesQuery = route({
  id: 'annotation_queues_query_stream',
  method: 'POST',
  path: '/annotation_queues/query',
  tag,
  summary: 'List queues, newest first',
  access: 'read',
  project: 'body',
  body: QueuesQuery,
  answer: AnnotationQueueSchema,
  produces: 'application/jsonl',
})

export const queuesStats = route({
  id: 'annotation_queues_stats',
  method: 'POST',
  path: '/annotation_queues/stats',
  tag,
  summary: 'Count the items of queues, and those that anyone completed or skipped',
  access: 'read',
  project: 'body',
  body: z
    .object({ project_id: projectId, queue_ids: z.array(z.string()).max(1000) })
    .meta({ id: 'AnnotationQueuesStatsReq' }),
  answer: z
    .object({
      stats: z.array(
        z
          .object({ queue_id: z.string(), total_items: z.int(), completed_items: z.int() })
          .meta({ id: 'AnnotationQueueStatsSchema' }),
      ),
    })
    .meta({ id: 'AnnotationQueuesStatsRes' }),
})

export const queueRead = route({
  id: 'annotation_queue_read',
  method: 'GET',
  path: '/annotation_queues/{queue_id}',
  tag,
  summary: 'Read a queue',
  access: 'read',
  project: 'query',
  params: queuePath,
  query: ofProject,
  answer: oneQueue('AnnotationQueueReadRes'),
})

export const queueUpdate = route({
  id: 'annotation_queue_update',
  method: 'PUT',
  path: '/annotation_queues/{queue_id}',
  tag,
  summary: 'Change name, description or scorers of a queue',
  access: 'write',
  project: 'body',
  params: queuePath,
  body: z
    .object({
      project_id: projectId,
      name: z.string().min(1).max(256).nullish(),
      description: z.string().max(10_000).nullish(),
      scorer_refs: z.array(z.string()).max(100).nullish(),
    })
    .meta({ id: 'AnnotationQueueUpdateBody' }),
  answer: oneQueue('AnnotationQueueUpdateRes'),
})

export const queueDelete = route({
  id: 'annotation_queue_delete',
  method: 'DELETE',
  path: '/annotation_queues/{queue_id}',
  tag,
  summary: 'Delete a queue; its items stay',
  access: 'write',
  project: 'query',
  params: queuePath,
  query: ofProject,
  answer: oneQueue('AnnotationQueueDeleteRes'),
})

export const queueAddCalls = route({
  id: 'annotation_queue_add_calls',
  method: 'POST',
  path: '/annotation_queues/{queue_id}/items',
  tag,
  summary: 'Put calls into a queue; unknown calls are left out, queued ones counted as duplicates',
  access: 'write',
  project: 'body',
  params: queuePath,
  body: z
    .object({
      project_id: projectId,
      call_ids: z.array(z.string()).max(1000),
      display_fields: z.array(z.string()).max(100),
    })
    .meta({ id: 'AnnotationQueueAddCallsBody' }),
  answer: z.object({ added_count: z.int(), duplicates: z.int() }).meta({ id: 'AnnotationQueueAddCallsRes' }),
})

const ItemsQuery = z
  .object({
    project_id: projectId,
    filter: z
      .object({
        id: z.string().nullish(),
        call_id: z.string().nullish(),
        call_op_name: z.string().nullish(),
        call_trace_id: z.string().nullish(),
        added_by: z.string().nullish(),
        annotation_states: z.array(AnnotationState).max(1000).nullish(),
      })
      .meta({ id: 'AnnotationQueueItemsFilter' })
      .nullable()
      .default(null),
    sort_by: sortBy,
    ...page,
    include_position: z.boolean().default(false),
  })
  .meta({ id: 'AnnotationQueueItemsQueryBody' })
export type ItemsQuery = z.output<typeof ItemsQuery>

export const queueItemsQuery = route({
  id: 'annotation_queue_items_query',
  method: 'POST',
  path: '/annotation_queues/{queue_id}/items/query',
  tag,
  summary: 'List the items of a queue with their state, oldest first',
  access: 'read',
  project: 'body',
  params: queuePath,
  body: ItemsQuery,
  answer: z
    .object({ items: z.array(AnnotationQueueItemSchema) })
    .meta({ id: 'AnnotationQueueItemsQueryRes' }),
})

export const queueProgress = route({
  id: 'annotation_queue_item_progress_update',
  method: 'POST',
  path: '/annotation_queues/{queue_id}/items/{item_id}/progress',
  tag,
  summary: "Move an item on in the caller's own progress",
  access: 'write',
  project: 'body',
  params: z.object({ queue_id: z.string(), item_id: z.string() }),
  body: z
    .object({ project_id: projectId, annotation_state: z.string() })
    .meta({ id: 'AnnotationQueueItemProgressUpdateBody' }),
  answer: z.object({ item: AnnotationQueueItemSchema }).meta({ id: 'AnnotatorQueueItemsProgressUpdateRes' }),
})
