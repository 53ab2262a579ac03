/** Declarations of the routes that write calls. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import {
  CompletedCallSchemaForInsert,
  displayName,
  EndedCallSchemaForInsert,
  EndedCallSchemaForInsertWithStartedAt,
  StartedCallSchemaForInsert,
} from './call-insert.js'
import { projectId, userIdIn } from './shared.js'

const tag = 'Calls'
/** Decoded by hand; rights are checked for each project that is named. */
const decoded = { method: 'POST', tag, access: 'write', project: 'handler', raw: true } as const
const inPath = { ...decoded, params: z.object({ entity: z.string(), project: z.string() }) } as const

const CallStartReq = z.object({ start: StartedCallSchemaForInsert }).meta({ id: 'CallStartReq' })
const CallEndReq = z.object({ end: EndedCallSchemaForInsert }).meta({ id: 'CallEndReq' })
const started = z.object({ id: z.string(), trace_id: z.string() })
const CallStartRes = started.meta({ id: 'CallStartRes' })
const CallEndRes = z.object({}).meta({ id: 'CallEndRes' })

export const callStart = route({
  ...decoded,
  id: 'call_start',
  path: '/call/start',
  summary: 'Write the start of a call; its end can follow, or have come before',
  body: CallStartReq,
  answer: CallStartRes,
})

export const callEnd = route({
  ...decoded,
  id: 'call_end',
  path: '/call/end',
  summary: 'Write the end of a call; nobody sees it before its start is there',
  body: CallEndReq,
  answer: CallEndRes,
})

const CallBatchStartMode = z
  .object({ mode: z.literal('start').default('start'), req: CallStartReq })
  .meta({ id: 'CallBatchStartMode' })
const CallBatchEndMode = z
  .object({ mode: z.literal('end').default('end'), req: CallEndReq })
  .meta({ id: 'CallBatchEndMode' })

export const callUpsertBatch = route({
  ...decoded,
  id: 'call_start_batch',
  path: '/call/upsert_batch',
  summary: 'Write starts and ends of calls, in any order and of several projects: all of them or none',
  body: z
    .object({ batch: z.array(z.union([CallBatchStartMode, CallBatchEndMode])) })
    .meta({ id: 'CallCreateBatchReq' }),
  answer: z.object({ res: z.array(z.union([CallStartRes, CallEndRes])) }).meta({ id: 'CallCreateBatchRes' }),
})

export const callsComplete = route({
  ...inPath,
  id: 'calls_complete',
  path: '/v2/{entity}/{project}/calls/complete',
  summary: 'Write finished calls, all or none; one that exists is replaced',
  body: z.object({ batch: z.array(CompletedCallSchemaForInsert) }).meta({ id: 'CallsUpsertCompleteReq' }),
  answer: z.object({}).meta({ id: 'CallsUpsertCompleteRes' }),
})

export const callStartV2 = route({
  ...inPath,
  id: 'call_start_v2',
  path: '/v2/{entity}/{project}/call/start',
  summary: 'Write the start of a call that will be seen running',
  body: z.object({ start: StartedCallSchemaForInsert }).meta({ id: 'CallStartV2Req' }),
  answer: started.meta({ id: 'CallStartV2Res' }),
})

export const callEndV2 = route({
  ...inPath,
  id: 'call_end_v2',
  path: '/v2/{entity}/{project}/call/end',
  summary: 'Write the end of a call whose start is there; 404 if it is not',
  body: z.object({ end: EndedCallSchemaForInsertWithStartedAt }).meta({ id: 'CallEndV2Req' }),
  answer: z.object({}).meta({ id: 'CallEndV2Res' }),
})

export const callUpdate = route({
  id: 'call_update',
  method: 'POST',
  path: '/call/update',
  tag,
  summary: 'Change the display name of a call; "" takes it away',
  access: 'write',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      call_id: z.string(),
      display_name: displayName,
      platform_user_id: userIdIn,
    })
    .meta({ id: 'CallUpdateReq' }),
  answer: z.object({}).meta({ id: 'CallUpdateRes' }),
})

export const callsDelete = route({
  id: 'calls_delete',
  method: 'POST',
  path: '/calls/delete',
  tag,
  summary: 'Delete calls and all that they called',
  access: 'write',
  project: 'body',
  body: z
    .object({ project_id: projectId, call_ids: z.array(z.string()), platform_user_id: userIdIn })
    .meta({ id: 'CallsDeleteReq' }),
  answer: z.object({ num_deleted: z.int() }).meta({ id: 'CallsDeleteRes' }),
})
