/** Settings of a project: how long it keeps calls, what happens to them as they arrive, prices, what it stores. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/session'
import { keepTokenIds, settingsQuery, storedQuery } from '../../api/settings'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { bytes } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { InviteDialog } from '../people/invitations'
import { AREA } from '../people/parts'
import { Prices } from './prices'
import { Retention } from './retention'
import './settings.css'

export function ProjectSettings() {
  const { id } = useProject()
  const mayInvite = useMay('admin', id, AREA)
  const [isInviting, setInviting] = useState(false)
  return (
    <div className="page">
      <div className="page-head">
        <h1>Settings</h1>
        <span className="muted">{id}</span>
        <span className="grow" />
        <Link to="/settings">Keys and secrets</Link>
        {mayInvite && (
          <Button icon="plus" onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        )}
        <InviteDialog scope={id} open={isInviting} close={() => setInviting(false)} />
      </div>
      <div className="page-body settings-parts" tabIndex={0} role="region" aria-label="Settings">
        <Kept project={id} />
        <Stored project={id} />
        <Prices project={id} />
      </div>
    </div>
  )
}

function Kept({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(settingsQuery(project))
  return (
    <section className="panel settings-part" aria-labelledby="settings-kept">
      <h2 id="settings-kept">Calls</h2>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          <Retention project={project} days={data.days} />
          <TokenIds project={project} keep={data.keepsTokenIds} />
          <p>
            {data.policy === 'off'
              ? 'Personal data is stored as it comes.'
              : 'Personal data is masked as it comes.'}{' '}
            <span className="muted">
              The operator decides: <code>HEDDLE_SENSITIVE_DATA</code>
            </span>
          </p>
          <p>
            {data.sample_rate === 1
              ? 'Sampling is off: all OTLP traces are stored.'
              : `${Number((100 * data.sample_rate).toPrecision(3))} % of the OTLP traces are stored${data.dry_run ? ' (dry run: in fact all of them)' : ''}.`}{' '}
            <span className="muted">
              The operator decides: <code>HEDDLE_SAMPLE_RATE</code>
            </span>
          </p>
        </>
      )}
    </section>
  )
}

const STORED = [
  ['trace_storage_size_bytes', 'Calls'],
  ['objects_storage_size_bytes', 'Objects'],
  ['tables_storage_size_bytes', 'Rows of datasets'],
  ['files_storage_size_bytes', 'Files'],
] as const

function Stored({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(storedQuery(project))
  return (
    <section className="panel settings-part" aria-labelledby="settings-stored">
      <h2 id="settings-stored">Stored</h2>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <dl className="settings-facts">
          {STORED.map(([field, title]) => (
            <div key={field}>
              <dt className="muted">{title}</dt>
              <dd>{bytes(data[field])}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** Whether a project keeps the token ids of completions by models served here. */
function TokenIds({ project, keep }: { project: string; keep: boolean }) {
  const client = useQueryClient()
  const mayChange = useMay('write', project, 'Projects')
  const change = useMutation({
    mutationFn: (next: boolean) => keepTokenIds(project, next),
    onSuccess: () => client.invalidateQueries({ queryKey: ['settings', project] }),
  })
  return (
    <>
      <label className="row">
        <input
          type="checkbox"
          checked={keep}
          disabled={!mayChange || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
        Keep token ids of completions, to train on sessions as they were
      </label>
      {change.error && (
        <p className="bad" role="alert">
          {change.error.message}
        </p>
      )}
    </>
  )
}
