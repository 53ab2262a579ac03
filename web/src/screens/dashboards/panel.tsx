/** A panel: its chart, and what can be done with it. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Panel, titleOf } from '../../../../domain/dashboards/panels'
import { callsRequest, feedbackRequest, granularityOf, RANGES } from '../../../../domain/dashboards/requests'
import { opNames } from '../../api/calls'
import { callStatsQuery, feedbackStatsQuery } from '../../api/dashboards'
import { useProject } from '../../app/project'
import { IconButton } from '../../ui/button'
import { Chart } from '../../ui/chart'
import { Menu, MenuItem } from '../../ui/menu'
import { rangeText } from '../../ui/ranges'
import { Failed, Loading } from '../../ui/states'
import { type Bucket, drawnOf } from './requests'

const REFRESH_MS = 60_000

interface Props {
  panel: Panel
  range: string
  edit: () => void
  remove: () => void
  move: (by: number) => void
}

export function DashboardPanel({ panel, range, edit, remove, move }: Props) {
  const title = titleOf(panel)
  return (
    <section className="panel dashboards-panel" aria-label={title}>
      <header className="row">
        <h2 className="cut grow">{title}</h2>
        <Menu trigger={<IconButton icon="menu" label={`Change ${title}`} />}>
          <MenuItem choose={edit}>Edit…</MenuItem>
          <MenuItem choose={() => move(-1)}>Move left</MenuItem>
          <MenuItem choose={() => move(1)}>Move after the next</MenuItem>
          <MenuItem danger choose={remove}>
            Remove
          </MenuItem>
        </Menu>
      </header>
      <PanelChart panel={panel} range={range} />
    </section>
  )
}

export function PanelChart({ panel, range }: Pick<Props, 'panel' | 'range'>) {
  const { id: project } = useProject()
  const length = RANGES[range]!
  const span = { project, granularity: granularityOf(range), opNames }
  const isFeedback = panel.metric === 'feedback'
  const calls = useQuery({
    ...callStatsQuery(callsRequest(panel, span), length),
    enabled: !isFeedback,
    refetchInterval: REFRESH_MS,
  })
  const feedback = useQuery({
    ...feedbackStatsQuery(feedbackRequest(panel, span), length),
    enabled: isFeedback,
    refetchInterval: REFRESH_MS,
  })
  const { data, error, refetch } = isFeedback ? feedback : calls
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return <Drawing panel={panel} range={range} buckets={data} />
}

/** The chart of a panel, of what the service counted. */
export function Drawing({
  panel,
  range,
  buckets,
}: Pick<Props, 'panel' | 'range'> & { buckets: readonly Bucket[] }) {
  const drawn = useMemo(() => drawnOf(panel, buckets), [buckets, panel])
  // That no score is true is something, too.
  const isSaid = panel.metric === 'feedback' && drawn.kind === 'lines'
  const isShown = (value: number | null) => value !== null && (value !== 0 || isSaid)
  if (!drawn.series.some(({ values }) => values.some(isShown)))
    return <p className="dashboards-nothing muted">Nothing in the last {rangeText(range)}</p>
  return <Chart label={`${titleOf(panel)} over time`} {...drawn} />
}
