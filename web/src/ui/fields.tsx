/** Fields of forms: a name with those that there are, one of several choices, and a number. */
import { type ReactNode, useId } from 'react'

interface NameProps {
  label: ReactNode
  /** those that there are */
  names: readonly string[]
  value: string
  set: (name: string) => void
  /** what an empty one means; without it, one is needed */
  none?: string
  maxLength?: number
}

export function NameField({ label, names, value, set, none, ...rest }: NameProps) {
  const id = useId()
  return (
    <label>
      {label}
      <input
        className="input"
        list={id}
        autoComplete="off"
        required={none === undefined}
        placeholder={none ?? 'name'}
        value={value}
        onChange={({ target }) => set(target.value)}
        {...rest}
      />
      <datalist id={id}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  /** with their titles */
  of: Readonly<Record<string, string>>
  value: Value
  choose: (value: Value) => void
  /** what stands first, before one is chosen; one is needed then */
  first?: string
}

export function ChoiceField<Value extends string>({ label, of, value, choose, first }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select
        className="select"
        required={first !== undefined}
        value={value}
        onChange={({ target }) => choose(target.value as Value)}
      >
        {first !== undefined && <option value="">{first}</option>}
        {Object.entries(of).map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Titles of names that stand for themselves. @param chosen is among them, also when it is gone */
export const titled = (names: readonly string[], chosen: string): Record<string, string> =>
  Object.fromEntries([...names, ...(chosen === '' ? [] : [chosen])].map((one) => [one, one]))

interface NumberProps {
  label: string
  value: number | null
  set: (value: number | null) => void
  required?: boolean
  placeholder?: string
  min?: number
  max?: number
  step?: number
}

export function NumberField({ label, value, set, step, ...rest }: NumberProps) {
  return (
    <label>
      {label}
      <input
        className="input"
        type="number"
        step={step ?? 'any'}
        value={value ?? ''}
        onChange={({ target }) => set(target.value === '' ? null : Number(target.value))}
        {...rest}
      />
    </label>
  )
}

/** The name of something that is stored as an object. @param isNew what has one keeps it */
export function ObjectNameField({
  isNew,
  maxLength = 128,
  value,
  set,
}: {
  isNew: boolean
  maxLength?: number
  value: string
  set: (name: string) => void
}) {
  return (
    <label>
      Name
      <input
        className="input"
        required
        maxLength={maxLength}
        pattern="[\w.\-]+"
        title="Letters, digits, _ . -"
        readOnly={!isNew}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
    </label>
  )
}
