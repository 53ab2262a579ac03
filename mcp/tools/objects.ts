/** The tool that lists and reads what is published: prompts, datasets, models, scorers, evaluations, ops. */
import { z } from 'zod'
import { objRead, objsQuery } from '../../contract/objects.js'
import { tableQuery, tableQueryStats } from '../../contract/tables.js'
import type { Api } from '../../platform/http/api.js'
import { isObject } from '../../platform/json/object.js'
import { cursorIn, cursorOut, lean, maxTokens, offsetOf, pageOf, wholeOrPart } from '../budget.js'
import { name, project, refOf, tool } from '../tool.js'

const MOST_OBJECTS = 200
const MOST_ROWS = 200

/** Classes of the kinds that have some. */
const CLASSES: Readonly<Record<string, string[]>> = {
  prompt: ['Prompt'],
  dataset: ['Dataset'],
  model: ['Model', 'LLMStructuredCompletionModel'],
  scorer: ['Scorer', 'LLMAsAJudgeScorer'],
  evaluation: ['Evaluation'],
}

export const readObjects = tool({
  name: 'read_objects',
  title: 'List and read objects',
  description:
    'Prompts, datasets, models, scorers, evaluations and ops, with versions. Without name: list them. With name: the value of a version, and for a dataset its rows.',
  effect: 'reads',
  input: z.object({
    project,
    kind: z.enum(['any', 'prompt', 'dataset', 'model', 'scorer', 'evaluation', 'op']).default('any'),
    name: name.optional(),
    version: name.default('latest').describe('latest, v0, an alias or a digest'),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    objects: z
      .array(
        z.object({
          name: z.string(),
          class: z.string().optional(),
          version: z.string(),
          ref: z.string(),
          created_at: z.string(),
          tags: z.array(z.string()).optional(),
          aliases: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    ref: z.string().optional(),
    version: z.string().optional(),
    value: z.unknown().optional(),
    json_part: z.string().optional().describe('instead of value: a part of its JSON text, as it is long'),
    row_count: z.int().optional(),
    rows: z.array(z.unknown()).optional(),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, kind, name: object_id, version, cursor, max_tokens }, api) => {
    const offset = offsetOf(cursor)
    if (object_id === undefined) {
      const classes = CLASSES[kind]
      const { objs } = await api.call(objsQuery, {
        body: {
          project_id,
          filter: {
            latest_only: true,
            ...(kind !== 'any' && { is_op: kind === 'op' }),
            ...(classes && { base_object_classes: classes }),
          },
          metadata_only: true,
          include_tags_and_aliases: true,
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: MOST_OBJECTS + 1,
          offset,
        },
      })
      const objects = objs.slice(0, MOST_OBJECTS).map((one) => ({
        name: one.object_id,
        version: `v${one.version_index}`,
        ref: refOf(project_id, one.kind, `${one.object_id}:${one.digest}`),
        created_at: one.created_at,
        ...lean({
          class: one.leaf_object_class ?? one.base_object_class,
          tags: one.tags?.length ? one.tags : undefined,
          aliases: one.aliases?.length ? one.aliases : undefined,
        }),
      }))
      const { page, ...next } = pageOf(objects, offset, max_tokens, objs.length > MOST_OBJECTS)
      return { objects: page, ...next }
    }
    const { obj } = await api.call(objRead, { body: { project_id, object_id, digest: version } })
    const head = {
      ref: refOf(project_id, obj.kind, `${object_id}:${obj.digest}`),
      version: `v${obj.version_index}`,
    }
    const table = tableOf(obj.val)
    if (table === undefined) return { ...head, ...wholeOrPart(obj.val, offset, max_tokens) }
    const [{ rows }, { count }] = await Promise.all([
      api.call(tableQuery, { body: { project_id, digest: table, limit: MOST_ROWS, offset } }),
      api.call(tableQueryStats, { body: { project_id, digest: table } }),
    ])
    const { page, ...next } = pageOf(
      rows.map(({ val }) => val),
      offset,
      max_tokens,
      offset + rows.length < count,
    )
    return { ...head, row_count: count, rows: page, ...next }
  },
})

/** The digest of the table that a dataset's value names. */
export function tableOf(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.rows !== 'string') return undefined
  return /\/table\/([^/:]+)$/.exec(value.rows)?.[1]
}

/** The ref of a version; what is a ref stays. @throws `NOT_FOUND` for a name that nothing has */
export async function refNamed(api: Api, project_id: string, given: string): Promise<string> {
  if (given.includes('://')) return given
  const [object_id = '', digest = 'latest'] = given.split(':')
  const { obj } = await api.call(objRead, { body: { project_id, object_id, digest, metadata_only: true } })
  return refOf(project_id, 'object', `${object_id}:${obj.digest}`)
}
