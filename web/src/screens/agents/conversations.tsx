/** The conversations that agents had, and a search in what was said. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { conversationsQuery, messagesQuery } from '../../api/agents'
import type { Schemas } from '../../api/client'
import { pollInterval } from '../../api/poll-interval'
import { callPath, weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { count } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { type Column, costColumn, errorsColumn, TableOf, timeColumn } from '../../ui/table'
import { Time } from '../../ui/time'
import './agents.css'
import { AgentsTabs } from './agents-tabs'
import { tokensColumn } from './columns'

export function Conversations() {
  const { q = '' } = useSearch({ from: '/inside/$entity/$project/weave/agents/conversations' })
  const navigate = useNavigate()
  const find = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: '/', what: 'Find a message', run: () => find.current?.focus() }])
  return (
    <div className="page">
      <div className="page-head">
        <h1>Agents</h1>
        <form
          key={q}
          onSubmit={(event) => {
            event.preventDefault()
            const text = String(new FormData(event.currentTarget).get('q') ?? '')
            void navigate({ to: '.', search: text === '' ? {} : { q: text } })
          }}
        >
          <input
            ref={find}
            className="input"
            type="search"
            name="q"
            defaultValue={q}
            aria-label="Find a message"
            placeholder="Part of a message, then Enter"
          />
        </form>
      </div>
      <AgentsTabs chosen="conversations" />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {q === '' ? <ConversationList agent="" /> : <Found text={q} />}
      </div>
    </div>
  )
}

/** @param props.agent '' for all */
export function ConversationList({ agent }: { agent: string }) {
  const project = useProject()
  const query = useInfiniteQuery({
    ...conversationsQuery(project.id, agent),
    refetchInterval: pollInterval(10_000),
  })
  return (
    <TableOf
      query={query}
      rows={query.data?.pages.flatMap((page) => page.groups)}
      keyOf={idOf}
      columns={COLUMNS}
      empty={
        <Empty title="No conversation yet">
          <p>
            Spans with the same <code>gen_ai.conversation.id</code> are a conversation; each of its traces is
            a turn.
          </p>
        </Empty>
      }
    />
  )
}

type Group = Schemas['AgentSpanGroupRow']
const idOf = ({ group_keys: keys }: Group) => String(keys.conversation_id)

const COLUMNS: Column<Group>[] = [
  {
    title: 'Conversation',
    cell: (group) => (
      <ConversationLink id={idOf(group)} title={group.conversation_names.at(-1) ?? idOf(group)} />
    ),
  },
  { title: 'Agents', isWide: true, cell: ({ agent_names: names }) => names.join(', ') },
  { title: 'Turns', isNumber: true, cell: ({ metrics }) => count(Number(metrics.turns)) },
  errorsColumn,
  { ...tokensColumn, isWide: true },
  { ...costColumn(({ total_cost_usd: cost }) => cost), isWide: true },
  timeColumn('Last seen', ({ last_seen: at }) => at),
]

/** The service's name for messages outside any conversation. */
const NO_CONVERSATION = '__NO_CONVERSATION__'

function Found({ text }: { text: string }) {
  const project = useProject()
  const { data, error, refetch } = useQuery(messagesQuery(project.id, text))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Searching" />
  if (data.results.length === 0)
    return (
      <Empty title="No message has this text">
        <p>Upper and lower case differ.</p>
      </Empty>
    )
  return (
    <div className="agents-found">
      {data.results.map(({ conversation_id: id, conversation_name: name, agent_name, matched_messages }) => (
        <section key={id} className="panel">
          <h2 className="row">
            {id === NO_CONVERSATION ? 'No conversation' : <ConversationLink id={id} title={name || id} />}
            {agent_name !== '' && <span className="chip">{agent_name}</span>}
          </h2>
          {matched_messages.map((message) => (
            <Link
              key={`${message.span_id} ${message.role} ${message.content_digest}`}
              className="agents-match"
              to={callPath(project.id, message.span_id)}
            >
              <span className="chip">{message.role}</span>
              <span className="grow">{message.content_preview}</span>
              <Time at={message.started_at} relative />
            </Link>
          ))}
        </section>
      ))}
    </div>
  )
}

function ConversationLink({ id, title }: { id: string; title: string }) {
  const project = useProject()
  return (
    <Link className="agents-name brief" to={weavePath(project.id, 'agents', 'conversations', id)}>
      {title}
    </Link>
  )
}
