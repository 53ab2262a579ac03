/** The draft on the rows of a dataset, whose fields are its variables; one column for each model. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { streamCompletion } from '../../api/completions'
import { datasetNamesQuery, LATEST, objectQuery, readRows, rowsQuery, tableOf } from '../../api/objects'
import { callPath } from '../../app/address'
import { Button } from '../../ui/button'
import { count } from '../../ui/format'
import { Table } from '../../ui/table'
import { type Answer, type Line, NO_ANSWER, withLines } from './answer'
import { AsEvaluation } from './as-evaluation'
import { columnsFor, valuesOn } from './dataset-fields'
import { type Draft, inputsOf, variableNames, variableText } from './draft'

const AT_ONCE = 4
const MOST_ROWS = 500
const BEGIN = 10

interface Row {
  values: Record<string, unknown>
  answers: (Answer | undefined)[]
}

export function OverDataset({
  project,
  draft,
  problem,
}: {
  project: string
  draft: Draft
  problem: string | undefined
}) {
  const [name, setName] = useState('')
  const [most, setMost] = useState(BEGIN)
  const [rows, setRows] = useState<readonly Row[]>([])
  const [asked, setAsked] = useState<readonly string[]>([])
  const [wrong, setWrong] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const { data: datasets = [] } = useQuery(datasetNamesQuery(project))
  const names = variableNames(draft.messages)
  const models = draft.models.filter((model) => model !== '')
  const { data: dataset } = useQuery(objectQuery(project, name, name === '' ? undefined : LATEST))
  const table = tableOf(dataset?.val)
  const { data: begin } = useQuery({
    ...rowsQuery(project, table ?? '', 0),
    enabled: table !== undefined,
  })
  const known = namesIn(begin ?? [])
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const columns = columnsFor(names, known, chosen)

  const run = async () => {
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    setWrong(undefined)
    setAsked(models)
    try {
      if (table === undefined) throw new Error(`${name} has no rows.`)
      const found = await readRows(project, table, 0, Math.min(most, MOST_ROWS), controller.signal)
      const values = found.map(({ val }) => val as Record<string, unknown>)
      // The rows that are shown beside the variables may not have been read yet.
      const filling = columnsFor(names, namesIn(found), chosen)
      setRows(values.map((one) => ({ values: one, answers: [] })))
      const work = values.flatMap((one, i) => models.map((model, j) => ({ one, i, model, j })))
      const next = async (): Promise<void> => {
        const job = work.shift()
        if (job === undefined || controller.signal.aborted) return
        const { one, i, model, j } = job
        const answer = await completed(
          project,
          inputsOf(draft, model, valuesOn(one, filling, draft.variables)),
          controller.signal,
        )
        setRows((old) =>
          old.map((row, k) => (k === i ? { ...row, answers: row.answers.with(j, answer) } : row)),
        )
        return next()
      }
      setRows((old) => old.map((row) => ({ ...row, answers: models.map(() => undefined) })))
      await Promise.all(Array.from({ length: AT_ONCE }, next))
    } catch (error) {
      if (!controller.signal.aborted) setWrong(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  const done = rows.reduce((sum, { answers }) => sum + answers.filter(Boolean).length, 0)
  return (
    <div className="playground-over" role="tabpanel">
      <div className="row">
        <select
          className="select grow"
          aria-label="Dataset"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setChosen({})
          }}
        >
          <option value="">Choose a dataset</option>
          {datasets.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
        <label className="row">
          first
          <input
            className="input playground-most"
            type="number"
            min={1}
            max={MOST_ROWS}
            value={most}
            onChange={(event) => setMost(Number(event.target.value))}
          />
          rows
        </label>
        {isBusy ? (
          <Button icon="pause" onClick={() => running.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button
            icon="play"
            tone="primary"
            disabled={problem !== undefined || dataset === undefined || !(most > 0)}
            title={problem}
            onClick={() => void run()}
          >
            Run over rows
          </Button>
        )}
      </div>
      {names.length === 0 && (
        <p className="muted">
          Fields of a row take the place of variables: write <code>{'{question}'}</code> into a message.
        </p>
      )}
      {known.length > 0 && names.length > 0 && (
        <fieldset className="playground-variables">
          <legend>What fills the variables</legend>
          {names.map((one) => (
            <label key={one}>
              <code>{one}</code>
              <select
                className="select"
                aria-label={`Column of ${one}`}
                value={columns[one]!}
                onChange={({ target }) => setChosen({ ...chosen, [one]: target.value })}
              >
                <option value="">what is typed for it</option>
                {known.map((column) => (
                  <option key={column} value={column}>
                    {column}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      )}
      {dataset && begin && (
        <AsEvaluation
          key={dataset.digest}
          project={project}
          draft={draft}
          dataset={dataset}
          columns={columns}
          problem={problem}
        />
      )}
      {wrong !== undefined && (
        <p className="bad" role="alert">
          {wrong}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <p className="muted" role="status">
            {count(done)} of {count(rows.length * asked.length)} answered
          </p>
          <Table
            label="Answers by row"
            rows={rows}
            keyOf={(_, i) => String(i)}
            columns={[
              ...names.map((one) => ({
                title: one,
                cell: ({ values }: Row) =>
                  variableText(valuesOn(values, columns, draft.variables)[one] ?? '').slice(0, 300),
              })),
              ...asked.map((model, j) => ({
                title: model,
                cell: ({ answers }: Row) => <Cell project={project} answer={answers[j]} />,
              })),
            ]}
          />
        </>
      )}
    </div>
  )
}

const namesIn = (rows: readonly { val: unknown }[]): string[] => [
  ...new Set(rows.flatMap(({ val }) => Object.keys(val as object))),
]

function Cell({ project, answer }: { project: string; answer: Answer | undefined }) {
  if (answer === undefined) return <span className="muted">…</span>
  const text = answer.error ?? (answer.text || answer.toolCalls.map(({ name }) => `${name}()`).join(', '))
  return (
    <>
      <div className={answer.error === undefined ? '' : 'bad'}>{text.slice(0, 1000)}</div>
      {answer.callId !== undefined && (
        <p>
          <Link to={callPath(project, answer.callId)}>Its call</Link>
        </p>
      )}
    </>
  )
}

async function completed(
  project: string,
  inputs: ReturnType<typeof inputsOf>,
  signal: AbortSignal,
): Promise<Answer> {
  let answer = NO_ANSWER
  try {
    for await (const lines of streamCompletion<Line>(project, inputs, signal))
      answer = withLines(answer, lines, 0)
  } catch (error) {
    return { ...answer, error: error instanceof Error ? error.message : String(error) }
  }
  return answer
}
