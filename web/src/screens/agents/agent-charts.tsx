/** What an agent did over time: invocations and errors, latency, tokens, cost. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { agentStatsQuery } from '../../api/agents'
import { useProject } from '../../app/project'
import { Chart } from '../../ui/chart'
import { count, duration, money } from '../../ui/format'
import { RANGES, rangeText } from '../../ui/ranges'
import type { Series } from '../../ui/series'
import { Empty, Failed, Loading } from '../../ui/states'

type Rows = readonly Record<string, string | number | boolean | null>[]

const valuesOf = (rows: Rows, column: string) =>
  rows.map(({ [column]: value }) => (typeof value === 'number' ? value : null))

export function AgentCharts({ agent, range }: { agent: string; range: string }) {
  const project = useProject()
  const { data, error, refetch } = useQuery({
    ...agentStatsQuery(project.id, agent, RANGES[range]!),
    refetchInterval: 30_000,
  })
  const panels = useMemo(() => (data === undefined ? [] : panelsOf(data.invocations, data.spans)), [data])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.spans.every((row) => row.sum_input === 0) && data.invocations.every((row) => row.count_took === 0))
    return <Empty title={`Nothing happened in the last ${rangeText(range)}`}>Choose a longer time.</Empty>
  const times = data.spans.map(({ timestamp }) => Date.parse(String(timestamp)) / 1000)
  return (
    <div className="agents-charts">
      {panels.map(({ title, ...panel }) => (
        <section key={title} className="panel">
          <h2>{title}</h2>
          <Chart label={`${title} over time`} times={times} {...panel} />
        </section>
      ))}
    </div>
  )
}

interface Panel {
  title: string
  series: Series[]
  format: (value: number) => string
  kind: 'columns' | 'lines'
}

function panelsOf(invocations: Rows, spans: Rows): Panel[] {
  const lines = (rows: Rows, names: Record<string, string>): Series[] =>
    Object.entries(names).map(([column, label]) => ({ label, values: valuesOf(rows, column) }))
  return [
    {
      title: 'Invocations',
      series: lines(invocations, { count_took: 'invocations' }),
      format: count,
      kind: 'columns',
    },
    {
      title: 'Errors',
      series: lines(spans, { count_true_errors: 'spans that failed' }).map((one) => ({
        ...one,
        isBad: true,
      })),
      format: count,
      kind: 'columns',
    },
    {
      title: 'Latency of invocations',
      series: lines(invocations, { p50_took: 'p50', p95_took: 'p95', p99_took: 'p99' }),
      format: duration,
      kind: 'lines',
    },
    {
      title: 'Tokens',
      series: lines(spans, { sum_input: 'input', sum_output: 'output' }),
      format: count,
      kind: 'columns',
    },
    { title: 'Cost', series: lines(spans, { sum_cost: 'cost' }), format: money, kind: 'columns' },
  ]
}
