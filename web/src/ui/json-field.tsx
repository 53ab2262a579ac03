/** A field for JSON: says what is wrong with it, and lays it out. */

import { useId } from 'react'
import { jsonText, parseJson } from '../api/json'
import { Button } from './button'
import './json-field.css'

export function JsonField({
  label,
  text,
  setText,
  problem,
  placeholder,
  rows = 6,
}: {
  label: string
  text: string
  setText: (text: string) => void
  /** what is wrong with the text */
  problem: string | undefined
  placeholder?: string
  rows?: number
}) {
  const id = useId()
  return (
    <div className="json-field">
      <div className="row">
        <label htmlFor={id} className="grow">
          {label}
        </label>
        <Button
          tone="quiet"
          disabled={problem !== undefined || text.trim() === ''}
          onClick={() => setText(jsonText(parseJson(text), 2))}
        >
          Format
        </Button>
      </div>
      <textarea
        id={id}
        className="input mono"
        rows={rows}
        spellCheck={false}
        value={text}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        {...(problem !== undefined && { 'aria-describedby': `${id}-problem` })}
        onChange={(event) => setText(event.target.value)}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="bad" role="status">
          {problem}
        </p>
      )}
    </div>
  )
}
