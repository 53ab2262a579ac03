/** What is sent, in place of the usual text. */
interface Props {
  value: string
  /** with places that are filled in */
  placeholder: string
  set: (value: string) => void
}

export function MessageField({ value, placeholder, set }: Props) {
  return (
    <label>
      Message, in place of the usual one
      <textarea
        className="input"
        rows={2}
        maxLength={4000}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
    </label>
  )
}
