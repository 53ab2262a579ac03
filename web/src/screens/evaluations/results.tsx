/** What runs reached, and what they made of each row, wherever that comes from. */
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { ResultRow, Summary } from '../../api/evaluations'
import { useVisit } from '../../api/visit'
import { callPath } from '../../app/address'
import { Button } from '../../ui/button'
import { count, counted } from '../../ui/format'
import { Grid } from '../../ui/grid'
import { Empty, Failed, Loading } from '../../ui/states'
import {
  differenceOf,
  hasChanged,
  type Metric,
  nameInRef,
  outcomeOf,
  pairedDifference,
  rangeOf,
  reached,
  type Sureness,
  spread,
} from './compare'
import './evaluations.css'
import { preview } from '../traces/columns'
import { RowDetail } from './row-detail'
import type { Change } from './search'
import { shown, shownDifference, shownInterval } from './shown'

const ROW = 46

/** What a run is called. */
export const nameOf = (summary: Summary | undefined, index: number): string =>
  nameInRef(summary?.model_ref) || summary?.display_name || `run ${index + 1}`

interface SummariesProps {
  summaries: readonly Summary[]
  metrics: readonly Metric[]
  projectId: string
  /** of a score of a run, once the rows were read */
  sureness?: (metric: Metric, run: string) => Sureness | undefined
  first: (id: string) => void
  without: (id: string) => void
}

export const OF_MEAN =
  '95 % interval of the mean: how far it may lie off if other rows of the same kind were asked. A bootstrap over rows.'
export const OF_DIFFERENCE =
  'Difference with its 95 % interval, by a bootstrap over pairs: each row is compared with itself, so that hard rows do not hide a change. As in the gate of heddle eval, a trial that ended without the score counts as the worst of both runs. It is coloured if the interval leaves out 0.'

/** What runs reached, beside each other. */
export function Summaries({ summaries, metrics, projectId, sureness, first, without }: SummariesProps) {
  const [base] = summaries
  const visit = useVisit()
  const used = metrics.filter((metric) => summaries.some((one) => reached(one, metric) !== undefined))
  return (
    <div className="evaluations-summary" tabIndex={0}>
      <table className="table" aria-label="Summary">
        <thead>
          <tr>
            <th>Metric</th>
            {summaries.map((one, i) => (
              <th key={one.evaluation_call_id} className="right">
                {visit ? (
                  nameOf(one, i)
                ) : (
                  <Link to={callPath(projectId, one.evaluation_call_id)}>{nameOf(one, i)}</Link>
                )}
                <div className="evaluations-run">
                  {one.display_name && <span className="muted">{one.display_name}</span>}
                  <span className="muted">{count(one.trial_count)} trials</span>
                  {i === 0 && summaries.length > 1 && <span className="chip">baseline</span>}
                  {i > 0 && (
                    <>
                      <Button tone="quiet" onClick={() => first(one.evaluation_call_id)}>
                        Make baseline
                      </Button>
                      <Button tone="quiet" onClick={() => without(one.evaluation_call_id)}>
                        Remove
                      </Button>
                    </>
                  )}
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {used.map((metric) => (
            <tr key={metric.id}>
              <td>{metric.title}</td>
              {summaries.map((one, i) => {
                const value = reached(one, metric)
                const sure = sureness?.(metric, one.evaluation_call_id)
                const difference =
                  i === 0
                    ? undefined
                    : sure?.difference
                      ? pairedDifference(sure.difference, metric)
                      : differenceOf(base && reached(base, metric), value, metric)
                const { rows = 0 } = sure?.difference ?? {}
                const tone =
                  difference?.isBetter === undefined ? 'muted' : difference.isBetter ? 'good' : 'bad'
                return (
                  <td key={one.evaluation_call_id} className="right">
                    {value === undefined ? '–' : shown(value.value, metric.kind)}
                    {value !== undefined && sure?.interval && (
                      <span className="muted evaluations-interval" title={OF_MEAN}>
                        {shownInterval(sure.interval, metric.kind)}
                      </span>
                    )}
                    {value?.scored !== undefined && (
                      <span className="evaluations-by muted">
                        of {count(value.scored)} of {count(one.trial_count)} trials
                      </span>
                    )}
                    {difference && (
                      <span
                        className={`evaluations-by ${tone}`}
                        {...(rows > 0 && { title: `${OF_DIFFERENCE} ${counted(rows, 'row')} in both runs.` })}
                      >
                        {shownDifference(difference, metric.kind)}
                      </span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The rows as they are read, and how to read more. */
export interface ResultPages {
  data: { pages: { rows: ResultRow[]; total_rows: number }[] } | undefined
  error: Error | null
  refetch: () => Promise<unknown>
  hasNextPage: boolean
  fetchNextPage: () => Promise<unknown>
  isFetchingNextPage: boolean
}

export interface ResultsProps {
  projectId: string
  summaries: readonly Summary[]
  by: Metric | undefined
  change: Change | undefined
  results: ResultPages
  /** opens a row to make a dataset of; absent: none can be made */
  keep?: (row: ResultRow) => void
  /** rows that are chosen, by their digests, and what chooses one or no more; absent: none can be */
  picked?: ReadonlyMap<string, ResultRow>
  pick?: (row: ResultRow) => void
}

/** The rows that a filter leaves, of those that were read, and whether further ones may be among them. */
export function filtered(
  { data, hasNextPage }: ResultPages,
  runs: readonly string[],
  by: Metric | undefined,
  change: Change | undefined,
): { rows: ResultRow[]; mayHaveMore: boolean } {
  const all = data?.pages.flatMap((page) => page.rows) ?? []
  if (change === undefined || by === undefined) return { rows: all, mayHaveMore: hasNextPage }
  const rows = all.filter((row) => hasChanged(row, runs, by, change))
  const last = all.at(-1)
  // Those that differ most come first: after one that doesn't differ none is better or worse.
  const isOver =
    (change === 'regressed' || change === 'improved') && last !== undefined && spread(last, runs, by) === 0
  return { rows, mayHaveMore: hasNextPage && !isOver }
}

/** What runs made of each row. */
export function Results({ projectId, summaries, by, change, results, keep, picked, pick }: ResultsProps) {
  const runs = summaries.map((one) => one.evaluation_call_id)
  const { data, error, refetch, fetchNextPage, isFetchingNextPage } = results
  const [chosen, setChosen] = useState<string>()
  const { rows, mayHaveMore } = filtered(results, runs, by, change)
  const [seen, setSeen] = useState(0)
  const see = useCallback((_: number, end: number) => setSeen(end), [])
  useEffect(() => {
    if (mayHaveMore && !isFetchingNextPage && seen >= rows.length - 20) void fetchNextPage()
  }, [mayHaveMore, isFetchingNextPage, fetchNextPage, seen, rows.length])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading what="Reading the rows" />
  if (rows.length === 0 && !mayHaveMore) return <NoRows change={change} />
  const at = rows.findIndex((row) => row.row_digest === chosen)
  return (
    <div className="evaluations-results">
      <Grid
        label="Rows"
        count={rows.length}
        rowHeight={ROW}
        columns={[
          { id: 'row', title: `Row (${count(data.pages[0]!.total_rows)})`, width: 240 },
          ...summaries.map((one, i) => ({
            id: one.evaluation_call_id,
            title: nameOf(one, i),
            width: 220,
          })),
        ]}
        cell={(index, column) =>
          column === 'row' ? (
            <div className="row">
              {pick && (
                <input
                  type="checkbox"
                  aria-label={`Choose row ${index + 1}`}
                  checked={picked?.has(rows[index]!.row_digest) ?? false}
                  onChange={() => pick(rows[index]!)}
                />
              )}
              <DataCell row={rows[index]!} />
            </div>
          ) : (
            <RunCell row={rows[index]!} run={column} base={runs[0]!} by={by} />
          )
        }
        open={(index) => setChosen(rows[index]!.row_digest)}
        {...(at >= 0 && { chosen: at })}
        seen={see}
      />
      {at >= 0 && (
        <RowDetail
          key={chosen}
          row={rows[at]!}
          runs={summaries.map((one, i) => ({ id: one.evaluation_call_id, name: nameOf(one, i) }))}
          projectId={projectId}
          {...(keep && { keep: () => keep(rows[at]!) })}
          close={() => setChosen(undefined)}
        />
      )}
    </div>
  )
}

const NONE: Record<Change, string> = {
  improved: 'No row is better than in the first run',
  regressed: 'No row is worse than in the first run',
  same: 'No row is the same as in the first run',
  crashed: 'No row crashed',
}

export const NoRows = ({ change }: { change: Change | undefined }) => (
  <Empty title={change === undefined ? 'These runs have no rows yet' : NONE[change]} />
)

function DataCell({ row }: { row: ResultRow }) {
  return <div className="cut">{preview(row.raw_data_row)}</div>
}

function RunCell({
  row,
  run,
  base,
  by,
}: {
  row: ResultRow
  run: string
  base: string
  by: Metric | undefined
}) {
  const trials = row.evaluations.find((one) => one.evaluation_call_id === run)?.trials ?? []
  if (trials.length === 0) return <span className="muted">not in this run</span>
  const outcome = by && outcomeOf(row, run, by)
  const value = outcome?.value
  const range = by && rangeOf(row, run, by)
  const before = by && run !== base ? outcomeOf(row, base, by)?.value : undefined
  const difference =
    by && value !== undefined && before !== undefined
      ? differenceOf({ value: before }, { value }, by)
      : undefined
  const isFailed = outcome !== undefined && value === undefined
  const tone = isFailed
    ? 'bad'
    : difference?.isBetter === undefined
      ? 'muted'
      : difference.isBetter
        ? 'good'
        : 'bad'
  const failed = trials.filter(({ ended, scores }) => ended && Object.keys(scores).length === 0).length
  return (
    <>
      <div className="cut">{preview(trials[0]!.model_output)}</div>
      <div className={`cut evaluations-value ${tone}`}>
        {value !== undefined
          ? `${by!.title} ${shown(value, 'mean')}`
          : failed === trials.length
            ? 'failed'
            : outcome === undefined
              ? 'running'
              : 'no score'}
        {difference && difference.by !== 0 && ` (${shownDifference(difference, 'mean')})`}
        {range && ` · ${shown(range[0], 'mean')} to ${shown(range[1], 'mean')}`}
        {trials.length > 1 && ` · ${trials.length} trials${failed > 0 ? `, ${failed} failed` : ''}`}
      </div>
    </>
  )
}
