/** A thread as a chat: its turns one below the other, only those that are seen in the page. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { latencyOf, nameOf, statusOf, type Usage, usageQuery } from '../../api/calls'
import type { Call } from '../../api/client'
import { pollInterval } from '../../api/poll-interval'
import { useRefs } from '../../api/refs'
import { STEPS, threadQuery, turnQuery, turnsQuery } from '../../api/threads'
import { callPath, weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject, useShownId } from '../../app/project'
import { useTitleOf } from '../../app/title'
import { Button } from '../../ui/button'
import { Copy } from '../../ui/copy'
import { count, counted, duration, money } from '../../ui/format'
import { Scores } from '../../ui/scores'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import { Content } from '../trace/content'
import { Conversation } from '../trace/conversation'
import { Exception } from '../trace/exception'
import '../trace/trace.css'
import { EndUserLink } from './columns'
import './threads.css'
import { feedbackOn } from './feedback'
import { type Step, stepsOf, turnMessages } from './turn'

/** Summed up in the head: those of the first turns. */
const USED = 500
const TURN = 180

export function ThreadPage() {
  const project = useProject()
  const threadId = useShownId()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...turnsQuery(project.id, threadId),
    refetchInterval: pollInterval(5_000),
  })
  const turns = data?.pages.flat() ?? []
  const { data: usage } = useQuery(
    usageQuery(
      project.id,
      turns.slice(0, USED).map(({ id }) => id),
    ),
  )
  const { data: totals } = useQuery(threadQuery(project.id, threadId))
  useTitleOf(totals?.first_message ?? undefined)
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'threads')}>Threads</Link>
        <span className="muted">/</span>
        <h1 className="cut">{threadId}</h1>
        <Copy text={threadId} label="Copy the id" />
        <span className="muted">
          {counted(turns.length, 'turn')}
          {totals && totals.total_tokens > 0 && `, ${count(totals.total_tokens)} tokens`}
          {totals?.total_cost ? `, ${money(totals.total_cost)}` : ''}
        </span>
        {totals && totals.error_count > 0 && (
          <span className="chip bad">{counted(totals.error_count, 'error')}</span>
        )}
        {totals && <Scores {...totals} />}
        {typeof totals?.end_user === 'string' && (
          <span className="muted row">
            with <EndUserLink user={totals.end_user} />
          </span>
        )}
      </div>
      {turns.length === 0 ? (
        <Empty title="This thread has no turns">
          <p>It may have been deleted, or is not stored yet.</p>
        </Empty>
      ) : (
        <Turns turns={turns} usage={usage} project={project.id} />
      )}
    </div>
  )
}

function Turns({
  turns,
  usage,
  project,
}: {
  turns: readonly Call[]
  usage: ReadonlyMap<string, Usage> | undefined
  project: string
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => turns[index]!.id,
    estimateSize: () => TURN,
    overscan: 3,
  })
  const at = () => rows.getVirtualItemForOffset(rows.scrollOffset ?? 0)?.index ?? 0
  const go = (index: number) =>
    rows.scrollToIndex(Math.min(turns.length - 1, Math.max(0, index)), { align: 'start' })
  useShortcuts([
    { keys: 'j', what: 'Next turn', run: () => go(at() + 1) },
    { keys: 'k', what: 'Turn before', run: () => go(at() - 1) },
    { keys: 'G', what: 'Last turn', run: () => go(turns.length - 1) },
    { keys: 'e', what: 'Next turn that failed', run: () => go(failedAfter(turns, at())) },
  ])
  return (
    <div ref={scroller} className="page-body threads-chat" tabIndex={0} role="region" aria-label="The thread">
      <div className="threads-turns" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => (
          <section
            key={key}
            ref={rows.measureElement}
            data-index={index}
            className="threads-turn"
            style={{ transform: `translateY(${start}px)` }}
            aria-label={`Turn ${index + 1}`}
          >
            <Turn
              turn={turns[index]!}
              usage={usage?.get(turns[index]!.id)}
              number={index + 1}
              project={project}
            />
          </section>
        ))}
      </div>
    </div>
  )
}

/** The next one; the first again behind the last; where one is, if none failed. */
function failedAfter(turns: readonly Call[], at: number): number {
  const after = turns.findIndex(({ exception }, i) => i > at && exception)
  const any = after >= 0 ? after : turns.findIndex(({ exception }) => exception)
  return any >= 0 ? any : at
}

function Turn({
  turn,
  usage,
  number,
  project,
}: {
  turn: Call
  usage: Usage | undefined
  number: number
  project: string
}) {
  const { data, error, refetch } = useQuery(turnQuery(project, turn))
  const whole = data?.find(({ id }) => id === turn.id)
  const status = statusOf(turn)
  const steps = data === undefined ? [] : stepsOf(data, turn.id)
  const refs = useRefs(useMemo(() => [whole?.inputs, whole?.output], [whole]))
  const messages = whole === undefined ? [] : turnMessages(whole, refs)
  const asked = messages.filter(({ isOutput }) => !isOutput)
  return (
    <>
      <header className="row threads-facts">
        <h2>Turn {number}</h2>
        <Link className="brief" to={callPath(project, turn.id)}>
          {nameOf(turn)}
        </Link>
        <span className="muted">
          <Time at={turn.started_at} />
        </span>
        {turn.ended_at && <span className="muted">{duration(latencyOf(turn))}</span>}
        {usage !== undefined && usage.tokens > 0 && (
          <span className="muted">{count(usage.tokens)} tokens</span>
        )}
        {usage?.cost ? <span className="muted">{money(usage.cost)}</span> : null}
        {data && <Said calls={data} />}
        {status !== 'success' && <span className={status === 'error' ? 'chip bad' : 'chip'}>{status}</span>}
      </header>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : whole === undefined ? (
        <Loading />
      ) : (
        <>
          <Conversation messages={asked} />
          {steps.length > 0 && <Steps steps={steps} project={project} />}
          <Conversation messages={messages.filter(({ isOutput }) => isOutput)} />
          {whole.exception && <Exception text={whole.exception} />}
        </>
      )}
    </>
  )
}

/** Feedback on the turn and its steps. */
function Said({ calls }: { calls: readonly Call[] }) {
  return calls.flatMap(feedbackOn).map(({ id, type, text }) => (
    <span key={id} className="chip accent" title={`${type}: ${text}`}>
      {text}
    </span>
  ))
}

function Steps({ steps, project }: { steps: readonly Step[]; project: string }) {
  const errors = steps.filter(({ call }) => call.exception).length
  return (
    <details className="threads-steps" open={errors > 0}>
      <summary>
        {steps.length}
        {steps.length === STEPS - 1 && ' or more'} {steps.length === 1 ? 'step' : 'steps'}
        {errors > 0 && <span className="bad"> {errors} failed</span>}
      </summary>
      {steps.map(({ call, depth }) => (
        <StepOf key={call.id} call={call} depth={depth} project={project} />
      ))}
    </details>
  )
}

function StepOf({ call, depth, project }: Step & { project: string }) {
  // Why it failed is what one looks for.
  const [isOpen, setOpen] = useState(Boolean(call.exception))
  return (
    <div style={{ marginLeft: depth * 16 }}>
      <div className="row">
        <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <code className={call.exception ? 'bad' : ''}>{nameOf(call)}</code>
        </Button>
        {call.ended_at && <span className="muted">{duration(latencyOf(call))}</span>}
        <Link to={callPath(project, call.id)}>Trace</Link>
      </div>
      {isOpen && (
        <div className="threads-step">
          {call.exception && <Exception text={call.exception} />}
          <Content value={{ inputs: call.inputs, output: call.output }} isRaw />
        </div>
      )}
    </div>
  )
}
