/** Tools that add to datasets and annotation queues, and give feedback. */
import { z } from 'zod'
import { queueAddCalls, queueCreate, queuesQuery } from '../../contract/annotation.js'
import { callsStreamQuery } from '../../contract/calls-read.js'
import { sourcesLink } from '../../contract/dataset-sources.js'
import { feedbackCreate } from '../../contract/feedback.js'
import { objCreate, objRead } from '../../contract/objects.js'
import { tableCreate, tableUpdate } from '../../contract/tables.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Api } from '../../platform/http/api.js'
import { isObject } from '../../platform/json/object.js'
import { callIds, name, project, refOf, tool } from '../tool.js'
import { tableOf } from './objects.js'

const Row = z.record(z.string(), z.unknown())

export const addToDataset = tool({
  name: 'add_to_dataset',
  title: 'Add to a dataset',
  description:
    'Add rows, or calls as rows {inputs, output}, to a dataset: a new version, older ones stay. A dataset that does not exist is created.',
  effect: 'adds',
  input: z.object({
    project,
    dataset: name.max(128).describe('its name'),
    rows: z.array(Row).max(500).optional(),
    call_ids: callIds.optional(),
  }),
  output: z.object({ ref: z.string(), added_rows: z.int() }),
  run: async ({ project: project_id, dataset: object_id, rows = [], call_ids = [] }, api) => {
    const calls = call_ids.length === 0 ? [] : await callsById(api, project_id, call_ids)
    const all = [...rows, ...calls.map(({ inputs, output }) => ({ inputs, output }))]
    if (all.length === 0) throw errors.badRequest('Give rows or call_ids.')
    const { digest, added } = await newVersion(api, project_id, object_id, all)
    if (calls.length > 0) {
      const links = calls.map(({ id, trace_id }, i) => ({
        row_digest: added[rows.length + i]!,
        sources: [{ source_kind: 'call' as const, source_id: id, source_trace_id: trace_id }],
      }))
      await api.call(sourcesLink, {
        body: { project_id, dataset_object_id: object_id, dataset_digest: digest, links },
      })
    }
    return { ref: refOf(project_id, 'object', `${object_id}:${digest}`), added_rows: all.length }
  },
})

/** Most attempts when others change the dataset at the same time. */
const TRIES = 10

/** Publishes the dataset with these rows after those that it has. @throws `CONFLICT` if others keep changing it */
async function newVersion(api: Api, project_id: string, object_id: string, rows: z.output<typeof Row>[]) {
  for (let tries = 1; ; tries++) {
    const before = await latest(api, project_id, object_id)
    const base = tableOf(before?.val)
    if (before !== undefined && base === undefined)
      throw errors.badRequest(`${object_id} is no dataset; give another name.`)
    const { digest: table, added } =
      base === undefined
        ? await api
            .call(tableCreate, { body: { table: { project_id, rows } } })
            .then(({ digest, row_digests }) => ({ digest, added: row_digests }))
        : await api
            .call(tableUpdate, {
              body: { project_id, base_digest: base, updates: rows.map((row) => ({ append: { row } })) },
            })
            .then(({ digest, updated_row_digests }) => ({ digest, added: updated_row_digests }))
    const val = {
      ...{ _type: 'Dataset', name: object_id, description: null },
      ...{ _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] },
      ...before?.val,
      rows: refOf(project_id, 'table', table),
    }
    const obj = { project_id, object_id, val, base_digest: before?.digest ?? '' }
    try {
      const { digest } = await api.call(objCreate, { body: { obj } })
      return { digest, added }
    } catch (error) {
      if (!(error instanceof HeddleError && error.code === 'CONFLICT') || tries === TRIES) throw error
    }
  }
}

/** Calls in the order of their ids. @throws `NOT_FOUND` if one is missing */
async function callsById(api: Api, project_id: string, call_ids: string[]) {
  const found = await api.lines(callsStreamQuery, {
    body: { project_id, filter: { call_ids }, columns: ['id', 'trace_id', 'inputs', 'output'] },
  })
  const byId = new Map(found.map((call) => [call.id, call]))
  return call_ids.map((id) => {
    const call = byId.get(id)
    if (call === undefined) throw errors.notFound(`The call ${id} in ${project_id}`)
    return call
  })
}

/** The newest version of an object; undefined: there is none. */
async function latest(api: Api, project_id: string, object_id: string) {
  try {
    const { obj } = await api.call(objRead, { body: { project_id, object_id, digest: 'latest' } })
    return { digest: obj.digest, val: isObject(obj.val) ? obj.val : {} }
  } catch (error) {
    if (error instanceof HeddleError && error.status === 404) return undefined
    throw error
  }
}

export const addToQueue = tool({
  name: 'add_to_queue',
  title: 'Add to an annotation queue',
  description:
    'Put calls into a queue that people annotate. Calls that are in it already are not added again. A queue that does not exist is created.',
  effect: 'adds',
  input: z.object({ project, queue: name.max(256).describe('its name, or its id'), call_ids: callIds }),
  output: z.object({ queue_id: z.string(), added_count: z.int(), duplicates: z.int() }),
  run: async ({ project: project_id, queue, call_ids }, api) => {
    const queues = await api.lines(queuesQuery, { body: { project_id } })
    const known = queues.find(({ id, name: title }) => id === queue || title === queue)
    const { id: queue_id } =
      known ?? (await api.call(queueCreate, { body: { project_id, name: queue, scorer_refs: [] } }))
    const { added_count, duplicates } = await api.call(queueAddCalls, {
      params: { queue_id },
      body: { project_id, call_ids, display_fields: ['inputs', 'output'] },
    })
    return { queue_id, added_count, duplicates }
  },
})

export const giveFeedback = tool({
  name: 'give_feedback',
  title: 'Give feedback',
  description:
    'Add a note, a reaction or your own kind of feedback to a call. Give one of note, emoji, or type with payload.',
  effect: 'adds',
  input: z.object({
    project,
    call_id: name,
    note: z.string().min(1).max(1024).optional(),
    emoji: z.string().min(1).max(32).optional().describe('such as 👍'),
    type: z.string().min(1).max(512).optional().describe('your own kind, such as review'),
    payload: z.record(z.string(), z.unknown()).optional().describe('with type, such as {"correct": false}'),
  }),
  output: z.object({ feedback_id: z.string() }),
  run: async ({ project: project_id, call_id, note, emoji, type, payload = {} }, api) => {
    const given = [
      ...(note === undefined ? [] : [{ feedback_type: 'platform.note.1', payload: { note } }]),
      ...(emoji === undefined ? [] : [{ feedback_type: 'platform.reaction.1', payload: { emoji } }]),
      ...(type === undefined ? [] : [{ feedback_type: type, payload }]),
    ]
    if (given.length !== 1) throw errors.badRequest('Give one of note, emoji, or type with payload.')
    const { id } = await api.call(feedbackCreate, {
      body: { project_id, weave_ref: refOf(project_id, 'call', call_id), ...given[0]! },
    })
    return { feedback_id: id }
  },
})
