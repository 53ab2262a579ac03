/** A field to choose a length of time until now. */
import { RANGES } from '../../../domain/dashboards/requests'

export { RANGES }

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
          last {one}
        </option>
      ))}
    </select>
  )
}
