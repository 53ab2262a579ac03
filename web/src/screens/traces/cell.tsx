/** What one column shows of a call. */

import { firstTokenOf, latencyOf, modelOf, nameOf, ownUsageOf, statusOf, type Usage } from '../../api/calls'
import type { Call } from '../../api/client'
import { failureIn } from '../../api/exceptions'
import { count, duration, money } from '../../ui/format'
import { Time } from '../../ui/time'
import { preview, valueAt } from './columns'

export function Cell({ call, column, usage }: { call: Call; column: string; usage: Usage | undefined }) {
  switch (column) {
    case 'status': {
      const status = statusOf(call)
      return <span className={`traces-status ${status}`}>{status === 'success' ? 'ok' : status}</span>
    }
    case 'name':
      return <span className="traces-name">{nameOf(call)}</span>
    case 'started_at':
      return <Time at={call.started_at} />
    case 'first_token': {
      const ms = firstTokenOf(call)
      return ms === undefined ? '' : duration(ms)
    }
    case 'latency':
      return call.ended_at ? duration(latencyOf(call)) : '…'
    case 'model':
      return modelOf(call) ?? ''
    case 'tokens':
    case 'input_tokens':
    case 'output_tokens': {
      const tokens = ownUsageOf(call)[column]
      return tokens === undefined ? '' : count(tokens)
    }
    case 'cost': {
      const { cost } = ownUsageOf(call)
      return cost === undefined ? '' : money(cost)
    }
    case 'trace_tokens':
      return usage && usage.tokens > 0 ? count(usage.tokens) : ''
    case 'trace_cost':
      return usage?.cost === undefined ? '' : money(usage.cost)
    case 'output':
      return call.exception ? (
        <span className="bad">{preview(failureIn(call.exception).title)}</span>
      ) : (
        preview(call.output)
      )
    case 'feedback':
      return feedbackOf(call)
    default:
      return preview(valueAt(call, column))
  }
}

function feedbackOf(call: Call): string {
  const list = valueAt(call, 'summary.weave.feedback')
  if (!Array.isArray(list)) return ''
  return list
    .map(
      (one: { feedback_type?: string; payload?: { emoji?: string } }) =>
        one.payload?.emoji ?? one.feedback_type?.split('.').at(-1) ?? '',
    )
    .join(' ')
}
