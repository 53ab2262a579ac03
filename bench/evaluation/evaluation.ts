/** Results of evaluations: two runs with three scores per prediction, read one by one and side by side. */
import type { Server } from '../../test/support/server.js'
import { type Figures, short } from '../figures.js'
import { metered } from '../processes.js'
import { measureReads } from '../read/measure.js'
import type { Scenario } from '../read/scenario.js'
import { say } from '../subject.js'
import { type Filled, fillRuns, PROJECT } from './fill.js'

const LIMITS = { requests: 30, seconds: 10 }
/** p50 of the summary with the first 100 rows, in ms. */
const TARGET = 500

/** Measures reading results of runs with `predictions` predictions each. */
export async function measureEvaluation(server: Server, predictions: number): Promise<Figures> {
  say(`two runs of ${predictions} predictions`)
  const { value: filled, seconds } = await metered(server, () => fillRuns(server, predictions))
  say('reading')
  return [
    '## Results of evaluations',
    `Two runs of ${short(predictions)} predictions with three scores each, ${short(filled.calls)} calls, written in ${short(seconds)} s. One request at a time:`,
    await measureReads(server, resultScenarios(filled, predictions), LIMITS),
  ]
}

/** The requests of a page that shows a run, or compares two. */
function resultScenarios({ runs }: Filled, predictions: number): Scenario[] {
  const [run] = runs
  const ask = (name: string, more: object, rows: number, target?: number): Scenario => ({
    name,
    path: `/v2/${PROJECT}/eval_results/query`,
    body: () => ({ evaluation_run_ids: [run], ...more }),
    problem: (text) => {
      const found = JSON.parse(text) as { rows: unknown[]; summary: { row_count: number } | null }
      if (found.rows.length !== rows) return `${found.rows.length} rows came and not ${rows}`
      return found.summary && found.summary.row_count !== predictions ? 'the summary is of others' : undefined
    },
    ...(target !== undefined && { target }),
  })
  const compare = (name: string, op: string, value: unknown) => ({
    query: { $expr: { [op]: [{ $getField: name }, { $literal: value }] } },
  })
  const first = Math.min(100, predictions)
  const page = { limit: 100 }
  const both = { evaluation_run_ids: runs }
  const by = (field: string, more: object = {}) => ({ sort_by: [{ field, direction: 'desc', ...more }] })
  return [
    ask('summary and the first 100 rows', { ...page, include_summary: true }, first, TARGET),
    ask(
      'the same with the data of each row',
      {
        ...page,
        ...{ include_summary: true, include_raw_data_rows: true, resolve_row_refs: true },
      },
      first,
    ),
    ask('the summary alone', { include_summary: true, include_rows: false }, 0),
    ask('the first 100 rows', page, first),
    ask(
      '100 that fail, by a grade',
      { ...page, ...by('scores.style.grade'), filters: [compare('scores.right', '$eq', false)] },
      Math.min(100, Math.ceil(predictions / 4)),
    ),
    ask(
      '100 by a value in their data',
      { ...page, filters: [compare('inputs.urgency', '$eq', 3)] },
      Math.min(100, Math.ceil((predictions - 3) / 7)),
    ),
    ask('all rows', {}, predictions),
    ask('two runs: summary and the first 100 rows', { ...page, ...both, include_summary: true }, first),
    ask(
      'two runs: 100 that differ most',
      { ...page, ...both, ...by('scores.right', { mode: 'difference' }) },
      first,
    ),
  ]
}
