/** The monitors of a project: what each matched and why one scores nothing; making, starting, stopping and deleting one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { USUAL_RANGE } from '../../../../domain/dashboards/requests'
import { post } from '../../api/client'
import { deleteMonitor, type Monitor, monitorsQuery } from '../../api/monitors'
import { useMay } from '../../api/session'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { count, counted, money, share, some } from '../../ui/format'
import { Menu, MenuItem } from '../../ui/menu'
import { Empty } from '../../ui/states'
import { TableOf } from '../../ui/table'
import { Agreement } from './agreement'
import { Editor } from './editor'
import { OverTime } from './over-time'
import type { MonitorsSearch } from './search'
import { nameIn } from './shown'
import { Signals } from './signals'

export function Monitors() {
  const project = useProject()
  const client = useQueryClient()
  const [edited, setEdited] = useState<string>()
  const [compared, setCompared] = useState('')
  const [ending, setEnding] = useState('')
  const { scores, range = USUAL_RANGE } = useSearch({ from: '/inside/$entity/$project/weave/monitors' })
  const navigate = useNavigate()
  const mayChange = useMay('write', project.id, 'Monitors')
  const go = (search: MonitorsSearch) => void navigate({ to: '.', search })
  const query = useQuery(monitorsQuery(project.id))
  const changed = () => client.invalidateQueries({ queryKey: ['monitors', project.id] })
  const activation = useMutation({
    mutationFn: ({ name, active }: { name: string; active: boolean }) =>
      post('/monitors/activate', { project_id: project.id, monitor: name, active }),
    onSuccess: changed,
  })
  const backfill = useMutation({
    mutationFn: ({ name, action }: { name: string; action: 'start' | 'pause' | 'resume' }) =>
      post('/monitors/backfill', { project_id: project.id, monitor: name, action }),
    onSuccess: changed,
  })
  const deletion = useMutation({
    mutationFn: (name: string) => deleteMonitor(project.id, name),
    onSuccess: changed,
    onSettled: () => setEnding(''),
  })
  const error = activation.error ?? backfill.error ?? deletion.error
  return (
    <div className="page">
      <div className="page-head">
        <h1>Monitors</h1>
        {query.data && <span className="muted">{counted(query.data.length, 'monitor')}</span>}
        <span className="grow" />
        {error && (
          <span className="bad" role="alert">
            {error.message}
          </span>
        )}
        {mayChange && (
          <Button icon="plus" tone="primary" onClick={() => setEdited('')}>
            New monitor
          </Button>
        )}
        <Editor project={project.id} monitor={edited} close={() => setEdited(undefined)} />
        <OverTime
          {...{ project: project.id, range }}
          of={query.data?.find(({ name }) => name === scores)}
          choose={(next) => go({ scores, range: next })}
          close={() => go({})}
        />
        <Agreement
          {...{ project: project.id, monitor: compared }}
          scorers={query.data?.find(({ name }) => name === compared)?.scorers.map(nameIn) ?? []}
          close={() => setCompared('')}
        />
        <Dialog title="Delete a monitor" open={ending !== ''} close={() => setEnding('')}>
          <div className="queues-form">
            <p>{ending} scores nothing any more. What it said stays.</p>
            <Button tone="danger" disabled={deletion.isPending} onClick={() => deletion.mutate(ending)}>
              Delete it
            </Button>
          </div>
        </Dialog>
      </div>
      <div className="page-body" tabIndex={0}>
        <Signals project={project.id} />
        <TableOf
          label="Monitors"
          query={query}
          rows={query.data}
          keyOf={({ name }) => name}
          columns={[
            {
              title: 'Name',
              cell: ({ name }) => <Link to={weavePath(project.id, 'objects', name)}>{name}</Link>,
            },
            {
              title: 'Scores calls',
              cell: ({ name, active }) => (
                <label className="check">
                  <input
                    type="checkbox"
                    checked={active}
                    aria-label={`${name} scores calls`}
                    disabled={!mayChange || activation.isPending}
                    onChange={() => activation.mutate({ name, active: !active })}
                  />
                  {active ? 'On' : 'Off'}
                </label>
              ),
            },
            { title: 'Ops', isMuted: true, isWide: true, cell: ({ op_names: ops }) => opsOf(ops) },
            { title: 'Share', cell: ({ sampling_rate: rate }) => share(rate) },
            { title: 'Matched', cell: ({ matched }) => count(matched) },
            { title: 'Scores today', cell: ({ queued_today: today }) => count(today) },
            { title: 'Cost today', cell: ({ cost_today: cost }) => (cost === 0 ? '' : money(cost)) },
            {
              title: 'Past calls',
              cell: (one) => (
                <Past
                  of={one}
                  mayChange={mayChange}
                  act={(action) => backfill.mutate({ name: one.name, action })}
                />
              ),
            },
            {
              title: 'Scores',
              cell: ({ name }) => (
                <Button onClick={() => go({ scores: name })} aria-label={`Scores of ${name} over time`}>
                  Over time
                </Button>
              ),
            },
            {
              title: 'People',
              cell: ({ name }) => (
                <Button onClick={() => setCompared(name)} aria-label={`Compare ${name} with people`}>
                  Compare
                </Button>
              ),
            },
            {
              title: 'Problem',
              cell: ({ problem, skipped_today: skipped }) =>
                problem && (
                  <span className="bad">
                    {problem}
                    {skipped > 0 && ` ${counted(skipped, 'call')} skipped today.`}
                  </span>
                ),
            },
            {
              title: <span className="unseen">Change</span>,
              isNumber: true,
              cell: ({ name }) =>
                mayChange && (
                  <Menu trigger={<IconButton icon="menu" label={`Change ${name}`} />}>
                    <MenuItem choose={() => setEdited(name)}>Edit…</MenuItem>
                    <MenuItem danger choose={() => setEnding(name)}>
                      Delete…
                    </MenuItem>
                  </Menu>
                ),
            },
          ]}
          empty={
            <Empty title="No monitor yet">
              <p>
                A monitor scores calls as they come: refusals, frustrated users, or what a judge of yours
                sees.
              </p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}

/** Names without the rest of their refs. */
const opsOf = (ops: readonly string[]) => {
  const names = ops.map((op) => /\/op\/([^/:]+)/.exec(op)?.[1] ?? op)
  return names.length === 0 ? 'all' : some(names).join(', ')
}

function Past({
  of: { name, backfill },
  mayChange,
  act,
}: {
  of: Monitor
  mayChange: boolean
  act: (action: 'start' | 'pause' | 'resume') => void
}) {
  if (backfill === null || backfill.state === 'done' || backfill.state === 'cancelled')
    return mayChange ? (
      <Button
        onClick={() => confirm(`Let ${name} score the calls of the last day, too?`) && act('start')}
        title={backfill ? `${counted(backfill.matched, 'call')} matched` : undefined}
      >
        Score the last day
      </Button>
    ) : null
  const isRunning = backfill.state === 'running'
  return (
    <span className="row">
      <progress max={1} value={backfill.progress} aria-label={`Past calls of ${name}`} />
      {count(backfill.matched)}
      {mayChange && (
        <Button onClick={() => act(isRunning ? 'pause' : 'resume')}>{isRunning ? 'Pause' : 'Go on'}</Button>
      )}
    </span>
  )
}
