/** The tool that runs SQL over a project. */
import { z } from 'zod'
import { projectSql, sqlTables } from '../../contract/sql.js'
import { cursorIn, cursorOut, maxTokens, offsetOf, pageOf } from '../budget.js'
import { project, tool } from '../tool.js'

export const sql = tool({
  name: 'sql',
  title: 'Query with SQL',
  description:
    'One SELECT over the calls, costs, feedback, evaluations, objects and training of a project, for what the other tools can’t count or join. Without query: the tables and their columns.',
  effect: 'reads',
  input: z.object({
    project,
    query: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe('ClickHouse SQL; order it, so that a cursor goes on'),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    tables: z
      .array(z.object({ name: z.string(), description: z.string(), columns: z.array(z.string()) }))
      .optional(),
    row_count: z.int().optional(),
    rows: z.array(z.record(z.string(), z.unknown())).optional(),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, query, cursor, max_tokens }, api) => {
    const offset = offsetOf(cursor)
    if (query === undefined) {
      const { tables } = await api.call(sqlTables)
      const shown = tables.map(({ name, description, columns }) => ({
        ...{ name, description },
        columns: columns.map((column) => `${column.name} ${column.type}`),
      }))
      const { page, ...next } = pageOf(shown.slice(offset), offset, max_tokens)
      return { tables: page, ...next }
    }
    const { data, rows } = await api.call(projectSql, { body: { project_id, query } })
    const { page, ...next } = pageOf(data.slice(offset), offset, max_tokens)
    return { row_count: rows, rows: page, ...next }
  },
})
