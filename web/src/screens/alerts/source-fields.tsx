/** What an alert watches: a metric of calls, a value in feedback, or the result of a statement. */
import { useQuery } from '@tanstack/react-query'
import { feedbackPathsQuery, feedbackTypesQuery } from '../../api/dashboards'
import { RANGES } from '../../ui/ranges'
import { AggregationFields } from './aggregation-fields'
import {
  AGGREGATIONS,
  type Aggregation,
  type Draft,
  FEEDBACK_GROUPINGS,
  GROUPINGS,
  METRICS,
  type Metric,
  type OnCalls,
  type OnFeedback,
  SOURCES,
  type Source,
} from './draft'

const TYPES: Readonly<Record<Source['type'], string>> = {
  ...{ calls: 'Calls', feedback: 'Feedback', sql: 'The result of SQL' },
}
const KINDS: Readonly<Record<OnFeedback['value_type'], string>> = {
  ...{ numeric: 'a number', boolean: 'true or false', categorical: 'a text' },
}
/** Calls are counted by numbers only. */
const OF_NUMBERS: readonly Aggregation[] = ['sum', 'avg', 'min', 'max', 'count']

interface Props {
  project: string
  draft: Draft
  change: (more: Partial<Draft>) => void
}

export function SourceFields({ project, draft, change }: Props) {
  const { source } = draft
  return (
    <>
      <div className="alerts-fields">
        <label>
          Watch
          <select
            className="select"
            value={source.type}
            onChange={({ target }) =>
              change({ source: SOURCES[target.value as Source['type']], ops: '', minimum_count: 1 })
            }
          >
            {Object.entries(TYPES).map(([type, title]) => (
              <option key={type} value={type}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {source.type === 'calls' && <CallFields {...{ draft, source, change }} />}
        {source.type === 'feedback' && <FeedbackFields {...{ project, source, change }} />}
      </div>
      {source.type === 'sql' && (
        <label>
          Statement
          <textarea
            className="input mono"
            rows={6}
            required
            value={source.query}
            onChange={({ target }) => change({ source: { ...source, query: target.value } })}
          />
          <span className="muted">
            Its column <code>value</code> is judged, <code>count</code> is of how many rows; all others name
            the group.
          </span>
        </label>
      )}
    </>
  )
}

function CallFields({ draft, source, change }: Pick<Props, 'draft' | 'change'> & { source: OnCalls }) {
  return (
    <>
      <label>
        Metric
        <select
          className="select"
          value={source.metric}
          onChange={({ target }) => change({ source: { ...source, metric: target.value as Metric } })}
        >
          {Object.entries(METRICS).map(([metric, title]) => (
            <option key={metric} value={metric}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <AggregationFields source={source} among={OF_NUMBERS} change={change} />
      <label>
        Only these ops (comma-separated)
        <input
          className="input"
          placeholder="all ops"
          value={draft.ops}
          onChange={({ target }) => change({ ops: target.value })}
        />
      </label>
      <GroupField
        of={source.group_by}
        among={GROUPINGS}
        choose={(group_by) => change({ source: { ...source, group_by } })}
      />
    </>
  )
}

function FeedbackFields({
  project,
  source,
  change,
}: Pick<Props, 'project' | 'change'> & { source: OnFeedback }) {
  const { feedback_type: type } = source
  const { data: types = [] } = useQuery(feedbackTypesQuery(project))
  const known = types.includes(type) ? type : ''
  const { data: paths = [] } = useQuery(feedbackPathsQuery(project, known, RANGES['30d']!))
  const set = (more: Partial<OnFeedback>) => change({ source: { ...source, ...more } })
  return (
    <>
      <label>
        Type of feedback
        <input
          className="input"
          list="alerts-types"
          required
          value={type}
          onChange={({ target }) => set({ feedback_type: target.value })}
        />
      </label>
      <datalist id="alerts-types">
        {types.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <label>
        Path of its value
        <input
          className="input"
          list="alerts-paths"
          required
          value={source.json_path}
          onChange={({ target: { value: json_path } }) => {
            const kind = paths.find((one) => one.json_path === json_path)?.value_type
            set({ json_path, ...(kind && { value_type: kind }) })
          }}
        />
      </label>
      <datalist id="alerts-paths">
        {paths.map(({ json_path: path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <label>
        Its value is
        <select
          className="select"
          value={source.value_type}
          onChange={({ target }) => set({ value_type: target.value as OnFeedback['value_type'] })}
        >
          {Object.entries(KINDS).map(([kind, title]) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <AggregationFields source={source} among={Object.keys(AGGREGATIONS) as Aggregation[]} change={change} />
      <GroupField of={source.group_by} among={FEEDBACK_GROUPINGS} choose={(group_by) => set({ group_by })} />
    </>
  )
}

function GroupField<By extends string>({
  of,
  among,
  choose,
}: {
  of: By | null
  among: Readonly<Record<By, string>>
  choose: (by: By | null) => void
}) {
  return (
    <label>
      Separately for each
      <select
        className="select"
        value={of ?? ''}
        onChange={({ target }) => choose((target.value as By) || null)}
      >
        <option value="">all together</option>
        {Object.entries<string>(among).map(([by, title]) => (
          <option key={by} value={by}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
