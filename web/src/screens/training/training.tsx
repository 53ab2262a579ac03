/** Training jobs: those of a project, or of all; some are chosen, and their curves share charts. */

import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isOver, type Job, jobsQuery, metricsQuery } from '../../api/training'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button, NextPage } from '../../ui/button'
import '../../ui/chart.css'
import { count } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { Curves } from './curves'
import { Checkpoints, Log, Samples, State } from './job'
import { linesOf } from './lines'
import { Rewards } from './rewards'
import type { TrainingSearch } from './search'
import './training.css'

const TABS = [
  ['curves', 'Curves'],
  ['checkpoints', 'Checkpoints'],
  ['samples', 'Samples'],
  ['rewards', 'Rewards'],
  ['log', 'Log'],
] as const

export function Training() {
  const { entity, id } = useProject()
  const project = entity === '' ? undefined : id
  const ofProject = useSearch({ from: '/inside/$entity/$project/weave/training', shouldThrow: false })
  const ofAll = useSearch({ from: '/inside/training', shouldThrow: false })
  const search = ofProject ?? ofAll ?? {}
  const navigate = useNavigate()
  const query = useInfiniteQuery(jobsQuery(project))
  const { data, error, refetch } = query
  const jobs = data?.pages.flatMap((page) => page.data) ?? []
  const newest = jobs[0]
  const chosen = (search.jobs ?? newest?.id ?? '').split(',').filter(Boolean)
  // A client that samples and trains in turns makes a job for each turn.
  const isJoined = search.joined ?? jobs.find(({ id }) => id === chosen[0])?.kind === 'rl'
  const shown = shownJobs(jobs, chosen, isJoined)
  const metrics = useQueries({
    queries: shown.map(metricsQuery),
    combine: (results) => new Map(results.map(({ data: steps = [] }, i) => [shown[i]!.id, steps])),
  })
  const drawn = shown.map(({ id }) => `${id} ${metrics.get(id)?.length ?? 0}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: charts are drawn anew when there are other jobs or more steps
  const lines = useMemo(() => linesOf(shown, metrics, isJoined), [drawn, isJoined])
  const change = (more: TrainingSearch) =>
    void navigate({
      to: '.',
      search: (old: object) => JSON.parse(JSON.stringify({ ...old, ...more })),
      replace: true,
    })
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    change({ jobs: next.join(',') })
  }
  const start = () => void navigate({ to: weavePath(id, 'training', 'new') })
  useShortcuts(project === undefined ? [] : [{ keys: 'n', what: 'Start a job', run: start }])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const tab = TABS.find(([one]) => one === search.tab)?.[0] ?? 'curves'
  const last = jobs.find(({ id }) => id === chosen.at(-1)) ?? newest
  return (
    <div className="page">
      <div className="page-head">
        <h1>Training</h1>
        <span className="muted">{project === undefined ? 'all projects' : ''}</span>
        <span className="grow" />
        {project !== undefined && (
          <Button icon="plus" tone="primary" onClick={start}>
            Start a job
          </Button>
        )}
      </div>
      {last === undefined ? (
        <Empty title="No job has run yet">
          <p>
            Start one from a dataset or from traces, or with <code>heddle train</code>.
          </p>
        </Empty>
      ) : (
        <div className="training">
          <nav className="training-jobs" aria-label="Jobs">
            {jobs.map((job) => (
              <JobLine
                key={job.id}
                job={job}
                place={shown.some(({ id }) => id === job.id) ? placeOf(job, shown, isJoined) : -1}
                isChosen={chosen.includes(job.id)}
                toggle={() => toggle(job.id)}
                withProject={project === undefined}
              />
            ))}
            <NextPage of={query}>Older jobs</NextPage>
          </nav>
          <section className="training-main" aria-label="What is chosen">
            <State job={last} />
            <Tabs tabs={TABS} chosen={tab} choose={(one) => change({ tab: one })} />
            <div className="training-body" role="tabpanel" tabIndex={0} key={tab}>
              {tab === 'curves' && (
                <Curves lines={lines} search={{ ...search, joined: isJoined }} change={change} />
              )}
              {tab === 'checkpoints' && <Checkpoints key={last.model_id} job={last} />}
              {tab === 'samples' && (
                <Samples
                  key={last.id}
                  job={last}
                  steps={jobs.filter(({ model_id: model }) => model === last.model_id)}
                  choose={(id) => change({ jobs: id })}
                />
              )}
              {tab === 'rewards' && <Rewards key={last.id} job={last} />}
              {tab === 'log' && <Log key={last.id} job={last} />}
            </div>
          </section>
        </div>
      )}
    </div>
  )
}

/** Those whose steps are drawn: the chosen ones, or all of their models, the oldest of a model first. */
function shownJobs(jobs: readonly Job[], chosen: readonly string[], isJoined: boolean): Job[] {
  const found = chosen.flatMap((id) => jobs.find((job) => job.id === id) ?? [])
  if (!isJoined) return found
  return [...new Set(found.map(({ model_id: model }) => model))].flatMap((model) =>
    // Ids are in the order in which jobs came.
    jobs.filter((job) => job.model_id === model).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
}

/** Which line is the job's. */
function placeOf(job: Job, shown: readonly Job[], isJoined: boolean): number {
  if (!isJoined) return shown.findIndex(({ id }) => id === job.id)
  return [...new Set(shown.map(({ model_id: model }) => model))].indexOf(job.model_id)
}

function JobLine({
  job,
  place,
  isChosen,
  toggle,
  withProject,
}: {
  job: Job
  place: number
  isChosen: boolean
  toggle: () => void
  withProject: boolean
}) {
  const project = `${job.entity}/${job.project}`
  const steps = job.steps_total === null ? '' : ` ${count(job.steps_done)}/${count(job.steps_total)}`
  return (
    <div className="training-job">
      <label>
        <input type="checkbox" checked={isChosen} onChange={toggle} />
        <i style={place < 0 ? {} : { background: `var(--series-${(place % 8) + 1})` }} />
        <span className="cut grow">{job.model_name}</span>
        <span className={`chip${job.status === 'failed' ? ' bad' : isOver(job) ? '' : ' accent'}`}>
          {job.status}
          {steps}
        </span>
      </label>
      <div className="training-about muted">
        {job.kind} · <Time at={job.created_at} relative />
        {withProject && (
          <>
            {' · '}
            <Link to={weavePath(project, 'training')} search={{ jobs: job.id }}>
              {project}
            </Link>
          </>
        )}
      </div>
    </div>
  )
}
