/** Operations of SQL. */
import { expect } from 'vitest'
import { json, operation } from './operation.js'

export const statements = [
  operation('POST', '/sql', 'read', async ({ project }) => ({
    valid: {
      body: {
        project_id: project,
        query: 'SELECT count() AS n FROM calls WHERE id = {id:String}',
        params: { id: 'none' },
      },
    },
    effect: (answer) => expect(json(answer).data).toEqual([{ n: 0 }]),
    invalid: [
      { why: 'no project', body: { query: 'SELECT 1' }, status: 422, at: 'body.project_id' },
      { why: 'no query', body: { project_id: project }, status: 422, at: 'body.query' },
      { why: 'another table', body: { project_id: project, query: 'SELECT * FROM api_keys' }, status: 400 },
      {
        why: 'another format',
        body: { project_id: project, query: 'SELECT 1', format: 'xml' },
        status: 422,
        at: 'body.format',
      },
    ],
  })),
]
