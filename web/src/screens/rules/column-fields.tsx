/** The columns that a call has as a row of a dataset, each from a path into the call. */
import { Button, IconButton } from '../../ui/button'
import type { Column } from './draft'

interface Props {
  columns: readonly Column[]
  set: (columns: readonly Column[]) => void
}

export function ColumnFields({ columns, set }: Props) {
  const change = (at: number, more: Partial<Column>) => set(columns.with(at, { ...columns[at]!, ...more }))
  return (
    <div className="rules-rows" role="group" aria-label="Columns">
      <span className="muted">
        {columns.length === 0
          ? 'The row has the inputs and the output of the call, unless you name columns.'
          : 'Columns of the row'}
      </span>
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <div key={at} className="row">
          <input
            className="input grow"
            aria-label={`Name of column ${at + 1}`}
            placeholder="question"
            required
            maxLength={200}
            value={column.name}
            onChange={({ target }) => change(at, { name: target.value })}
          />
          <span className="muted">from</span>
          <input
            className="input mono grow"
            aria-label={`Path of column ${at + 1}`}
            placeholder="inputs.question"
            required
            maxLength={500}
            value={column.path}
            onChange={({ target }) => change(at, { path: target.value })}
          />
          <IconButton
            icon="close"
            label={`Remove column ${at + 1}`}
            onClick={() => set(columns.toSpliced(at, 1))}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={() => set([...columns, { name: '', path: '' }])}>
          Column
        </Button>
      </div>
    </div>
  )
}
