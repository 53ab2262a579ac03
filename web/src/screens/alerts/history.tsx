/** What alerts noticed, the newest first, and how each delivery went. */
import { useQuery } from '@tanstack/react-query'
import { type AlertEvent, alertHistoryQuery, alertsQuery } from '../../api/alerts'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { Time } from '../../ui/time'
import './alerts.css'
import { Badge } from './badge'
import type { Source } from './draft'
import { formatOf, plain } from './shown'

interface Props {
  project: string
  /** its name; undefined: all */
  alert: string | undefined
  choose: (alert: string | undefined) => void
}

export function History({ project, alert, choose }: Props) {
  const query = useQuery(alertHistoryQuery(project, alert))
  const { data: alerts = [] } = useQuery(alertsQuery(project))
  const sources = new Map(alerts.map(({ name, source }) => [name, source]))
  // What was deleted has a history, too.
  const names = [...new Set([...sources.keys(), ...(alert === undefined ? [] : [alert])])]
  return (
    <>
      <div className="row alerts-bar">
        <select
          className="select"
          aria-label="Alert"
          value={alert ?? ''}
          onChange={({ target }) => choose(target.value || undefined)}
        >
          <option value="">all alerts</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <TableOf
        label="History"
        query={query}
        rows={query.data}
        keyOf={({ id }) => id}
        columns={[
          timeColumn<AlertEvent>('When', ({ at }) => at),
          { title: 'Alert', className: 'alerts-whole', cell: ({ alert: name }) => name },
          { title: 'State', cell: ({ state }) => <Badge state={state} /> },
          { title: 'Group', cell: ({ group }) => group },
          { title: 'Value', cell: (event) => valueText(event, sources.get(event.alert)) },
          { title: 'Why', isMuted: true, cell: whyText },
          { title: 'Notified', cell: (event) => <Deliveries of={event} /> },
        ]}
        empty={
          <Empty title="Nothing was noticed yet">
            <p>Each change of an alert is listed here, with who was notified.</p>
          </Empty>
        }
      />
    </>
  )
}

/** Of an alert that is gone, the unit is not known. */
function valueText({ value, threshold }: AlertEvent, source: Source | undefined): string {
  const format = source === undefined ? plain : formatOf(source)
  const text = value === null ? '–' : format(value)
  return threshold === null ? text : `${text}, threshold ${format(threshold)}`
}

function whyText({ reason, state, previous_state: before }: AlertEvent): string {
  return reason ?? (state === before ? 'it lasts' : 'its value changed')
}

function Deliveries({ of: { notified, deliveries } }: { of: AlertEvent }) {
  if (!notified) return <span className="chip">muted</span>
  if (deliveries.length === 0) return <span className="muted">nobody</span>
  return deliveries.map((one) => (
    <div key={one.channel}>
      {one.channel}: <Delivery of={one} />
    </div>
  ))
}

function Delivery({
  of: { state, attempts, next_at: next, problem },
}: {
  of: AlertEvent['deliveries'][number]
}) {
  if (state === 'delivered') return <span className="good">delivered</span>
  if (state === 'failed') return <span className="bad">failed: {problem}</span>
  return (
    <span className="muted">
      waiting{attempts > 0 && `, tried ${attempts === 1 ? 'once' : `${attempts} times`}`}
      {next !== null && (
        <>
          , next <Time at={next} />
        </>
      )}
      {problem !== null && <span className="bad"> {problem}</span>}
    </span>
  )
}
