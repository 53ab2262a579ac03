/** Views of the traces that were saved, and how to save one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { savedViewsQuery, saveView } from '../../api/saved-views'
import { Button } from '../../ui/button'
import { Menu, MenuItem } from '../../ui/menu'
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
  const { data = [] } = useQuery(savedViewsQuery(project))
  const saving = useMutation({
    mutationFn: (label: string) => saveView(project, label, viewOf(label, search)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['objects', project] }),
  })
  const save = () => {
    const label = prompt('Name of the view')?.trim()
    if (label) saving.mutate(label)
  }
  const views = data.filter(({ val }) => (val as View).view_type === 'traces')
  return (
    <Menu trigger={<Button icon="star">Views</Button>}>
      {views.map(({ object_id: id, val }) => (
        <MenuItem key={id} choose={() => apply({ ...CLEAR, ...searchOfView(val as View) })}>
          {(val as View).label ?? id}
        </MenuItem>
      ))}
      <MenuItem choose={save}>Save this view…</MenuItem>
    </Menu>
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
