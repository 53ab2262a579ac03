/** Dashboards, which are objects, and the statistics that their panels show. */
import { queryOptions } from '@tanstack/react-query'
import { post, type Schemas } from './client'

/** Their newest versions, by name. */
export const dashboardsQuery = (project: string) =>
  queryOptions({
    queryKey: ['objects', project, 'Dashboard'],
    queryFn: async ({ signal }) => {
      const { objs } = await post(
        '/objs/query',
        { project_id: project, filter: { base_object_classes: ['Dashboard'], latest_only: true } },
        signal,
      )
      return objs.toSorted((a, b) => a.object_id.localeCompare(b.object_id))
    },
  })

export const callStatsQuery = (body: Omit<Schemas['CallStatsReq'], 'start'>, length: number) =>
  queryOptions({
    queryKey: ['stats', body, length],
    staleTime: 20_000,
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - length).toISOString()
      const { usage_buckets, call_buckets } = await post('/calls/stats', { ...body, start }, signal)
      return body.usage_metrics ? usage_buckets : call_buckets
    },
  })

export const feedbackStatsQuery = (body: Omit<Schemas['FeedbackStatsReq'], 'start'>, length: number) =>
  queryOptions({
    queryKey: ['feedback-stats', body, length],
    staleTime: 20_000,
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - length).toISOString()
      return (await post('/feedback/stats', { ...body, start }, signal)).buckets
    },
  })

const SEEN = 1_000

/** The types of the newest feedback. */
export const feedbackTypesQuery = (project: string) =>
  queryOptions({
    queryKey: ['feedback-types', project],
    queryFn: async ({ signal }) => {
      const { result } = await post(
        '/feedback/query',
        {
          project_id: project,
          fields: ['feedback_type'],
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: SEEN,
        },
        signal,
      )
      return [...new Set(result.map(({ feedback_type: type }) => String(type)))].sort()
    },
  })

/** The paths into payloads of a type of feedback, with the kinds of their values. @param trigger default: any */
export const feedbackPathsQuery = (project: string, type: string, length: number, trigger?: string) =>
  queryOptions({
    queryKey: ['feedback-paths', project, type, length, trigger],
    enabled: type !== '',
    queryFn: async ({ signal }) => {
      const start = new Date(Date.now() - length).toISOString()
      const body = {
        project_id: project,
        start,
        feedback_type: type,
        ...(trigger && { trigger_ref: trigger }),
      }
      return (await post('/feedback/payload_schema', body, signal)).paths
    },
  })
