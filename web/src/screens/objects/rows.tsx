/** The rows of a dataset, read as one scrolls; one of them as JSON, to look at or to change; all of them as a file. */

import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { changeRows, type Row } from '../../api/datasets'
import { jsonText, parseJson } from '../../api/json'
import { type Obj, ROWS, readRows, rowCountQuery, rowsQuery } from '../../api/objects'
import { useRefs, withValues } from '../../api/refs'
import { objectPath } from '../../app/address'
import { Button, IconButton } from '../../ui/button'
import { csv, download, flatten, jsonLines } from '../../ui/export'
import { count, counted } from '../../ui/format'
import { Grid } from '../../ui/grid'
import { JsonField } from '../../ui/json-field'
import { jsonProblem } from '../../ui/json-problem'
import { Failed, Loading } from '../../ui/states'
import { Content } from '../trace/content'
import { editCount, NO_EDITS, updatesOf, withRow } from './edits'
import { ImportRows } from './import-rows'

/** Read at once for a file. */
const BATCH = 1_000
const MOST_COLUMNS = 60

export function Rows({ object, table }: { object: Obj; table: string }) {
  const project = object.project_id
  const total = useQuery(rowCountQuery(project, table))
  const [seen, setSeen] = useState<[number, number]>([0, 0])
  const [chosen, setChosen] = useState<number>()
  const [edits, setEdits] = useState(NO_EDITS)
  const [isImporting, setImporting] = useState(false)
  const see = useCallback((first: number, last: number) => setSeen([first, last]), [])
  const [from, to] = [Math.floor(seen[0] / ROWS), Math.floor(seen[1] / ROWS)]
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const pages = useQueries({ queries: numbers.map((page) => rowsQuery(project, table, page)) })
  const first = useQuery(rowsQuery(project, table, 0))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read has its time
  const shown = useMemo(() => pages.map(({ data }) => data), [pages.map((page) => page.dataUpdatedAt).join()])
  const refs = useRefs(shown)
  const error = total.error ?? first.error ?? pages.find((page) => page.error)?.error
  if (error) return <Failed error={error} />
  if (total.data === undefined || first.data === undefined) return <Loading />
  const names = [...new Set(first.data.flatMap(({ val }) => Object.keys(flatten(val))))].slice(
    0,
    MOST_COLUMNS,
  )
  const all = total.data + edits.added.length
  /** undefined: not read yet; null: it goes */
  const rowAt = (index: number): unknown => {
    if (index >= total.data) return edits.added[index - total.data]
    if (edits.changed.has(index)) return edits.changed.get(index)
    return pages[Math.floor(index / ROWS) - from]?.data?.[index % ROWS]?.val
  }
  const isEdited = (index: number) => index >= total.data || edits.changed.has(index)
  const edit = (index: number, row: Row | null) => {
    setEdits(withRow(edits, total.data, index, row))
    if (row === null) setChosen(undefined)
  }
  const add = () => {
    setEdits({ ...edits, added: [...edits.added, Object.fromEntries(names.map((name) => [name, '']))] })
    setChosen(all)
  }
  const open = chosen === undefined ? undefined : rowAt(chosen)
  return (
    <>
      <div className="objects-bar">
        <span className="muted">{counted(total.data, 'row')}</span>
        {editCount(edits) > 0 && (
          <SaveEdits object={object} edits={edits} discard={() => setEdits(NO_EDITS)} />
        )}
        <span className="grow" />
        <Button icon="plus" onClick={add}>
          Row
        </Button>
        <Button onClick={() => setImporting(true)}>Add from a file</Button>
        <ImportRows
          project={project}
          dataset={object.object_id}
          open={isImporting}
          close={() => setImporting(false)}
        />
        <Export object={object} table={table} total={total.data} />
      </div>
      <div className="objects-rows">
        <Grid
          label={object.object_id}
          columns={names.map((name) => ({ id: name, title: name, width: 160 }))}
          count={all}
          cell={(index, name) => {
            const row = rowAt(index)
            if (row === undefined) return <span className="muted">…</span>
            if (row === null) return <span className="objects-gone">removed</span>
            const text = textOf(withValues(flatten(row)[name], refs))
            return isEdited(index) ? <span className="objects-changed">{text}</span> : text
          }}
          seen={see}
          open={setChosen}
          {...(chosen !== undefined && { chosen })}
        />
        {chosen !== undefined && (
          <aside className="objects-row" aria-label={`Row ${chosen + 1}`}>
            <div className="row">
              <h2 className="grow">Row {chosen + 1}</h2>
              <IconButton icon="close" label="Close the row" onClick={() => setChosen(undefined)} />
            </div>
            {open === undefined ? (
              <Loading />
            ) : (
              <OneRow key={`${chosen} ${open === null}`} row={open} change={(row) => edit(chosen, row)} />
            )}
          </aside>
        )}
      </div>
    </>
  )
}

function OneRow({ row, change }: { row: unknown; change: (row: Row | null) => void }) {
  const [text, setText] = useState<string>()
  if (row === null) return <p className="muted">It goes with the next version.</p>
  if (text === undefined)
    return (
      <>
        <div className="row">
          <Button onClick={() => setText(jsonText(row, 2))}>Edit</Button>
          <Button icon="trash" tone="danger" onClick={() => change(null)}>
            Remove
          </Button>
        </div>
        <Content value={row} />
      </>
    )
  const problem = jsonProblem(text, 'object') ?? (text.trim() === '' ? 'A row is a JSON object.' : undefined)
  return (
    <>
      <JsonField label="The row" text={text} setText={setText} problem={problem} rows={14} />
      <div className="row">
        <Button
          tone="primary"
          disabled={problem !== undefined}
          onClick={() => {
            change(parseJson(text) as Row)
            setText(undefined)
          }}
        >
          Change
        </Button>
        <Button onClick={() => setText(undefined)}>Cancel</Button>
      </div>
    </>
  )
}

function SaveEdits({ object, edits, discard }: { object: Obj; edits: typeof NO_EDITS; discard: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: () => changeRows(object, updatesOf(edits)),
    onSuccess: async (digest) => {
      await client.invalidateQueries({ queryKey: ['objects', object.project_id] })
      void navigate({ to: objectPath({ ...object, digest }), search: {} })
    },
  })
  return (
    <>
      <span>{count(editCount(edits))} changed</span>
      <Button tone="primary" disabled={save.isPending} onClick={() => save.mutate()}>
        Save as a new version
      </Button>
      <Button onClick={discard}>Discard</Button>
      {save.error && (
        <span className="bad" role="alert">
          {save.error.message}
        </span>
      )}
    </>
  )
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : (jsonText(value) ?? '')
  return text.slice(0, 300)
}

function Export({ object, table, total }: { object: Obj; table: string; total: number }) {
  const [read, setRead] = useState<number>()
  const [wrong, setWrong] = useState<unknown>()
  const save = async (format: 'jsonl' | 'csv') => {
    const rows: unknown[] = []
    setWrong(undefined)
    try {
      while (rows.length < total) {
        setRead(rows.length)
        const some = await readRows(object.project_id, table, rows.length, BATCH)
        if (some.length === 0) break
        for (const { val } of some) rows.push(val)
      }
      const text = format === 'csv' ? csv(rows) : jsonLines(rows)
      download(`${object.object_id}-v${object.version_index}.${format}`, text)
    } catch (error) {
      setWrong(error)
    }
    setRead(undefined)
  }
  const isBusy = read !== undefined
  return (
    <>
      {isBusy && <span role="status">{count(read)} read…</span>}
      {wrong !== undefined && (
        <span role="alert" className="bad">
          {wrong instanceof Error ? wrong.message : String(wrong)}
        </span>
      )}
      <Button icon="download" disabled={isBusy} onClick={() => void save('jsonl')}>
        JSONL
      </Button>
      <Button icon="download" disabled={isBusy} onClick={() => void save('csv')}>
        CSV
      </Button>
    </>
  )
}
