/** What a panel shows: a metric, what it is split by, and which calls or feedback it is of. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  GROUPINGS,
  type Grouping,
  groupingsOf,
  METRICS,
  type Metric,
  type Panel,
  titleOf,
} from '../../../../domain/dashboards/panels'
import { feedbackPathsQuery, feedbackTypesQuery } from '../../api/dashboards'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { RANGES } from '../../ui/ranges'
import { PanelChart } from './panel'

interface Props {
  panel: Panel
  range: string
  done: (panel: Panel) => void
}

export function PanelForm({ panel, range, done }: Props) {
  const [draft, setDraft] = useState(panel)
  const change = (more: Partial<Panel>) => setDraft(JSON.parse(JSON.stringify({ ...draft, ...more })))
  const groupings = groupingsOf(draft.metric)
  return (
    <form
      className="dashboards-form"
      onSubmit={(event) => {
        event.preventDefault()
        done(draft)
      }}
    >
      <label>
        Show
        <select
          className="select"
          value={draft.metric}
          onChange={({ target }) => {
            const metric = target.value as Metric
            change({ metric, ...(draft.by && !groupingsOf(metric).includes(draft.by) && { by: undefined }) })
          }}
        >
          {Object.entries(METRICS).map(([metric, title]) => (
            <option key={metric} value={metric}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {draft.metric === 'feedback' ? (
        <Score {...{ draft, range, change }} />
      ) : (
        <>
          <label>
            By
            <select
              className="select"
              value={draft.by ?? ''}
              onChange={({ target }) => change({ by: (target.value as Grouping) || undefined })}
            >
              <option value="">all together</option>
              {groupings.map((one) => (
                <option key={one} value={one}>
                  {GROUPINGS[one]}
                </option>
              ))}
            </select>
          </label>
          <label>
            Only of the op
            <input
              className="input"
              placeholder="all ops"
              value={draft.op ?? ''}
              onChange={({ target }) => change({ op: target.value || undefined })}
            />
          </label>
        </>
      )}
      <label>
        Title
        <input
          className="input"
          placeholder={titleOf({ ...draft, title: undefined })}
          value={draft.title ?? ''}
          onChange={({ target }) => change({ title: target.value || undefined })}
        />
      </label>
      <div className="dashboards-preview">
        <PanelChart panel={draft} range={range} />
      </div>
      <Button tone="primary" type="submit">
        Show it
      </Button>
    </form>
  )
}

function Score({
  draft,
  range,
  change,
}: {
  draft: Panel
  range: string
  change: (more: Partial<Panel>) => void
}) {
  const { id: project } = useProject()
  const { data: types = [] } = useQuery(feedbackTypesQuery(project))
  const { data: paths = [] } = useQuery(feedbackPathsQuery(project, draft.type ?? '', RANGES[range]!))
  const known = (list: readonly string[], chosen: string | undefined) =>
    chosen === undefined || list.includes(chosen) ? list : [...list, chosen]
  return (
    <>
      <label>
        Feedback
        <select
          className="select"
          value={draft.type ?? ''}
          onChange={({ target }) =>
            change({ type: target.value || undefined, path: undefined, kind: undefined })
          }
        >
          <option value="">of any type</option>
          {known(types, draft.type).map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
      {draft.type !== undefined && (
        <label>
          Value
          <select
            className="select"
            value={draft.path ?? ''}
            onChange={({ target }) => {
              const found = paths.find(({ json_path: path }) => path === target.value)
              change({ path: found?.json_path, kind: found?.value_type })
            }}
          >
            <option value="">how many there are</option>
            {known(
              paths.map(({ json_path: path }) => path),
              draft.path,
            ).map((path) => (
              <option key={path}>{path}</option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}
