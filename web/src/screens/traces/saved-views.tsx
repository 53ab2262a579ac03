/** Views that were saved, as the SDKs' `SavedView` objects, and how to save one. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { post } from '../../api/client'
import { Button } from '../../ui/button'
import { Menu, MenuItem } from '../../ui/menu'
import type { TracesSearch } from './search'
import { searchOfView, type View, viewOf } from './view'

const viewsQuery = (project: string) =>
  queryOptions({
    queryKey: ['objects', project, 'SavedView'],
    queryFn: async ({ signal }) =>
      (
        await post(
          '/objs/query',
          { project_id: project, filter: { base_object_classes: ['SavedView'], latest_only: true } },
          signal,
        )
      ).objs,
  })

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
  const { data = [] } = useQuery(viewsQuery(project))
  const saving = useMutation({
    mutationFn: (label: string) =>
      post('/obj/create', {
        obj: {
          project_id: project,
          object_id: label.replaceAll(/[^\w-]+/g, '-').slice(0, 100),
          builtin_object_class: 'SavedView',
          val: viewOf(label, search),
        },
      }),
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
