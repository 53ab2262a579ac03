/** Annotation queues: calls that people look at one by one, and what they are asked of each. */
import { queryOptions } from '@tanstack/react-query'
import { allLines, get, post, type Schemas, send } from './client'

export type Queue = Schemas['AnnotationQueueSchema']
export type Item = Schemas['AnnotationQueueItemSchema']
export type State = Item['annotation_state']

/** Of a request that adds calls. */
const BATCH = 1_000
const ITEMS = 1_000

type Named<Path extends string> = `/annotation_queues/{queue_id}${Path}`
/** The types go by the path of the route; the request goes to that of the queue. */
const queuePath = <Path extends '' | '/annotators' | '/items' | '/items/query' | '/items/{item_id}/progress'>(
  id: string,
  _: Path,
  rest: string = _,
) => `/annotation_queues/${encodeURIComponent(id)}${rest}` as Named<Path>

/** The newest first, with how much of each is done. */
export const queuesQuery = (project: string) =>
  queryOptions({
    queryKey: ['queues', project],
    queryFn: async ({ signal }) => {
      const queues = await allLines<'/annotation_queues/query', Queue>(
        '/annotation_queues/query',
        { project_id: project },
        signal,
      )
      const queue_ids = queues.map(({ id }) => id).slice(0, 1000)
      const { stats } =
        queues.length === 0
          ? { stats: [] }
          : await post('/annotation_queues/stats', { project_id: project, queue_ids }, signal)
      const byId = new Map(stats.map((one) => [one.queue_id, one]))
      return queues.map((queue) => ({
        ...queue,
        total: byId.get(queue.id)?.total_items ?? 0,
        done: byId.get(queue.id)?.completed_items ?? 0,
      }))
    },
  })

export const queueQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['queues', project, id],
    queryFn: async ({ signal }) =>
      (await get(queuePath(id, '', `?project_id=${encodeURIComponent(project)}`), signal)).queue,
  })

/** The oldest first. @param own with the state that who is signed in left them in, not the newest of anybody */
export const itemsQuery = (project: string, id: string, own: boolean) =>
  queryOptions({
    queryKey: ['queues', project, id, 'items', own],
    queryFn: async ({ signal }) => {
      const all: Item[] = []
      for (;;) {
        const { items } = await post(
          queuePath(id, '/items/query'),
          { project_id: project, limit: ITEMS, offset: all.length, own_progress: own },
          signal,
        )
        all.push(...items)
        if (items.length < ITEMS) return all
      }
    },
  })

/** What each annotator did, and how far they agree. */
export const annotatorsQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['queues', project, id, 'annotators'],
    queryFn: ({ signal }) =>
      get(queuePath(id, '/annotators', `/annotators?project_id=${encodeURIComponent(project)}`), signal),
  })

export const createQueue = (project: string, name: string, description: string, scorers: string[]) =>
  post('/annotation_queues', { project_id: project, name, description, scorer_refs: scorers })

export const deleteQueue = (project: string, id: string) =>
  send('DELETE', queuePath(id, '', `?project_id=${encodeURIComponent(project)}`))

export async function addCalls(project: string, id: string, calls: readonly string[]): Promise<number> {
  let added = 0
  for (let at = 0; at < calls.length; at += BATCH) {
    const body = { project_id: project, call_ids: calls.slice(at, at + BATCH), display_fields: [] }
    added += (await post(queuePath(id, '/items'), body)).added_count
  }
  return added
}

export const setState = (project: string, { queue_id: queue, id }: Item, annotation_state: State) =>
  post(queuePath(queue, '/items/{item_id}/progress', `/items/${encodeURIComponent(id)}/progress`), {
    project_id: project,
    annotation_state,
  })

/** What annotators may be asked: the newest version of each specification. */
export const specsQuery = (project: string) =>
  queryOptions({
    queryKey: ['objects', project, 'specs'],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['AnnotationSpec'] }
      return (await post('/objs/query', { project_id: project, filter }, signal)).objs
    },
  })
