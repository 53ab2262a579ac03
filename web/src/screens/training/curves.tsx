/** The charts of the metrics. */
import { memo, useMemo } from 'react'
import { type JobPoints, short, titleOf } from '../../../curves'
import { Chart } from '../../ui/chart'
import { chartOf, metricNames } from './lines'
import type { TrainingSearch } from './search'

export function Curves({
  lines,
  search: { joined = false, all = false, smooth = 0 },
  change,
}: {
  lines: readonly JobPoints[]
  search: TrainingSearch
  change: (more: TrainingSearch) => void
}) {
  const names = metricNames(lines, all)
  return (
    <>
      <div className="training-choices">
        <label className="check">
          <input
            type="checkbox"
            checked={joined}
            onChange={(event) => change({ joined: event.target.checked })}
          />
          join all jobs of a model
        </label>
        <label className="check">
          <input type="checkbox" checked={all} onChange={(event) => change({ all: event.target.checked })} />
          all metrics
        </label>
        <label className="check">
          smoothing
          <input
            type="range"
            min={0}
            max={0.98}
            step={0.02}
            value={smooth}
            onChange={(event) => change({ smooth: Number(event.target.value) })}
          />
        </label>
      </div>
      {names.length === 0 ? (
        <p className="state">There is no step yet.</p>
      ) : (
        <div className="training-charts">
          {names.map((name) => (
            <Curve key={name} name={name} lines={lines} smooth={smooth} />
          ))}
        </div>
      )}
    </>
  )
}

const Curve = memo(
  ({ name, lines, smooth }: { name: string; lines: readonly JobPoints[]; smooth: number }) => {
    const { steps, series } = useMemo(() => chartOf(lines, name, smooth), [lines, name, smooth])
    return (
      <div className="panel training-chart">
        <h2 className="cut" title={titleOf(name)}>
          {titleOf(name)}
        </h2>
        <Chart label={titleOf(name)} times={steps} series={series} format={short} kind="lines" over="steps" />
      </div>
    )
  },
)
