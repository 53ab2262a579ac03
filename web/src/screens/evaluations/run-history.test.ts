import { expect, it } from 'vitest'
import { resultLines } from './result-lines'
import { historyOf } from './run-history'

const run = (id: string, day: number, output: unknown, ended_at: string | null = '2026-01-09T00:00:00Z') => ({
  id,
  started_at: `2026-01-0${day}T00:00:00Z`,
  ended_at,
  output,
})

it('runs over time are those that ended, the oldest first, with gaps where one lacks a score', () => {
  const runs = [
    run('c', 3, { right: { true_fraction: 0.5 }, model_latency: { mean: 2 } }),
    run('a', 1, { off: { mean: 7 } }),
    run('b', 2, null),
    run('d', 4, { right: { true_fraction: 1 } }, null),
  ]
  const found = historyOf(runs, new Map())
  expect(found.runs).toEqual(['a', 'c'])
  expect(found.times).toEqual([1767225600, 1767398400])
  expect(found.scores).toEqual([
    { label: 'off', values: [7, null] },
    { label: 'right', values: [null, 0.5] },
  ])
  expect(found.latency).toEqual([{ label: 'model', values: [null, 2] }])
  expect(found.cost).toEqual([])
  expect(historyOf(runs, new Map([['a', 0.25]])).cost).toEqual([{ label: 'run', values: [0.25, null] }])
})

it('results have a line for each trial of each run', () => {
  const trial = (output: string) => ({ ended: true, model_output: output, scores: { right: true } })
  const evaluations = [
    { evaluation_call_id: 'r', trials: [trial('x'), trial('y')] },
    { evaluation_call_id: 's', trials: [] },
  ]
  const row = { row_digest: 'd', raw_data_row: { q: 1 }, evaluations }
  expect(resultLines([row as never], new Map([['r', 'Adder']]))).toMatchObject([
    { row_digest: 'd', row: { q: 1 }, run: 'r', run_name: 'Adder', trial: 1, output: 'x' },
    { trial: 2, output: 'y', scores: { right: true } },
  ])
})
