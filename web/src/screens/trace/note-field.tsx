/** A note that is written: after an `@` it offers the names of people who may read the project. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { mentionableQuery } from '../../api/mentions'
import { mentionAt } from './mention'

export function NoteField({ project }: { project: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [prefix, setPrefix] = useState<string>()
  const { data: people = [] } = useQuery({
    ...mentionableQuery(project, prefix),
    placeholderData: (old) => old,
  })
  const shown = prefix === undefined ? [] : people
  const look = () => {
    const { value, selectionStart } = field.current!
    setPrefix(mentionAt(value, selectionStart ?? value.length)?.prefix)
  }
  const choose = (username: string) => {
    const input = field.current!
    const end = input.selectionStart ?? input.value.length
    const found = mentionAt(input.value, end)
    if (found === undefined) return
    input.setRangeText(`@${username} `, found.start, end, 'end')
    setPrefix(undefined)
    input.focus()
  }
  return (
    <div className="note-field grow">
      <input
        ref={field}
        className="input"
        name="note"
        placeholder="Write a note; @ mentions somebody"
        aria-label="Note"
        autoComplete="off"
        maxLength={1024}
        onInput={look}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && prefix !== undefined) {
            event.stopPropagation()
            setPrefix(undefined)
          }
        }}
      />
      {shown.length > 0 && (
        <ul className="note-names" aria-label="People to mention">
          {shown.map(({ username, name }) => (
            <li key={username}>
              <button type="button" className="button quiet" onClick={() => choose(username)}>
                {username}
                {name !== '' && name !== username && <span className="muted">{name}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
