/** The rows of a dataset, read as one scrolls; one of them as JSON; all of them as a file. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type Obj, ROWS, readRows, rowCountQuery, rowsQuery } from '../../api/objects'
import { Button, IconButton } from '../../ui/button'
import { csv, download, flatten, jsonLines } from '../../ui/export'
import { count } from '../../ui/format'
import { Grid } from '../../ui/grid'
import { JsonTree } from '../../ui/json-tree'
import { Failed, Loading } from '../../ui/states'

/** Read at once for a file. */
const BATCH = 1_000
const MOST_COLUMNS = 60

export function Rows({ object, table }: { object: Obj; table: string }) {
  const project = object.project_id
  const total = useQuery(rowCountQuery(project, table))
  const [seen, setSeen] = useState<[number, number]>([0, 0])
  const [chosen, setChosen] = useState<number>()
  const see = useCallback((first: number, last: number) => setSeen([first, last]), [])
  const [from, to] = [Math.floor(seen[0] / ROWS), Math.floor(seen[1] / ROWS)]
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const pages = useQueries({ queries: numbers.map((page) => rowsQuery(project, table, page)) })
  const first = useQuery(rowsQuery(project, table, 0))
  const error = total.error ?? first.error ?? pages.find((page) => page.error)?.error
  if (error) return <Failed error={error} />
  if (total.data === undefined || first.data === undefined) return <Loading />
  const names = [...new Set(first.data.flatMap(({ val }) => Object.keys(flatten(val))))].slice(
    0,
    MOST_COLUMNS,
  )
  const rowAt = (index: number) => pages[Math.floor(index / ROWS) - from]?.data?.[index % ROWS]
  const open = chosen === undefined ? undefined : rowAt(chosen)
  return (
    <>
      <div className="objects-bar">
        <span className="muted">{count(total.data)} rows</span>
        <span className="grow" />
        <Export object={object} table={table} total={total.data} />
      </div>
      <div className="objects-rows">
        <Grid
          label={object.object_id}
          columns={names.map((name) => ({ id: name, title: name, width: 160 }))}
          count={total.data}
          cell={(index, name) => {
            const row = rowAt(index)
            return row === undefined ? <span className="muted">…</span> : textOf(flatten(row.val)[name])
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
            {open === undefined ? <Loading /> : <JsonTree key={chosen} value={open.val} />}
          </aside>
        )}
      </div>
    </>
  )
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
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
