/** Adds one condition to the query, with the fields and values that are in the calls at hand; or asks a model for a whole one. */
import { type FormEvent, lazy, Suspense, useId, useMemo, useState } from 'react'
import { FIELDS } from '../../../../domain/calls/listed-fields'
import type { Call } from '../../api/client'
import { loaded } from '../../app/connection'
import { Button } from '../../ui/button'
import { Popover } from '../../ui/menu'
import { fieldsIn, valuesIn } from './completion'
import { OPERATORS, type Operator, printCondition, SAYS } from './language'
import type { Meant } from './question'

const Ask = lazy(() => loaded(async () => ({ default: (await import('./ask')).Ask })))

interface Props {
  project: string
  calls: readonly Call[]
  add: (condition: string) => void
  /** puts another filter in the place of all conditions */
  apply: (filter: Meant) => void
}

export function FilterBuilder({ project, calls, add, apply }: Props) {
  const [open, setOpen] = useState(false)
  const [field, setField] = useState('')
  const [operator, setOperator] = useState<Operator>(':')
  const [value, setValue] = useState('')
  const id = useId()
  const fields = useMemo(() => (open ? fieldsIn(calls) : []), [open, calls])
  const values = useMemo(() => (open ? valuesIn(calls, field) : []), [open, calls, field])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (field === '') return
    add(printCondition(field, operator, value))
    setValue('')
    setOpen(false)
  }
  return (
    <Popover
      label="Add a condition"
      open={open}
      setOpen={setOpen}
      trigger={<Button icon="plus">Filter</Button>}
    >
      <form className="traces-builder" onSubmit={submit}>
        <input
          className="input"
          list={`${id}f`}
          aria-label="Field"
          placeholder="field, such as inputs.model"
          value={field}
          onChange={(event) => setField(event.target.value)}
        />
        <datalist id={`${id}f`}>
          {fields.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <select
          className="select"
          aria-label="Comparison"
          value={operator}
          onChange={(event) => setOperator(event.target.value as Operator)}
        >
          {OPERATORS.map((one) => (
            <option key={one} value={one}>
              {SAYS[one]}
            </option>
          ))}
        </select>
        <input
          className="input"
          list={`${id}v`}
          aria-label="Value"
          placeholder="value, or * for any"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <datalist id={`${id}v`}>
          {values.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Button tone="primary" type="submit">
          Add
        </Button>
      </form>
      <Suspense>
        <Ask
          project={project}
          apply={(filter) => {
            apply(filter)
            setOpen(false)
          }}
        />
      </Suspense>
      <details className="traces-help">
        <summary>Fields and comparisons</summary>
        <div className="traces-help-list" tabIndex={0}>
          <dl>
            {OPERATORS.map((one) => (
              <div key={one}>
                <dt>{one}</dt>
                <dd>{SAYS[one]}</dd>
              </div>
            ))}
            <div>
              <dt>:*</dt>
              <dd>is there at all</dd>
            </div>
            <div>
              <dt>and or not ( )</dt>
              <dd>join conditions; without a word, all must hold</dd>
            </div>
            <div>
              <dt>"any text"</dt>
              <dd>is in the inputs, the output, the error or the name</dd>
            </div>
            {FIELDS.filter(({ path }) => path !== undefined).map(({ id, names, title, values }) => (
              <div key={id}>
                <dt>{names[0]}</dt>
                <dd>{values ? `${title}: ${values.join(', ')}` : title}</dd>
              </div>
            ))}
            <div>
              <dt>inputs.… output.… attributes.… summary.…</dt>
              <dd>any path into a call</dd>
            </div>
            <div>
              <dt>feedback.[type].payload.…</dt>
              <dd>a score, or other feedback of this type</dd>
            </div>
          </dl>
        </div>
      </details>
    </Popover>
  )
}
