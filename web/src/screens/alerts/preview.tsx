/** What an alert would have judged, before it is made: the values of the last windows, and its thresholds. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { alertPreviewQuery } from '../../api/alerts'
import { Chart } from '../../ui/chart'
import { counted } from '../../ui/format'
import { useSettled } from '../../ui/settled'
import { Loading } from '../../ui/states'
import { type Draft, previewOf } from './draft'
import { drawnOf, firedText, formatOf } from './shown'

export function Preview({ project, draft }: { project: string; draft: Draft }) {
  const shown = useSettled(draft)
  const request = useMemo(() => previewOf(project, shown), [project, shown])
  const { data: points, error } = useQuery(alertPreviewQuery(project, request))
  const drawn = useMemo(() => points && drawnOf(points, shown), [points, shown])
  return (
    <div className="alerts-preview">
      {request === undefined ? (
        <p className="muted">Say what is watched, and when to alert: its last values are shown here.</p>
      ) : error ? (
        <p className="bad" role="alert">
          {error.message}
        </p>
      ) : points === undefined || drawn === undefined ? (
        <Loading />
      ) : (
        <>
          <Chart
            label="What it would have judged"
            kind="lines"
            times={drawn.times}
            series={drawn.series}
            format={formatOf(request.source as Draft['source'])}
          />
          <p role="status">
            {firedText(points, request.windows, shown)}
            {drawn.left > 0 && ` ${counted(drawn.left, 'group')} more are not drawn.`}
          </p>
        </>
      )}
    </div>
  )
}
