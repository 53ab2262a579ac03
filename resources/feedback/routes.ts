import { hash } from 'node:crypto'
import * as write from '../../contract/feedback.js'
import * as read from '../../contract/feedback-read.js'
import { purgedIds } from '../../contract/purge.js'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { boundsOf, spanOf } from '../../domain/calls/read/span.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { listMember } from '../../platform/http/list-member.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import { parseTree } from '../../platform/json/tree.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Mentions } from '../mentions/mentions.js'
import type { Parts } from '../parts.js'
import { type AggregateRow, aggregateStatement, bucketOfRow, bucketSeconds } from './aggregate.js'
import { checkAnnotations } from './annotations.js'
import { PayloadPaths, sampleStatement } from './payload-schema.js'
import { listOf } from './query.js'
import type { Stored } from './row.js'
import { bucketsOf, measuresOf, type StatsRow, statsStatement, windowStats } from './stats.js'
import { FeedbackStore } from './store.js'

/** The most bytes of payloads sampled for their paths. */
const SAMPLE_BYTES = 32 << 20

export function feedbackRoutes(parts: Parts, mentions: Mentions): Bound[] {
  const { store, register, workers, limits } = parts
  const feedback = new FeedbackStore(store)
  const options = (signal: AbortSignal) => ({ limits, signal, settings: READ_SETTINGS })

  /** Stores the feedback of a body. */
  const stored = async (
    kind: 'feedback' | 'feedbackBatch' | 'feedbackReplacement',
    { bytes, principal, headers }: Request,
  ): Promise<Stored[]> => {
    const retry = headers.get('x-weave-retry-id')
    // Includes the body, as another body under the same id is another request. Hashed before a thread takes the bytes.
    const attempt =
      retry && `${principal.keyId} ${principal.userId} ${hash('sha256', bytes, 'base64')} ${retry}`
    const wanted = await workers.run(kind, bytes)
    const projects = new Set(wanted.entries.map(({ project }) => project))
    for (const project of projects) principal.must('write', project)
    await checkAnnotations(parts, wanted.entries, principal)
    await register.note(projects)
    const rows = await feedback.write(wanted, principal.userId, attempt)
    await mentions.note(rows, principal, wanted.replaced)
    return rows
  }

  const create = serve(write.feedbackCreate, async (request) =>
    json(answerOf((await stored('feedback', request))[0]!)),
  )
  const replace = serve(write.feedbackReplace, async (request) =>
    json(answerOf((await stored('feedbackReplacement', request))[0]!)),
  )
  const createBatch = serve(write.feedbackCreateBatch, async (request) =>
    json(`{"res":[${(await stored('feedbackBatch', request)).map(answerOf).join(',')}]}`),
  )
  const purge = serve(write.feedbackPurge, async ({ body, note }) => {
    const ids = purgedIds(body.query, { subject: 'Feedback is', in: false })
    note?.({ target: { feedback_ids: ids } })
    await feedback.purge(body.project_id, ids)
    return {}
  })

  const query = serve(read.feedbackQuery, async ({ body, headers, signal }) => {
    const { rows, count } = listOf(body, isStrict(headers))
    const total = count && store.row<{ count: number }>(count, options(signal))
    // It is awaited after the rows, and may fail earlier.
    total?.catch(() => undefined)
    const lines = await store.stream(rows, 'TSVRaw', options(signal))
    return new Reply(200, 'application/json', listAnswer(lines, total))
  })

  const stats = serve(read.feedbackStats, async ({ body, signal }) => {
    const span = spanOf(body)
    const measures = measuresOf(body.metrics)
    const rows =
      measures.length === 0
        ? []
        : await store.rows<StatsRow>(statsStatement(body, span, measures), options(signal))
    return {
      start: isoOfMicros(span.start),
      end: isoOfMicros(span.end),
      granularity: span.granularity,
      timezone: body.timezone,
      buckets: measures.length === 0 ? [] : bucketsOf(rows, span, measures),
      window_stats: measures.length === 0 ? null : windowStats(rows, measures),
    }
  })

  const payloadSchema = serve(read.feedbackPayloadSchema, async ({ body, signal }) => {
    const sample = sampleStatement({ ...body, ...boundsOf(body) }, body.sample_limit)
    const paths = new PayloadPaths()
    let left = SAMPLE_BYTES
    for await (const rows of streamRows<{ payload: string }>(store, sample, options(signal))) {
      for (const { payload } of rows) paths.add(parseTree(payload))
      left -= rows.reduce((sum, { payload }) => sum + payload.length, 0)
      if (left <= 0) break
    }
    return { paths: paths.paths() }
  })

  const aggregate = serve(read.feedbackAggregate, async ({ body, signal }) => {
    const seconds = bucketSeconds(body)
    const rows = await store.rows<AggregateRow>(aggregateStatement(body, seconds), options(signal))
    return {
      time_bucket_seconds: seconds,
      after_ms: body.after_ms,
      before_ms: body.before_ms,
      buckets: rows.map((row) => bucketOfRow(row, body.group_by ?? [])),
    }
  })

  return [create, createBatch, replace, purge, query, stats, payloadSchema, aggregate]
}

/**
 * Whether a client's model of a feedback takes no other fields: that of the weave SDK for Python before 0.53. These send
 * an id for retries as later ones do, but do not say what they are capable of.
 */
function isStrict(headers: Request['headers']): boolean {
  return (
    headers.get('x-weave-retry-id') !== undefined && headers.get('x-weave-client-capabilities') === undefined
  )
}

function json(text: string): Reply {
  return new Reply(200, 'application/json', text)
}

/** The answer; its payload is the stored text. */
function answerOf({ id, created, user_id, payload }: Stored): string {
  const head = { id, created_at: isoOfMicros(created), platform_user_id: user_id, wb_user_id: user_id }
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload}}`
}

/**
 * Streams the answer of a list of feedback from its lines.
 * @param lines JSON objects, one per line
 * @param total the number of matches; undefined: the number of lines
 */
async function* listAnswer(
  lines: AsyncIterable<Uint8Array>,
  total: Promise<{ count: number } | undefined> | undefined,
): AsyncGenerator<Uint8Array> {
  const count = yield* listMember('result', lines)
  const sum = total ? Number((await total)?.count ?? 0) : count
  yield Buffer.from(`,"total_count":${sum}}`)
}
