/** One job: how it stands, the checkpoints of its model, what it is trained on, its log. */

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { short } from '../../../curves'
import {
  addressOf,
  cancelJob,
  checkpointsQuery,
  isOver,
  type Job,
  logsQuery,
  resumeJob,
  samplesQuery,
  trainedModelsQuery,
} from '../../api/training'
import { weavePath } from '../../app/address'
import { Button, NextPage } from '../../ui/button'
import { Copy } from '../../ui/copy'
import { bytes } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { Table } from '../../ui/table'
import { Time } from '../../ui/time'
import { Pause } from './rewards'
import { Sample } from './sample'

const PREPARING = { rewards: 'answers get rewards', check: 'waits for its held-out check' } as const

export function State({ job }: { job: Job }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelJob(job.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['training', 'jobs'] }),
  })
  const resume = useMutation({
    mutationFn: () => resumeJob(job.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['training', 'jobs'] }),
  })
  return (
    <header className="training-state">
      <h2 className="cut">
        {job.entity}/{job.project}/{job.model_name}
      </h2>
      <span className="chip">{job.kind}</span>
      <span>{job.status}</span>
      {job.preparing !== null && <span className="muted">{PREPARING[job.preparing]}</span>}
      {job.checkpoint_step !== null && <span>made step {job.checkpoint_step}</span>}
      <span className="muted">
        <Time at={job.created_at} />
      </span>
      <Copy text={job.id} label="Copy the job's id" />
      {job.status === 'paused' && (
        <Button tone="primary" disabled={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      )}
      {!isOver(job) && (
        <Button tone="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {job.error_message !== null && (
        <p className="bad training-error">
          {job.error_message} {job.error_code !== null && <code>{job.error_code}</code>}
        </p>
      )}
      {job.status === 'paused' && <Pause job={job} />}
      {[cancel.error, resume.error].map(
        (failure) =>
          failure && (
            <p key={failure.message} className="bad" role="alert">
              {failure.message}
            </p>
          ),
      )}
    </header>
  )
}

const METRICS = 4

export function Checkpoints({ job }: { job: Job }) {
  const { data, error, refetch } = useQuery(checkpointsQuery(job.model_id))
  const project = `${job.entity}/${job.project}`
  const { data: models, isFetching } = useQuery(trainedModelsQuery(project))
  const base = models?.find(({ id }) => id === job.model_id)?.base_model
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined || (base === undefined && isFetching)) return <Loading />
  if (data.length === 0) return <p className="state">The model has no checkpoint yet.</p>
  const names = [...new Set(data.flatMap(({ metrics }) => Object.keys(metrics)))].slice(0, METRICS)
  return (
    <Table
      label="Checkpoints"
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Step', cell: ({ step }) => step },
        ...names.map((name) => ({
          title: name,
          isNumber: true,
          cell: ({ metrics }: (typeof data)[number]) =>
            metrics[name] === undefined ? '' : short(metrics[name]),
        })),
        {
          title: 'Use',
          cell: ({ step }) => (
            <div className="row">
              <Link
                className="button"
                to={weavePath(project, 'playground')}
                search={{ model: addressOf(job, step), ...(base !== undefined && { beside: base }) }}
              >
                {base === undefined ? 'Chat with it' : 'Chat beside its base'}
              </Link>
              <a
                className="button"
                href={`/v1/preview/models/${encodeURIComponent(job.model_id)}/checkpoints/${step}/download`}
              >
                Download
              </a>
              <Copy text={addressOf(job, step)} label="Copy its name" />
            </div>
          ),
        },
      ]}
    />
  )
}

/** @param props.steps all jobs of the model: each made a step */
export function Samples({
  job,
  steps,
  choose,
}: {
  job: Job
  steps: readonly Job[]
  choose: (id: string) => void
}) {
  const query = useInfiniteQuery(samplesQuery(job.id))
  const { data, error, refetch } = query
  const samples = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <label className="training-choices">
        Step
        <select className="select" value={job.id} onChange={(event) => choose(event.target.value)}>
          {steps.map((one) => (
            <option key={one.id} value={one.id}>
              {one.checkpoint_step === null ? one.status : `step ${one.checkpoint_step}`} · {one.kind} ·{' '}
              {one.created_at.slice(0, 16).replace('T', ' ')}
            </option>
          ))}
        </select>
      </label>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : samples === undefined ? (
        <Loading />
      ) : (
        samples.map(({ id, bytes: size, sample }, i) => (
          <article key={id} className="panel training-sample" aria-label={`Sample ${i + 1}`}>
            {sample === null ? (
              <p className="muted">{bytes(size)}: too long to show here.</p>
            ) : (
              <Sample value={sample} />
            )}
          </article>
        ))
      )}
      <NextPage of={query}>More samples</NextPage>
    </>
  )
}

export function Log({ job }: { job: Job }) {
  const { data, error, refetch } = useQuery(logsQuery(job))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data.length === 0) return <p className="state">This job has no log entries.</p>
  return (
    <Table
      label="Log"
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        { title: 'At', cell: ({ created_at: at }) => <Time at={at} /> },
        { title: 'Attempt', isMuted: true, cell: ({ attempt }) => attempt },
        { title: 'What happened', isBad: ({ level }) => level === 'error', cell: ({ message }) => message },
      ]}
    />
  )
}
