/** The newest spans of an agent. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agentSpansQuery } from '../../api/agents'
import { useProject } from '../../app/project'
import { NextPage } from '../../ui/button'
import { count, duration, money } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'

export function Spans({ agent, only }: { agent: string; only: 'all' | 'errors' }) {
  const project = useProject()
  const query = useInfiniteQuery(agentSpansQuery(project.id, agent, only))
  const { data, error, refetch } = query
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const spans = data.pages.flatMap((page) => page.spans)
  if (spans.length === 0) return <Empty title={only === 'errors' ? 'No span failed' : 'No span'} />
  return (
    <>
      <table className="table agents-spans">
        <thead>
          <tr>
            <th>Span</th>
            <th>Operation</th>
            <th>Version</th>
            <th>Model</th>
            <th>Status</th>
            <th className="right">Latency</th>
            <th className="right">Tokens</th>
            <th className="right">Cost</th>
            <th>Began</th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => {
            const tokens = (span.input_tokens ?? 0) + (span.output_tokens ?? 0)
            return (
              <tr key={`${span.trace_id} ${span.span_id}`}>
                <td>
                  <Link className="agents-name" to={`/${project.id}/r/call/${span.span_id}` as string}>
                    {span.span_name || span.span_id}
                  </Link>
                </td>
                <td>{span.operation_name}</td>
                <td>{span.agent_version}</td>
                <td>{span.request_model}</td>
                <td>
                  <span className={span.status_code === 'ERROR' ? 'chip bad' : 'chip'}>
                    {span.status_code === 'ERROR'
                      ? span.error_type || 'error'
                      : span.ended_at
                        ? 'done'
                        : 'running'}
                  </span>
                </td>
                <td className="right">
                  {span.ended_at && duration(Date.parse(span.ended_at) - Date.parse(span.started_at ?? ''))}
                </td>
                <td className="right">{tokens > 0 ? count(tokens) : ''}</td>
                <td className="right">{span.total_cost_usd === null ? '' : money(span.total_cost_usd)}</td>
                <td className="muted">{span.started_at && <Time at={span.started_at} relative />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <NextPage of={query} />
    </>
  )
}
