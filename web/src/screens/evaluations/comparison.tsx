/** Runs side by side: what each reached, and what each made of every row. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { resultsQuery, summariesQuery } from '../../api/evaluations'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Empty, Failed, Loading } from '../../ui/states'
import { metricsOf } from './compare'
import './evaluations.css'
import { ShareButton } from '../sharing/share-button'
import { nameOf, Results, type ResultsProps, Summaries } from './results'
import type { CompareSearch } from './search'

export function Comparison() {
  const project = useProject()
  const search = useSearch({ strict: false }) as CompareSearch
  const navigate = useNavigate()
  const change = (more: CompareSearch) => void navigate({ to: '.', search: { ...search, ...more } })
  const ids = (search.runs ?? '').split(',').filter((id) => id !== '')
  const { data, error, refetch } = useQuery(summariesQuery(project.id, ids))
  if (ids.length === 0) return <Empty title="Choose the runs to compare in the list of evaluations" />
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Reading the results" />
  const lower = new Set((search.lower ?? '').split(',').filter((id) => id !== ''))
  const metrics = metricsOf(data.summaries, lower)
  const scores = metrics.filter(({ id }) => id.startsWith('scores.'))
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
        {ids.length === 1 && <ShareButton project={project.id} kind="evaluation_run" target={ids[0]!} />}
      </div>
      <Summaries
        summaries={data.summaries}
        metrics={metrics}
        projectId={project.id}
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
            {ids.length > 1 && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={search.worse ?? false}
                  onChange={(event) => change({ worse: event.target.checked || undefined })}
                />
                only regressions
              </label>
            )}
          </>
        )}
      </div>
      <ProjectResults
        projectId={project.id}
        summaries={data.summaries}
        by={by}
        onlyWorse={ids.length > 1 && search.worse === true}
      />
    </div>
  )
}

function ProjectResults(props: Omit<ResultsProps, 'results'>) {
  const { projectId, summaries, by } = props
  const runs = summaries.map((one) => one.evaluation_call_id)
  const results = useInfiniteQuery(resultsQuery(projectId, runs, runs.length > 1 ? by?.id : undefined))
  return <Results {...props} results={results} />
}
