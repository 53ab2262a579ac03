import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evalResultsQuery } from '../../../contract/evaluation-results.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { callRows } from '../call-row.js'
import { predictionList, runList, scoreList } from '../views.js'
import { childrenOf, trialsAt } from './detail.js'
import { pageOfRows } from './page.js'
import { countRows, opsOfTraces, totalsOfLeaves, totalsOfUsage } from './summary.js'
import { runRoots, unknownRows } from './trials.js'

const runs = { projectId: 'p1', ids: ['run-1', 'run-2'] }
const known = { marked: false, hashes: [], digests: [] }
const hashed = { marked: true, hashes: ['1', '2'], digests: ['d1', 'd2'] }
const scope = { runs, known, shared: false }
const detail = { data: false, marks: false, usage: false, costs: false }
const ask = (more: object) => evalResultsQuery.body!.parse({ evaluation_run_ids: runs.ids, ...more })
const page = { limit: 10, offset: 5 }
const field = (name: string) => ({ $getField: name })
const above = (name: string, value: unknown) => ({
  query: { $expr: { $gt: [field(name), { $literal: value }] } },
})

/** The statements as reviewers read them. */
const cases: Record<string, Sql> = {
  'calls-by-id': callRows('p1', ['a']),
  'run-list': runList('p1', { evaluations: ['e'], models: ['m'], ids: ['r'] }, page),
  'prediction-list': predictionList('p1', { run: 'run-1' }, page),
  'prediction-read': predictionList('p1', { id: 'a' }, { limit: 1, offset: 0 }),
  'score-list': scoreList('p1', {}, page),
  'run-roots': runRoots(runs),
  'unknown-rows': unknownRows(runs, known),
  page: pageOfRows(runs, known, ask({ limit: 100 }), ['p1']),
  'page-marked': pageOfRows(runs, hashed, ask({ limit: 100, require_intersection: true }), ['p1']),
  'page-filtered': pageOfRows(
    runs,
    known,
    ask({
      filters: [
        above('scores.a.b', 1),
        { ...above('inputs.q', 'x'), evaluation_call_id: "'); DROP TABLE calls; --" },
      ],
      sort_by: [
        { field: 'outputs.x', direction: 'desc', evaluation_call_id: 'run-1' },
        { field: 'scores.a', direction: 'asc', mode: 'difference' },
      ],
      filter_logic_operator: 'and',
    }),
    ['p1'],
  ),
  leaves: totalsOfLeaves(scope, 1),
  'leaves-of-shared-rows': totalsOfLeaves({ ...scope, shared: true }, 0),
  'count-rows': countRows(scope),
  'ops-of-a-trace': opsOfTraces('p1', ['t']),
  'ops-of-traces': opsOfTraces('p1', ['t', 'u']),
  'usage-of-ops': totalsOfUsage(scope, { traces: ['t'], ops: [['t', 'op']], models: [], scorers: [] }, false),
  'usage-of-trials': totalsOfUsage(
    scope,
    { traces: ['t'], ops: undefined, models: ['m'], scorers: ['s'] },
    true,
  ),
  trials: trialsAt(runs, [[1_000_000, 'a']], { ...detail, data: true, usage: true, costs: true }),
  children: childrenOf('p1', ['a'], 9e15, { ...detail, marks: true }),
}

describe('the SQL of results', () => {
  it.each(Object.entries(cases))('%s', async (name, statement) => {
    const { query, params } = statement.render()
    expect(query).not.toContain('DROP')
    await expect(`${query}\n\n-- ${JSON.stringify(params)}\n`).toMatchFileSnapshot(
      `./__snapshots__/${name}.sql`,
    )
  })

  it('takes no text of a request', () => {
    const hostile = fc.string({ unit: fc.constantFrom("'", '"', ';', '-', '`', '\\', '{', '}', 'x', '.') })
    fc.assert(
      fc.property(hostile, hostile, hostile, (path, value, run) => {
        const asked = ask({
          filters: [{ ...above(`scores.s${path}`, value), evaluation_call_id: run }],
          sort_by: [{ field: `inputs.i${path}`, direction: 'asc', evaluation_call_id: run }],
        })
        const { query } = pageOfRows({ projectId: value, ids: [run] }, known, asked, [value]).render()
        const plain = pageOfRows({ projectId: 'p', ids: ['r'] }, known, asked, ['p']).render().query
        const shape = (text: string) => text.replace(/\{p\d+:[^}]*\}/g, '?')
        expect(shape(query)).toBe(shape(plain))
      }),
    )
  })
})
