/** Declarations of the routes about a project as a whole, and of the registry. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { flag, projectId } from './shared.js'

export const projectStats = route({
  id: 'project_stats',
  method: 'POST',
  path: '/project/stats',
  tag: 'Projects',
  summary: 'Sum the bytes that a project stores; those not asked for are 0',
  access: 'read',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      include_trace_storage_size: flag(true),
      include_object_storage_size: flag(true),
      include_table_storage_size: flag(true),
      include_file_storage_size: flag(true),
    })
    .meta({ id: 'ProjectStatsReq' }),
  answer: z
    .object({
      trace_storage_size_bytes: z.int(),
      spans_storage_size_bytes: z.int(),
      objects_storage_size_bytes: z.int(),
      tables_storage_size_bytes: z
        .int()
        .meta({ description: 'rows that several tables share are counted once' }),
      files_storage_size_bytes: z.int(),
    })
    .meta({ id: 'ProjectStatsRes' }),
})

const name = z.string().min(1).max(128)

export const linkToRegistry = route({
  id: 'link_to_registry',
  method: 'POST',
  path: '/link_to_registry',
  tag: 'Registry',
  summary: 'Link a version of an object into a project that serves as a registry, under a name of its own',
  access: 'write',
  project: 'handler',
  body: z.object({
    ref: z.string().meta({ description: 'weave:///entity/project/object/name:digest' }),
    target: z.object({
      portfolio_name: name.meta({ description: 'the name in the registry; it is an object of that project' }),
      entity_name: name,
      project_name: name,
    }),
    aliases: z.array(z.string()).max(100).default([]),
  }),
  answer: z.object({
    version_index: z.int().nullable().meta({ description: 'of the link among those under its name, from 0' }),
  }),
})
