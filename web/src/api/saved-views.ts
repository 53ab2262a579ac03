/** Views that were saved, as the SDKs' `SavedView` objects. */
import { queryOptions } from '@tanstack/react-query'
import { post } from './client'
import { newObjectId } from './object-id'

export const savedViewsQuery = (project: string) =>
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

interface Saved {
  object_id: string
  val: unknown
}

/**
 * Saves a view; one of its kind and name is replaced. @param val a `SavedView` @param there all of the project
 * @throws Error that says to choose another name
 */
export async function saveView(
  project: string,
  val: { view_type: string; label: string } & Record<string, unknown>,
  there: readonly Saved[],
): Promise<void> {
  const { view_type: kind, label } = val
  const same = there.find(({ val: other }) => {
    const view = other as { view_type?: string; label?: string } | null
    return view?.view_type === kind && view.label === label
  })
  const name = kind === 'traces' ? label : `${kind}-${label}`
  const id = same?.object_id ?? newObjectId('view', name, there)
  await post('/obj/create', {
    obj: { project_id: project, object_id: id, builtin_object_class: 'SavedView', val },
  })
}

export const deleteView = (project: string, id: string) =>
  post('/obj/delete', { project_id: project, object_id: id })
