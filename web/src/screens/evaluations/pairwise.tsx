/** Two runs row by row, with the words of their outputs that differ. */

import { useMemo } from 'react'
import type { ResultRow, Summary } from '../../api/evaluations'
import { jsonText } from '../../api/json'
import { Button } from '../../ui/button'
import { LineList } from '../../ui/changes'
import { linesOf } from '../../ui/diff'
import { Failed, Loading } from '../../ui/states'
import { differenceOf, type Metric, outcomeOf } from './compare'
import { filtered, NoRows, nameOf, type ResultPages } from './results'
import type { Change } from './search'
import { shown, shownDifference } from './shown'

interface Props {
  summaries: readonly Summary[]
  by: Metric | undefined
  change: Change | undefined
  results: ResultPages
}

/** Of a text, more is not compared. */
const MOST = 20_000

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (jsonText(value, 2) ?? '')).slice(0, MOST)

export function Pairwise({ summaries, by, change, results }: Props) {
  const [before, after] = summaries.map((one) => one.evaluation_call_id) as [string, string]
  const { data, error, refetch, fetchNextPage, isFetchingNextPage } = results
  const { rows, mayHaveMore } = filtered(results, [before, after], by, change)
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Reading the rows" />
  if (rows.length === 0 && !mayHaveMore) return <NoRows change={change} />
  return (
    <div className="evaluations-pairs" tabIndex={0}>
      {rows.map((row, i) => (
        <Pair
          key={row.row_digest}
          number={i + 1}
          row={row}
          runs={[before, after]}
          names={[nameOf(summaries[0], 0), nameOf(summaries[1], 1)]}
          by={by}
        />
      ))}
      {mayHaveMore && (
        <p>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Reading…' : 'More rows'}
          </Button>
        </p>
      )}
    </div>
  )
}

interface PairProps {
  number: number
  row: ResultRow
  runs: readonly [string, string]
  names: readonly [string, string]
  by: Metric | undefined
}

function Pair({ number, row, runs, names, by }: PairProps) {
  const [old, now] = runs.map((run) => trialsOf(row, run)[0]?.model_output)
  const lines = useMemo(() => linesOf(textOf(old), textOf(now)), [old, now])
  const [was, is] = runs.map((run) => by && outcomeOf(row, run, by)?.value)
  const difference =
    by && was !== undefined && is !== undefined ? differenceOf({ value: was }, { value: is }, by) : undefined
  const tone = difference?.isBetter === undefined ? 'muted' : difference.isBetter ? 'good' : 'bad'
  return (
    <article className="panel evaluations-pair" aria-label={`Row ${number}`}>
      <header>
        <code className="evaluations-data">{textOf(row.raw_data_row).slice(0, 600)}</code>
        {difference && by && (
          <span className={tone}>
            {by.title} {shownDifference(difference, 'mean')}
          </span>
        )}
      </header>
      {runs.map((run, i) => (
        <section key={run} aria-label={names[i]!}>
          <h3>
            {names[i]}{' '}
            <span className="muted">
              {by && scoreText([was, is][i], by)}
              {trialsOf(row, run).length > 1 && ` first of ${trialsOf(row, run).length} trials`}
            </span>
          </h3>
          {trialsOf(row, run).length === 0 ? (
            <p className="muted">not in this run</p>
          ) : (
            <LineList lines={lines.filter(({ kind }) => kind !== (i === 0 ? 'added' : 'removed'))} />
          )}
        </section>
      ))}
    </article>
  )
}

const scoreText = (value: number | undefined, { title }: Metric): string =>
  value === undefined ? `no ${title}` : `${title} ${shown(value, 'mean')}`

const trialsOf = (row: ResultRow, run: string) =>
  row.evaluations.find((one) => one.evaluation_call_id === run)?.trials ?? []
