/** A field to choose a length of time until now. */
import { RANGES } from '../../../domain/dashboards/requests'

export { RANGES }

const UNITS: Readonly<Record<string, string>> = { m: 'minutes', h: 'hours', d: 'days' }

/** `7 days`. @param range as in `RANGES` */
export const rangeText = (range: string): string =>
  `${Number.parseInt(range, 10)} ${UNITS[range.at(-1)!]}`.replace(/^1 (\w+)s$/, '$1')

interface Props {
  range: string
  choose: (range: string) => void
  /** whether any time may be chosen, which is '' */
  any?: boolean
}

export function RangeSelect({ range, choose, any = false }: Props) {
  return (
    <select
      className="select"
      aria-label="Time"
      value={range}
      onChange={({ target }) => choose(target.value)}
    >
      {any && <option value="">any time</option>}
      {Object.keys(RANGES).map((one) => (
        <option key={one} value={one}>
          last {rangeText(one)}
        </option>
      ))}
    </select>
  )
}
