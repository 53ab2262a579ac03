/** A conversation with agents as a chat: turn by turn what was said, with tools and events folded. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { conversationQuery, type Turn } from '../../api/agents'
import { callPath, weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject, useShownId } from '../../app/project'
import { NextPage } from '../../ui/button'
import { Copy } from '../../ui/copy'
import { count, counted, duration, money } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import './agents.css'
import { itemsOf } from './chat'
import { FeedbackChips, ItemOf } from './item'

export function ConversationPage() {
  const project = useProject()
  const conversationId = useShownId()
  const body = useRef<HTMLDivElement>(null)
  const query = useInfiniteQuery(conversationQuery(project.id, conversationId))
  const { data, error, refetch } = query
  const turns = data?.pages.toReversed().flatMap((page) => page.turns) ?? []
  const go = (step: number) => {
    const all = [...(body.current?.querySelectorAll('section') ?? [])]
    const top = body.current?.getBoundingClientRect().top ?? 0
    const at = all.findLastIndex((one) => one.getBoundingClientRect().top <= top + 1)
    all[Math.min(all.length - 1, Math.max(0, at + step))]?.scrollIntoView()
  }
  useShortcuts([
    { keys: 'j', what: 'Next turn', run: () => go(1) },
    { keys: 'k', what: 'Turn before', run: () => go(-1) },
    { keys: 'G', what: 'Last turn', run: () => go(turns.length) },
  ])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const [{ total_turns: total, feedback }] = data.pages as [(typeof data.pages)[0]]
  const tokens = turns.reduce((sum, one) => sum + one.total_input_tokens + one.total_output_tokens, 0)
  const costs = turns.flatMap(({ total_cost_usd: cost }) => cost ?? [])
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, 'agents', 'conversations')}>Conversations</Link>
        <span className="muted">/</span>
        <h1 className="cut">{conversationId}</h1>
        <Copy text={conversationId} label="Copy the id" />
        <span className="muted">
          {counted(total, 'turn')}
          {tokens > 0 && `, ${count(tokens)} tokens`}
          {costs.length > 0 && `, ${money(costs.reduce((sum, cost) => sum + cost, 0))}`}
          {turns.length < total && ` of the newest ${turns.length}`}
        </span>
        <FeedbackChips feedback={feedback} />
      </div>
      <div ref={body} className="page-body" tabIndex={0} role="region" aria-label="The conversation">
        {turns.length === 0 ? (
          <Empty title="This conversation has no turns">
            <p>It may have been deleted, or is not stored yet.</p>
          </Empty>
        ) : (
          <div className="agents-chat">
            <NextPage of={query}>Earlier turns</NextPage>
            {turns.map((turn, i) => (
              <TurnOf
                key={turn.trace_id}
                turn={turn}
                number={total - turns.length + i + 1}
                project={project.id}
              />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

function TurnOf({ turn, number, project }: { turn: Turn; number: number; project: string }) {
  const span = turn.messages.find(({ span_id: id }) => id !== null)?.span_id
  const tokens = turn.total_input_tokens + turn.total_output_tokens
  return (
    <section className="agents-turn" aria-label={`Turn ${number}`}>
      <header className="row agents-facts">
        <h2>Turn {number}</h2>
        {turn.agent_name && (
          <Link className="brief" to={weavePath(project, 'agents', 'named', turn.agent_name)}>
            {turn.agent_name} {turn.agent_version}
          </Link>
        )}
        <span className="muted">{turn.started_at && <Time at={turn.started_at} />}</span>
        {turn.total_duration_ms !== null && <span className="muted">{duration(turn.total_duration_ms)}</span>}
        {tokens > 0 && <span className="muted">{count(tokens)} tokens</span>}
        {turn.total_cost_usd !== null && <span className="muted">{money(turn.total_cost_usd)}</span>}
        {turn.status_code === 'ERROR' && <span className="chip bad">error</span>}
        <FeedbackChips feedback={turn.feedback} />
        {span && <Link to={callPath(project, span)}>Trace</Link>}
      </header>
      {itemsOf(turn.messages).map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
        <ItemOf key={i} item={item} project={project} />
      ))}
    </section>
  )
}
