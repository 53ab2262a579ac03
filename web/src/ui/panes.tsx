/** Two panes with a bar between them that is dragged or moved by keys; this browser keeps where it was left. */
import { type PointerEvent, type ReactNode, useRef, useSyncExternalStore } from 'react'
import { useKept } from './kept'
import './panes.css'

const [LEAST, MOST, STEP] = [15, 85, 2]
/** Below this width the panes are one below the other. */
const NARROW = '(max-width: 900px)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(NARROW)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** @param props.name under which the place is kept @param props.label what the bar says to who does not see it */
export function Panes({
  name,
  label,
  className,
  children: [first, second],
}: {
  name: string
  label: string
  className: string
  children: [ReactNode, ReactNode]
}) {
  const isNarrow = useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
  const initial = isNarrow ? '52' : '50'
  const [kept, keep] = useKept(isNarrow ? `${name}.narrow` : name, initial)
  const outer = useRef<HTMLDivElement>(null)
  const at = within(Number(kept))
  const drag = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const { left, top, width, height } = outer.current!.getBoundingClientRect()
    keep(String(within(isNarrow ? (100 * (clientY - top)) / height : (100 * (clientX - left)) / width)))
  }
  const [less, more] = isNarrow ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
  const tracks = `minmax(0, ${at}fr) 5px minmax(0, ${100 - at}fr)`
  return (
    <div
      ref={outer}
      className={`panes ${className}`}
      style={isNarrow ? { gridTemplateRows: tracks } : { gridTemplateColumns: tracks }}
    >
      {first}
      <div
        className={`panes-bar${isNarrow ? ' narrow' : ''}`}
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={isNarrow ? 'horizontal' : 'vertical'}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        aria-valuenow={Math.round(at)}
        title="Drag, or use the arrow keys; double-click for the middle"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => keep(initial)}
        onKeyDown={(event) => {
          const to = { [less!]: at - STEP, [more!]: at + STEP, Home: LEAST, End: MOST }[event.key]
          if (to === undefined) return
          event.preventDefault()
          keep(String(within(to)))
        }}
      />
      {second}
    </div>
  )
}

/** What was kept may be anything. */
const within = (percent: number): number =>
  Number.isFinite(percent) ? Math.min(MOST, Math.max(LEAST, Math.round(percent * 10) / 10)) : 50
