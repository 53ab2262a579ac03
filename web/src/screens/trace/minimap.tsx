/** The whole trace on a canvas: a span of time can be dragged out of it, which the waterfall then shows. */
import { useEffect, useRef, useState } from 'react'
import type { Tree } from './tree'

export interface Window {
  /** ms since the epoch */
  from: number
  to: number
}

const HEIGHT = 44
const LEAST_PX = 4

export function Minimap({
  tree,
  shown,
  show,
}: {
  tree: Tree
  shown: Window
  /** @param window undefined: all */
  show: (window: Window | undefined) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>()
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    observer.observe(canvas.current!)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (width > 0) draw(canvas.current!, tree, width)
  }, [tree, width])
  const length = tree.end - tree.start
  const percent = (time: number) => `${(100 * (time - tree.start)) / length}%`
  const timeAt = (clientX: number) => {
    const { left, width: wide } = canvas.current!.getBoundingClientRect()
    return tree.start + (Math.max(0, Math.min(wide, clientX - left)) / wide) * length
  }
  const window = drag ?? shown
  return (
    <div
      className="trace-minimap"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = timeAt(event.clientX)
        setDrag({ from: at, to: at })
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: timeAt(event.clientX) })}
      onPointerUp={() => {
        if (drag === undefined) return
        setDrag(undefined)
        const [from, to] = drag.from < drag.to ? [drag.from, drag.to] : [drag.to, drag.from]
        const isClick = ((to - from) / length) * width < LEAST_PX
        show(isClick ? undefined : { from, to })
      }}
      title="Drag to zoom, click for all"
    >
      <canvas ref={canvas} role="img" aria-label="All spans over time" />
      <i className="trace-shade" style={{ left: 0, width: percent(Math.min(window.from, window.to)) }} />
      <i className="trace-shade" style={{ left: percent(Math.max(window.from, window.to)), right: 0 }} />
    </div>
  )
}

function draw(canvas: HTMLCanvasElement, { spans, start, end }: Tree, width: number): void {
  const ratio = devicePixelRatio
  canvas.width = width * ratio
  canvas.height = HEIGHT * ratio
  const context = canvas.getContext('2d')!
  context.scale(ratio, ratio)
  const style = getComputedStyle(document.documentElement)
  const row = HEIGHT / Math.max(12, spans.length)
  for (const isFailed of [false, true]) {
    context.fillStyle = style.getPropertyValue(isFailed ? '--bar-bad' : '--bar')
    for (const [i, span] of spans.entries()) {
      if (span.failed !== isFailed) continue
      const x = ((span.start - start) / (end - start)) * width
      const wide = (((span.end ?? end) - span.start) / (end - start)) * width
      context.fillRect(x, i * row, Math.max(1, wide), Math.max(isFailed ? 1.5 : 0.6, row * 0.8))
    }
  }
}
