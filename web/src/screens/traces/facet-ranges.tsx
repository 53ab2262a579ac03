/** A facet of numbers: how many calls are in each range, as bars to choose from, and its two limits to type. */
import { type FormEvent, type MouseEvent, useId } from 'react'
import { Button } from '../../ui/button'
import { count, counted, duration, money } from '../../ui/format'
import type { Limits } from './facets'

interface Range {
  from: number
  to: number
  count: number
}

interface Props {
  /** of the field: `length` is in ms */
  type: string
  title: string
  /** in order, without empty ones; undefined: not known yet */
  ranges: readonly Range[] | undefined
  limits: Limits
  choose: (limits: Limits) => void
}

const shown = (type: string, value: number) =>
  type === 'length' ? duration(value) : type === 'money' ? money(value) : count(value)

export function FacetRanges({ type, title, ranges, limits, choose }: Props) {
  const id = useId()
  if (ranges === undefined) return <p className="muted">…</p>
  const isAny = limits.from === undefined && limits.to === undefined
  if (ranges.length === 0 && isAny) return <p className="muted">No call has one.</p>
  const most = Math.max(...ranges.map(({ count }) => count), 1)
  const isIn = ({ from, to }: Range) =>
    from >= (limits.from ?? Number.NEGATIVE_INFINITY) && to <= (limits.to ?? Number.POSITIVE_INFINITY)
  /** With Shift, what was chosen grows up to this range. */
  const chooseRange = ({ from, to }: Range, isMore: boolean) =>
    choose(
      isMore && !isAny
        ? { from: Math.min(from, limits.from ?? from), to: Math.max(to, limits.to ?? to) }
        : { from, to },
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const number = (name: string) => {
      const text = String(data.get(name) ?? '').trim()
      return text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
    }
    choose({ from: number('from'), to: number('to') })
  }
  const unit = type === 'length' ? ' (ms)' : type === 'money' ? ' ($)' : ''
  return (
    <>
      <ul className="facets-bars">
        {ranges.map((range) => {
          const says = `${shown(type, range.from)} to ${shown(type, range.to)}: ${counted(range.count, 'call')}`
          return (
            <li key={range.from} className={isAny || isIn(range) ? '' : 'out'}>
              <button
                type="button"
                aria-label={`${title} ${says}`}
                title={`${says}; with Shift, up to here`}
                aria-pressed={!isAny && isIn(range)}
                onClick={({ shiftKey }: MouseEvent) => chooseRange(range, shiftKey)}
              >
                <i style={{ height: `${Math.max(6, (100 * range.count) / most)}%` }} />
              </button>
            </li>
          )
        })}
      </ul>
      {ranges.length > 0 && (
        <p className="facets-ends muted">
          <span>{shown(type, ranges[0]!.from)}</span>
          <span>{shown(type, ranges.at(-1)!.to)}</span>
        </p>
      )}
      <form className="row" onSubmit={submit} key={`${id} ${limits.from} ${limits.to}`}>
        {(['from', 'to'] as const).map((name) => (
          <input
            key={name}
            name={name}
            className="input"
            inputMode="decimal"
            placeholder={name}
            defaultValue={limits[name] ?? ''}
            aria-label={`${title} ${name === 'from' ? 'from' : 'up to'}${unit}`}
          />
        ))}
        <Button type="submit">Set</Button>
      </form>
      {!isAny && (
        <button type="button" className="facets-clear" aria-label={`Any ${title}`} onClick={() => choose({})}>
          any
        </button>
      )}
    </>
  )
}
