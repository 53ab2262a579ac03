/** What the runs of an evaluation reached over time, what they took and cost. The table has the same runs. */
import { useMemo } from 'react'
import type { Call } from '../../api/client'
import { Chart } from '../../ui/chart'
import { duration, money } from '../../ui/format'
import type { Series } from '../../ui/series'
import { historyOf } from './run-history'
import { shown } from './shown'

interface Props {
  runs: readonly Call[]
  costs: ReadonlyMap<string, { cost?: number | null | undefined }> | undefined
  open: (run: string) => void
}

export function History({ runs, costs, open }: Props) {
  const history = useMemo(() => {
    const known = Array.from(costs ?? []).flatMap(([id, { cost }]) =>
      typeof cost === 'number' ? [[id, cost] as const] : [],
    )
    return historyOf(runs, new Map(known))
  }, [runs, costs])
  if (history.runs.length < 2) return null
  const charts: [string, readonly Series[], (value: number) => string][] = [
    ['Scores', history.scores, (value) => shown(value, 'mean')],
    ['Latency', history.latency, (value) => duration(value * 1000)],
    ['Cost', history.cost, money],
  ]
  return (
    <section className="evaluations-history" aria-label="Over time">
      {charts.map(
        ([title, series, format]) =>
          series.length > 0 && (
            <div key={title} className="panel">
              <h2>{title}</h2>
              <Chart
                label={`${title} of each run`}
                kind="lines"
                times={history.times}
                series={series}
                format={format}
                open={(index) => open(history.runs[index]!)}
              />
            </div>
          ),
      )}
    </section>
  )
}
