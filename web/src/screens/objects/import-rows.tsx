/** Rows from a file or a text, added to a dataset or made into one. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { addRows } from '../../api/datasets'
import { weavePath } from '../../app/address'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { flatten } from '../../ui/export'
import { counted } from '../../ui/format'
import { rowsOf } from '../../ui/import'
import { rowsOfFile } from '../../ui/import-file'

const SHOWN = 12

/** @param props.dataset the name of one that is there; absent: the user gives one */
export function ImportRows({
  project,
  dataset,
  open,
  close,
}: {
  project: string
  dataset?: string
  open: boolean
  close: () => void
}) {
  const [text, setText] = useState('')
  const [given, setGiven] = useState('')
  const navigate = useNavigate()
  const client = useQueryClient()
  const name = dataset ?? given
  const file = useMutation({ mutationFn: rowsOfFile })
  const typed = useMemo(() => readText(text), [text])
  const read = file.isIdle ? typed : { rows: file.data ?? [], problem: file.error?.message }
  const save = useMutation({
    mutationFn: () => addRows(project, name, [read.rows]),
    onSuccess: async (digest) => {
      await client.invalidateQueries({ queryKey: ['objects', project] })
      setText('')
      file.reset()
      close()
      void navigate({
        to: weavePath(project, 'objects', name, 'versions', digest),
        search: {},
      })
    },
  })
  const columns = [...new Set(read.rows.slice(0, 100).flatMap((row) => Object.keys(flatten(row))))]
  return (
    <Dialog
      title={dataset === undefined ? 'New dataset' : `Add rows to ${dataset}`}
      open={open}
      close={close}
    >
      <form
        className="objects-import"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {dataset === undefined && (
          <label>
            Name
            <input
              className="input"
              required
              pattern="[\w.\-]{1,128}"
              value={given}
              onChange={(event) => setGiven(event.target.value)}
            />
          </label>
        )}
        <label>
          File: CSV, JSON lines, a JSON list or Parquet
          <input
            type="file"
            accept=".csv,.jsonl,.json,.ndjson,.parquet,text/csv,application/json"
            onChange={(event) => {
              const chosen = event.target.files?.[0]
              setText('')
              if (chosen === undefined) file.reset()
              else file.mutate(chosen)
            }}
          />
        </label>
        <label>
          or its text: JSON lines, a JSON list, or CSV with names in the first line
          <textarea
            className="input mono"
            rows={8}
            spellCheck={false}
            value={text}
            onChange={(event) => {
              file.reset()
              setText(event.target.value)
            }}
          />
        </label>
        {file.isPending && <p role="status">Reading {file.variables.name}…</p>}
        {read.problem !== undefined ? (
          <p className="bad" role="alert">
            {read.problem}
          </p>
        ) : (
          read.rows.length > 0 && (
            <p role="status">
              {counted(read.rows.length, 'row')}: {columns.slice(0, SHOWN).join(', ')}
              {columns.length > SHOWN && ` and ${columns.length - SHOWN} more`}
            </p>
          )
        )}
        {save.error && (
          <p className="bad" role="alert">
            {save.error.message}
          </p>
        )}
        <Button type="submit" tone="primary" disabled={read.rows.length === 0 || save.isPending}>
          {save.isPending ? 'Saving…' : 'Save'}
        </Button>
      </form>
    </Dialog>
  )
}

function readText(text: string): { rows: ReturnType<typeof rowsOf>; problem?: string } {
  try {
    return { rows: text.trim() === '' ? [] : rowsOf(text) }
  } catch (error) {
    return { rows: [], problem: error instanceof Error ? error.message : String(error) }
  }
}
