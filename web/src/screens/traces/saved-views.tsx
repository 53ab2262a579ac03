/** Views of the traces that were saved, and how to save and delete them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteView, savedViewsQuery, saveView } from '../../api/saved-views'
import { useMay } from '../../api/session'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Menu, MenuItem } from '../../ui/menu'
import { SaveForm } from '../../ui/save-form'
import type { TracesSearch } from './search'
import { searchOfView, type View, viewOf } from './view'

export function SavedViews({
  project,
  search,
  apply,
}: {
  project: string
  search: TracesSearch
  apply: (search: TracesSearch) => void
}) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const mayChange = useMay('write', project, 'Objects')
  const { data = [] } = useQuery(savedViewsQuery(project))
  const views = data.filter(({ val }) => (val as View).view_type === 'traces')
  const readAgain = () => client.invalidateQueries({ queryKey: ['objects', project] })
  const saving = useMutation({
    mutationFn: (label: string) => saveView(project, viewOf(label, search), data),
    onSuccess: async () => {
      await readAgain()
      setOpen(false)
    },
  })
  const removal = useMutation({ mutationFn: (id: string) => deleteView(project, id), onSuccess: readAgain })
  return (
    <>
      <Menu trigger={<Button icon="star">Views</Button>}>
        {views.map(({ object_id: id, val }) => (
          <MenuItem key={id} choose={() => apply({ ...CLEAR, ...searchOfView(val as View) })}>
            {(val as View).label ?? id}
          </MenuItem>
        ))}
        {views.length === 0 && !mayChange && <MenuItem choose={() => undefined}>No view is saved</MenuItem>}
        {mayChange && <MenuItem choose={() => setOpen(true)}>Save or delete a view…</MenuItem>}
      </Menu>
      <Dialog title="Saved views" open={isOpen} close={() => setOpen(false)}>
        <p className="muted">
          A view keeps the filter, the order and the columns, for all who read the project. It replaces one of
          the same name.
        </p>
        <SaveForm
          what="view"
          name=""
          save={(label) => saving.mutate(label)}
          isBusy={saving.isPending}
          error={saving.error ?? removal.error}
        />
        {views.map(({ object_id: id, val }) => {
          const label = (val as View).label ?? id
          return (
            <div key={id} className="row">
              <span className="grow brief">{label}</span>
              <IconButton
                icon="trash"
                label={`Delete the view ${label}`}
                onClick={() => removal.mutate(id)}
              />
            </div>
          )
        })}
      </Dialog>
    </>
  )
}

const CLEAR = {
  q: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  sort: undefined,
  cols: undefined,
  all: undefined,
} as unknown as TracesSearch
