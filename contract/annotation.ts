import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy } from './calls-read.js'
import {
  component,
  orNull,
  page,
  projectId,
  readInBody,
  shortText,
  timeOut,
  userIdIn,
  writeInBody,
} from './shared.js'

const tag = 'Annotation queues'
const write = { ...writeInBody, tag } as const
const read = { ...readInBody, tag } as const
const queuePath = z.object({ queue_id: shortText })
const ofProject = z.object({ project_id: projectId })
const sortBy = orNull(z.array(SortBy))

export const AnnotationQueueSchema = component('AnnotationQueueSchema', {
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
export type AnnotationQueue = z.output<typeof AnnotationQueueSchema>

export const AnnotationState = z.enum(['unstarted', 'in_progress', 'completed', 'skipped'])
export type AnnotationState = z.output<typeof AnnotationState>

export const AnnotationQueueItemSchema = component('AnnotationQueueItemSchema', {
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
export type AnnotationQueueItem = z.output<typeof AnnotationQueueItemSchema>

const oneQueue = (id: string) => component(id, { queue: AnnotationQueueSchema })

export const queueCreate = route({
  ...write,
  id: 'annotation_queue_create',
  path: '/annotation_queues',
  summary: 'Create a queue of calls for people to annotate',
  body: component('AnnotationQueueCreateReq', {
    project_id: projectId,
    name: z.string().min(1).max(256),
    description: z.string().max(10_000).default(''),
    scorer_refs: z.array(shortText).max(100),
    platform_user_id: userIdIn,
  }),
  answer: component('AnnotationQueueCreateRes', { id: z.string() }),
})

const QueuesQuery = component('AnnotationQueuesQueryReq', {
  project_id: projectId,
  name: orNull(shortText).describe('Part of the name, case-insensitive.'),
  sort_by: sortBy,
  ...page,
})
export type QueuesQuery = z.output<typeof QueuesQuery>

export const queuesQuery = route({
  ...read,
  id: 'annotation_queues_query_stream',
  path: '/annotation_queues/query',
  summary: 'List queues, newest first',
  body: QueuesQuery,
  answer: AnnotationQueueSchema,
  produces: 'application/jsonl',
})

export const queuesStats = route({
  ...read,
  id: 'annotation_queues_stats',
  path: '/annotation_queues/stats',
  summary: 'Count the items of queues, and how many are completed or skipped',
  body: component('AnnotationQueuesStatsReq', {
    project_id: projectId,
    queue_ids: z.array(shortText).max(1000),
  }),
  answer: component('AnnotationQueuesStatsRes', {
    stats: z.array(
      component('AnnotationQueueStatsSchema', {
        queue_id: z.string(),
        total_items: z.int(),
        completed_items: z.int(),
      }),
    ),
  }),
})

export const queueRead = route({
  ...read,
  id: 'annotation_queue_read',
  method: 'GET',
  path: '/annotation_queues/{queue_id}',
  summary: 'Read a queue',
  project: 'query',
  params: queuePath,
  query: ofProject,
  answer: oneQueue('AnnotationQueueReadRes'),
})

export const queueUpdate = route({
  ...write,
  id: 'annotation_queue_update',
  method: 'PUT',
  path: '/annotation_queues/{queue_id}',
  summary: 'Change the name, description or scorers of a queue',
  params: queuePath,
  body: component('AnnotationQueueUpdateBody', {
    project_id: projectId,
    name: z.string().min(1).max(256).nullish(),
    description: z.string().max(10_000).nullish(),
    scorer_refs: z.array(shortText).max(100).nullish(),
  }),
  answer: oneQueue('AnnotationQueueUpdateRes'),
})

export const queueDelete = route({
  ...write,
  id: 'annotation_queue_delete',
  audit: { category: 'deletion', names: ['params.queue_id'] },
  method: 'DELETE',
  path: '/annotation_queues/{queue_id}',
  summary: 'Delete a queue; its items stay',
  project: 'query',
  params: queuePath,
  query: ofProject,
  answer: oneQueue('AnnotationQueueDeleteRes'),
})

export const queueAddCalls = route({
  ...write,
  id: 'annotation_queue_add_calls',
  path: '/annotation_queues/{queue_id}/items',
  summary: 'Add calls to a queue; unknown calls are skipped, queued ones counted as duplicates',
  params: queuePath,
  body: component('AnnotationQueueAddCallsBody', {
    project_id: projectId,
    call_ids: z.array(shortText).max(1000),
    display_fields: z.array(shortText).max(100),
  }),
  answer: component('AnnotationQueueAddCallsRes', { added_count: z.int(), duplicates: z.int() }),
})

const ItemsQuery = component('AnnotationQueueItemsQueryBody', {
  project_id: projectId,
  filter: orNull(
    component('AnnotationQueueItemsFilter', {
      id: shortText.nullish(),
      call_id: shortText.nullish(),
      call_op_name: shortText.nullish(),
      call_trace_id: shortText.nullish(),
      added_by: shortText.nullish(),
      annotation_states: z.array(AnnotationState).max(1000).nullish(),
    }),
  ),
  sort_by: sortBy,
  ...page,
  include_position: z.boolean().default(false),
  own_progress: z
    .boolean()
    .default(false)
    .describe("Items have the caller's own state, not the newest of any annotator."),
})
export type ItemsQuery = z.output<typeof ItemsQuery>

export const queueItemsQuery = route({
  ...read,
  id: 'annotation_queue_items_query',
  path: '/annotation_queues/{queue_id}/items/query',
  summary: 'List the items of a queue and their state, oldest first',
  params: queuePath,
  body: ItemsQuery,
  answer: component('AnnotationQueueItemsQueryRes', { items: z.array(AnnotationQueueItemSchema) }),
})

const AnnotatorProgress = component('AnnotatorProgressSchema', {
  user_id: z.string(),
  username: z.string().nullable(),
  completed_items: z.int(),
  skipped_items: z.int(),
  in_progress_items: z.int(),
})
export type AnnotatorProgress = z.output<typeof AnnotatorProgress>

const QuestionAgreement = component('AnnotationAgreementSchema', {
  feedback_type: z.string().describe('of the answers to a question'),
  items: z.int().describe('how many were answered by two annotators or more'),
  agreement: z.number().describe('the share of pairs of answers to an item that are equal'),
  alpha: z
    .number()
    .nullable()
    .describe("Krippendorff's alpha for nominal values; null if only one value was answered"),
})
export type QuestionAgreement = z.output<typeof QuestionAgreement>

export const queueAnnotators = route({
  ...read,
  id: 'annotation_queue_annotators',
  method: 'GET',
  path: '/annotation_queues/{queue_id}/annotators',
  summary: 'Count what each annotator of a queue has done, and how far annotators agree',
  project: 'query',
  params: queuePath,
  query: ofProject,
  answer: component('AnnotationQueueAnnotatorsRes', {
    annotators: z.array(AnnotatorProgress),
    agreement: z.array(QuestionAgreement),
  }),
})

export const queueProgress = route({
  ...write,
  id: 'annotation_queue_item_progress_update',
  path: '/annotation_queues/{queue_id}/items/{item_id}/progress',
  summary: "Set the caller's progress on an item",
  params: z.object({ queue_id: shortText, item_id: shortText }),
  body: component('AnnotationQueueItemProgressUpdateBody', {
    project_id: projectId,
    annotation_state: z.string(),
  }),
  answer: component('AnnotatorQueueItemsProgressUpdateRes', { item: AnnotationQueueItemSchema }),
})
