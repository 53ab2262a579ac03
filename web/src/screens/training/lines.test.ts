import { expect, it } from 'vitest'
import type { Job, Step } from '../../api/training'
import { chartOf, linesOf, metricNames } from './lines'

const job = (id: string, model_id: string) =>
  ({ id, model_id, model_name: model_id, entity: 'e', project: 'p' }) as Job
const steps = (...losses: number[]): Step[] =>
  losses.map((loss, i) => ({ step: i + 1, created_at: '', metrics: { loss, odd: 1 } }))
const jobs = [job('1', 'a'), job('2', 'a'), job('3', 'b')]
const known = new Map([
  ['1', steps(4, 3)],
  ['2', steps(2)],
])

it('each job is a line, or each model, one job after the other', () => {
  const apart = linesOf(jobs, known, false)
  expect(apart.map(({ label }) => label)).toEqual(['a', 'a (2)', 'b'])
  expect(chartOf(apart, 'loss', 0)).toEqual({
    steps: [1, 2],
    series: [
      { label: 'a', values: [4, 3] },
      { label: 'a (2)', values: [2, null] },
      { label: 'b', values: [null, null] },
    ],
  })
  expect(chartOf(linesOf(jobs, known, true), 'loss', 0).series[0]).toEqual({
    label: 'e/p/a',
    values: [4, 3, 2],
  })
  expect(chartOf(apart, 'loss', 0.9).series[0]!.values[1]).toBeGreaterThan(3)
})

it('shows the metrics that matter, or all', () => {
  const lines = linesOf(jobs, known, false)
  expect(metricNames(lines, false)).toEqual(['loss'])
  expect(metricNames(lines, true)).toEqual(['loss', 'odd'])
})
