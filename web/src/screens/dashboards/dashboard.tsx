/** A dashboard: panels over the same time, to change, and to save as an object. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/client'
import { dashboardsQuery } from '../../api/dashboards'
import { newObjectId } from '../../api/object-id'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject, useShownId } from '../../app/project'
import { useTitleOf } from '../../app/title'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { RangeSelect } from '../../ui/ranges'
import { Empty, Failed, Loading } from '../../ui/states'
import './dashboards.css'
import { OVERVIEW, type Panel, readPanels, savedAs } from '../../../../domain/dashboards/panels'
import { isRange, USUAL_RANGE } from '../../../../domain/dashboards/requests'
import { SaveForm } from '../../ui/save-form'
import { ShareButton } from '../sharing/share-button'
import { DashboardPanel } from './panel'
import { PanelForm } from './panel-form'

/** The panel that is edited, by its place; a new one is at the end. */
type Edited = { at: number; panel: Panel }

export function Dashboard() {
  const project = useProject()
  const dashboardId = useShownId() || undefined
  const search = useSearch({ from: '/inside/$entity/$project/weave/dashboard' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const [edited, setEdited] = useState<Edited>()
  const [isSaving, setSaving] = useState(false)
  const { data: objects, error, refetch } = useQuery(dashboardsQuery(project.id))
  const open = (id: string | undefined) =>
    void navigate({ to: weavePath(project.id, 'dashboards', ...(id === undefined ? [] : [id])) })

  const saved = objects?.find(({ object_id: id }) => id === dashboardId)
  const kept = (saved?.val ?? {}) as { name?: string; range?: unknown; panels?: unknown }
  useTitleOf(kept.name)
  const range = search.range ?? (isRange(kept.range) ? kept.range : USUAL_RANGE)
  const panels = search.panels ?? (saved ? (readPanels(kept.panels) ?? []) : OVERVIEW)
  const isChanged = search.panels !== undefined || (saved !== undefined && range !== kept.range)

  const change = (next: readonly Panel[]) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, panels: next }) })
  const add = () => setEdited({ at: panels.length, panel: { metric: 'calls' } })
  const place = (panel: Panel) => {
    change(panels.toSpliced(edited!.at, 1, panel))
    setEdited(undefined)
  }
  const save = useMutation({
    mutationFn: async (name: string) => {
      const id = dashboardId ?? newObjectId('dashboard', name, objects ?? [])
      const val = savedAs(name, range, panels)
      await post('/obj/create', { obj: { project_id: project.id, object_id: id, val } })
      await client.invalidateQueries({ queryKey: ['objects', project.id] })
      return id
    },
    onSuccess: (id) => {
      setSaving(false)
      open(id)
    },
  })
  const removal = useMutation({
    mutationFn: async () => {
      await post('/obj/delete', { project_id: project.id, object_id: dashboardId! })
      await client.invalidateQueries({ queryKey: ['objects', project.id] })
    },
    onSuccess: () => open(undefined),
  })
  useShortcuts([
    { keys: 'n', what: 'Add a panel', run: add },
    { keys: 's', what: 'Save the dashboard', run: () => setSaving(true) },
    { keys: 'r', what: 'Read the panels again', run: () => void readAgain() },
  ])
  const readAgain = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['stats'] }),
      client.invalidateQueries({ queryKey: ['feedback-stats'] }),
    ])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (objects === undefined) return <Loading />
  return (
    <div className="page">
      <div className="page-head">
        <h1 className="unseen">Dashboards</h1>
        <select
          className="select"
          aria-label="Dashboard"
          value={dashboardId ?? ''}
          onChange={({ target }) => open(target.value === '' ? undefined : target.value)}
        >
          <option value="">Overview</option>
          {objects.map(({ object_id: id, val }) => (
            <option key={id} value={id}>
              {(val as { name?: string }).name ?? id}
            </option>
          ))}
          {dashboardId !== undefined && saved === undefined && <option>{dashboardId}</option>}
        </select>
        <RangeSelect
          range={range}
          choose={(next) => void navigate({ to: '.', search: (old: object) => ({ ...old, range: next }) })}
        />
        <span className="grow" />
        {isChanged && (
          <Button tone="quiet" onClick={() => void navigate({ to: '.', search: {} })}>
            Discard changes
          </Button>
        )}
        {saved && !isChanged && (
          <ShareButton project={project.id} kind="dashboard" target={saved.object_id} />
        )}
        <Button icon="plus" onClick={add}>
          Add a panel
        </Button>
        <Button tone={isChanged ? 'primary' : 'plain'} onClick={() => setSaving(true)}>
          Save…
        </Button>
      </div>
      <div className="page-body" tabIndex={0} role="region" aria-label="Panels">
        {dashboardId !== undefined && saved === undefined && search.panels === undefined ? (
          <Empty title="There is no dashboard of this name">
            <p>It may have been deleted. Choose another one above.</p>
          </Empty>
        ) : panels.length === 0 ? (
          <Empty title="No panel">
            <Button icon="plus" onClick={add}>
              Add a panel
            </Button>
          </Empty>
        ) : (
          <div className="dashboards-panels">
            {panels.map((panel, at) => (
              <DashboardPanel
                // biome-ignore lint/suspicious/noArrayIndexKey: the same panel may be there twice
                key={`${at} ${JSON.stringify(panel)}`}
                {...{ panel, range }}
                edit={() => setEdited({ at, panel })}
                remove={() => change(panels.toSpliced(at, 1))}
                move={(by) => change(moved(panels, at, at + by))}
              />
            ))}
          </div>
        )}
      </div>
      <Dialog title="Panel" open={edited !== undefined} close={() => setEdited(undefined)}>
        {edited && <PanelForm panel={edited.panel} range={range} done={place} />}
      </Dialog>
      <Dialog title="Save the dashboard" open={isSaving} close={() => setSaving(false)}>
        <SaveForm
          what="dashboard"
          name={dashboardId === undefined ? '' : (kept.name ?? dashboardId)}
          save={(name) => save.mutate(name)}
          remove={saved && (() => removal.mutate())}
          isBusy={save.isPending || removal.isPending}
          error={save.error ?? removal.error}
        />
      </Dialog>
    </div>
  )
}

function moved(panels: readonly Panel[], from: number, to: number): Panel[] {
  const panel = panels[from]!
  return panels.toSpliced(from, 1).toSpliced(Math.max(0, to), 0, panel)
}
