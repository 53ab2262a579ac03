import { CallStatsReq, CallsQueryReq, callsActivity } from '../../contract/calls-read.js'
import { callFields } from '../../domain/calls/read/fields.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { collect } from '../../platform/bytes/collect.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { lineOf, pageOf } from './selection.js'
import type { StatsOf } from './stats-route.js'

const DAY_MS = 86_400_000
/** Projects that are read at once. */
const AT_ONCE = 4

type Bucket = Readonly<Record<string, unknown>>

export function activityRoute(reader: CallReader, stats: StatsOf): Bound {
  const activityOf = async (project: string, start: string, signal: AbortSignal) => {
    const request = CallStatsReq.parse({
      ...{ project_id: project, start, granularity: 3600 },
      call_metrics: [{ metric: 'call_count' }, { metric: 'error_count' }],
      usage_metrics: [{ metric: 'total_tokens' }, { metric: 'total_cost' }],
    })
    const [{ call_buckets: calls, usage_buckets: usage }, last] = await Promise.all([
      stats(request, signal),
      lastCall(reader, project, signal),
    ])
    return {
      project_id: project,
      call_counts: calls.map((bucket) => numberIn(bucket, 'sum_call_count')),
      error_count: sumOf(calls, 'sum_error_count'),
      total_tokens: sumOf(usage, 'sum_total_tokens'),
      total_cost: usage.some(({ sum_total_cost: cost }) => cost !== null)
        ? sumOf(usage, 'sum_total_cost')
        : null,
      last_call_at: last,
    }
  }
  return serve(callsActivity, async ({ body, principal, signal }) => {
    for (const project of body.project_ids) principal.must('read', project)
    const start = new Date(Date.now() - DAY_MS).toISOString()
    const projects = []
    for (let at = 0; at < body.project_ids.length; at += AT_ONCE) {
      const some = body.project_ids.slice(at, at + AT_ONCE)
      projects.push(...(await Promise.all(some.map((project) => activityOf(project, start, signal)))))
    }
    return { projects }
  })
}

/** When the newest call began. */
async function lastCall(reader: CallReader, project: string, signal: AbortSignal): Promise<string | null> {
  const request = CallsQueryReq.parse({
    ...{ project_id: project, limit: 1, columns: ['started_at'] },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
  })
  const lines = await reader.page(pageOf(request, callFields(project)), lineOf(request), signal)
  const line = (await collect(lines)).toString()
  return line === '' ? null : (JSON.parse(line) as { started_at: string }).started_at
}

const numberIn = (bucket: Bucket, name: string): number => Number(bucket[name] ?? 0)
const sumOf = (buckets: readonly Bucket[], name: string): number =>
  buckets.reduce((sum, bucket) => sum + numberIn(bucket, name), 0)
