/** Series over time or steps, as lines or as columns on top of each other, with a legend that follows the pointer. */
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { fitPlot } from './fit-plot'
import { useKept } from './kept'
import { timesIn } from './plot-time'
import { legendValue, type Series, stacked } from './series'
import { useZone } from './time'

export interface ChartProps {
  label: string
  /** s since the epoch, or steps */
  times: readonly number[]
  series: readonly Series[]
  format: (value: number) => string
  /** columns add up; lines do not */
  kind: 'columns' | 'lines'
  /** what the series are over; values over steps may be below zero */
  over?: 'time' | 'steps'
  /** opens what a place stands for; what it opens must be reached otherwise, too */
  open?: (index: number) => void
}

const HEIGHT = 190
const COLOURS = 8
/** Steps of an axis on which there is nothing between whole numbers. */
const WHOLE = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()
const colourOf = ({ isBad, limit }: Series, i: number) => {
  if (limit === 'warning') return '--bar-tool'
  return isBad || limit === 'bad' ? '--bar-bad' : `--series-${(i % COLOURS) + 1}`
}

function SeriesChart({ label, times, series, format, kind, over = 'time', open }: ChartProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const [zone] = useZone()
  const [theme] = useKept('theme', '')
  const formatter = useRef(format)
  formatter.current = format
  const opener = useRef(open)
  opener.current = open
  const opens = open !== undefined
  const addsUp = kind === 'columns'
  const isTime = over === 'time'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the styles say
  useEffect(() => {
    const element = ref.current!
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string) => style.getPropertyValue(name)
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui',
    }
    const drawn = series.map((one, i) => {
      const stroke = colour(colourOf(one, i))
      if (one.limit) return { stroke, width: 1.5, dash: [6, 4], points: { show: false } }
      return addsUp
        ? { paths: uPlot.paths.bars!({ size: [0.8, 40] }), fill: stroke, width: 0, points: { show: false } }
        : { stroke, width: 1.5, points: { show: true, size: 4, fill: stroke }, spanGaps: true }
    })
    const values = addsUp ? stacked(series) : series.map((one) => [...one.values])
    const isWhole = series.every(({ values: some }) => some.every((one) => Number.isInteger(one ?? 0)))
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        ...timesIn(zone),
        cursor: { y: false, points: { show: !addsUp }, drag: { x: false, y: false } },
        scales: {
          x: { time: isTime },
          ...(isTime && {
            y: { range: (_, least, most) => [Math.min(0, least * 1.05), most > 0 ? most * 1.05 : 1] },
          }),
        },
        axes: [
          { ...axis, grid: { show: false }, size: 38 },
          {
            ...axis,
            ...(isWhole && { incrs: WHOLE }),
            size: 64,
            values: (_, marks) => marks.map((mark) => formatter.current(mark)),
          },
        ],
        // What is drawn last is in front: the lowest of those on top of each other.
        series: [{}, ...(addsUp ? drawn.toReversed() : drawn)],
        hooks: { setCursor: [({ cursor: { idx } }) => setAt(idx ?? undefined)] },
      },
      [[...times], ...(addsUp ? values.toReversed() : values)],
      element,
    )
    if (opens) {
      plot.over.style.cursor = 'pointer'
      plot.over.addEventListener('click', () => {
        const { idx } = plot.cursor
        if (typeof idx === 'number') opener.current?.(idx)
      })
    }
    return fitPlot(plot, element, HEIGHT)
  }, [times, series, addsUp, isTime, opens, zone, theme])
  return (
    <figure className="chart" aria-label={label}>
      <div ref={ref} className="chart-plot" aria-hidden />
      <figcaption className="chart-legend">
        {!isTime && at !== undefined && <span>step {times[at]}</span>}
        {series.map((one, i) => {
          const value = legendValue(one, at, addsUp)
          return (
            <span key={one.label} className="chart-name">
              <i style={{ background: `var(${colourOf(one, i)})` }} />
              <span className="cut">{one.label}</span>
              {isTime && at === undefined && !addsUp && !one.limit && value !== null && (
                <span className="muted">last</span>
              )}
              <strong>{value === null ? '–' : format(value)}</strong>
            </span>
          )
        })}
      </figcaption>
    </figure>
  )
}

export default SeriesChart
