/** Who is notified of an alert, how often, with what words, and when not. */
import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '../../api/alerts'
import type { Draft } from './draft'
import { LengthSelect } from './length-select'
import { MessageField } from './message-field'
import { QuietHoursFields } from './quiet-hours'

const AGAIN = [900, 3600, 14_400, 86_400]

interface Props {
  project: string
  draft: Draft
  change: (more: Partial<Draft>) => void
}

export function NotificationFields({ project, draft, change }: Props) {
  const { data: known = [] } = useQuery(channelsQuery(project))
  const { channels } = draft
  const names = known.map(({ name }) => name)
  const gone = channels.filter((one) => !names.includes(one))
  const toggle = (name: string) =>
    change({
      channels: channels.includes(name) ? channels.filter((one) => one !== name) : [...channels, name],
    })
  return (
    <>
      <fieldset>
        <legend>Notify by</legend>
        {[...names, ...gone].map((name) => (
          <label key={name} className="check">
            <input type="checkbox" checked={channels.includes(name)} onChange={() => toggle(name)} />
            {name}
            {gone.includes(name) && <span className="bad">is gone</span>}
          </label>
        ))}
        {names.length === 0 && (
          <p className="muted">There is no channel yet. Make one on the tab Channels.</p>
        )}
      </fieldset>
      <div className="alerts-fields">
        <LengthSelect
          label="While it lasts, notify again"
          none="never"
          options={AGAIN}
          seconds={draft.renotify_minutes === null ? null : draft.renotify_minutes * 60}
          choose={(seconds) => change({ renotify_minutes: seconds === null ? null : seconds / 60 })}
        />
      </div>
      <MessageField
        placeholder="{{name}}: {{value}} {{comparison}} {{threshold}} over {{window}}"
        value={draft.message ?? ''}
        set={(message) => change({ message: message || null })}
      />
      <QuietHoursFields hours={draft.quiet_hours} set={(quiet_hours) => change({ quiet_hours })} />
    </>
  )
}
