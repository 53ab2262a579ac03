/** Declarations of the routes about tags and aliases of object versions. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { objectId } from './objects.js'
import { digest, projectId } from './shared.js'

const tag = 'Objects'
const ofObject = z.object({ object_id: objectId })
const ofVersion = z.object({ object_id: objectId, digest })
const many = z.array(z.string()).max(100)
const done = (id: string) => z.object({}).meta({ id })
const ObjTagsBody = z.object({ project_id: projectId, tags: many }).meta({ id: 'ObjTagsBody' })
const inProject = z.object({ project_id: projectId })

export const objAddTags = route({
  id: 'obj_add_tags',
  method: 'PUT',
  path: '/objs/{object_id}/versions/{digest}/tags',
  tag,
  summary: 'Tag a version',
  access: 'write',
  project: 'body',
  params: ofVersion,
  body: ObjTagsBody,
  answer: done('ObjAddTagsRes'),
})

export const objRemoveTags = route({
  id: 'obj_remove_tags',
  method: 'POST',
  path: '/objs/{object_id}/versions/{digest}/tags/remove',
  tag,
  summary: 'Take tags off a version',
  access: 'write',
  project: 'body',
  params: ofVersion,
  body: ObjTagsBody,
  answer: done('ObjRemoveTagsRes'),
})

export const objSetAliases = route({
  id: 'obj_set_aliases',
  method: 'PUT',
  path: '/objs/{object_id}/aliases',
  tag,
  summary: 'Let aliases name a version, whatever they named before',
  access: 'write',
  project: 'body',
  params: ofObject,
  body: z.object({ project_id: projectId, digest, aliases: many }).meta({ id: 'ObjSetAliasesBody' }),
  answer: done('ObjSetAliasesRes'),
})

export const objRemoveAliases = route({
  id: 'obj_remove_aliases',
  method: 'POST',
  path: '/objs/{object_id}/aliases/remove',
  tag,
  summary: 'Remove aliases',
  access: 'write',
  project: 'body',
  params: ofObject,
  body: z.object({ project_id: projectId, aliases: many }).meta({ id: 'ObjRemoveAliasesBody' }),
  answer: done('ObjRemoveAliasesRes'),
})

export const tagsList = route({
  id: 'tags_list',
  method: 'GET',
  path: '/tags',
  tag,
  summary: 'List the tags of a project',
  access: 'read',
  project: 'query',
  query: inProject,
  answer: z.object({ tags: z.array(z.string()) }).meta({ id: 'TagsListRes' }),
})

export const aliasesList = route({
  id: 'aliases_list',
  method: 'GET',
  path: '/aliases',
  tag,
  summary: 'List the aliases of a project',
  access: 'read',
  project: 'query',
  query: inProject,
  answer: z.object({ aliases: z.array(z.string()) }).meta({ id: 'AliasesListRes' }),
})
