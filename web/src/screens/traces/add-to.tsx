/** What is done with chosen calls: rows of a dataset, items of an annotation queue. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Call } from '../../api/client'
import { addRows } from '../../api/datasets'
import { jsonText } from '../../api/json'
import { datasetNamesQuery } from '../../api/objects'
import { addCalls, queuesQuery } from '../../api/queues'
import { weavePath } from '../../app/address'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { count, counted } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { type Chosen, callsOf, idsOf } from './chosen'
import { type Column, rowsOfCalls, usualColumns } from './to-rows'

interface Props {
  chosen: Chosen
  open: boolean
  close: () => void
}

export function AddToDataset({ chosen, open, close }: Props) {
  return (
    <Dialog title={`Add ${count(chosen.count)} to a dataset`} open={open} close={close}>
      <DatasetForm chosen={chosen} />
    </Dialog>
  )
}

/** What paths of rows can begin with. Columns that are named come with their large values, too. */
const READ: (keyof Call)[] = [
  ...(['inputs', 'output', 'attributes', 'summary', 'op_name', 'display_name'] as const),
  ...(['started_at', 'ended_at', 'exception', 'parent_id', 'thread_id', 'turn_id', 'wb_user_id'] as const),
]
/** Calls that say which columns there are. */
const LOOKED_AT = 100

function DatasetForm({ chosen }: { chosen: Chosen }) {
  const { project } = chosen
  const client = useQueryClient()
  const { data: names = [] } = useQuery(datasetNamesQuery(project))
  const {
    data: calls,
    error,
    refetch,
  } = useQuery({
    queryKey: ['calls', project, 'chosen', chosen],
    queryFn: ({ signal }) => collected(callsOf(chosen, READ, LOOKED_AT, signal)),
  })
  const [name, setName] = useState('')
  const [given, setGiven] = useState<readonly Column[]>()
  const columns = given ?? (calls === undefined ? [] : usualColumns(calls))
  const set = (i: number, more: Partial<Column>) =>
    setGiven(columns.map((one, j) => (i === j ? { ...one, ...more } : one)))
  const save = useMutation({
    mutationFn: () => addRows(project, name, rowsOf(chosen, columns)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['objects', project] }),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (calls === undefined) return <Loading />
  return (
    <form
      className="traces-to"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label>
        Dataset
        <input
          className="input"
          list="traces-datasets"
          required
          pattern="[\w.\-]{1,128}"
          placeholder="Name (an existing dataset gets a new version)"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <datalist id="traces-datasets">
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <fieldset>
        <legend>Columns</legend>
        {columns.map((column, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
          <div key={i} className="row">
            <input
              className="input"
              aria-label={`Name of column ${i + 1}`}
              value={column.name}
              onChange={(event) => set(i, { name: event.target.value })}
            />
            <span className="muted">from</span>
            <input
              className="input mono grow"
              aria-label={`Path of column ${i + 1}`}
              value={column.path}
              onChange={(event) => set(i, { path: event.target.value })}
            />
            <IconButton
              icon="close"
              label={`Remove column ${i + 1}`}
              onClick={() => setGiven(columns.filter((_, j) => i !== j))}
            />
          </div>
        ))}
        <Button icon="plus" onClick={() => setGiven([...columns, { name: '', path: '' }])}>
          Column
        </Button>
      </fieldset>
      <pre className="traces-row-shown">{jsonText(rowsOfCalls(calls.slice(0, 1), columns)[0], 2)}</pre>
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
      {save.data === undefined ? (
        <Button type="submit" tone="primary" disabled={save.isPending || columns.length === 0}>
          {save.isPending ? 'Adding…' : `Add ${counted(chosen.count, 'row')}`}
        </Button>
      ) : (
        <p role="status">
          Added. <Link to={weavePath(project, 'objects', name, 'versions', save.data)}>Open {name}</Link>
        </p>
      )}
    </form>
  )
}

async function* rowsOf(chosen: Chosen, columns: readonly Column[]) {
  for await (const calls of callsOf(chosen, READ)) yield rowsOfCalls(calls, columns)
}

async function collected(calls: AsyncIterable<Call[]>): Promise<Call[]> {
  const all: Call[] = []
  for await (const some of calls) all.push(...some)
  return all
}

export function AddToQueue({ chosen, open, close }: Props) {
  const { project } = chosen
  const client = useQueryClient()
  const { data: queues = [] } = useQuery({ ...queuesQuery(project), enabled: open })
  const [id, setId] = useState('')
  const add = useMutation({
    mutationFn: async () => addCalls(project, id, await idsOf(chosen)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['queues', project] }),
  })
  return (
    <Dialog
      title={`Add ${count(chosen.count)} to an annotation queue`}
      open={open}
      close={() => {
        add.reset()
        close()
      }}
    >
      <form
        className="traces-to"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <label>
          Queue
          <select className="select" required value={id} onChange={(event) => setId(event.target.value)}>
            <option value="">choose one</option>
            {queues.map((queue) => (
              <option key={queue.id} value={queue.id}>
                {queue.name}
              </option>
            ))}
          </select>
        </label>
        {queues.length === 0 && (
          <p>
            <Link to={weavePath(project, 'queues')}>Make a queue first.</Link>
          </p>
        )}
        {add.error && (
          <p className="bad" role="alert">
            {add.error.message}
          </p>
        )}
        {add.data === undefined ? (
          <Button type="submit" tone="primary" disabled={add.isPending}>
            Add
          </Button>
        ) : (
          <p role="status">
            {count(add.data)} added. <Link to={weavePath(project, 'queues', id)}>Open the queue</Link>
          </p>
        )}
      </form>
    </Dialog>
  )
}
