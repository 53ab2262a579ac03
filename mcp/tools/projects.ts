/** The tool that begins most conversations: which projects there are, and what is in one. */
import { z } from 'zod'
import { listProjects, projectConventions } from '../../contract/project.js'
import { cursorIn, cursorOut, maxTokens, offsetOf, pageOf } from '../budget.js'
import { project, tool } from '../tool.js'

export const findProjects = tool({
  name: 'find_projects',
  title: 'Find projects',
  description:
    'List the projects that you may read. With a project: which conventions its newest spans follow, and what they lack.',
  effect: 'reads',
  input: z.object({
    project: project.optional().describe('only this one, with its conventions'),
    name_contains: z.string().max(200).optional(),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    projects: z.array(z.object({ project: z.string(), created_at: z.string() })),
    spans_seen: z.int().optional(),
    conventions: z.array(z.object({ convention: z.string(), spans: z.int() })).optional(),
    missing: z.array(z.object({ part: z.string(), set: z.array(z.string()) })).optional(),
    next_cursor: cursorOut,
  }),
  run: async ({ project: wanted, name_contains, cursor, max_tokens }, api) => {
    const { projects } = await api.call(listProjects)
    const part = name_contains?.toLowerCase()
    const found = projects
      .filter(({ project_id: id }) => wanted === undefined || id === wanted)
      .filter(({ project_id: id }) => part === undefined || id.toLowerCase().includes(part))
      .map(({ project_id, created_at }) => ({ project: project_id, created_at }))
    const offset = offsetOf(cursor)
    const { page, ...next } = pageOf(found.slice(offset), offset, max_tokens)
    if (wanted === undefined) return { projects: page, ...next }
    const { spans, conventions, missing } = await api.call(projectConventions, {
      body: { project_id: wanted },
    })
    return { projects: page, spans_seen: spans, conventions, missing, ...next }
  },
})
