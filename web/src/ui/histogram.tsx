/** Columns over time, where one can brush a span. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { fitPlot } from './fit-plot'
import { counted } from './format'
import { useKept } from './kept'
import { timesIn } from './plot-time'
import { useZone } from './time'

interface Props {
  /** s since the epoch */
  times: readonly number[]
  counts: readonly number[]
  errors: readonly number[]
  brushed: (fromMs: number, toMs: number) => void
}

const HEIGHT = 86

function Histogram({ times, counts, errors, brushed }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const handler = useRef(brushed)
  handler.current = brushed
  const [zone] = useZone()
  const [theme] = useKept('theme', '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the styles say
  useEffect(() => {
    const element = ref.current!
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string) => style.getPropertyValue(name)
    const bars = uPlot.paths.bars!({ size: [0.85, 40] })
    const grid = { show: false }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        // Room for half a date beside the first and the last column.
        padding: [8, 36, 0, 36],
        ...timesIn(zone),
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most)] } },
        axes: [
          { stroke: colour('--muted'), grid, ticks: grid, size: 36, space: 84, font: '11px system-ui' },
          { show: false },
        ],
        series: [
          {},
          { paths: bars, fill: colour('--bar'), points: { show: false } },
          { paths: bars, fill: colour('--bar-bad'), points: { show: false } },
        ],
        hooks: {
          setSelect: [
            (chart) => {
              if (chart.select.width < 3) return
              const at = (left: number) => chart.posToVal(left, 'x') * 1000
              handler.current(at(chart.select.left), at(chart.select.left + chart.select.width))
            },
          ],
        },
      },
      [[...times], [...counts], [...errors]],
      element,
    )
    return fitPlot(plot, element, HEIGHT)
  }, [times, counts, errors, zone, theme])
  const sum = counts.reduce((total, one) => total + one, 0)
  return (
    <div
      ref={ref}
      className="histogram"
      role="img"
      aria-label={`${counted(sum, 'call')} over time; drag to choose a time`}
    />
  )
}

export default Histogram
