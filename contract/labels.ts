import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { objectId } from './objects.js'
import { component, digest, projectId, shortText, writeInBody } from './shared.js'

const tag = 'Objects'
const write = { ...writeInBody, tag } as const
const listed = { method: 'GET', tag, access: 'read', project: 'query' } as const
const ofObject = z.object({ object_id: objectId })
const ofVersion = z.object({ object_id: objectId, digest })
const many = z.array(shortText).max(100)
const done = (id: string) => component(id, {})
const ObjTagsBody = component('ObjTagsBody', { project_id: projectId, tags: many })
const inProject = z.object({ project_id: projectId })

export const objAddTags = route({
  ...write,
  id: 'obj_add_tags',
  audit: { category: 'labels', names: ['params.object_id', 'params.digest', 'body.tags'] },
  method: 'PUT',
  path: '/objs/{object_id}/versions/{digest}/tags',
  summary: 'Tag a version',
  params: ofVersion,
  body: ObjTagsBody,
  answer: done('ObjAddTagsRes'),
})

export const objRemoveTags = route({
  ...write,
  id: 'obj_remove_tags',
  audit: { category: 'labels', names: ['params.object_id', 'params.digest', 'body.tags'] },
  path: '/objs/{object_id}/versions/{digest}/tags/remove',
  summary: 'Remove tags from a version',
  params: ofVersion,
  body: ObjTagsBody,
  answer: done('ObjRemoveTagsRes'),
})

export const objSetAliases = route({
  ...write,
  id: 'obj_set_aliases',
  audit: { category: 'labels', names: ['params.object_id', 'body.digest', 'body.aliases'] },
  method: 'PUT',
  path: '/objs/{object_id}/aliases',
  summary: 'Set aliases of a version; each moves from the version it named before',
  params: ofObject,
  body: component('ObjSetAliasesBody', { project_id: projectId, digest, aliases: many }),
  answer: done('ObjSetAliasesRes'),
})

export const objRemoveAliases = route({
  ...write,
  id: 'obj_remove_aliases',
  audit: { category: 'labels', names: ['params.object_id', 'body.aliases'] },
  path: '/objs/{object_id}/aliases/remove',
  summary: 'Remove aliases',
  params: ofObject,
  body: component('ObjRemoveAliasesBody', { project_id: projectId, aliases: many }),
  answer: done('ObjRemoveAliasesRes'),
})

export const tagsList = route({
  ...listed,
  id: 'tags_list',
  path: '/tags',
  summary: 'List the tags of a project',
  query: inProject,
  answer: component('TagsListRes', { tags: z.array(z.string()) }),
})

export const aliasesList = route({
  ...listed,
  id: 'aliases_list',
  path: '/aliases',
  summary: 'List the aliases of a project',
  query: inProject,
  answer: component('AliasesListRes', { aliases: z.array(z.string()) }),
})
