/** What a monitor said over time, by scorer, and what that cost. */
import { useQuery } from '@tanstack/react-query'
import { granularityOf, RANGES } from '../../../../domain/dashboards/requests'
import { callStatsQuery, feedbackPathsQuery, feedbackStatsQuery } from '../../api/dashboards'
import type { Monitor } from '../../api/monitors'
import { Dialog } from '../../ui/dialog'
import { RangeSelect } from '../../ui/ranges'
import { Failed, Loading } from '../../ui/states'
import { Drawing } from '../dashboards/panel'
import '../dashboards/dashboards.css'
import { judgementPath, nameIn } from './shown'

interface Props {
  project: string
  /** undefined: none is shown */
  of: Monitor | undefined
  range: string
  choose: (range: string) => void
  close: () => void
}

export function OverTime({ project, of, range, choose, close }: Props) {
  return (
    <Dialog title={of ? `Scores of ${of.name}` : ''} open={of !== undefined} close={close}>
      {of && (
        <div className="monitors-charts">
          <RangeSelect {...{ range, choose }} />
          {of.scorers.map((ref) => (
            <Said key={ref} {...{ project, monitor: of, scorer: nameIn(ref), range }} />
          ))}
          <Cost {...{ project, monitor: of, range }} />
        </div>
      )}
    </Dialog>
  )
}

interface ChartProps {
  project: string
  monitor: Monitor
  range: string
}

function Said({ project, monitor, scorer, range }: ChartProps & { scorer: string }) {
  const length = RANGES[range]!
  const type = `wandb.runnable.${scorer}`
  const trigger = monitor.ref.replace(/:[^:/]*$/, ':*')
  const paths = useQuery(feedbackPathsQuery(project, type, length, trigger))
  const found = judgementPath(paths.data ?? [])
  const stats = useQuery({
    ...feedbackStatsQuery(
      {
        ...{ project_id: project, granularity: granularityOf(range), feedback_type: type, timezone: 'UTC' },
        trigger_ref: trigger,
        metrics: found ? [{ json_path: found.json_path, value_type: found.value_type }] : [],
      },
      length,
    ),
    enabled: paths.data !== undefined,
  })
  const error = paths.error ?? stats.error
  const panel = {
    metric: 'feedback' as const,
    type,
    title: scorer,
    path: found?.json_path,
    kind: found?.value_type,
  }
  return (
    <section aria-label={scorer}>
      <h3>{scorer}</h3>
      {error ? (
        <Failed error={error} retry={() => void (paths.error ? paths : stats).refetch()} />
      ) : stats.data === undefined ? (
        <Loading />
      ) : (
        <Drawing panel={panel} range={range} buckets={stats.data} />
      )}
    </section>
  )
}

function Cost({ project, monitor: { name }, range }: ChartProps) {
  const from = { input: { $getField: 'attributes.weave.monitor' }, substr: { $literal: `/object/${name}:` } }
  const { data, error, refetch } = useQuery(
    callStatsQuery(
      {
        ...{ project_id: project, granularity: granularityOf(range), timezone: 'UTC', group_limit: 10 },
        ...{ usage_metrics: [{ metric: 'total_cost' }], query: { $expr: { $contains: from } } },
      },
      RANGES[range]!,
    ),
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data?.some(({ sum_total_cost: cost }) => Number(cost) > 0)) return null
  return (
    <section aria-label="Cost">
      <h3>Cost</h3>
      <Drawing panel={{ metric: 'cost' }} range={range} buckets={data} />
    </section>
  )
}
