/** What rules would do with the newest calls of a project. */
import type { MaskPreview } from '../../api/masking'
import { counted } from '../../ui/format'
import { Table } from '../../ui/table'

export function Preview({ of: { calls, changed, rules, examples } }: { of: MaskPreview }) {
  return (
    <section className="masking-preview" aria-label="Preview">
      <p>
        {changed} of the newest {counted(calls, 'call')} would be stored otherwise:{' '}
        {rules.map(({ name, matches }) => `${name} ${matches}`).join(', ')}
      </p>
      {examples.length > 0 && (
        <Table
          label="Examples"
          rows={examples}
          keyOf={(_, at) => String(at)}
          columns={[
            { title: 'Field', cell: ({ field }) => field },
            { title: 'Before', className: 'masking-text', cell: ({ before }) => before },
            { title: 'After', className: 'masking-text', cell: ({ after }) => after },
          ]}
        />
      )}
    </section>
  )
}
