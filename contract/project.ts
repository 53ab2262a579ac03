import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, flag, projectId, readInBody, shortText, timeOut } from './shared.js'

export const projectStats = route({
  ...readInBody,
  id: 'project_stats',
  path: '/project/stats',
  tag: 'Projects',
  summary: 'Sum the stored bytes of a project; sizes that were not requested are 0',
  body: component('ProjectStatsReq', {
    project_id: projectId,
    include_trace_storage_size: flag(true),
    include_object_storage_size: flag(true),
    include_table_storage_size: flag(true),
    include_file_storage_size: flag(true),
  }),
  answer: component('ProjectStatsRes', {
    trace_storage_size_bytes: z.int(),
    spans_storage_size_bytes: z.int(),
    objects_storage_size_bytes: z.int(),
    tables_storage_size_bytes: z.int().describe('rows shared by several tables count once'),
    files_storage_size_bytes: z.int(),
  }),
})

const spans = z.int().describe('how many of the spans')

export const projectConventions = route({
  ...readInBody,
  id: 'project_conventions',
  path: '/project/conventions',
  tag: 'Projects',
  summary: 'Say which conventions the newest spans of a project follow, and what none of them says',
  body: component('ProjectConventionsReq', { project_id: projectId }),
  answer: component('ProjectConventionsRes', {
    spans: z.int().describe('the newest ones, 200 at most; without those that are very large'),
    conventions: z.array(z.object({ convention: z.string(), spans })),
    unknown_attributes: z
      .array(z.object({ attribute: z.string(), spans }))
      .describe('names of attributes that no convention has; they are kept under these names'),
    missing: z
      .array(z.object({ part: z.string(), set: z.array(z.string()) }))
      .describe('parts of calls that none of the spans has, and the attributes that would say them'),
  }),
})

const name = z.string().min(1).max(128)

export const linkToRegistry = route({
  id: 'link_to_registry',
  audit: { category: 'labels', names: ['body.ref', 'body.target', 'body.aliases'] },
  method: 'POST',
  path: '/link_to_registry',
  tag: 'Registry',
  summary: 'Link a version of an object into a registry project, under its own name there',
  access: 'write',
  project: 'handler',
  body: z.object({
    ref: shortText.describe('weave:///entity/project/object/name:digest'),
    target: z.object({
      portfolio_name: name.describe('the name of the object in the registry project'),
      entity_name: name,
      project_name: name,
    }),
    aliases: z.array(shortText).max(100).default([]),
  }),
  answer: z.object({
    version_index: z.int().nullable().describe('the number of the link under its name, from 0'),
  }),
})

const ProjectsQuery = z.object({
  search: z.string().max(300).default('').describe('a part of the name, in any case of its letters'),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
  cursor: z.string().max(300).default('').describe('`next_cursor` of the page before'),
})
export type ProjectsQuery = z.output<typeof ProjectsQuery>

export const listProjects = route({
  id: 'projects_list',
  method: 'GET',
  path: '/projects',
  tag: 'Projects',
  summary: 'List the projects that this key may read, by name',
  access: 'read',
  project: 'none',
  query: ProjectsQuery,
  answer: component('ProjectsRes', {
    projects: z.array(z.object({ project_id: z.string(), created_at: timeOut })),
    next_cursor: z.string().nullable().describe('null: there are no more'),
  }),
})
