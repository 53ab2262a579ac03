/** Views that were saved, as the SDKs' `SavedView` objects. */
import { queryOptions } from '@tanstack/react-query'
import { post } from './client'

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

/** @param val a `SavedView` */
export const saveView = (project: string, id: string, val: object) =>
  post('/obj/create', {
    obj: { project_id: project, object_id: id, builtin_object_class: 'SavedView', val },
  })

export const deleteView = (project: string, id: string) =>
  post('/obj/delete', { project_id: project, object_id: id })
