import { describe, expect, it } from 'vitest'
import { OVERVIEW, readPanels, savedAs, titleOf } from '../../../../domain/dashboards/panels'
import { callsRequest, feedbackRequest } from '../../../../domain/dashboards/requests'
import { opNames } from '../../api/calls'
import { drawnOf } from './requests'

const span = { project: 'acme/one', granularity: 3600, opNames }
const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
const shown = (panel: Parameters<typeof drawnOf>[0], buckets: Record<string, unknown>[]) =>
  drawnOf(panel, buckets).series.map(({ label, values }) => [label, ...values])

describe('panels', () => {
  it('are read as they were saved', () => {
    expect(readPanels(JSON.parse(JSON.stringify(savedAs('a', '7d', OVERVIEW))).panels)).toEqual(OVERVIEW)
  })

  it('are read from what anybody wrote', () => {
    expect(readPanels(undefined)).toBeUndefined()
    expect(readPanels('calls')).toBeUndefined()
    expect(
      readPanels([
        null,
        7,
        { metric: 'nothing' },
        { metric: 'toString' },
        { metric: 'calls', by: 'model', op: 3 },
        { metric: 'cost', by: 'model', op: 'ask', more: {} },
        { metric: 'feedback', by: 'op', type: 't', path: 'output.score', kind: 'boolean' },
      ]),
    ).toEqual([
      { metric: 'calls' },
      { metric: 'cost', by: 'model', op: 'ask' },
      { metric: 'feedback', type: 't', path: 'output.score', kind: 'boolean' },
    ])
  })

  it.each([
    [{ metric: 'cost', by: 'model' }, 'Cost by model'],
    [{ metric: 'calls', op: 'ask' }, 'Calls of ask'],
    [{ metric: 'feedback', type: 'note', path: 'score' }, 'note score'],
    [{ metric: 'calls', title: 'Mine' }, 'Mine'],
  ] as const)('%j are called "%s"', (panel, title) => expect(titleOf(panel)).toBe(title))
})

describe('a panel asks for', () => {
  it('percentiles, one where there are groups', () => {
    expect(callsRequest({ metric: 'latency' }, span).call_metrics).toEqual([
      { metric: 'latency_ms', aggregations: [], percentiles: [50, 95, 99] },
    ])
    expect(callsRequest({ metric: 'latency', by: 'op' }, span)).toMatchObject({
      group_by: 'op',
      call_metrics: [{ percentiles: [95] }],
    })
  })

  it('an op by its name and as a ref', () => {
    expect(callsRequest({ metric: 'cost', by: 'model', op: 'ask me' }, span)).toEqual({
      project_id: 'acme/one',
      granularity: 3600,
      usage_metrics: [{ metric: 'total_cost' }],
      filter: { op_names: ['weave:///acme/one/op/ask%20me:*', 'ask me'] },
    })
  })

  it('a value of feedback', () => {
    expect(
      feedbackRequest({ metric: 'feedback', type: 't', path: 'a.b', kind: 'boolean' }, span),
    ).toMatchObject({
      feedback_type: 't',
      metrics: [{ json_path: 'a.b', value_type: 'boolean' }],
    })
  })
})

describe('a panel shows', () => {
  it('calls, those that failed apart', () => {
    const buckets = [
      { timestamp: first, sum_call_count: 3, sum_error_count: 1 },
      { timestamp: second, sum_call_count: 0, sum_error_count: 0 },
    ]
    expect(shown({ metric: 'calls' }, buckets)).toEqual([
      ['without error', 2, 0],
      ['failed', 1, 0],
    ])
    expect(shown({ metric: 'error_rate' }, buckets)[0]![1]).toBeCloseTo(1 / 3)
    expect(shown({ metric: 'error_rate' }, buckets)[0]![2]).toBeNull()
    expect(drawnOf({ metric: 'calls' }, buckets).times).toEqual([1767225600, 1767229200])
  })

  it('groups, each with the sum of its models', () => {
    const of = (timestamp: string, group: string | null, model: string, sum_total_tokens: number | null) => ({
      timestamp,
      group,
      model,
      sum_total_tokens,
    })
    const buckets = [
      of(first, 'ask', 'a', 1),
      of(first, 'ask', 'b', 2),
      of(first, null, 'a', null),
      of(second, 'ask', 'a', 3),
      of(second, 'ask', 'b', 4),
      of(second, null, 'a', 5),
    ]
    expect(shown({ metric: 'tokens', by: 'op' }, buckets)).toEqual([
      ['ask', 3, 7],
      ['all others', null, 5],
    ])
    expect(shown({ metric: 'tokens', by: 'user' }, [{ ...buckets[0], group_name: 'ann' }])).toEqual([
      ['ann', 1],
    ])
    expect(shown({ metric: 'tokens', by: 'model' }, buckets)).toEqual([
      ['a', 1, 8],
      ['b', 2, 4],
    ])
    expect(shown({ metric: 'tokens' }, buckets)).toEqual([['tokens', 3, 12]])
  })

  it('feedback by the kind of its values', () => {
    const path = 'output.score'
    const bucket = {
      timestamp: first,
      count: 9,
      avg_output_score: 0.5,
      min_output_score: 0,
      max_output_score: 1,
      count_true_output_score: 1,
      count_false_output_score: 3,
      count_output_score: 7,
    }
    expect(shown({ metric: 'feedback', path }, [bucket])).toEqual([
      ['avg', 0.5],
      ['min', 0],
      ['max', 1],
    ])
    expect(shown({ metric: 'feedback', path, kind: 'boolean' }, [bucket])).toEqual([['true', 0.25]])
    expect(shown({ metric: 'feedback', path, kind: 'categorical' }, [bucket])).toEqual([['feedback', 7]])
    expect(shown({ metric: 'feedback' }, [bucket])).toEqual([['feedback', 9]])
  })
})
