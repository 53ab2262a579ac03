/** The alerts of a project: how each stands and who is notified; changing, muting and deleting one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Alert, alertsQuery, deleteAlert, muteAlert, saveAlert } from '../../api/alerts'
import { useMay } from '../../api/session'
import { useShortcuts } from '../../app/keys'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { counted } from '../../ui/format'
import { Menu, MenuItem } from '../../ui/menu'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { Time, useZone } from '../../ui/time'
import './alerts.css'
import { Badge } from './badge'
import { definitionOf, draftOf } from './draft'
import { Editor } from './editor'
import { formatOf, tomorrow } from './shown'

const HOUR_MS = 3_600_000
/** Groups that a row names. */
const GROUPS = 5

interface Props {
  project: string
  showHistory: (alert: string) => void
}

export function List({ project, showHistory }: Props) {
  const client = useQueryClient()
  const [zone] = useZone()
  const [edited, setEdited] = useState<Alert | 'new'>()
  const [ending, setEnding] = useState('')
  const query = useQuery(alertsQuery(project))
  const act = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alerts', project] }),
  })
  const mute = (alert: Alert, until: Date | null) => act.mutate(() => muteAlert(project, alert.name, until))
  const close = () => setEdited(undefined)
  const mayChange = useMay('write', project, 'Alerts')
  useShortcuts(mayChange ? [{ keys: 'n', what: 'Make an alert', run: () => setEdited('new') }] : [])
  return (
    <>
      <div className="row alerts-bar">
        {query.data && <span className="muted">{counted(query.data.length, 'alert')}</span>}
        {act.error && (
          <span className="bad" role="alert">
            {act.error.message}
          </span>
        )}
        <span className="grow" />
        {mayChange && (
          <Button icon="plus" tone="primary" onClick={() => setEdited('new')}>
            New alert
          </Button>
        )}
      </div>
      <TableOf
        label="Alerts"
        query={query}
        rows={query.data}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'Name',
            cell: (alert) => (
              <>
                <button type="button" className="alerts-name" onClick={() => setEdited(alert)}>
                  {alert.name}
                </button>
                {alert.description && <div className="wide cut alerts-about">{alert.description}</div>}
              </>
            ),
          },
          { title: 'State', cell: (alert) => <Standing of={alert} /> },
          { title: 'Value', className: 'alerts-whole', cell: valueText },
          timeColumn<Alert>('Checked', ({ checked_at: at }) => at, { isWide: true }),
          { title: 'Notifies', isWide: true, cell: notified },
          {
            title: 'Problem',
            cell: ({ problem }) => problem && <span className="bad">{problem}</span>,
          },
          {
            title: <span className="unseen">Change</span>,
            isNumber: true,
            cell: (alert) => (
              <Menu trigger={<IconButton icon="menu" label={`Change ${alert.name}`} />}>
                {mayChange && (
                  <>
                    <MenuItem choose={() => setEdited(alert)}>Edit…</MenuItem>
                    <MenuItem
                      choose={() =>
                        act.mutate(() =>
                          saveAlert({ ...definitionOf(project, alert), active: !alert.active }),
                        )
                      }
                    >
                      {alert.active ? 'Turn off' : 'Turn on'}
                    </MenuItem>
                    {alert.muted_until !== null && (
                      <MenuItem choose={() => mute(alert, null)}>Unmute</MenuItem>
                    )}
                    <MenuItem choose={() => mute(alert, new Date(Date.now() + HOUR_MS))}>
                      Mute for 1 hour
                    </MenuItem>
                    <MenuItem choose={() => mute(alert, tomorrow(new Date(), zone))}>
                      Mute until tomorrow, 9:00
                    </MenuItem>
                  </>
                )}
                <MenuItem choose={() => showHistory(alert.name)}>History</MenuItem>
                {mayChange && (
                  <MenuItem danger choose={() => setEnding(alert.name)}>
                    Delete…
                  </MenuItem>
                )}
              </Menu>
            ),
          },
        ]}
        empty={
          <Empty title="No alert yet">
            <p>
              An alert watches a metric of this project, and notifies people when it is beyond a threshold.
            </p>
          </Empty>
        }
      />
      <Dialog title={edited === 'new' ? 'New alert' : 'Alert'} open={edited !== undefined} close={close}>
        {edited && (
          <Editor
            project={project}
            of={edited === 'new' ? undefined : draftOf(project, edited)}
            done={close}
          />
        )}
      </Dialog>
      <Dialog title="Delete an alert" open={ending !== ''} close={() => setEnding('')}>
        <div className="alerts-form">
          <p>{ending} is not checked any more. Its channels get a message that it is over.</p>
          <Button
            tone="danger"
            disabled={act.isPending}
            onClick={() => act.mutate(() => deleteAlert(project, ending), { onSettled: () => setEnding('') })}
          >
            Delete it
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function Standing({ of: { active, state, groups, source } }: { of: Alert }) {
  if (!active) return <span className="chip">off</span>
  const named = groups.filter(({ group }) => group !== null)
  const format = formatOf(source)
  return (
    <span className="alerts-groups">
      <Badge state={state} />
      {named.slice(0, GROUPS).map((one) => (
        <Badge
          key={one.group}
          state={one.state}
          of={one.value === null ? one.group! : `${one.group} ${format(one.value)}`}
        />
      ))}
      {named.length > GROUPS && <span className="muted">and {named.length - GROUPS} more</span>}
    </span>
  )
}

/** `12.3 > 10` */
function valueText({ value, comparison, alert_at: threshold, source }: Alert): string {
  const format = formatOf(source)
  return `${value === null ? '–' : format(value)} ${comparison} ${format(threshold)}`
}

function notified({ channels, muted_until: until }: Alert): ReactNode {
  return (
    <>
      {channels.length === 0 ? <span className="muted">nobody</span> : channels.join(', ')}
      {until !== null && (
        <div className="muted">
          muted until <Time at={until} />
        </div>
      )}
    </>
  )
}
