/** Declarations of the object routes: create, read, query, delete. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy } from './calls-read.js'
import { digest, flag, names, page, projectId, timeOut, userIdIn, userIdOut } from './shared.js'

const tag = 'Objects'

/** The name of an object: what comes before the colon in a ref. */
export const objectId = z.string().meta({
  description: '1 to 128 letters and digits of any script, `_`, `.` or `-`',
  examples: ['my-dataset'],
})

const ObjSchema = z
  .object({
    project_id: z.string(),
    object_id: z.string(),
    created_at: timeOut,
    deleted_at: timeOut.nullable(),
    digest: z.string(),
    version_index: z.int(),
    is_latest: z.int().meta({ description: '1 or 0' }),
    kind: z.enum(['object', 'op']),
    base_object_class: z.string().nullable(),
    leaf_object_class: z.string().nullable(),
    val: z.unknown(),
    ...userIdOut,
    size_bytes: z.int().nullable(),
    tags: z.array(z.string()).nullable(),
    aliases: z.array(z.string()).nullable(),
  })
  .meta({ id: 'ObjSchema' })

const ObjSchemaForInsert = z
  .object({
    project_id: projectId,
    object_id: objectId,
    val: z.unknown().meta({ description: 'any JSON value; its numbers keep the text they are written in' }),
    builtin_object_class: z.string().nullable().default(null),
    set_base_object_class: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'older name of builtin_object_class', deprecated: true }),
    expected_digest: z.string().nullable().default(null).meta({
      description: 'the digest that the client computed; another one answers 409',
    }),
    platform_user_id: userIdIn,
  })
  .meta({ id: 'ObjSchemaForInsert' })

export const objCreate = route({
  id: 'obj_create',
  method: 'POST',
  path: '/obj/create',
  tag,
  summary: 'Create a version of an object; the same value again is the same version',
  access: 'write',
  project: 'handler',
  raw: true,
  body: z.object({ obj: ObjSchemaForInsert }).meta({ id: 'ObjCreateReq' }),
  answer: z.object({ digest: z.string(), object_id: z.string().nullable() }).meta({ id: 'ObjCreateRes' }),
})

export const objRead = route({
  id: 'obj_read',
  method: 'POST',
  path: '/obj/read',
  tag,
  summary: 'Read a version of an object by digest, `latest`, `v<index>` or alias',
  access: 'read',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      object_id: objectId,
      digest,
      metadata_only: flag(false).meta({ description: 'answer with an empty val' }),
      include_tags_and_aliases: flag(false),
    })
    .meta({ id: 'ObjReadReq' }),
  answer: z.object({ obj: ObjSchema }).meta({ id: 'ObjReadRes' }),
})

const ObjectVersionFilter = z
  .object({
    base_object_classes: names,
    exclude_base_object_classes: names,
    leaf_object_classes: names,
    object_ids: names,
    is_op: z.boolean().nullable().default(null),
    latest_only: z.boolean().nullable().default(null),
    tags: names,
    aliases: names,
  })
  .meta({ id: 'ObjectVersionFilter' })

const ObjQueryReq = z
  .object({
    project_id: projectId,
    filter: ObjectVersionFilter.nullable().default(null),
    ...page,
    sort_by: z
      .array(SortBy)
      .nullable()
      .default(null)
      .meta({ description: 'by object_id or created_at; others are ignored' }),
    metadata_only: flag(false).meta({ description: 'answer with empty vals' }),
    include_storage_size: flag(false),
    include_tags_and_aliases: flag(false),
  })
  .meta({ id: 'ObjQueryReq' })
export type ObjectQuery = z.output<typeof ObjQueryReq>

export const objsQuery = route({
  id: 'objs_query',
  method: 'POST',
  path: '/objs/query',
  tag,
  summary: 'List versions of objects; values inside one list of the filter are alternatives',
  access: 'read',
  project: 'body',
  body: ObjQueryReq,
  answer: z.object({ objs: z.array(ObjSchema) }).meta({ id: 'ObjQueryRes' }),
})

/** Most versions deleted by one request. */
export const DELETE_LIMIT = 100

const nullName = z.string().nullable()

export const objDelete = route({
  id: 'obj_delete',
  method: 'POST',
  path: '/obj/delete',
  tag,
  summary: 'Delete versions of an object; without digests, all of them',
  access: 'write',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      object_id: objectId,
      digests: z
        .array(z.string())
        .nullable()
        .default(null)
        .meta({ description: `at most ${DELETE_LIMIT} digests, latest, v<index> or aliases` }),
    })
    .meta({ id: 'ObjDeleteReq' }),
  answer: z
    .object({
      num_deleted: z.int(),
      deleted_versions: z
        .array(
          z
            .object({ digest: z.string(), base_object_class: nullName, leaf_object_class: nullName })
            .meta({ id: 'DeletedObjVersion' }),
        )
        .nullable(),
    })
    .meta({ id: 'ObjDeleteRes' }),
})
