/** Declarations of the object routes: create, read, query, delete. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy } from './calls-read.js'
import {
  component,
  digest,
  flag,
  names,
  orNull,
  page,
  projectId,
  rawWrite,
  readInBody,
  shortText,
  timeOut,
  userIdIn,
  userIdOut,
  writeInBody,
} from './shared.js'

const tag = 'Objects'
const read = { ...readInBody, tag } as const

/** The name of an object: the part before the colon in a ref. */
export const objectId = shortText.meta({
  description: '1 to 128 letters and digits of any script, `_`, `.` or `-`',
  examples: ['my-dataset'],
})

const ObjSchema = component('ObjSchema', {
  project_id: z.string(),
  object_id: z.string(),
  created_at: timeOut,
  deleted_at: timeOut.nullable(),
  digest: z.string(),
  version_index: z.int(),
  is_latest: z.int().describe('1 or 0'),
  kind: z.enum(['object', 'op']),
  base_object_class: z.string().nullable(),
  leaf_object_class: z.string().nullable(),
  val: z.unknown(),
  ...userIdOut,
  size_bytes: z.int().nullable(),
  tags: z.array(z.string()).nullable(),
  aliases: z.array(z.string()).nullable(),
})

const ObjSchemaForInsert = component('ObjSchemaForInsert', {
  project_id: projectId,
  object_id: objectId,
  val: z.unknown().describe('any JSON value; numbers keep their exact text'),
  builtin_object_class: orNull(z.string()),
  set_base_object_class: orNull(z.string()).meta({
    description: 'older name of builtin_object_class',
    deprecated: true,
  }),
  expected_digest: orNull(z.string()).describe('the digest that the client computed; 409 if it differs'),
  base_digest: orNull(z.string()).describe(
    'digest of the version that the value was made from, empty for a new object; 409 if that is no longer the latest',
  ),
  platform_user_id: userIdIn,
})

export const objCreate = route({
  ...rawWrite,
  id: 'obj_create',
  path: '/obj/create',
  tag,
  summary: 'Create a version of an object; an equal value gives the same version',
  body: component('ObjCreateReq', { obj: ObjSchemaForInsert }),
  answer: component('ObjCreateRes', { digest: z.string(), object_id: z.string().nullable() }),
})

export const objRead = route({
  ...read,
  id: 'obj_read',
  path: '/obj/read',
  summary: 'Read a version of an object by digest, `latest`, `v<index>` or alias',
  body: component('ObjReadReq', {
    project_id: projectId,
    object_id: objectId,
    digest,
    metadata_only: flag(false).describe('return an empty val'),
    include_tags_and_aliases: flag(false),
  }),
  answer: component('ObjReadRes', { obj: ObjSchema }),
})

const ObjectVersionFilter = component('ObjectVersionFilter', {
  base_object_classes: names,
  exclude_base_object_classes: names,
  leaf_object_classes: names,
  object_ids: names,
  is_op: orNull(z.boolean()),
  latest_only: orNull(z.boolean()),
  tags: names,
  aliases: names,
})

const ObjQueryReq = component('ObjQueryReq', {
  project_id: projectId,
  filter: orNull(ObjectVersionFilter),
  ...page,
  sort_by: orNull(z.array(SortBy)).describe('by object_id or created_at; other fields are ignored'),
  metadata_only: flag(false).describe('return empty vals'),
  include_storage_size: flag(false),
  include_tags_and_aliases: flag(false),
})
export type ObjectQuery = z.output<typeof ObjQueryReq>

export const objsQuery = route({
  ...read,
  id: 'objs_query',
  path: '/objs/query',
  summary: 'List versions of objects; the values in a list of the filter are alternatives',
  body: ObjQueryReq,
  answer: component('ObjQueryRes', { objs: z.array(ObjSchema) }),
})

/** Most versions per deletion. */
export const DELETE_LIMIT = 100

const nullName = z.string().nullable()

export const objDelete = route({
  ...writeInBody,
  id: 'obj_delete',
  audit: { category: 'deletion', names: ['body.object_id', 'body.digests'] },
  path: '/obj/delete',
  tag,
  summary: 'Delete versions of an object; without digests, all',
  body: component('ObjDeleteReq', {
    project_id: projectId,
    object_id: objectId,
    digests: orNull(z.array(shortText)).describe(
      `at most ${DELETE_LIMIT} digests, latest, v<index> or aliases`,
    ),
  }),
  answer: component('ObjDeleteRes', {
    num_deleted: z.int(),
    deleted_versions: z
      .array(
        component('DeletedObjVersion', {
          digest: z.string(),
          base_object_class: nullName,
          leaf_object_class: nullName,
        }),
      )
      .nullable(),
  }),
})
