import { describe, expect, it } from 'vitest'
import type { Call } from '../../api/client'
import { bestOf, columnsOf, ranked, rowsOf } from './board'

const ref = (name: string, version: string) => `weave:///e/p/object/${name}:${version}`
const columns = columnsOf({
  columns: [
    { evaluation_object_ref: ref('sums', 'v1'), scorer_name: 'right', summary_metric_path: 'true_fraction' },
    {
      evaluation_object_ref: ref('sums', '*'),
      scorer_name: null,
      summary_metric_path: 'model_latency.mean',
      should_minimize: true,
    },
    { evaluation_object_ref: 7 },
    null,
  ],
})
const run = (
  id: string,
  evaluation: string,
  model: unknown,
  right: number,
  latency: number,
  more: object = {},
) =>
  ({
    id,
    inputs: { self: evaluation, model },
    output: { right: { true_fraction: right }, model_latency: { mean: latency } },
    ended_at: '2026-01-01T00:00:00Z',
    ...more,
  }) as unknown as Call

describe('a leaderboard', () => {
  it('has what the newest runs reached', () => {
    expect(columns).toHaveLength(2)
    const rows = rowsOf(columns, [
      run('5', ref('sums', 'v1'), 'a', 0.9, 2, { exception: 'no' }),
      run('4', ref('sums', 'v2'), 'b', 0.1, 1),
      run('3', ref('sums', 'v1'), 'a', 0.5, 3),
      run('2', ref('sums', 'v1'), 'a', 0.8, 9),
      run('1', ref('others', 'v1'), 'c', 1, 1),
    ])
    expect(rows).toEqual([
      { model: 'b', cells: [undefined, { run: '4', value: 1 }] },
      {
        model: 'a',
        cells: [
          { run: '3', value: 0.5 },
          { run: '3', value: 3 },
        ],
      },
    ])
    expect(bestOf(rows, columns)).toEqual([0.5, 1])
    expect(ranked(rows, columns, 0).map(({ model }) => model)).toEqual(['a', 'b'])
    expect(ranked(rows, columns, 1).map(({ model }) => model)).toEqual(['b', 'a'])
  })

  it('is read from what anybody wrote', () => {
    for (const value of [null, 3, {}, { columns: 'all' }]) expect(columnsOf(value)).toEqual([])
    const [row] = rowsOf(columns, [
      run('1', ref('sums', 'v1'), { name: 'x' }, Number.NaN, 0, { output: 'nothing' }),
    ])
    expect(row).toEqual({
      model: '{"name":"x"}',
      cells: [
        { run: '1', value: undefined },
        { run: '1', value: undefined },
      ],
    })
    expect(bestOf([row!], columns)).toEqual([undefined, undefined])
  })
})
