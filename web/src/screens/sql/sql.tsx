/** A statement over the project, its result as a table and a chart, and the statements that were saved. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { jsonText } from '../../api/json'
import { NAME_PATTERN } from '../../api/object-id'
import { savedViewsQuery, saveView } from '../../api/saved-views'
import { sqlFile, sqlQuery, sqlTablesQuery } from '../../api/sql'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { Chart } from '../../ui/chart'
import { downloadBlob } from '../../ui/export'
import { count } from '../../ui/format'
import { Menu, MenuItem } from '../../ui/menu'
import { Empty, Failed, Loading } from '../../ui/states'
import { Table } from '../../ui/table'
import { drawnOf, type Result } from './series'
import './sql.css'

const FIRST = `SELECT toStartOfHour(started_at) AS hour, count() AS calls, countIf(status = 'error') AS errors
FROM calls
WHERE started_at >= now() - INTERVAL 1 DAY
GROUP BY hour
ORDER BY hour`

const FORMATS = ['csv', 'jsonl', 'json', 'parquet', 'arrow']
/** Rows that stand in the page. */
const ROWS = 500

export function Sql() {
  const project = useProject()
  const { q = '' } = useSearch({ from: '/inside/$entity/$project/weave/sql' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const editor = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(q || FIRST)
  useEffect(() => {
    if (q !== '') setText(q)
  }, [q])
  const result = useQuery(sqlQuery(project.id, q))
  const run = () => {
    if (text === q) void client.invalidateQueries({ queryKey: ['sql', project.id, q] })
    else void navigate({ to: '.', search: { q: text || undefined } })
  }
  const saving = useMutation({
    mutationFn: (format: string) => sqlFile(project.id, text, format),
    onSuccess: (blob, format) => downloadBlob(`result.${format}`, blob),
  })
  useShortcuts([{ keys: '/', what: 'Write a statement', run: () => editor.current?.focus() }])
  return (
    <div className="page">
      <div className="page-head">
        <h1>SQL</h1>
        <Saved text={text} open={setText} />
        <Menu
          trigger={
            <Button icon="download" disabled={saving.isPending}>
              Download
            </Button>
          }
        >
          {FORMATS.map((format) => (
            <MenuItem key={format} choose={() => saving.mutate(format)}>
              {format}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <div className="page-body sql-page" tabIndex={0}>
        <form
          className="sql-form"
          onSubmit={(event) => {
            event.preventDefault()
            run()
          }}
        >
          <textarea
            ref={editor}
            className="input sql-editor"
            aria-label="Statement"
            spellCheck={false}
            rows={Math.min(16, Math.max(5, text.split('\n').length + 1))}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              run()
            }}
          />
          <div className="row">
            <Button tone="primary" icon="play" type="submit">
              Run
            </Button>
            <span className="muted">Ctrl+Enter</span>
            {saving.error && (
              <span className="bad" role="alert">
                {saving.error.message}
              </span>
            )}
          </div>
        </form>
        {q === '' ? (
          <Empty title="No result yet">Write a SELECT, and run it.</Empty>
        ) : result.error ? (
          <Failed error={result.error} />
        ) : result.data ? (
          <Rows result={result.data as unknown as Result} />
        ) : (
          <Loading what="Running" />
        )}
        <Tables />
      </div>
    </div>
  )
}

function Rows({ result }: { result: Result }) {
  const drawn = useMemo(() => drawnOf(result), [result])
  const rows = result.data.slice(0, ROWS)
  if (rows.length === 0) return <Empty title="No rows" />
  return (
    <>
      {drawn && drawn.times.length > 1 && (
        <Chart label="Result" times={drawn.times} series={drawn.series} format={String} kind="lines" />
      )}
      <p className="muted" role="status">
        {count(result.data.length)} {result.data.length === 1 ? 'row' : 'rows'}
        {result.data.length > ROWS && `, the first ${count(ROWS)} of them here`}
      </p>
      <div className="sql-result" tabIndex={0}>
        <Table
          label="Result"
          rows={rows}
          keyOf={(_, at) => String(at)}
          columns={result.meta.map(({ name, type }) => ({
            title: name,
            cell: (row: Record<string, unknown>) => cell(row[name]),
            isNumber: /Int|Float|Decimal/.test(type) && !/Array|Map|Tuple/.test(type),
          }))}
        />
      </div>
    </>
  )
}

/** Characters of a cell. */
const LONGEST = 300

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : jsonText(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function Tables() {
  const { data = [] } = useQuery(sqlTablesQuery)
  return (
    <section aria-label="Tables">
      <h2>Tables</h2>
      {data.map(({ name, description, columns }) => (
        <details key={name} className="sql-table">
          <summary>
            <code>{name}</code> <span className="muted">{description}</span>
          </summary>
          <Table
            label={name}
            rows={columns}
            keyOf={(one) => one.name}
            columns={[
              { title: 'Column', cell: (one) => <code>{one.name}</code> },
              { title: 'Type', cell: (one) => one.type, isMuted: true },
              { title: '', cell: (one) => one.description },
            ]}
          />
        </details>
      ))}
    </section>
  )
}

/** As far as this page needs it. */
interface View {
  label?: string
  view_type?: string
  description?: string | null
}

/** Statements by name: `SavedView` objects with the statement as their description. */
function Saved({ text, open }: { text: string; open: (text: string) => void }) {
  const project = useProject()
  const client = useQueryClient()
  const { data = [] } = useQuery(savedViewsQuery(project.id))
  const saving = useMutation({
    mutationFn: (label: string) =>
      saveView(project.id, { view_type: 'sql', label, description: text, definition: {} }, data),
    onSuccess: () => client.invalidateQueries({ queryKey: ['objects', project.id] }),
  })
  const mine = data.filter(({ val }) => (val as View).view_type === 'sql')
  return (
    <>
      <Menu trigger={<Button icon="star">Saved</Button>}>
        {mine.length === 0 && <MenuItem choose={() => undefined}>None yet</MenuItem>}
        {mine.map(({ object_id: id, val }) => (
          <MenuItem key={id} choose={() => open((val as View).description ?? '')}>
            {(val as View).label ?? id}
          </MenuItem>
        ))}
      </Menu>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(String(new FormData(event.currentTarget).get('name')).trim())
        }}
      >
        <input
          className="input"
          name="name"
          aria-label="Name of the statement"
          placeholder="Name"
          required
          maxLength={90}
          pattern={NAME_PATTERN}
        />
        <Button type="submit" disabled={saving.isPending}>
          Save
        </Button>
        {saving.error && (
          <span className="bad" role="alert">
            {saving.error.message}
          </span>
        )}
      </form>
    </>
  )
}
