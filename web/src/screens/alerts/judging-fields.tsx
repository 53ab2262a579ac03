/** When an alert fires: over how long, beyond what, and what too few rows mean. */
import { ChoiceField, NumberField } from '../../ui/fields'
import type { Draft } from './draft'
import { LengthSelect } from './length-select'
import { unitOf } from './shown'

const WINDOWS = [60, 300, 900, 3600, 21_600, 86_400, 604_800, 2_592_000]
const COMPARISONS: Readonly<Record<Draft['comparison'], string>> = {
  ...{ '>': 'more than', '>=': 'at least', '<': 'less than', '<=': 'at most' },
}
const NO_DATA: Readonly<Record<Draft['no_data'], string>> = {
  ...{ ok: 'all is well', keep: 'as before', alert: 'notify that there is no data' },
}

interface Props {
  draft: Draft
  change: (more: Partial<Draft>) => void
}

export function JudgingFields({ draft, change }: Props) {
  const unit = unitOf(draft.source)
  const named = (label: string) => (unit === '' ? label : `${label} (${unit})`)
  return (
    <div className="alerts-fields">
      <LengthSelect
        label="Over the last"
        options={WINDOWS}
        seconds={draft.window_seconds}
        choose={(seconds) => change({ window_seconds: seconds! })}
      />
      <ChoiceField
        label="When it is"
        of={COMPARISONS}
        value={draft.comparison}
        choose={(comparison) => change({ comparison })}
      />
      <NumberField
        label={named('Alert at')}
        required
        value={draft.alert_at}
        set={(alert_at) => change({ alert_at })}
      />
      <NumberField
        label={named('Warn at')}
        placeholder="never"
        value={draft.warn_at}
        set={(warn_at) => change({ warn_at })}
      />
      <NumberField
        label="Minimum rows to judge"
        min={0}
        step={1}
        required
        value={draft.minimum_count}
        set={(rows) => change({ minimum_count: rows ?? 0 })}
      />
      <ChoiceField
        label="With fewer rows"
        of={NO_DATA}
        value={draft.no_data}
        choose={(no_data) => change({ no_data })}
      />
    </div>
  )
}
