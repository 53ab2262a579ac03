/** The runs of evaluations: what each reached; some of them are chosen to be compared. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { latencyOf, nameOf, statusOf, usageQuery } from '../../api/calls'
import type { Call } from '../../api/client'
import { runsQuery } from '../../api/evaluations'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button, NextPage } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { count, duration, money } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import { nameInRef, printedOf } from './compare'
import './evaluations.css'
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
  const runs = data?.pages.flat() ?? []
  const { data: usage } = useQuery(
    usageQuery(
      project.id,
      runs.map(({ id }) => id),
    ),
  )
  const compare = () =>
    void navigate({
      to: '/$entity/$project/weave/evaluations/compare',
      params: { entity: project.entity, project: project.name },
      // The oldest of them is what the others are compared with.
      search: {
        runs: runs
          .flatMap(({ id }) => (chosen.includes(id) ? id : []))
          .reverse()
          .join(','),
      },
    })
  useShortcuts([
    { keys: 'c', what: 'Compare those that are chosen', run: () => chosen.length > 0 && compare() },
    { keys: 'n', what: 'Run an evaluation', run: () => setStarting(true) },
    { keys: '/', what: 'Find a run', run: () => find.current?.focus() },
  ])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const textOf = (run: Call) =>
    `${nameOf(run)} ${nameInRef(run.inputs.self)} ${nameInRef(run.inputs.model)}`.toLowerCase()
  const found = runs.filter((run) => textOf(run).includes(text.toLowerCase()))
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <div className="page">
      <div className="page-head">
        <h1>Evaluations</h1>
        <SearchInput ref={find} label="Find a run" text={text} setText={setText} />
        <span className="muted">{count(found.length)} runs</span>
        <span className="grow" />
        <Link to={`/${project.id}/weave/leaderboards` as string}>Leaderboards</Link>
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
        {runs.length === 0 ? (
          <Empty title="No evaluation has run yet">
            <p>
              A client runs one with <code>weave.Evaluation(…).evaluate(model)</code>.
            </p>
          </Empty>
        ) : (
          <table className="table evaluations-table">
            <thead>
              <tr>
                <th>
                  <span className="unseen">Choose</span>
                </th>
                <th>Run</th>
                <th>Evaluation</th>
                <th>Model</th>
                <th>Status</th>
                <th>Scores</th>
                <th className="right">Latency</th>
                <th className="right">Tokens</th>
                <th className="right">Cost</th>
                <th>Began</th>
              </tr>
            </thead>
            <tbody>
              {found.map((run) => {
                const status = statusOf(run)
                const used = usage?.get(run.id)
                const isChosen = chosen.includes(run.id)
                return (
                  <tr key={run.id} aria-selected={isChosen}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={`Choose ${nameOf(run)} of ${nameInRef(run.inputs.model)}`}
                        checked={isChosen}
                        disabled={!isChosen && chosen.length >= MOST_RUNS}
                        onChange={() => toggle(run.id)}
                      />
                    </td>
                    <td>
                      <Link
                        className="evaluations-name"
                        to="/$entity/$project/weave/evaluations/compare"
                        params={{ entity: project.entity, project: project.name }}
                        search={{ runs: run.id }}
                      >
                        {nameOf(run)}
                      </Link>
                    </td>
                    <td>{nameInRef(run.inputs.self)}</td>
                    <td>{nameInRef(run.inputs.model)}</td>
                    <td>
                      <span className={status === 'error' ? 'chip bad' : 'chip'}>
                        {status === 'success' ? 'done' : status}
                      </span>
                    </td>
                    <td className="evaluations-scores">
                      {printedOf(run.output)
                        .slice(0, METRICS)
                        .map(([name, value]) => (
                          <span key={name} className="evaluations-score">
                            <span className="muted">{name}</span> {shown(value, 'mean')}
                          </span>
                        ))}
                    </td>
                    <td className="right">{run.ended_at ? duration(latencyOf(run)) : ''}</td>
                    <td className="right">{used && used.tokens > 0 ? count(used.tokens) : ''}</td>
                    <td className="right">{used?.cost === undefined ? '' : money(used.cost)}</td>
                    <td className="muted">
                      <Time at={run.started_at} relative />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
        <NextPage of={query}>Earlier ones</NextPage>
      </div>
      <Dialog title="Run an evaluation" open={isStarting} close={() => setStarting(false)}>
        <StartEvaluation project={project.id} />
      </Dialog>
    </div>
  )
}
