/** A field to choose a length of time, in words; one that is none of the usual stays. */
import { lengthText } from './shown'

interface Props {
  label: string
  /** s */
  options: readonly number[]
  /** null: none */
  seconds: number | null
  /** what none means; without it there is no such choice */
  none?: string
  choose: (seconds: number | null) => void
}

export function LengthSelect({ label, options, seconds, none, choose }: Props) {
  const all = seconds === null || options.includes(seconds) ? options : [...options, seconds]
  return (
    <label>
      {label}
      <select
        className="select"
        value={seconds ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : Number(target.value))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {all.map((one) => (
          <option key={one} value={one}>
            {lengthText(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
