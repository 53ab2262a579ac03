/** What was done for a job before it is trained: the rewards of its answers with their reasons, and why it is paused. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { short } from '../../../curves'
import { eventsQuery, type Job, type JobEvent } from '../../api/training'
import { NextPage } from '../../ui/button'
import { Chart } from '../../ui/chart'
import { Failed, Loading } from '../../ui/states'
import { Table } from '../../ui/table'

interface Reward {
  value: number
  reason: string
}

interface Check {
  step: number
  reward: number
  held_out: number
}

export function Rewards({ job }: { job: Job }) {
  const query = useInfiniteQuery(eventsQuery(job))
  const { data, error, refetch } = query
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const events = data.pages.flatMap((page) => page.data)
  const groups = events
    .filter(({ type }) => type === 'group_rewarded' || type === 'group_refused')
    .toSorted((a, b) => Number(a.data.group) - Number(b.data.group))
  return (
    <>
      {events.map((event) => event.type === 'held_out_check' && <CheckLine key={event.id} event={event} />)}
      {groups.length === 0 ? (
        <p className="state">
          {job.preparing === 'rewards' ? 'No group has rewards yet.' : 'The rewards came with the answers.'}
        </p>
      ) : (
        groups.map((event) => <Group key={event.id} event={event} />)
      )}
      <NextPage of={query}>More events</NextPage>
    </>
  )
}

function CheckLine({ event: { data } }: { event: JobEvent }) {
  const { step, reward, held_out } = data as unknown as Check
  return (
    <p className="training-check">
      Before this job the model (step {step}) scored <strong>{short(held_out)}</strong> on {String(data.rows)}{' '}
      held-out {data.rows === 1 ? 'row' : 'rows'}; the mean reward of these answers is{' '}
      <strong>{short(reward)}</strong>.
    </p>
  )
}

function Group({ event: { type, data } }: { event: JobEvent }) {
  const name = `Group ${Number(data.group) + 1}`
  if (type === 'group_refused')
    return (
      <article className="panel training-sample" aria-label={name}>
        <h3>{name}</h3>
        <p className="bad">
          Not trained on: {String(data.reason)} <code>{String(data.code)}</code>
        </p>
      </article>
    )
  return (
    <article className="panel training-sample" aria-label={name}>
      <h3>{name}</h3>
      <Table
        label={`Rewards of ${name}`}
        rows={(data.rewards as Reward[]).map((reward, i) => ({ ...reward, number: i + 1 }))}
        keyOf={({ number }) => String(number)}
        columns={[
          { title: 'Answer', isMuted: true, cell: ({ number }) => number },
          { title: 'Reward', isNumber: true, cell: ({ value }) => short(value) },
          { title: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
    </article>
  )
}

/** Why a job is paused, with both curves. */
export function Pause({ job }: { job: Job }) {
  const { data, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery(eventsQuery(job))
  const event = data?.pages.flatMap((page) => page.data).findLast(({ type }) => type === 'training_paused')
  // A job with many groups has many events before this one, the last.
  if (!event && hasNextPage && !isFetching) void fetchNextPage()
  if (!event) return null
  const checks = event.data.checks as Check[]
  return (
    <section className="training-pause" aria-label="Why it is paused">
      <p>{String(event.data.reason)}</p>
      <Chart
        label="Training reward and held-out score"
        times={checks.map(({ step }) => step)}
        series={[
          { label: 'training reward', values: checks.map(({ reward }) => reward) },
          { label: 'held-out score', values: checks.map(({ held_out }) => held_out) },
        ]}
        format={short}
        kind="lines"
        over="steps"
      />
    </section>
  )
}
