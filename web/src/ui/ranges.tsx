/** A field to choose a length of time until now. */
import { RANGES } from '../../../domain/dashboards/requests'

export { RANGES }

export function RangeSelect({ range, choose }: { range: string; choose: (range: string) => void }) {
  return (
    <select
      className="select"
      aria-label="Time"
      value={range}
      onChange={({ target }) => choose(target.value)}
    >
      {Object.keys(RANGES).map((one) => (
        <option key={one} value={one}>
          last {one}
        </option>
      ))}
    </select>
  )
}

/** The same, or no length of time at all. @param props.range '' for none */
export function AnyTimeSelect({ range, choose }: { range: string; choose: (range: string) => void }) {
  return (
    <select
      className="select"
      aria-label="Time"
      value={range}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">any time</option>
      {Object.keys(RANGES).map((one) => (
        <option key={one} value={one}>
          last {one}
        </option>
      ))}
    </select>
  )
}
