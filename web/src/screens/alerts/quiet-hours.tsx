/** Times of the week at which nobody is notified; they are afterwards, if it lasts. */
import { Button, IconButton } from '../../ui/button'
import type { QuietHours } from './draft'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

interface Props {
  hours: readonly QuietHours[]
  set: (hours: QuietHours[]) => void
}

export function QuietHoursFields({ hours, set }: Props) {
  const add = () => {
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    set([...hours, { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00', timezone }])
  }
  return (
    <fieldset>
      <legend>Quiet hours</legend>
      {hours.map((one, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          key={at}
          at={at + 1}
          hours={one}
          change={(more) => set(hours.with(at, { ...one, ...more }))}
          remove={() => set(hours.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button icon="plus" onClick={add}>
          Add quiet hours
        </Button>
      </div>
    </fieldset>
  )
}

interface RowProps {
  /** from 1 */
  at: number
  hours: QuietHours
  change: (more: Partial<QuietHours>) => void
  remove: () => void
}

function Row({ at, hours, change, remove }: RowProps) {
  const { days, from, to, timezone } = hours
  const toggle = (day: number) =>
    change({ days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day].sort() })
  return (
    <div className="alerts-hours" role="group" aria-label={`Quiet hours ${at}`}>
      <label>
        From
        <input
          className="input"
          type="time"
          required
          value={from}
          onChange={({ target }) => change({ from: target.value })}
        />
      </label>
      <label>
        To
        <input
          className="input"
          type="time"
          required
          value={to}
          onChange={({ target }) => change({ to: target.value })}
        />
      </label>
      <label>
        Time zone
        <input
          className="input"
          required
          value={timezone}
          onChange={({ target }) => change({ timezone: target.value })}
        />
      </label>
      <IconButton icon="close" label={`Remove quiet hours ${at}`} onClick={remove} />
      <div className="row alerts-days">
        {DAYS.map((name, i) => (
          <label key={name} className="check">
            <input type="checkbox" checked={days.includes(i + 1)} onChange={() => toggle(i + 1)} />
            {name}
          </label>
        ))}
      </div>
    </div>
  )
}
