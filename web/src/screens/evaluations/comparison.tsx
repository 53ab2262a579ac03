/** Runs side by side: what each reached, and what each made of every row. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { endedTrials } from '../../../../domain/evaluation/outcome'
import { type ResultRow, resultsQuery, summariesQuery } from '../../api/evaluations'
import { useMay } from '../../api/session'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { ChoiceField } from '../../ui/fields'
import { counted } from '../../ui/format'
import { Popover } from '../../ui/menu'
import { Empty, Failed, Loading } from '../../ui/states'
import { AddToQueue } from '../traces/add-to'
import type { Chosen } from '../traces/chosen'
import { metricsOf } from './compare'
import './evaluations.css'
import '../../ui/changes.css'
import { ShareButton } from '../sharing/share-button'
import { ExportResults, RowsToDataset } from './export'
import { Pairwise } from './pairwise'
import { nameOf, OF_DIFFERENCE, OF_MEAN, Results, type ResultsProps, Summaries } from './results'
import { CHANGES, type Change, type CompareSearch } from './search'
import { surenessQuery } from './sureness'

export function Comparison() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/comparison' })
  const navigate = useNavigate()
  const change = (more: CompareSearch) => void navigate({ to: '.', search: { ...search, ...more } })
  const ids = (search.runs ?? '').split(',').filter((id) => id !== '')
  const { data, error, refetch } = useQuery(summariesQuery(project.id, ids))
  const summaries = data?.summaries ?? []
  const lower = new Set((search.lower ?? '').split(',').filter((id) => id !== ''))
  const metrics = metricsOf(summaries, lower)
  const scores = metrics.filter(({ id }) => id.startsWith('scores.'))
  const { data: sureness } = useQuery(surenessQuery(project.id, summaries, scores))
  /** the rows to make a dataset of; []: some of all */
  const [kept, setKept] = useState<readonly ResultRow[]>()
  const [picked, setPicked] = useState<ReadonlyMap<string, ResultRow>>(new Map())
  const [isQueueing, setQueueing] = useState(false)
  const mayWrite = useMay('write', project.id)
  const list = <Link to={weavePath(project.id, 'evaluations')}>Choose runs in the list of evaluations</Link>
  if (ids.length === 0) return <Empty title="No runs to compare">{list}</Empty>
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Reading the results" />
  if (summaries.length === 0)
    return (
      <Empty title={data.warnings[0] ?? 'There are no such runs'}>
        <p>They may have been deleted, or are not stored yet.</p>
        {list}
      </Empty>
    )
  const pick = (row: ResultRow) => {
    const next = new Map(picked)
    if (!next.delete(row.row_digest)) next.set(row.row_digest, row)
    setPicked(next)
  }
  const rows = [...picked.values()]
  const by = scores.find(({ id }) => id === search.by) ?? scores[0]
  const setLower = (id: string, is: boolean) => {
    const next = new Set(lower)
    if (is) next.add(id)
    else next.delete(id)
    change({ lower: [...next].join(',') || undefined })
  }
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'evaluations')}>Evaluations</Link>
        <span className="muted">/</span>
        <h1>{ids.length === 1 ? nameOf(data.summaries[0], 0) : `${ids.length} runs`}</h1>
        {data.warnings.map((warning) => (
          <span key={warning} className="chip">
            {warning}
          </span>
        ))}
        <span className="grow" />
        <Button onClick={() => setKept([])}>To a dataset…</Button>
        <ExportResults project={project.id} summaries={data.summaries} />
        {ids.length === 1 && <ShareButton project={project.id} kind="evaluation_run" target={ids[0]!} />}
      </div>
      <Summaries
        summaries={data.summaries}
        metrics={metrics}
        projectId={project.id}
        {...(sureness && { sureness: (metric, run) => sureness.get(metric.id)?.get(run) })}
        first={(id) => change({ runs: [id, ...ids.filter((one) => one !== id)].join(',') })}
        without={(id) => change({ runs: ids.filter((one) => one !== id).join(',') })}
      />
      <div className="evaluations-bar">
        {by && (
          <>
            <label className="row">
              {ids.length > 1 ? 'Largest change of' : 'Score'}
              <select
                className="select"
                value={by.id}
                onChange={(event) => change({ by: event.target.value })}
              >
                {scores.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            <label className="check">
              <input
                type="checkbox"
                checked={by.lowerIsBetter}
                onChange={(event) => setLower(by.id, event.target.checked)}
              />
              less is better
            </label>
            <div className="row">
              <ChoiceField<Change | ''>
                label="Show"
                of={
                  ids.length > 1
                    ? { '': 'all rows', ...CHANGES }
                    : { '': 'all rows', crashed: CHANGES.crashed }
                }
                value={search.change ?? ''}
                choose={(next) => change({ change: next || undefined })}
              />
            </div>
            {sureness && (
              <Popover label="How sure the numbers are" trigger={<Button tone="quiet">How sure?</Button>}>
                <p className="evaluations-sure">{OF_MEAN}</p>
                <p className="evaluations-sure">{OF_DIFFERENCE}</p>
              </Popover>
            )}
            {ids.length > 1 && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={search.pair ?? false}
                  onChange={(event) => change({ pair: event.target.checked || undefined })}
                />
                outputs side by side
              </label>
            )}
          </>
        )}
      </div>
      {rows.length > 0 && (
        <div className="evaluations-bar" role="status">
          {counted(rows.length, 'row')} chosen
          <Button icon="datasets" onClick={() => setKept(rows)}>
            Add to dataset
          </Button>
          <Button icon="annotation" onClick={() => setQueueing(true)}>
            Add to queue
          </Button>
          <Button tone="quiet" onClick={() => setPicked(new Map())}>
            Choose none
          </Button>
          <AddToQueue
            chosen={answersIn(project.id, rows, ids.at(-1)!)}
            open={isQueueing}
            close={() => setQueueing(false)}
          />
        </div>
      )}
      <ProjectResults
        projectId={project.id}
        summaries={data.summaries}
        by={by}
        change={ids.length > 1 || search.change === 'crashed' ? search.change : undefined}
        isPair={ids.length > 1 && search.pair === true}
        keep={(row) => setKept([row])}
        {...(mayWrite && { picked, pick })}
      />
      <RowsToDataset
        project={project.id}
        summaries={data.summaries}
        by={by}
        change={search.change}
        rows={kept ?? []}
        open={kept !== undefined}
        close={() => setKept(undefined)}
      />
    </div>
  )
}

/** What a run made of rows, for people to judge. */
function answersIn(project: string, rows: readonly ResultRow[], run: string): Chosen {
  const ids = rows.flatMap((row) =>
    endedTrials(row, run).map((trial) => trial.predict_call_id ?? trial.predict_and_score_call_id),
  )
  return { project, condition: {}, sort: [], ids, count: ids.length }
}

function ProjectResults({ isPair, ...props }: Omit<ResultsProps, 'results'> & { isPair: boolean }) {
  const { projectId, summaries, by, change } = props
  // Side by side are the first run and the next one.
  const shown = isPair ? summaries.slice(0, 2) : summaries
  const runs = shown.map((one) => one.evaluation_call_id)
  const results = useInfiniteQuery(resultsQuery(projectId, runs, runs.length > 1 ? by?.id : undefined))
  if (isPair && shown.length === 2) return <Pairwise {...{ by, change, results }} summaries={shown} />
  return <Results {...props} summaries={shown} results={results} />
}
