/** A chart of series. What draws it is loaded when the first one is shown. */
import { lazy, Suspense } from 'react'
import { loaded } from '../app/connection'
import './chart.css'
import type { ChartProps } from './series-chart'

const SeriesChart = lazy(() => loaded(() => import('./series-chart')))

export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<div className="chart-plot" />}>
      <SeriesChart {...props} />
    </Suspense>
  )
}
