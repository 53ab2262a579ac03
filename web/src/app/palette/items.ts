/** What the palette leads to, gathered from what the service knows; each read is asked for once the palette is open. */
import { queryOptions } from '@tanstack/react-query'
import { NAME_COLUMNS } from '../../../../domain/calls/listed-fields'
import { nameOf } from '../../api/calls'
import { post, queryCalls } from '../../api/client'
import type { Obj } from '../../api/objects'
import { savedViewsQuery } from '../../api/saved-views'
import { callPath, objectPath, weavePath } from '../address'

export interface Item {
  /** among all items */
  id: string
  name: string
  /** what kind of thing it is */
  kind: string
  /** where it leads */
  to?: string
  search?: Record<string, string>
  /** what it does, if it leads nowhere */
  run?: () => void
  /** the keys that do the same */
  keys?: string
}

const OBJECTS = 500

export const objectItemsQuery = (project: string) =>
  queryOptions({
    queryKey: ['palette', project, 'objects'],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<Item[]> => {
      const { objs } = await post(
        '/objs/query',
        {
          project_id: project,
          filter: { latest_only: true },
          metadata_only: true,
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: OBJECTS,
        },
        signal,
      )
      return objs.filter(({ base_object_class: kind }) => kind !== 'SavedView').map(itemOfObject)
    },
  })

const itemOfObject = (object: Obj): Item => ({
  id: `object ${object.kind} ${object.object_id}`,
  name: object.object_id,
  kind: object.kind === 'op' ? 'Op' : (object.base_object_class ?? 'Object'),
  to: objectPath(object),
})

export const viewItemsQuery = (project: string) =>
  queryOptions({
    ...savedViewsQuery(project),
    select: (views): Item[] =>
      views.map(({ object_id: view, val }) => {
        const { label } = (val ?? {}) as { label?: unknown }
        return {
          id: `view ${view}`,
          name: typeof label === 'string' && label !== '' ? label : view,
          kind: 'Saved view',
          to: weavePath(project, 'traces'),
          search: { view },
        }
      }),
  })

/** Long enough to be one, without white space. */
const ID = /^[\w:./-]{8,256}$/

/** Calls, traces and threads with exactly this id. */
export const idItemsQuery = (project: string, text: string) =>
  queryOptions({
    queryKey: ['palette', project, 'id', text],
    enabled: project !== '' && ID.test(text),
    queryFn: async ({ signal }): Promise<Item[]> => {
      const ask = (filter: object) =>
        queryCalls(
          {
            project_id: project,
            filter,
            columns: ['id', 'trace_id', ...NAME_COLUMNS],
            sort_by: [{ field: 'started_at', direction: 'asc' }],
            limit: 1,
          },
          signal,
        )
      const [calls, roots, inThread] = await Promise.all([
        ask({ call_ids: [text] }),
        ask({ trace_ids: [text] }),
        ask({ thread_ids: [text] }),
      ])
      const call = calls[0] ?? roots[0]
      return [
        ...(call === undefined
          ? []
          : [
              {
                ...{ id: `call ${call.id}`, name: nameOf(call), to: callPath(project, call.id) },
                kind: calls.length > 0 ? 'Call with this id' : 'Trace with this id',
              },
            ]),
        ...(inThread.length === 0
          ? []
          : [
              {
                ...{ id: `thread ${text}`, name: text, kind: 'Thread with this id' },
                to: weavePath(project, 'threads', text),
              },
            ]),
      ]
    },
  })
