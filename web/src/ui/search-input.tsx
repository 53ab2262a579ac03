/** A field for a text to search by. */
import type { Ref } from 'react'

export function SearchInput({
  label,
  text,
  setText,
  placeholder = label,
  className = 'input',
  ref,
}: {
  /** what it searches, for screen readers */
  label: string
  text: string
  setText: (text: string) => void
  placeholder?: string
  className?: string
  ref?: Ref<HTMLInputElement>
}) {
  return (
    <input
      {...(ref && { ref })}
      className={className}
      type="search"
      placeholder={placeholder}
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
