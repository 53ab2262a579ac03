/** A leaderboard: of each model, what its newest runs reached in each column. Pure. */

import type { Call } from '../../api/client'
import { numberOf } from '../../api/json'
import { isFields } from '../../ui/parsed'

export interface Column {
  /** the evaluation, by its ref */
  evaluation: string
  scorer: string
  /** dotted */
  path: string
  lessIsBetter: boolean
}

export interface Cell {
  run: string
  value: number | undefined
}

export interface Row {
  /** by its ref, or as the run names it */
  model: string
  /** by column; undefined: it has no run */
  cells: (Cell | undefined)[]
}

/** The columns of a `Leaderboard` object. */
export function columnsOf(value: unknown): Column[] {
  const columns = isFields(value) && Array.isArray(value.columns) ? value.columns : []
  return columns.filter(isFields).flatMap((column) => {
    const { evaluation_object_ref: evaluation, scorer_name: scorer, summary_metric_path: path } = column
    if (typeof evaluation !== 'string' || typeof path !== 'string') return []
    const lessIsBetter = column.should_minimize === true
    return [{ evaluation, scorer: typeof scorer === 'string' ? scorer : '', path, lessIsBetter }]
  })
}

/** @param runs the newest first */
export function rowsOf(columns: readonly Column[], runs: readonly Call[]): Row[] {
  const rows = new Map<string, Row>()
  for (const run of runs) {
    const { self: evaluation, model: given } = run.inputs
    if (typeof evaluation !== 'string' || run.exception || !run.ended_at) continue
    const model = typeof given === 'string' ? given : JSON.stringify(given ?? null)
    columns.forEach((column, i) => {
      if (!isOf(column.evaluation, evaluation)) return
      const row = rows.get(model) ?? { model, cells: columns.map(() => undefined) }
      rows.set(model, row)
      row.cells[i] ??= { run: run.id, value: scoreOf(run.output, column) }
    })
  }
  return [...rows.values()]
}

/** A ref that ends in `:*` is of any version. */
function isOf(wanted: string, ref: string): boolean {
  return wanted.endsWith(':*') ? ref.startsWith(wanted.slice(0, -1)) : ref === wanted
}

function scoreOf(output: unknown, { scorer, path }: Column): number | undefined {
  let value = scorer === '' || !isFields(output) ? output : output[scorer]
  for (const part of path.split('.')) value = isFields(value) ? value[part] : undefined
  if (typeof value === 'boolean') return Number(value)
  return numberOf(value)
}

/** The best first; those without a value last. */
export function ranked(rows: readonly Row[], columns: readonly Column[], by: number): Row[] {
  const sign = columns[by]?.lessIsBetter ? 1 : -1
  const scored = ({ cells }: Row) => cells[by]?.value
  return rows.toSorted((a, b) => {
    const [x, y] = [scored(a), scored(b)]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
    return sign * (x - y) || a.model.localeCompare(b.model)
  })
}

/** Of each column. */
export function bestOf(rows: readonly Row[], columns: readonly Column[]): (number | undefined)[] {
  return columns.map(({ lessIsBetter }, i) => {
    const values = rows.flatMap(({ cells }) => cells[i]?.value ?? [])
    if (values.length === 0) return undefined
    return lessIsBetter ? Math.min(...values) : Math.max(...values)
  })
}
