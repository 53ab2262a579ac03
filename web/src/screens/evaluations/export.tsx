/** What is made of results: a file with every trial, or a dataset of some rows. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { addRows, type Row } from '../../api/datasets'
import { eachRow, type ResultRow, type Summary } from '../../api/evaluations'
import { isInside } from '../../api/json'
import { datasetNamesQuery } from '../../api/objects'
import { weavePath } from '../../app/address'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { CsvTable, downloadBlob, jsonLines } from '../../ui/export'
import { ChoiceField, NameField } from '../../ui/fields'
import { count } from '../../ui/format'
import { hasChanged, hasFailed, type Metric } from './compare'
import { resultLines } from './result-lines'
import { nameOf } from './results'
import { CHANGES, type Change } from './search'

interface Props {
  project: string
  summaries: readonly Summary[]
}

export function ExportResults({ project, summaries }: Props) {
  const [read, setRead] = useState<number>()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'jsonl') => {
      const names = new Map(summaries.map((one, i) => [one.evaluation_call_id, nameOf(one, i)]))
      const table = new CsvTable()
      const parts: string[] = []
      let rows = 0
      setRead(0)
      for await (const some of eachRow(project, [...names.keys()], { whole: true }, NEVER)) {
        const lines = resultLines(some, names)
        if (format === 'csv') table.add(lines)
        else parts.push(jsonLines(lines))
        rows += some.length
        setRead(rows)
      }
      downloadBlob(`results.${format}`, new Blob(format === 'csv' ? table.parts() : parts))
    },
    onSettled: () => setRead(undefined),
  })
  return (
    <>
      {read !== undefined && <span role="status">{count(read)} rows read…</span>}
      {save.error && (
        <span className="bad" role="alert">
          {save.error.message}
        </span>
      )}
      {(['jsonl', 'csv'] as const).map((format) => (
        <Button
          key={format}
          icon="download"
          disabled={save.isPending}
          title="All rows, with a line for each trial"
          onClick={() => save.mutate(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </>
  )
}

const NEVER = new AbortController().signal

interface DatasetProps extends Props {
  by: Metric | undefined
  change: Change | undefined
  /** rows that were chosen by hand */
  rows: readonly ResultRow[]
  open: boolean
  close: () => void
}

/** Rows of the results as a dataset. */
export function RowsToDataset(props: DatasetProps) {
  return (
    <Dialog title="Rows to a dataset" open={props.open} close={props.close}>
      <DatasetForm {...props} />
    </Dialog>
  )
}

type Which = 'chosen' | 'failing' | 'all' | Change

function DatasetForm({ project, summaries, by, change, rows }: DatasetProps) {
  const client = useQueryClient()
  const { data: names = [] } = useQuery(datasetNamesQuery(project))
  const [name, setName] = useState('')
  const [which, setWhich] = useState<Which>(rows.length > 0 ? 'chosen' : (change ?? 'failing'))
  const runs = summaries.map((one) => one.evaluation_call_id)
  const last = runs.at(-1)!
  const takes = (one: ResultRow): boolean => {
    if (which === 'all' || which === 'chosen') return true
    if (which === 'failing') return hasFailed(one, last, by)
    return by !== undefined && hasChanged(one, runs, by, which)
  }
  const save = useMutation({
    mutationFn: () =>
      addRows(project, name, rowsOf(project, runs, which === 'chosen' ? rows : undefined, takes)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['objects', project] }),
  })
  const choices: Partial<Record<Which, string>> = {
    ...(rows.length > 0 && { chosen: rows.length === 1 ? 'This row' : `The ${rows.length} chosen rows` }),
    failing: `All that failed in ${nameOf(summaries.at(-1), runs.length - 1)}`,
    ...(by && runs.length > 1 && changes),
    all: 'All rows',
  }
  return (
    <form
      className="evaluations-start"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <ChoiceField<Which>
        label="Rows"
        of={choices as Record<string, string>}
        value={which}
        choose={setWhich}
      />
      <NameField label="Dataset" names={names} value={name} set={setName} maxLength={128} />
      <p className="muted">An existing dataset gets a new version with these rows at its end.</p>
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
      {save.data === undefined ? (
        <Button tone="primary" type="submit" disabled={save.isPending}>
          {save.isPending ? 'Adding…' : 'Add the rows'}
        </Button>
      ) : (
        <p role="status">
          Added. <Link to={weavePath(project, 'objects', name, 'versions', save.data)}>Open {name}</Link>
        </p>
      )}
    </form>
  )
}

const changes = Object.fromEntries(
  Object.entries(CHANGES).map(([change, title]) => [change, `All that are ${title}`]),
)

async function* rowsOf(
  project: string,
  runs: readonly string[],
  chosen: readonly ResultRow[] | undefined,
  takes: (row: ResultRow) => boolean,
): AsyncGenerator<Row[]> {
  const pages = chosen ? [chosen] : eachRow(project, runs, { whole: true }, NEVER)
  for await (const some of pages) yield some.filter(takes).map(({ raw_data_row: value }) => asRow(value))
}

/** Rows that are no objects are the one column of a dataset. */
const asRow = (value: unknown): Row => (isInside(value) && !Array.isArray(value) ? (value as Row) : { value })
