/** The runs of evaluations: what each reached; some of them are chosen to be compared. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { latencyOf, nameOf, statusOf, usageQuery } from '../../api/calls'
import type { Call } from '../../api/client'
import { runsQuery } from '../../api/evaluations'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { count, counted, duration } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty, Failed, Loading } from '../../ui/states'
import { type Column, costColumn, TableOf, timeColumn } from '../../ui/table'
import { nameInRef, previousOf, printedOf } from './compare'
import './evaluations.css'
import { History } from './history'
import { MOST_RUNS } from './search'
import { shown } from './shown'
import { StartEvaluation } from './start'

const METRICS = 6

export function Evaluations() {
  const project = useProject()
  const navigate = useNavigate()
  const find = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const [isStarting, setStarting] = useState(false)
  const query = useInfiniteQuery(runsQuery(project.id))
  const { data, error, refetch } = query
  const { of } = useSearch({ from: '/inside/$entity/$project/weave/evaluations' })
  const runs = useMemo(() => data?.pages.flat() ?? [], [data])
  const ofOne = useMemo(
    () => (of ? runs.filter(({ inputs }) => nameInRef(inputs.self) === of) : runs),
    [runs, of],
  )
  const previous = useMemo(() => previousOf(runs), [runs])
  const { data: usage } = useQuery(
    usageQuery(
      project.id,
      runs.map(({ id }) => id),
    ),
  )
  /** The oldest of them is what the others are compared with. */
  const inTime = (...ids: readonly string[]) =>
    runs.flatMap(({ id }) => (ids.includes(id) ? id : [])).reverse()
  const compare = () =>
    void navigate({
      to: weavePath(project.id, 'evaluations', 'compare'),
      search: { runs: inTime(...chosen).join(',') },
    })
  useShortcuts([
    { keys: 'c', what: 'Compare selected runs', run: () => chosen.length > 0 && compare() },
    { keys: 'n', what: 'Run an evaluation', run: () => setStarting(true) },
    { keys: '/', what: 'Find a run', run: () => find.current?.focus() },
  ])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const textOf = (run: Call) =>
    `${nameOf(run)} ${nameInRef(run.inputs.self)} ${nameInRef(run.inputs.model)}`.toLowerCase()
  const names = [...new Set([...(of ? [of] : []), ...runs.map((run) => nameInRef(run.inputs.self))])]
  const found = ofOne.filter((run) => textOf(run).includes(text.toLowerCase()))
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const columns: Column<Call>[] = [
    {
      title: <span className="unseen">Choose</span>,
      cell: (run) => (
        <input
          type="checkbox"
          aria-label={`Choose ${nameOf(run)} of ${nameInRef(run.inputs.model)}`}
          checked={chosen.includes(run.id)}
          disabled={!chosen.includes(run.id) && chosen.length >= MOST_RUNS}
          onChange={() => toggle(run.id)}
        />
      ),
    },
    {
      title: 'Run',
      cell: (run) => (
        <Link
          className="evaluations-name"
          to={weavePath(project.id, 'evaluations', 'compare')}
          search={{ runs: run.id }}
        >
          {nameOf(run)}
        </Link>
      ),
    },
    { title: 'Evaluation', isWide: true, cell: ({ inputs }) => nameInRef(inputs.self) },
    { title: 'Model', cell: ({ inputs }) => nameInRef(inputs.model) },
    {
      title: 'Scores',
      className: 'evaluations-scores',
      cell: ({ output }) =>
        printedOf(output)
          .slice(0, METRICS)
          .map(([name, value]) => (
            <span key={name} className="evaluations-score">
              <span className="muted">{name}</span> {shown(value, 'mean')}
            </span>
          )),
    },
    {
      title: <span className="unseen">Compare</span>,
      cell: ({ id }) => {
        // One that is chosen is compared with any other, the older of them first; else each with the one before it.
        const [one, ...others] = chosen
        const pair =
          one === undefined || others.length > 0 ? [previous.get(id), id] : one === id ? [] : inTime(one, id)
        return (
          pair[0] !== undefined && (
            <Link
              to={weavePath(project.id, 'evaluations', 'compare')}
              search={{ runs: pair.join(','), change: 'regressed' }}
              title={one === undefined ? 'since the run before' : 'between this run and the chosen one'}
            >
              Regressions
            </Link>
          )
        )
      },
    },
    {
      title: 'Status',
      cell: (run) => {
        const status = statusOf(run)
        return (
          <span className={status === 'error' ? 'chip bad' : 'chip'}>
            {status === 'success' ? 'done' : status}
          </span>
        )
      },
    },
    { title: 'Took', isNumber: true, cell: (run) => (run.ended_at ? duration(latencyOf(run)) : '') },
    {
      title: 'Tokens',
      isNumber: true,
      isWide: true,
      cell: ({ id }) => {
        const tokens = usage?.get(id)?.tokens ?? 0
        return tokens > 0 ? count(tokens) : ''
      },
    },
    { ...costColumn(({ id }) => usage?.get(id)?.cost), isWide: true },
    timeColumn('Began', ({ started_at: at }) => at),
  ]
  return (
    <div className="page">
      <div className="page-head">
        <h1>Evaluations</h1>
        <SearchInput ref={find} label="Find a run" text={text} setText={setText} />
        <select
          className="select"
          aria-label="Evaluation"
          value={of ?? ''}
          onChange={({ target }) => void navigate({ to: '.', search: { of: target.value || undefined } })}
        >
          <option value="">All evaluations</option>
          {names
            .filter((name) => name !== '')
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
        <span className="muted">{counted(found.length, 'run')}</span>
        <span className="grow" />
        <Link to={weavePath(project.id, 'leaderboards')}>Leaderboards</Link>
        <Button icon="play" onClick={() => setStarting(true)}>
          Run…
        </Button>
        <Button
          tone={chosen.length > 0 ? 'primary' : 'plain'}
          icon="evaluations"
          disabled={chosen.length === 0}
          onClick={compare}
        >
          {chosen.length < 2 ? 'Compare' : `Compare ${chosen.length}`}
        </Button>
      </div>
      <div className="page-body" tabIndex={0}>
        {of && (
          <History
            runs={ofOne}
            costs={usage}
            open={(id) =>
              void navigate({
                to: weavePath(project.id, 'evaluations', 'compare'),
                search: { runs: id },
              })
            }
          />
        )}
        <TableOf
          query={query}
          rows={found}
          keyOf={({ id }) => id}
          isChosen={({ id }) => chosen.includes(id)}
          columns={columns}
          className="evaluations-table"
          more="Earlier ones"
          empty={
            <Empty title={runs.length === 0 ? 'No evaluation has run yet' : 'No run has this name'}>
              <p>
                A client runs one with <code>weave.Evaluation(…).evaluate(model)</code>.
              </p>
            </Empty>
          }
        />
      </div>
      <Dialog title="Run an evaluation" open={isStarting} close={() => setStarting(false)}>
        <StartEvaluation project={project.id} />
      </Dialog>
    </div>
  )
}
