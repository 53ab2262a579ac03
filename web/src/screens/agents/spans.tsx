/** The newest spans of an agent. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agentSpansQuery } from '../../api/agents'
import type { Schemas } from '../../api/client'
import { callPath } from '../../app/address'
import { useProject } from '../../app/project'
import { count, duration } from '../../ui/format'
import { Empty } from '../../ui/states'
import { type Column, costColumn, TableOf, timeColumn } from '../../ui/table'

type Span = Schemas['AgentSpanSchema']

export function Spans({ agent, only }: { agent: string; only: 'all' | 'errors' }) {
  const project = useProject()
  const query = useInfiniteQuery(agentSpansQuery(project.id, agent, only))
  return (
    <TableOf
      query={query}
      rows={query.data?.pages.flatMap((page) => page.spans)}
      keyOf={(span) => `${span.trace_id} ${span.span_id}`}
      columns={COLUMNS}
      empty={<Empty title={only === 'errors' ? 'No span failed' : 'No span'} />}
    />
  )
}

const COLUMNS: Column<Span>[] = [
  { title: 'Span', cell: (span) => <SpanLink span={span} /> },
  { title: 'Operation', isWide: true, cell: ({ operation_name: operation }) => operation },
  { title: 'Version', isWide: true, cell: ({ agent_version: version }) => version },
  { title: 'Model', isWide: true, cell: ({ request_model: model }) => model },
  {
    title: 'Status',
    cell: ({ status_code: status, error_type: error, ended_at: ended }) => (
      <span className={status === 'ERROR' ? 'chip bad' : 'chip'}>
        {status === 'ERROR' ? error || 'error' : ended ? 'done' : 'running'}
      </span>
    ),
  },
  {
    title: 'Latency',
    isNumber: true,
    cell: ({ started_at: started, ended_at: ended }) =>
      ended && duration(Date.parse(ended) - Date.parse(started ?? '')),
  },
  {
    title: 'Tokens',
    isNumber: true,
    isWide: true,
    cell: ({ input_tokens: input, output_tokens: output }) => {
      const tokens = (input ?? 0) + (output ?? 0)
      return tokens > 0 ? count(tokens) : ''
    },
  },
  { ...costColumn(({ total_cost_usd: cost }) => cost), isWide: true },
  timeColumn('Began', ({ started_at: at }) => at),
]

function SpanLink({ span: { span_id: id, span_name: name } }: { span: Span }) {
  const project = useProject()
  return (
    <Link className="agents-name brief" to={callPath(project.id, id)}>
      {name || id}
    </Link>
  )
}
