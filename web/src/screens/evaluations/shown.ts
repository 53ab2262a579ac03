/** Values of metrics as people read them. Pure. */
import { count, duration, money } from '../../ui/format'
import type { Difference, Metric } from './compare'

export function shown(value: number, kind: Metric['kind']): string {
  switch (kind) {
    case 'share':
      return `${(value * 100).toFixed(1)} %`
    case 'seconds':
      return duration(value * 1000)
    case 'count':
      return count(Math.round(value))
    case 'cost':
      return money(value)
    case 'mean':
      return String(Number(value.toPrecision(4)))
  }
}

/** With its sign and, if it is known, how sure it is. */
export function shownDifference({ by, margin }: Difference, kind: Metric['kind']): string {
  if (by === 0) return '='
  const size = Math.abs(by)
  const text = kind === 'share' ? `${(size * 100).toFixed(1)} pp` : shown(size, kind)
  const sure = margin === undefined ? '' : ` ±${(margin * 100).toFixed(1)}`
  return `${by > 0 ? '+' : '−'}${text}${sure}`
}
