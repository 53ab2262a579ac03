import { agentCustomAttrsSchema, agentSpansStats } from '../../contract/agent-stats.js'
import { customAttributes } from '../../domain/agents/custom.js'
import { attributesText } from '../../domain/agents/span.js'
import { boundsOf, spanOf } from '../../domain/calls/read/span.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { type Window, windowOf } from './identity.js'
import { narrowed } from './query.js'
import { type RangeRow, rangeColumns, rangePlan, rangeRows } from './ranges.js'
import type { AgentReader } from './read.js'
import { attributesStatement, matches } from './spans.js'
import { answerRows, columnsOf, type StatsRow, statsPlan } from './stats.js'

export function agentStatsRoutes(reader: AgentReader): Bound[] {
  return [
    serve(agentSpansStats, async ({ body, signal }) => {
      const { bucket_by, timezone } = body
      const isNarrow = bucket_by?.type === 'number' || (body.group_by?.length ?? 0) > 0
      const isBounded = isNarrow || body.group_filters.length > 0 || body.insight_filters.length > 0
      const asked = {
        start: body.start,
        end: body.end ?? null,
        granularity: body.granularity ?? null,
        timezone,
      }
      const projectId = projectIdOf(body.project_id)
      const window = ({ start: from, end: to }: { start: number; end: number }): Window =>
        narrowed({ projectId, from, to }, body.query)
      const times = (span: { start: number; end: number }) => ({
        start: isoOfMicros(span.start),
        end: isoOfMicros(span.end),
        timezone,
      })
      if (bucket_by?.type === 'number') {
        const span = boundsOf(asked)
        const planIn = (window: Window) => rangePlan(body, bucket_by, window)
        const plan = await reader.placed(window(span), planIn, signal)
        const [ends] = await reader.rows<{ least: number | null; most: number | null }>(plan.ends, signal)
        const least = bucket_by.min ?? ends?.least
        const most = bucket_by.max ?? ends?.most
        const answer = {
          ...times(span),
          granularity: null,
          bucket_type: 'number' as const,
          columns: rangeColumns(plan),
        }
        if (ends?.least == null || least == null || most == null) return { ...answer, rows: [] }
        const rows = await reader.rows<RangeRow>(plan.counts(least, most), signal)
        return { ...answer, rows: rangeRows(plan, rows, least, most) }
      }
      const span = isBounded ? spanOf(asked) : spanOf(asked, Number.POSITIVE_INFINITY)
      const planIn = (window: Window) => statsPlan(body, span, window)
      const plan = await reader.placed(window(span), planIn, signal)
      const rows = await reader.rows<StatsRow>(plan.statement, signal)
      return {
        ...times(span),
        granularity: span.granularity,
        bucket_type: 'time' as const,
        columns: columnsOf(plan),
        rows: answerRows(plan, rows, span),
      }
    }),
    serve(agentCustomAttrsSchema, async ({ body, signal }) => {
      const window = windowOf(body)
      const counts = new Map<string, number>()
      for await (const rows of reader.stream<{ text: string }>(
        attributesStatement(window, matches(body.query, undefined)),
        signal,
      )) {
        for (const { text } of rows) {
          const custom = customAttributes(attributesText(text))
          for (const [source, values] of Object.entries(custom))
            for (const key of Object.keys(values as object)) {
              const name = `${source} ${key}`
              const known = counts.get(name)
              if (known !== undefined || counts.size < MOST_KEYS) counts.set(name, (known ?? 0) + 1)
            }
        }
      }
      const all = [...counts].map(([name, span_count]) => itemOf(name, span_count))
      all.sort((a, b) => b.span_count - a.span_count || compare(a.key, b.key) || compare(a.source, b.source))
      const { limit, offset } = body
      return {
        attributes: all.slice(offset, offset + limit),
        limit,
        offset,
        has_more: all.length > offset + limit,
      }
    }),
  ]
}

/** The most keys counted: hostile spans may each have new ones. */
const MOST_KEYS = 100_000

function itemOf(name: string, span_count: number) {
  const space = name.indexOf(' ')
  const source = name.slice(0, space) as `custom_attrs_${'string' | 'int' | 'float' | 'bool'}`
  const value_type = source.slice('custom_attrs_'.length) as 'string' | 'int' | 'float' | 'bool'
  return { source, key: name.slice(space + 1), value_type, span_count }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
