/**
 * The filter as a text. It is a plain field until somebody goes to it; then the editor takes its place, with what was typed
 * and the cursor, so that no screen waits for the editor's script.
 */
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Call } from '../../api/client'
import { loaded } from '../../app/connection'
import { facetsQuery } from './data'
import type { FilterEditor } from './filter-editor'
import type { TracesSearch } from './search'

interface Props {
  project: string
  value: string
  isWrong: boolean
  search: TracesSearch
  now: number
  /** those at hand, whose paths and values are offered */
  calls: readonly Call[]
  /** what takes the focus */
  field: RefObject<HTMLElement | null>
  submit: (text: string) => void
}

const EXAMPLE = 'status:error latency>2s model:gpt-4o "any text"'

export function FilterField({ project, value, isWrong, search, now, calls, field, submit }: Props) {
  const client = useQueryClient()
  const [editor, setEditor] = useState<{ Editor: typeof FilterEditor; isFocused: boolean }>()
  const typed = useRef(value)
  const cursor = useRef<number | null>(null)
  useEffect(() => {
    typed.current = value
  }, [value])
  const latest = useRef({ search, now, calls })
  latest.current = { search, now, calls }
  const counted = useCallback(
    async (path: string): Promise<ReadonlyMap<string, number>> => {
      const { search, now } = latest.current
      const { facets } = await client.fetchQuery(
        facetsQuery(project, search, now, [{ path, kind: 'values' }]),
      )
      const values = facets[0]?.values ?? []
      return new Map(values.flatMap(({ value, count }) => (value === null ? [] : [[value, count] as const])))
    },
    [client, project],
  )
  const load = () =>
    void loaded(() => import('./filter-editor')).then(
      ({ FilterEditor: Editor }) =>
        setEditor({ Editor, isFocused: document.activeElement === field.current }),
      // One can go on without it.
      () => undefined,
    )
  if (editor !== undefined)
    return (
      <editor.Editor
        {...{ value, isWrong, counted, field, submit, typed, cursor }}
        isFocused={editor.isFocused}
        callsAtHand={() => latest.current.calls}
        example={EXAMPLE}
      />
    )
  return (
    <input
      key={value}
      ref={field as RefObject<HTMLInputElement>}
      name="q"
      className="input mono"
      defaultValue={value}
      onFocus={load}
      onInput={({ currentTarget }) => {
        typed.current = currentTarget.value
        // Its selection event may come after the editor has.
        cursor.current = currentTarget.selectionStart
      }}
      onSelect={({ currentTarget }) => {
        cursor.current = currentTarget.selectionStart
      }}
      autoComplete="off"
      spellCheck={false}
      aria-label="Filter"
      aria-invalid={isWrong}
      placeholder={EXAMPLE}
    />
  )
}
