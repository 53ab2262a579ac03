/** Values of metrics as people read them. Pure. */

import type { Interval } from '../../../../domain/evaluation/bootstrap'
import { count, duration, money, share } from '../../ui/format'
import type { Difference, Metric } from './compare'

export function shown(value: number, kind: Metric['kind']): string {
  switch (kind) {
    case 'share':
      return share(value)
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

/** From low to high, in the unit of the value before it; '' if all rows agree, which says nothing of others. */
export function shownInterval({ low, high }: Interval, kind: Metric['kind']): string {
  if (low === high) return ''
  const text = (value: number) => (kind === 'share' ? (value * 100).toFixed(1) : shown(value, kind))
  return `[${text(low)}, ${text(high)}]`.replaceAll(/(?<=[[ ])-/g, '−')
}

/** With its sign and, if it is known, how sure it is. */
export function shownDifference({ by, margin, interval }: Difference, kind: Metric['kind']): string {
  if (interval) return `${shownDifference({ by }, kind)} ${shownInterval(interval, kind)}`.trim()
  if (by === 0) return '='
  const size = Math.abs(by)
  const text = kind === 'share' ? `${(size * 100).toFixed(1)} pp` : shown(size, kind)
  const sure = margin === undefined ? '' : ` ±${(margin * 100).toFixed(1)}`
  return `${by > 0 ? '+' : '−'}${text}${sure}`
}
